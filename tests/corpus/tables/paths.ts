/** Paths and methods: every form of ours, and what must not be taken for one. */
import {
  call,
  head,
  json,
  KEYS,
  KINDS,
  type Kind,
  queued,
  refused,
  rejected,
  request,
  shown,
  taken,
  track,
} from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

const LETTERS: Readonly<Record<Kind, string>> = {
  identify: 'i',
  track: 't',
  page: 'p',
  screen: 's',
  group: 'g',
  alias: 'a',
};

const forms = (path: string): readonly string[] => [
  `/v1/${path}`,
  `/v1/${path}/`,
  `//v1/${path}`,
  `/v1//${path}`,
  `/v1/${path}//`,
  `/v1/${path}?`,
  `/v1/${path}?a=b&c`,
  `/v1/${path}/?a=/../`,
];

const ours: readonly CorpusCase[] = [
  ...KINDS.flatMap((kind) =>
    [...forms(kind), ...forms(LETTERS[kind])].map((path) =>
      taken(`POST ${path}`, request(path, json(call(kind))), [queued({ type: kind })]),
    ),
  ),
  ...['batch', 'import', 'b']
    .flatMap(forms)
    .map((path) => taken(`POST ${path}`, request(path, json({ batch: [track()] })), [queued()])),
];

const NOT_OURS = [
  '/',
  '//',
  '/?',
  '/v1',
  '/v1/',
  '/v1/v1/track',
  '/v2/track',
  '/v0/track',
  '/V1/track',
  '/v1/Track',
  '/v1/TRACK',
  '/v1/track/extra',
  '/v1/track/../track',
  '/v1/./track',
  '/v1/../v1/track',
  '/../v1/track',
  '/v1/track/..',
  '/v1/%74rack',
  '/v1%2ftrack',
  '/%2e%2e/v1/track',
  '/v1/track%00',
  '/v1/track%20',
  '/v1/track;a=b',
  '/v1/track.json',
  '/v1/track&a=b',
  '/v1/tracks',
  '/v1/trac',
  '/v1/delete',
  '/v1/batch/track',
  '/v1/x',
  '/v1/\\track',
  '/v1/__proto__',
  '/v1/constructor',
  '/__proto__',
  '/favicon.ico',
  '/index.html',
  '/robots.txt',
  '/.env',
  '/.git/config',
  '/etc/passwd',
  '/metrics',
  '/debug/pprof',
  '/graphql',
  '/json/version',
  '/contract',
  '/contract/',
  '/launch/abc',
  '/assets/index.js',
  '/r/ok',
  `/${'x'.repeat(8_000)}`,
  `/v1/${'/'.repeat(8_000)}x`,
];

const unknown: readonly CorpusCase[] = [
  ...NOT_OURS.flatMap((path) => [
    refused(`POST ${shown(path)}`, request(path, json(track())), 404, 'not_found'),
    refused(`GET ${shown(path)}`, request(path, null, { method: 'GET' }), 404, 'not_found'),
  ]),
  ...['/t', '/track', '/b', '/batch', '/pixel/track'].map((path) =>
    refused(`POST ${path}`, request(path, json(track())), 404, 'not_found', { says: `Use /v1${path}` }),
  ),
  taken('8,000 slashes before a path of ours', request(`${'/'.repeat(8_000)}v1/track`, json(track())), [queued()]),
];

const METHODS = ['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE', 'LINK', 'PURGE', 'QUERY'];

const wrongMethod = (method: string, path: string, allow: string): CorpusCase =>
  refused(`${method} ${path}`, request(path, null, { method }), 405, 'method_not_allowed', { headers: { allow } });

const methods: readonly CorpusCase[] = [
  ...METHODS.flatMap((method) =>
    ['/v1/track', '/v1/batch', '/v1/m', '/token'].map((path) => wrongMethod(method, path, 'POST, OPTIONS')),
  ),
  refused('PUT with a good call', request('/v1/track', json(track()), { method: 'PUT' }), 405, 'method_not_allowed'),
  refused('GET with a good call', request('/v1/track', json(track()), { method: 'GET' }), 405, 'method_not_allowed'),
  ...['POST', 'PUT', 'DELETE'].flatMap((method) =>
    ['/health', '/v1/projects/x/settings', '/v1/pixel/track', '/analytics.js/v1/x/analytics.min.js'].map((path) =>
      wrongMethod(method, path, 'GET, HEAD, OPTIONS'),
    ),
  ),
  taken('HEAD /v1/track', request('/v1/track', null, { method: 'HEAD' }), [], { status: 405 }),
  taken('HEAD /nothing', request('/nothing', null, { method: 'HEAD' }), [], { status: 404 }),
  taken('HEAD /health', request('/health', null, { method: 'HEAD' }), []),
  ...['/v1/track', '/v1/batch', '/nothing', '/v1/pixel/track', '/contract'].map((path) =>
    taken(`OPTIONS ${path}`, request(path, null, { method: 'OPTIONS', key: null }), [], {
      status: 204,
      headers: { 'access-control-allow-methods': 'GET, POST, OPTIONS', 'access-control-max-age': '600' },
    }),
  ),
  ...['get', 'post', 'Post', 'FOO', 'POSTT', 'P OST', ''].map((method) =>
    refused(
      `method ${JSON.stringify(method)}`,
      request('/v1/track', json(track()), { method }),
      400,
      'invalid_request',
      { closes: true },
    ),
  ),
  taken('CONNECT', head(['CONNECT localhost:80 HTTP/1.1', 'Host: localhost']), [], { status: 0 }),
];

