/** A request as the listener hands it over, and all that comes of it: answer, store, observer, log. In memory. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngest } from '../../../src/core/ingest/ingest.ts';
import type { IngestRequest, IngestResponse } from '../../../src/core/ingest/request.ts';
import { MAX_CALL_BYTES } from '../../../src/core/model/call.ts';
import {
  basic,
  KEY,
  makeWorld,
  NOON,
  notWritable,
  sourceWith,
  textOf,
  type World,
} from '../../helpers/ingest-parts.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});

const HOST = ['Host', 'localhost:8765'] as const;
const AUTHORIZED = [HOST, ['Authorization', basic(KEY)]] as const;
const track = (over: object = {}) => ({ type: 'track', event: 'E', userId: 'u', messageId: 'm', ...over });
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

const requestOf = (target: string, body: unknown, over: Partial<IngestRequest> = {}): IngestRequest => ({
  method: 'POST',
  target,
  headers: AUTHORIZED,
  body: bytes(body),
  remote: '::ffff:127.0.0.1',
  ...over,
});
const post = (target: string, body: unknown, over: Partial<IngestRequest> = {}) =>
  world.ingest.handle(requestOf(target, body, over));
const get = (target: string, over: Partial<IngestRequest> = {}) =>
  post(target, '', { method: 'GET', headers: [HOST], ...over });

/** Status, body as JSON, and the headers that are not those of every answer. */
function seen({ status, body, headers }: IngestResponse) {
  const common = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Vary'];
  expect(headers.map(([name]) => name)).toEqual(expect.arrayContaining(common));
  const own = Object.fromEntries(headers.filter(([name]) => !common.includes(name)));
  return { status, json: JSON.parse(Buffer.from(body as string).toString()) as unknown, headers: own };
}
const JSON_TYPE = { 'Content-Type': 'application/json' };
const error = (status: number, code: string, message: string, headers: object = {}) => ({
  status,
  json: { success: false, code, message, error: message },
  headers: { ...JSON_TYPE, ...headers },
});
const success = { status: 200, json: { success: true }, headers: JSON_TYPE };

describe('a request that is refused before it is looked at', () => {
  it('has no Host, and is answered so that a page may read it', async () => {
    const answer = await post('/v1/track', track(), { headers: [] });
    expect(seen(answer)).toEqual(error(400, 'invalid_request', 'The request must have exactly one Host header.'));
    expect([world.store.kept, world.answered]).toEqual([[], []]);
  });

  it.each([
    ['POST', '/nowhere', 404, 'not_found', 'There is nothing at this path. Calls go to /v1/batch.', {}],
    ['POST', '/t', 404, 'not_found', 'Use /v1/t: the host that the client is given must end in /v1.', {}],
    ['GET', '/v1/track', 405, 'method_not_allowed', 'Use POST here.', { Allow: 'POST, OPTIONS' }],
    ['POST', '/health', 405, 'method_not_allowed', 'Use GET, HEAD here.', { Allow: 'GET, HEAD, OPTIONS' }],
  ])('is %s %s: %i', async (method, target, status, code, message, headers) => {
    expect(seen(await post(target, track(), { method }))).toEqual(error(status, code, message, headers));
    expect([world.store.kept, world.answered]).toEqual([[], []]);
  });

  it('asks what a page may send: no body, and nothing is stored', async () => {
    const answer = await post('/v1/track', '', { method: 'OPTIONS', headers: [HOST, ['Origin', 'https://shop.test']] });
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.headers.map(([name]) => name)).not.toContain('Access-Control-Allow-Origin');
    world.allowedOrigins.push('https://shop.test');
    const allowed = await post('/', '', { method: 'OPTIONS', headers: [HOST, ['Origin', 'https://shop.test']] });
    expect(allowed.headers).toContainEqual(['Access-Control-Allow-Origin', 'https://shop.test']);
    expect(allowed.headers).toContainEqual(['Access-Control-Max-Age', '600']);
  });

  it('comes from elsewhere to a workspace that knows of no origins', async () => {
    const { allowsOrigin: _, ...workspace } = world.workspace;
    const answer = await createIngest({ ...world, workspace }).handle(
      requestOf('/health', '', { method: 'GET', headers: [HOST, ['Origin', 'https://shop.test']] }),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.map(([name]) => name)).not.toContain('Access-Control-Allow-Origin');
  });
});

