/**
 * Clients that cannot run here, each as the requests that it makes: paths, headers, envelope, what stands where and
 * in which notation, written from what was measured with the real client (`ran`) or read in its source (`read`).
 */
import { gzipSync } from 'node:zlib';

export type Kind = 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias';
type Json = Record<string, unknown>;

export interface FormRequest {
  readonly method: 'POST' | 'GET';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly chunked: boolean;
  readonly secure: boolean;
}

export interface Form {
  readonly client: string;
  readonly version: string;
  /** Whether the real client was measured, or its source was read. */
  readonly known: 'ran' | 'read';
  /** Why it is not pointed at localhost by a setting, or what it needs. */
  readonly needs: string | null;
  requests(key: string): readonly FormRequest[];
}

interface Style {
  readonly path: string;
  readonly basic?: boolean;
  readonly bodyKey?: boolean;
  readonly type?: string | null;
  readonly gzip?: boolean;
  readonly chunked?: boolean;
  readonly agent: string | null;
  readonly kinds: readonly Kind[];
  /** Of each call, after the common fields. */
  readonly call: (kind: Kind, common: Json) => Json;
  readonly envelope: (batch: readonly Json[]) => Json;
  /** How the client writes JSON; JSON.stringify when left out. */
  readonly write?: (value: unknown) => string;
}

const ALL: readonly Kind[] = ['identify', 'track', 'page', 'screen', 'group', 'alias'];
const WITHOUT_SCREEN = ALL.filter((kind) => kind !== 'screen');

const OWN: Readonly<Record<Kind, Json>> = {
  identify: { traits: { email: 'zoë@example.com' } },
  track: { event: 'Order <Done> & é', properties: { total: 12.5 } },
  page: { name: 'Home', category: 'Docs', properties: { url: 'https://example.com/' } },
  screen: { name: 'Main', properties: { tab: 2 } },
  group: { groupId: 'g1', traits: { name: 'ACME' } },
  alias: { previousId: 'a1' },
};

function form(style: Style, key: string, secure: boolean): FormRequest[] {
  const batch = style.kinds.map((kind, at) => {
    const common = { type: kind, messageId: `${style.agent ?? 'client'} ${at}`, userId: 'u1', ...OWN[kind] };
    return style.call(kind, common);
  });
  const envelope = { ...style.envelope(batch), ...(style.bodyKey === true ? { writeKey: key } : {}) };
  const text = Buffer.from((style.write ?? JSON.stringify)(envelope));
  const headers: Record<string, string> = {};
  if (style.basic === true) headers.Authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  if (style.type !== null) headers['Content-Type'] = style.type ?? 'application/json';
  if (style.gzip === true) headers['Content-Encoding'] = 'gzip';
  if (style.agent !== null) headers['User-Agent'] = style.agent;
  const body = style.gzip === true ? gzipSync(text) : text;
  return [{ method: 'POST', path: style.path, headers, body, chunked: style.chunked === true, secure }];
}

const library = (name: string, version: string): Json => ({ library: { name, version } });
const without = (call: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(call).filter(([name]) => !names.includes(name)));

/** As Go writes JSON: these characters escaped. */
const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** As Python does: blanks after separators, ASCII only. */
const pythonJson = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
/** As PHP does: slashes escaped, ASCII only. */
const phpJson = (value: unknown): string => pythonJson(value).replaceAll('/', '\\/');

const goThree: Style = {
  path: '/v1/batch',
  basic: true,
  agent: 'analytics-go (version: 3.0.0)',
  kinds: ALL,
  call: (kind, call) => ({
    ...(kind === 'page' ? without(call, 'category') : call),
    timestamp: '2026-11-20T11:59:57.708795692-05:00',
  }),
  envelope: (batch) => ({
    batch,
    context: library('analytics-go', '3.0.0'),
    messageId: 'batch-1',
    sentAt: '2026-11-20T11:59:58.1-05:00',
  }),
  write: goJson,
};

const python: Style = {
  path: '/v1/batch',
  agent: 'analytics-python/2.3.4',
  kinds: ALL,
  call: (kind, call) => ({
    integrations: {},
    anonymousId: null,
    timestamp: '2026-11-20T17:11:30.073+00:00',
    context: library('analytics-python', '2.3.4'),
    ...(kind === 'page' || kind === 'screen' ? { category: null } : {}),
    ...call,
  }),
  envelope: (batch) => ({ batch, sentAt: '2026-11-20T17:11:30.573393+00:00' }),
  write: pythonJson,
};

const ruby: Style = {
  path: '/v1/import',
  basic: true,
  agent: 'analytics-ruby/2.5.0',
  kinds: ALL,
  call: (kind, call) => ({
    context: library('analytics-ruby', '2.5.0'),
    timestamp: '2026-11-20T17:11:30.602+00:00',
    ...(kind === 'page' ? { ...without(call, 'category'), name: '' } : call),
    userId: 42,
  }),
  envelope: (batch) => ({ batch, sentAt: '2026-11-20T17:11:30.000Z' }),
};

const php: Style = {
  path: '/v1/batch',
  basic: true,
  gzip: true,
  agent: 'analytics-php/3.8.2',
  kinds: ALL,
  call: (_kind, call) => ({
    ...call,
    userId: 42,
    timestamp: '2026-11-20T12:13:53-05:00',
    context: { library: { name: 'analytics-php', version: '3.8.2', consumer: 'LibCurl' } },
  }),
  envelope: (batch) => ({ batch, sentAt: '2026-11-20T12:13:53-05:00' }),
  write: phpJson,
};

