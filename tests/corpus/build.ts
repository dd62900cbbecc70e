/** Builds requests and cases: what every table of the corpus is written with. */
import type { CorpusCase, ExpectedMessage } from './case.ts';

export const KEYS = { main: 'wk_corpus', off: 'wk_off', unused: 'wk_no_webhooks' } as const;

export type HeaderLine = readonly [name: string, value: string];
export type Body = string | Uint8Array;

export const basicText = (user: string): string => `Basic ${Buffer.from(user).toString('base64')}`;

/** A head as text is written byte for byte: what is above U+00FF has no byte. */
export const head = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');

export const bytesOf = (body: Body): Buffer =>
  typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body);

export interface Given {
  readonly method?: string;
  readonly host?: string;
  /** Null sends no Authorization. */
  readonly key?: string | null;
  readonly headers?: readonly HeaderLine[];
  readonly type?: string | null;
  readonly chunked?: boolean;
}

/** A whole request; a POST with the key of the corpus unless said otherwise. */
export function request(target: string, body: Body | null, given: Given = {}): Buffer {
  const { method = 'POST', host = 'localhost', key = KEYS.main, headers = [], type = 'application/json' } = given;
  const bytes = body === null ? null : bytesOf(body);
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`];
  if (key !== null) lines.push(`Authorization: ${basicText(`${key}:`)}`);
  if (type !== null && bytes !== null) lines.push(`Content-Type: ${type}`);
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (bytes === null) return head(lines);
  if (given.chunked === true) return Buffer.concat([head([...lines, 'Transfer-Encoding: chunked']), chunked(bytes)]);
  return Buffer.concat([head([...lines, `Content-Length: ${bytes.length}`]), bytes]);
}

export function chunked(bytes: Uint8Array, size = 4_096): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

let ids = 0;
export const newMessageId = (): string => {
  ids += 1;
  return `corpus-${String(ids).padStart(5, '0')}`;
};

export const TIMESTAMP = '2026-11-20T17:31:04.000Z';

export type Kind = 'track' | 'identify' | 'page' | 'screen' | 'group' | 'alias';
export const KINDS: readonly Kind[] = ['track', 'identify', 'page', 'screen', 'group', 'alias'];

const OWN: Readonly<Record<Kind, object>> = {
  track: { event: 'E' },
  identify: { traits: {} },
  page: { name: 'Home' },
  screen: { name: 'Home' },
  group: { groupId: 'g-1' },
  alias: { previousId: 'before' },
};

/** A call that is good and leaves no note; a field given as undefined is left out. */
export const call = (kind: Kind, over: object = {}): object => ({
  type: kind,
  messageId: newMessageId(),
  userId: 'u-1',
  timestamp: TIMESTAMP,
  ...OWN[kind],
  ...over,
});

export const track = (over: object = {}): object => call('track', over);

/** The text of a track call with this JSON text as the value of the property `v`. */
export const trackText = (value: string): string => withProperties(`{"v":${value}}`);

/** The text of a track call with this JSON text as its properties. */
export const withProperties = (properties: string): string =>
  `{"messageId":"${newMessageId()}","userId":"u-1","timestamp":"${TIMESTAMP}","event":"E","properties":${properties}}`;

export const QUEUED: ExpectedMessage = { state: 'queued', reason: null };

export const queued = (over: Partial<ExpectedMessage> = {}): ExpectedMessage => ({ ...QUEUED, ...over });

export const rejected = (reason: string, over: Partial<ExpectedMessage> = {}): ExpectedMessage => ({
  state: 'rejected',
  reason,
  ...over,
});

export const notSelected = (reason: string, over: Partial<ExpectedMessage> = {}): ExpectedMessage => ({
  state: 'not_selected',
  reason,
  ...over,
});

type More = Partial<Omit<CorpusCase, 'name' | 'bytes'>>;

/** Answered 200. */
export const taken = (
  name: string,
  bytes: Uint8Array,
  messages: readonly ExpectedMessage[],
  more: More = {},
): CorpusCase => ({
  name,
  bytes,
  status: 200,
  code: null,
  messages,
  ...more,
});

/** Answered with an error, and nothing is stored unless `more` says so. */
export const refused = (
  name: string,
  bytes: Uint8Array,
  status: number,
  code: string,
  more: More = {},
): CorpusCase => ({
  name,
  bytes,
  status,
  code,
  messages: [],
  ...more,
});

/** No JSON: answered 400, recorded as rejected; `says` is in the answer and beside the reason. */
export const notJson = (name: string, bytes: Uint8Array, says: string, more: More = {}): CorpusCase =>
  refused(name, bytes, 400, 'invalid_json', { says, messages: [rejected('invalid_json', { detail: says })], ...more });

/** JSON, but no object where one must be. */
export const notAnObject = (name: string, bytes: Uint8Array, says: string, more: More = {}): CorpusCase =>
  refused(name, bytes, 400, 'not_an_object', {
    says,
    messages: [rejected('not_an_object', { detail: says })],
    ...more,
  });

/** One call that is kept as rejected; answered 200 in Segment mode. */
export const rejectedCall = (
  name: string,
  bytes: Uint8Array,
  reason: string,
  over: Partial<ExpectedMessage> = {},
  more: More = {},
): CorpusCase => taken(name, bytes, [rejected(reason, over)], more);

export const json = (value: unknown): string => JSON.stringify(value);

/** A name for a value, short enough to read. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  const plain = text.replace(
    /[^ -~\u00a1-\u1fff\u2030-\ufe6f]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return plain.length > 60 ? `${plain.slice(0, 57)}…` : plain;
};