describe('a request with calls', () => {
  it('is stored whole, told to the observer and answered', async () => {
    const body = gzipSync(JSON.stringify({ batch: [track(), track({ messageId: 'n' })] }));
    const headers = [...AUTHORIZED, ['Content-Encoding', 'GZIP']] as const;
    expect(seen(await post('/v1/batch?x', '', { body, headers }))).toEqual(success);
    const [kept] = world.store.kept;
    expect(kept?.dedupe).toBe(true);
    expect(kept?.request).toEqual({
      method: 'POST',
      path: '/v1/batch?x',
      body,
      encoding: 'gzip',
      decodedBytes: JSON.stringify({ batch: [track(), track({ messageId: 'n' })] }).length,
      writeKey: KEY,
      sourceId: 1,
      status: 200,
      code: null,
      receivedAt: NOON,
      headers,
      fingerprint: null,
    });
    expect(
      kept?.messages.map(({ messageId, position, origin, state }) => [messageId, position, origin, state]),
    ).toEqual([
      ['m', 0, 'sdk', 'queued'],
      ['n', 1, 'sdk', 'queued'],
    ]);
    expect(world.observed).toEqual([
      {
        messages: kept?.messages,
        ids: [
          { id: 1, duplicate: false },
          { id: 2, duplicate: false },
        ],
      },
    ]);
    expect(world.answered).toEqual([{ status: 200, code: null, calls: 2, rejected: 0 }]);
    expect(world.logged).toEqual([]);
  });

  it('takes duplicates twice where that is set', async () => {
    world.settings = { ...world.settings, dedupe: false };
    await post('/v1/track', track());
    expect(world.store.kept[0]?.dedupe).toBe(false);
  });

  it('gives each call without a messageId one of its own, and says when it came', async () => {
    await post('/v1/batch', { batch: [track({ messageId: null }), track({ messageId: '' })] });
    expect(world.store.messages.map(({ messageId }) => messageId)).toEqual(['assigned-1', 'assigned-2']);
    expect(JSON.parse(textOf(world.store.messages[0]!.wire)).timestamp).toBe('2026-11-20T17:33:00.000Z');
  });

  it('carries a note where parsing changed what was written', async () => {
    await post(
      '/v1/batch',
      `{"batch":[${JSON.stringify(track())},{"type":"track","event":"E","userId":"u","userId":"v"}]}`,
    );
    const notes = world.store.messages.map((message) => message.notes.map(({ code }) => code));
    expect(notes.map((codes) => codes.includes('duplicate_key'))).toEqual([false, true]);
  });

  it.each([
    ['server', undefined, undefined],
    ['server', 'analytics-node', undefined],
    ['server', 'analytics.js', '10.1.2.3'],
    ['web', undefined, '10.1.2.3'],
    ['mobile', undefined, '10.1.2.3'],
  ] as const)('of a %s source with the library %s is delivered with the address %s', async (kind, name, ip) => {
    world.sources[0] = sourceWith({ kind });
    const context = name === undefined ? undefined : { library: { name } };
    await post('/v1/track', track({ context }), { remote: '::ffff:10.1.2.3' });
    expect(JSON.parse(textOf(world.store.messages[0]!.wire)).context?.ip).toBe(ip);
  });

  it.each([
    ['/v1/batch', false, '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:01.000Z', '10:00:00.000Z'],
    ['/v1/batch', true, '2026-11-20T10:00:00.000Z', '2026-11-20T17:32:59.000Z', '10:00:01.000Z'],
    ['/v1/batch', false, '2026-11-20T10:00:00.000Z', '2026-11-20T17:32:59.000Z', '10:00:00.000Z'],
    ['/v1/import', true, '2026-11-20T10:00:00.000Z', '2026-11-20T17:32:59.000Z', '10:00:00.000Z'],
    ['/v1/import', false, '2026-11-20T10:00:00.000Z', '2026-11-20T16:33:00.000Z', '10:00:00.000Z'],
    ['/v1/batch', false, '2026-11-20T10:00:00.000Z', '2026-11-20T16:33:00.000Z', '11:00:00.000Z'],
  ])('to %s, every timestamp corrected %s, happened at %s, sent at %s: delivered as of %s', async (...row) => {
    const [target, correctEveryTimestamp, timestamp, sentAt, delivered] = row;
    world.settings = { ...world.settings, correctEveryTimestamp };
    // Sent when it was received, by a clock that is right.
    if (sentAt.startsWith('2026-11-20T10')) world.now = Date.parse(sentAt);
    await post(target, { batch: [track({ timestamp })], sentAt });
    expect(JSON.parse(textOf(world.store.messages[0]!.wire)).timestamp).toBe(`2026-11-20T${delivered}`);
  });

  it.each([
    [{ eventsOff: new Set(['E']) }, {}, 'event_off', null],
    [{ webhooks: false }, {}, 'source_destination_off', 'checkout-api'],
    [{}, { enabled: false }, 'destination_off', null],
    [{}, { webhookCount: 0 }, 'no_webhook', null],
    [{}, {}, null, null],
  ])('with the source %j and the destination %j has the reason %s', async (source, destination, reason, detail) => {
    world.sources[0] = sourceWith(source);
    Object.assign(world.destinationNow, destination);
    await post('/v1/track', track());
    const state = reason === null ? 'queued' : 'not_selected';
    expect(world.store.messages).toMatchObject([{ state, reason, reasonDetail: detail }]);
  });

  it('is delivered in the shape that the destination has', async () => {
    world.destinationNow.body = 'pass-through';
    await post('/v1/track', track({ extra: 1 }));
    expect(JSON.parse(textOf(world.store.messages[0]!.wire))).toMatchObject({
      extra: 1,
      receivedAt: expect.anything(),
    });
  });
});