const java: Style = {
  path: '/v1/import/',
  basic: true,
  bodyKey: true,
  type: 'application/json; charset=UTF-8',
  agent: 'analytics-java/3.5.5',
  kinds: ALL,
  call: (_kind, call) => ({ ...call, timestamp: '2026-11-20T17:13:53.061Z' }),
  envelope: (batch) => ({
    batch,
    sentAt: '2026-11-20T17:13:53.061Z',
    context: { ...library('analytics-java', '3.5.5'), instanceId: 'i-1' },
    sequence: 1,
  }),
};

const phone = (over: Partial<Style> & Pick<Style, 'path' | 'agent'>, name: string, at: string): Style => ({
  bodyKey: true,
  kinds: ALL,
  call: (_kind, call) => ({ ...call, anonymousId: 'a1', timestamp: at, context: library(name, '1') }),
  envelope: (batch) => ({ batch, sentAt: at }),
  ...over,
});

const JS_TIME = '2026-11-20T17:13:53.061Z';
/** Sent to the https listener, since the client can do no other by a setting. */
const HTTPS_ONLY = 'https only';

const entry = (
  client: string,
  version: string,
  known: Form['known'],
  style: Style,
  needs: string | null = null,
): Form => ({
  client,
  version,
  known,
  needs,
  requests: (key) => form(style, key, needs === HTTPS_ONLY),
});

/** `GET /v1/pixel/:type` of the HTTP API, both ways. */
const pixels: Form = {
  client: 'pixel',
  version: 'HTTP API',
  known: 'read',
  needs: null,
  requests: (key) =>
    ALL.map((kind, at) => {
      const call = { messageId: `pixel ${at}`, userId: 'u1', writeKey: key, ...OWN[kind] };
      const data = encodeURIComponent(Buffer.from(JSON.stringify(call)).toString('base64'));
      const query = at % 2 === 0 ? `data=${data}` : dotted(call);
      return {
        method: 'GET',
        path: `/v1/pixel/${kind}?${query}`,
        headers: {},
        body: undefined,
        chunked: false,
        secure: false,
      };
    }),
};

function dotted(call: Json): string {
  const query = new URLSearchParams();
  const put = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) query.set(at, String(value));
    else for (const [name, inner] of Object.entries(value)) put(inner, at === '' ? name : `${at}.${name}`);
  };
  put(call, '');
  return query.toString();
}

export const forms: readonly Form[] = [
  entry('analytics-go', '3.3.0', 'ran', goThree),
  entry('analytics-go', '1.2.0', 'read', {
    ...goThree,
    path: '/v1/import',
    agent: 'analytics-go (version: 1.2.0)',
    kinds: WITHOUT_SCREEN,
  }),
  entry('analytics-python', '2.3.4', 'ran', { ...python, bodyKey: true, gzip: true }),
  entry('analytics-python', '2.2.3', 'ran', { ...python, basic: true, agent: 'analytics-python/2.2.3' }),
  entry('analytics-python', '1.4.0', 'read', { ...python, basic: true, agent: 'analytics-python/1.4.0' }),
  entry('analytics-ruby', '2.5.0', 'ran', ruby, HTTPS_ONLY),
  entry('analytics-php', '3.8.2', 'ran', php, HTTPS_ONLY),
  entry('analytics-java', '3.5.5', 'read', java),
  entry('analytics-java', '3.5.4', 'read', { ...java, basic: false, agent: 'analytics-java/3.5.4' }),
  entry('analytics-java', '3.3.1', 'read', { ...java, bodyKey: false, agent: 'analytics-java/3.3.1' }),
  entry(
    'analytics-swift',
    '1.10.0',
    'read',
    phone(
      { path: '/v1/b', agent: 'analytics-ios/1.10.0', type: 'application/json; charset=utf-8' },
      'analytics-swift',
      JS_TIME,
    ),
    HTTPS_ONLY,
  ),
  entry(
    'analytics-kotlin',
    '1.25.0',
    'read',
    phone(
      { path: '/v1/b', agent: 'analytics-kotlin/1.25.0', type: 'text/plain', gzip: true, chunked: true },
      'analytics-kotlin',
      JS_TIME,
    ),
    HTTPS_ONLY,
  ),
  entry(
    'analytics-react-native',
    '2.21.4',
    'read',
    phone(
      { path: '/v1/b', agent: 'okhttp/4.12.0', type: 'application/json; charset=utf-8' },
      '@segment/analytics-react-native',
      JS_TIME,
    ),
    'proxy http://localhost:8765/v1 with useSegmentEndpoints',
  ),
  entry(
    'Analytics-CSharp',
    'January 2026',
    'read',
    phone({ path: '/v1/b', agent: null, type: null, gzip: true }, 'Analytics-CSharp', '2026-11-20T17:13:53.0612345Z'),
    HTTPS_ONLY,
  ),
  entry(
    'analytics-android',
    'classic',
    'read',
    phone({ path: '/v1/import', agent: 'analytics-android', gzip: true }, 'analytics-android', JS_TIME),
    HTTPS_ONLY,
  ),
  pixels,
];
