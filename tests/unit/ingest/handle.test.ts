/** A request as the listener hands it over, and all that comes of it: answer, store, observer, log. In memory. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngest } from '../../../src/core/ingest/ingest.ts';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import { KEY, makeWorld, NOON, notWritable, sourceWith, textOf, type World } from '../../helpers/ingest-parts.ts';
import { AUTHORIZED, error, HOST, requestOf, seen, success, track } from './request-and-answer.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});

const post = (...asked: Parameters<typeof requestOf>) => world.ingest.handle(requestOf(...asked));
const get = (target: string, over: Partial<IngestRequest> = {}) =>
  post(target, '', { method: 'GET', headers: [HOST], ...over });

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

describe('a request from another origin', () => {
  it('asks what a page may send: no body, and nothing is stored', async () => {
    const answer = await post('/v1/track', '', { method: 'OPTIONS', headers: [HOST, ['Origin', 'https://shop.test']] });
    expect([answer.status, answer.body]).toEqual([204, '']);
    expect(answer.headers.map(([name]) => name)).not.toContain('Access-Control-Allow-Origin');
    world.allowedOrigins.push('https://shop.test');
    const allowed = await post('/', '', { method: 'OPTIONS', headers: [HOST, ['Origin', 'https://shop.test']] });
    expect(allowed.headers).toContainEqual(['Access-Control-Allow-Origin', 'https://shop.test']);
    expect(allowed.headers).toContainEqual(['Access-Control-Max-Age', '600']);
  });

  it('comes to a workspace that knows of no origins', async () => {
    const { allowsOrigin: _, ...workspace } = world.workspace;
    const answer = await createIngest({ ...world, workspace }).handle(
      requestOf('/health', '', { method: 'GET', headers: [HOST, ['Origin', 'https://shop.test']] }),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.map(([name]) => name)).not.toContain('Access-Control-Allow-Origin');
  });
});
