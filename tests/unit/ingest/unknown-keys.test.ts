/** Write keys without a source, or with one that is off: what becomes of their calls, then and later. In memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngest } from '../../../src/core/ingest/ingest.ts';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import { basic, KEY, makeWorld, notWritable, sourceWith, textOf, type World } from '../../helpers/ingest-parts.ts';
import { error, HOST, requestOf, seen, success, track } from './request-and-answer.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});

const post = (...asked: Parameters<typeof requestOf>) => world.ingest.handle(requestOf(...asked));

describe('calls that are rejected', () => {
  const unknown = error(401, 'unknown_source', 'No source has the write key wk_x. Copy the key from Sources.');
  const keyless = error(401, 'unknown_source', 'The request has no write key.');
  const off = error(401, 'source_disabled', 'The source checkout-api is off.');

  it.each([
    ['a key of nobody', basic('wk_x'), true, unknown, 'unknown_source', 'wk_x', null],
    ['no key', null, true, keyless, 'unknown_source', null, null],
    ['the key of a source that is off', basic(KEY), false, off, 'source_disabled', 'checkout-api', 1],
  ])('for %s are answered 401 in strict mode and 200 in Segment mode, and are kept', async (...row) => {
    const [, authorization, enabled, strict, reason, detail, sourceId] = row;
    world.sources[0] = sourceWith({ enabled });
    const headers = authorization === null ? [HOST] : ([HOST, ['Authorization', authorization]] as const);
    const batch = [track(), track({ event: '' }), track()];
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