const TARGETS = [
  'http://localhost/v1/track',
  'http://evil.test/v1/track',
  'https://localhost/v1/track',
  'HTTP://LOCALHOST/v1/track',
  'ftp://localhost/v1/track',
  '*',
  '/v1/track#x',
  '/v1/track#',
  '/#/v1/track',
  '/v1/track?a#b',
];

/** Not even a target for Node's parser. */
const BROKEN_TARGETS = [
  'v1/track',
  'localhost:8765',
  'localhost',
  '\\v1\\track',
  '?a=b',
  '/v1/track x',
  '',
  '/v1/\u0000track',
  '/v1/\ttrack',
  '/v1/\u007ftrack',
  '/v1/tr\u00e4ck',
];

const targets: readonly CorpusCase[] = [
  ...TARGETS.map((target) =>
    refused(`target ${shown(target)}`, request(target, json(track())), 400, 'invalid_request'),
  ),
  ...BROKEN_TARGETS.map((target) =>
    refused(`target ${JSON.stringify(target)}`, request(target, json(track())), 400, 'invalid_request', {
      closes: true,
    }),
  ),
];

const pixelData = (value: unknown): string => Buffer.from(json(value)).toString('base64');
const pixel = (query: string): Buffer => request(`/v1/pixel/track?${query}`, null, { method: 'GET', key: null });
const GIF = { headers: { 'content-type': 'image/gif' }, strict: { status: 200, code: null } };

const aside: readonly CorpusCase[] = [
  taken(
    'pixel with data',
    pixel(`data=${encodeURIComponent(pixelData(track({ writeKey: KEYS.main })))}`),
    [queued({ type: 'track' })],
    GIF,
  ),
  taken(
    'pixel with keys',
    pixel(`writeKey=${KEYS.main}&userId=u&event=E&properties.a.b=1&messageId=corpus-pixel`),
    [queued({ notes: ['timestamp_missing'], wire: '"properties":{"a":{"b":"1"}}' })],
    GIF,
  ),
  taken(
    'pixel without anything',
    request('/v1/pixel/track', null, { method: 'GET', key: null }),
    [rejected('unknown_source')],
    GIF,
  ),
  taken('pixel with data that is no base64', pixel('data=%7B%7D'), [rejected('invalid_json')], GIF),
  taken('pixel with data that is no object', pixel(`data=${pixelData([])}`), [rejected('not_an_object')], GIF),
  taken(
    'pixel with a key named __proto__',
    pixel(`writeKey=${KEYS.main}&userId=u&event=E&__proto__.polluted=1&messageId=corpus-pixel-2`),
    [queued({ notes: ['timestamp_missing'] })],
    GIF,
  ),
  taken(
    'pixel with a key and keys below it',
    pixel(`writeKey=${KEYS.main}&userId=u&event=E&properties=x&properties.a=1&messageId=corpus-pixel-3`),
    [queued({ notes: ['timestamp_missing'], wire: '"properties":{"a":"1"}' })],
    GIF,
  ),
  taken('metrics', request('/v1/m', '{"series":[]}'), []),
  taken('metrics that are no JSON', request('/v1/m', '\u0000nonsense'), []),
  taken('health', request('/health', null, { method: 'GET', key: null }), []),
  taken('health with a query', request('/health?x', null, { method: 'GET' }), []),
  ...['x', KEYS.main, '%00', '%ff', '%E4%F6', '..%2f..%2fetc%2fpasswd', '__proto__', '"', "'"].map((key) =>
    taken(`settings of ${key}`, request(`/v1/projects/${key}/settings`, null, { method: 'GET', key: null }), []),
  ),
  ...[
    '../standalone.js',
    '..%2fstandalone.js',
    '%2e%2e/standalone.js',
    '.hidden.js',
    'a/b.js',
    'none.js',
    'x.mjs',
    '',
  ].map((name) =>
    refused(`bundle ${name}`, request(`/analytics-next/bundles/${name}`, null, { method: 'GET' }), 404, 'not_found'),
  ),
  refused('a token for nothing', request('/token', ''), 400, 'invalid_request'),
  refused('a token for JSON', request('/token', '{}'), 400, 'invalid_request'),
  refused('a token for another grant', request('/token', 'grant_type=password'), 400, 'unsupported_grant_type'),
];

export const paths: readonly Topic[] = [
  { topic: 'paths', cases: [...ours, ...unknown] },
  { topic: 'methods and targets', cases: [...methods, ...targets] },
  { topic: 'beside calls', cases: aside },
];