describe('calls that are rejected', () => {
  const large = track({ pad: 'x'.repeat(MAX_CALL_BYTES) });
  const bad = track({ event: '' });
  const eventless = 'A track call needs an event name.';
  const tooLarge = 'This call is 32.1 KB. The limit is 32 KB per call.';

  it.each([
    ['segment', [bad], success, 1],
    ['segment', [track(), large, large], error(400, 'call_too_large', `Call 2 of 3: ${tooLarge}`), 2],
    ['segment', [large], error(400, 'call_too_large', tooLarge), 1],
    ['strict', [track()], success, 0],
    ['strict', [bad], error(400, 'event_not_defined', eventless), 1],
    ['strict', [track(), track(), bad, large], error(400, 'event_not_defined', `Call 3 of 4: ${eventless}`), 2],
  ] as const)('in %s mode (%#): the answer names the first that counts', async (mode, batch, answer, rejected) => {
    world.settings = { ...world.settings, mode };
    expect(seen(await post('/v1/batch', { batch }))).toEqual(answer);
    const code = 'code' in answer.json ? answer.json.code : null;
    expect(world.answered).toEqual([{ status: answer.status, code, calls: batch.length, rejected }]);
    expect(world.store.kept[0]?.request).toMatchObject({ status: answer.status, code });
    expect(world.store.kept[0]?.request.fingerprint === null).toBe(answer.status === 200);
  });

  const unknown = error(401, 'unknown_source', 'No source has the write key wk_x. Copy the key from Sources.');
  const keyless = error(401, 'unknown_source', 'The request has no write key.');
  const off = error(401, 'source_disabled', 'The source checkout-api is off.');

  it.each([
    ['a key of nobody', basic('wk_x'), true, unknown, 'unknown_source', 'wk_x', null],
    ['no key', null, true, keyless, 'unknown_source', null, null],
    ['the key of a source that is off', basic(KEY), false, off, 'source_disabled', 'checkout-api', 1],
  ])('for %s: 401 in strict mode and for each, 200 in Segment mode', async (...row) => {
    const [, authorization, enabled, strict, reason, detail, sourceId] = row;
    world.sources[0] = sourceWith({ enabled });
    const headers = authorization === null ? [HOST] : ([HOST, ['Authorization', authorization]] as const);
    const batch = [track(), bad, track()];
    expect(seen(await post('/v1/batch', { batch }, { headers }))).toEqual(success);
    expect(seen(await post('/v1/batch', { batch: [] }, { headers }))).toEqual(success);
    world.store.kept.pop();
    world.settings = { ...world.settings, mode: 'strict' };
    expect(seen(await post('/v1/batch', { batch }, { headers }))).toEqual(strict);
    // A batch without calls is nobody's either.
    expect(seen(await post('/v1/batch', { batch: [] }, { headers }))).toEqual(strict);
    for (const { request, messages } of world.store.kept.slice(0, 2)) {
      expect(request.sourceId).toBe(sourceId);
      expect(messages.map((message) => [message.reason, message.reasonDetail])).toEqual(
        Array(3).fill([reason, detail]),
      );
    }
  });

  it('for a key that is too long are kept under its first 200 characters', async () => {
    const body = { batch: [track()], writeKey: 'k'.repeat(300) };
    await post('/v1/batch', body, { headers: [HOST] });
    expect(world.store.kept[0]?.request.writeKey).toBe('k'.repeat(200));
    expect(world.store.messages[0]?.reasonDetail).toBe('k'.repeat(200));
  });

  it('because a source could not be made are kept as of an unknown one, and the log says why', async () => {
    world.settings = { ...world.settings, acceptAnyKey: true };
    const workspace = { ...world.workspace, createSource: () => Promise.reject(new Error('full')) };
    const own = createIngest({ ...world, workspace });
    expect(seen(await own.handle(requestOf('/v1/track', track({ writeKey: 'new' }), { headers: [HOST] })))).toEqual(
      success,
    );
    expect(world.store.messages).toMatchObject([{ reason: 'unknown_source', reasonDetail: 'new' }]);
    expect(world.logged).toEqual([{ level: 'warn', event: 'source_not_made', fields: { message: 'full' } }]);
  });

  it('never make a source where a key has none and that is not set', async () => {
    await post('/v1/track', track({ writeKey: 'new' }), { headers: [HOST] });
    await post('/v1/track', track(), { headers: [HOST] });
    expect(world.made).toEqual([]);
  });
});

describe('a source for any key', () => {
  const each = (writeKey: string) => post('/v1/track', track({ writeKey }), { headers: [HOST] });
  beforeEach(() => {
    world.settings = { ...world.settings, acceptAnyKey: true };
  });

  it('is made once for requests at once, and again after it was deleted', async () => {
    await Promise.all([each('new'), each('new'), each('other')]);
    expect(world.made).toEqual(['new', 'other']);
    world.sources.length = 0;
    await each('new');
    expect(world.made).toEqual(['new', 'other', 'new']);
    expect(world.store.messages.map(({ state }) => state)).toEqual(Array(4).fill('queued'));
  });

  it('is not made for what cannot be a key, nor without one', async () => {
    for (const key of ['', 'a b', 'k'.repeat(201)]) await each(key);
    expect(world.made).toEqual([]);
    expect(world.store.messages.map(({ reason }) => reason)).toEqual(Array(3).fill('unknown_source'));
  });
});

describe('a request that holds no call', () => {
  const json = 'The body is not valid JSON.';
  it.each([
    ['{', 'segment', error(400, 'invalid_json', `${json} The body ends too early.`), 'invalid_json'],
    ['[]', 'strict', error(400, 'not_an_object', 'The body is not a JSON object.'), 'not_an_object'],
    ['{"batch":[]}', 'segment', success, 'empty_batch'],
    ['{"batch":[]}', 'strict', success, 'empty_batch'],
  ] as const)('%s in %s mode leaves one row that says so', async (body, mode, answer, reason) => {
    world.settings = { ...world.settings, mode };
    expect(seen(await post('/v1/batch', body))).toEqual(answer);
    const code = 'code' in answer.json ? answer.json.code : null;
    const { status } = answer;
    expect(world.store.kept).toMatchObject([
      {
        dedupe: false,
        request: { status, code, sourceId: 1, decodedBytes: body.length },
        messages: [
          { messageId: 'assigned-1', position: 0, origin: 'sdk', state: 'rejected', reason, size: body.length },
        ],
      },
    ]);
    expect(world.observed).toHaveLength(1);
    expect(world.answered).toEqual([{ status, code, calls: 1, rejected: 1 }]);
  });

  it.each([600_000, null])(
    'because it was not read to its end (%s bytes) is known again by its start',
    async (length) => {
      const send = (first: string) => post('/v1/batch', '', { overflow: { bytes: length, first: Buffer.from(first) } });
      const size = length === null ? 'over 500 KB' : '586 KB';
      const message = `This batch is ${size}. The limit is 500 KB per batch. Lower the SDK's flush size.`;
      for (const first of ['a', 'a', 'b'])
        expect(seen(await send(first))).toEqual(error(400, 'batch_too_large', message));
      const [one, same, other] = world.store.kept.map(({ request }) =>
        Buffer.from(request.fingerprint ?? []).toString('hex'),
      );
      expect(one).toMatch(/^[0-9a-f]{64}$/);
      expect([same === one, other === one]).toEqual([true, false]);
      expect(world.store.kept[0]?.request).toMatchObject({ decodedBytes: length ?? 0, writeKey: KEY });
    },
  );

  it.each<[string, Partial<IngestRequest>]>([
    ['path', { target: '/v1/b' }],
    ['key', { headers: [HOST, ['Authorization', basic('other')]] }],
    ['encoding', { headers: [...AUTHORIZED, ['Content-Encoding', 'br']] }],
    ['body', { body: bytes('[') }],
  ])('with another %s is another one', async (_what, over) => {
    await post('/v1/batch', '{');
    await post('/v1/batch', '{', over);
    const [one, other] = world.store.kept.map(({ request }) => Buffer.from(request.fingerprint!).toString('hex'));
    expect(other).not.toBe(one);
  });
});

describe('a store that takes nothing', () => {
  const unwritable = error(
    503,
    'store_not_writable',
    'The store cannot be written, so the request was not stored. Send it again later.',
    { 'Retry-After': '5' },
  );
  const internal = error(500, 'internal', 'Something failed inside Hookbench, so nothing was stored.');

  it.each([
    ['cannot be written', notWritable(), unwritable],
    ['fails', new Error('odd'), internal],
  ])('because it %s is said to the client, and nothing is reported as stored', async (_title, failure, answer) => {
    world.store.failure = failure;
    expect(seen(await post('/v1/batch', { batch: [track(), track({ event: '' })] }))).toEqual(answer);
    expect(seen(await post('/v1/batch', { batch: [] }))).toEqual(answer);
    const { status, json } = answer;
    expect(world.answered).toEqual([
      { status, code: json.code, calls: 2, rejected: 0 },
      { status, code: json.code, calls: 0, rejected: 0 },
    ]);
    expect(world.observed).toEqual([]);
    const logged = { level: 'error', event: 'request_not_stored', fields: { message: failure.message } };
    expect(world.logged).toEqual([logged, logged]);
  });

  it('lets a 400 be a 400, which is as true as before', async () => {
    world.store.failure = notWritable();
    expect((await post('/v1/batch', '{')).status).toBe(400);
    expect(world.answered).toEqual([{ status: 400, code: 'invalid_json', calls: 1, rejected: 1 }]);
    expect(world.logged).toEqual([
      { level: 'warn', event: 'rejection_not_recorded', fields: { message: 'database or disk is full' } },
    ]);
  });

  it('because its limit is reached is 429 before anything is read', async () => {
    let isFull = true;
    const store = Object.assign(world.store, { full: () => isFull });
    const message = 'The storage limit is reached and every stored message still waits. Send it again later.';
    expect(seen(await post('/v1/batch', '{'))).toEqual(error(429, 'storage_full', message, { 'Retry-After': '5' }));
    expect(world.answered).toEqual([{ status: 429, code: 'storage_full', calls: 0, rejected: 0 }]);
    expect(store.kept).toEqual([]);
    isFull = false;
    expect(seen(await post('/v1/track', track()))).toEqual(success);
  });

  it('is no reason for a second try when only the observer failed: the calls are committed', async () => {
    const observer = {
      ...world.observer,
      stored: () => {
        throw new Error('watcher');
      },
    };
    expect(seen(await createIngest({ ...world, observer }).handle(requestOf('/v1/track', track())))).toEqual(success);
    expect(world.logged).toEqual([{ level: 'error', event: 'ingest_observer_failed', fields: { message: 'watcher' } }]);
  });

  it('because something else broke is 500, and the log says what', async () => {
    const clock = {
      ...world.clock,
      wall: () => {
        throw new Error('no clock');
      },
    };
    const own = createIngest({ ...world, clock });
    expect(seen(await own.handle(requestOf('/v1/track', track())))).toEqual(internal);
    const image = await own.handle(requestOf('/v1/pixel/track?userId=u', '', { method: 'GET' }));
    expect([image.status, image.headers[0]]).toEqual([200, ['Content-Type', 'image/gif']]);
    const logged = { level: 'error', event: 'ingest_failed', fields: { message: 'no clock' } };
    expect(world.logged).toEqual([logged, logged]);
  });
});

describe('the pixel', () => {
  it('is an image that nobody keeps, and its call is stored', async () => {
    const image = await get('/v1/pixel/track?userId=u&event=E&messageId=m', { headers: AUTHORIZED });
    expect(image.status).toBe(200);
    expect(
      Buffer.from(image.body as Uint8Array)
        .subarray(0, 6)
        .toString(),
    ).toBe('GIF89a');
    expect(image.headers.slice(0, 2)).toEqual([
      ['Content-Type', 'image/gif'],
      ['Cache-Control', 'no-store'],
    ]);
    expect(world.store.kept).toMatchObject([
      {
        request: { method: 'GET', encoding: null, sourceId: 1 },
        messages: [{ type: 'track', name: 'E', state: 'queued' }],
      },
    ]);
  });

  it('pays no attention to an encoding: it has no body', async () => {
    await get(`/v1/pixel/page?userId=u&writeKey=${KEY}`, { headers: [HOST, ['Content-Encoding', 'br']] });
    expect(world.store.messages).toMatchObject([{ type: 'page', state: 'queued' }]);
  });
});

describe('what is asked beside calls', () => {
  const NO_STORE = { ...JSON_TYPE, 'Cache-Control': 'no-store' };

  it('metrics are answered and counted, and stored nowhere', async () => {
    expect(seen(await post('/v1/m', '{'))).toEqual(success);
    expect([world.answered, world.store.kept]).toEqual([[{ status: 200, code: null, calls: 0, rejected: 0 }], []]);
  });

  it('a token is made of random bytes, unless the form is too long to be read to its end', async () => {
    const part = Buffer.from('{}').toString('base64url');
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${part}.${part}.c2ln`,
    }).toString();
    expect(seen(await post('/token', form)).json).toMatchObject({ access_token: 'ab'.repeat(24) });
    const cut = requestOf('/token', form, { overflow: { bytes: null, first: new Uint8Array(0) } });
    expect(seen(await createIngest(world).handle(cut)).json).toMatchObject({ code: 'invalid_request' });
    expect(world.answered.map(({ status }) => status)).toEqual([200, 400]);
  });

  it.each([
    [null, 200, 'ok'],
    ['store_not_writable', 503, 'store_not_writable'],
    ['store_damaged', 503, 'store_damaged'],
  ] as const)('health while the trouble is %s: %i', async (trouble, status, text) => {
    Object.assign(world.store, { trouble: () => trouble });
    expect(seen(await get('/health'))).toEqual({ status, json: { status: text }, headers: NO_STORE });
  });

  it('health of a store that knows no trouble', async () => {
    expect(seen(await get('/health')).json).toEqual({ status: 'ok' });
  });

  const settings = (apiHost: string, protocol: string) => ({
    integrations: { 'Segment.io': { apiKey: 'wk x', apiHost, protocol } },
    plan: {
      track: { __default: { enabled: true, integrations: {} } },
      identify: { __default: { enabled: true } },
      group: { __default: { enabled: true } },
    },
    edgeFunction: {},
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: 0 },
    legacyVideoPluginsEnabled: false,
    remotePlugins: [],
  });

  it.each([
    [undefined, 8766, 'localhost:8765/v1', 'http'],
    [false, 8766, 'localhost:8765/v1', 'http'],
    [true, 8766, 'localhost:8766/v1', 'https'],
    [true, null, 'localhost:8765/v1', 'http'],
    [true, undefined, 'localhost:8765/v1', 'http'],
  ] as const)('settings asked over https %s, its port being %s, name %s', async (secure, port, host, protocol) => {
    const own = createIngest(port === undefined ? world : { ...world, httpsPort: () => port });
    const request = requestOf('/v1/projects/wk%20x/settings', '', { method: 'GET', secure: secure ?? false });
    const json = settings(host, protocol);
    expect(seen(await own.handle(request))).toEqual({ status: 200, json, headers: NO_STORE });
    expect(world.answered).toEqual([]);
  });

  it('the browser library comes from where it was asked', async () => {
    const own = createIngest({ ...world, httpsPort: () => 8766 });
    for (const [secure, origin] of [
      [true, 'https://localhost:8766'],
      [false, 'http://localhost:8765'],
    ] as const) {
      const answer = await own.handle(requestOf('/analytics.js/v1/wk/analytics.min.js', '', { method: 'GET', secure }));
      expect(
        Buffer.from(answer.body as string)
          .toString()
          .split('\n')[0],
      ).toContain(`a._cdn="${origin}"`);
      expect(answer.headers.slice(0, 3)).toEqual([
        ['Content-Type', 'text/javascript; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ]);
    }
  });

  it('a bundle that the library does not have is none', async () => {
    expect(seen(await get('/analytics-next/bundles/no.js'))).toEqual(
      error(404, 'not_found', 'The installed browser library has no such bundle.'),
    );
    const own = createIngest({ ...world, browserSdkFolder: () => '/nowhere' });
    const message =
      'The browser library is not installed beside Hookbench. Install @segment/analytics-next and name its folder as ' +
      'ingest.browserSdk in hookbench.json, or bundle the library with the page.';
    for (const target of ['/analytics-next/bundles/no.js', '/analytics.js/v1/k/analytics.js'])
      expect(seen(await own.handle(requestOf(target, '', { method: 'GET' })))).toEqual(
        error(404, 'not_found', message),
      );
  });

  it('a token is counted, and one that is refused too', async () => {
    expect((await post('/token', '')).status).toBe(400);
    expect(world.answered).toEqual([{ status: 400, code: 'invalid_request', calls: 0, rejected: 0 }]);
    const overflow = { bytes: null, first: new Uint8Array(0) };
    expect(seen(await post('/token', '', { overflow })).json).toMatchObject({ message: 'The form cannot be read.' });
  });
});

describe('a held request, once its key has a source', () => {
  const heldWith = async (target: string, body: unknown, over: Partial<IngestRequest> = {}) => {
    await post(target, body, { headers: [HOST, ['Authorization', basic('late')]], ...over });
    const held = world.store.kept.pop()!.request;
    world.observed.length = 0;
    world.answered.length = 0;
    world.now += 86_400_000;
    return held;
  };
  const late = sourceWith({ id: 9, name: 'late', writeKey: 'late', kind: 'web' });

  it.each([
    ['/v1/track', track(), {}],
    ['/v1/batch', { batch: [track()] }, {}],
    ['/v1/pixel/track?userId=u&event=E&messageId=m', '', { method: 'GET' }],
  ])('to %s is stored as of that source, as received then', async (target, body, over) => {
    const held = await heldWith(target, body, over);
    world.sources.push(late);
    const again = await world.ingest.reingest(held);
    const { fingerprint: _, ...request } = { ...held, sourceId: 9, status: 200, code: null };
    expect(again?.request).toEqual({ ...request, fingerprint: null });
    expect(again?.messages).toMatchObject([{ type: 'track', state: 'queued', reason: null }]);
    expect(JSON.parse(textOf(again!.messages[0]!.wire))).toMatchObject({
      timestamp: '2026-11-20T17:33:00.000Z',
      context: { ip: '127.0.0.1' },
    });
    expect(again?.stored).toEqual([{ id: 2, duplicate: false }]);
    expect(world.store.kept).toEqual([{ request: again?.request, messages: again?.messages, dedupe: true }]);
    expect(world.observed).toEqual([{ messages: again?.messages, ids: again?.stored }]);
    expect(world.answered).toEqual([]);
  });

  it.each([
    ['it still has none', '/v1/track', track(), false],
    ['it holds no calls', '/v1/batch', '{', true],
    ['its path takes no calls', '/v1/m', '{}', true],
  ])('stays as it is while %s', async (_title, path, body, hasSource) => {
    const held = await heldWith('/v1/track', body);
    if (hasSource) world.sources.push(late);
    expect(await world.ingest.reingest({ ...held, path })).toBeNull();
    expect([world.store.kept, world.observed]).toEqual([[], []]);
  });

  it('takes a call that was stored since for a duplicate only where that is set, and rejects with the store', async () => {
    const held = await heldWith('/v1/track', track());
    world.sources.push(late);
    world.settings = { ...world.settings, dedupe: false };
    await world.ingest.reingest(held);
    expect(world.store.kept[0]?.dedupe).toBe(false);
    world.store.failure = notWritable();
    await expect(world.ingest.reingest(held)).rejects.toBe(world.store.failure);
  });
});
