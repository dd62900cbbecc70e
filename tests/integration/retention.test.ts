/** The limits of storage on a real store: what goes, what stays, and what ingest says when nothing may go. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Standing, stop } from '../../src/core/model/moves.ts';
import type { StorageLimits } from '../../src/core/model/retention.ts';
import { Retention } from '../../src/core/retention/retention.ts';
import { DueTimes } from '../../src/core/store/due-times.ts';
import { MessageMoves } from '../../src/core/store/message-moves.ts';
import { Ranks } from '../../src/core/store/ranks.ts';
import { Core, countedStates, newMessage, webhookOf } from '../helpers/core-fixture.ts';
import { configOf, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { always, answer } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const DAY = 86_400_000;
let core: Core;
let retention: Retention;
let ranks: Ranks;
let limits: StorageLimits;
/** Most rows removed in one transaction. */
let longest: number;

beforeEach(() => {
  ranks = new Ranks();
  longest = 0;
  limits = { maxMessages: 1_000, maxBytes: 1e12, maxAgeDays: 30 };
  core = new Core({
    folder: tempWorkspace(),
    onCommit: (changes) => {
      for (const id of changes.inserted) ranks.append(id);
      ranks.removeAll(changes.removed);
      longest = Math.max(longest, changes.removed.length);
      retention.committed(changes);
    },
  });
  retention = new Retention({
    store: core.retention,
    write: (job, rows) => core.writer.write(job, rows),
    limits: () => limits,
    use: () => ({ messages: ranks.total, bytes: core.retention.bytes() }),
    clock: core.time,
    timers: core.timers,
    logger: { log: () => {} },
  });
  retention.start();
});

const ids = (): number[] => core.db.prepare('SELECT id FROM messages ORDER BY id').pluck().all() as number[];
const rows = (table: string): number => core.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

/** In requests of 50, all answered 200 at once when `delivered`. */
async function take(n: number, name: string): Promise<void> {
  for (let i = 0; i < n; i += 50)
    await core.done(core.ingest(Array.from({ length: Math.min(50, n - i) }, (_, k) => newMessage(`${name}${i + k}`))));
  await core.time.advance(500);
}

describe('too many messages', () => {
  test('the oldest final ones go, with their attempts, results, bodies and requests, in short steps', async () => {
    await core.start([webhookOf(1)]);
    core.transport.on(webhookOf(1).url, always(answer(200)));
    await take(3_000, 'm');
    await core.time.advance(10_000);
    expect(ids()).toEqual(Array.from({ length: 1_000 }, (_, i) => 2_001 + i));
    for (const table of ['message_bodies', 'attempts', 'attempt_results'])
      expect([table, rows(table)]).toEqual([table, 1_000]);
    expect(rows('requests')).toBe(20);
    expect(longest).toBeLessThanOrEqual(200);
    expect(core.counts()).toEqual(countedStates(core.db));
    expect([ranks.idAt(0), ranks.idAt(999), ranks.total]).toEqual([2_001, 3_000, 1_000]);
    expect(retention.full).toBe(false);
  });

  test('what waits stays, however old; only then ingest is full, and no more once something became final', async () => {
    await core.start([webhookOf(1)]);
    core.transport.on(webhookOf(1).url, always(answer(200)));
    await take(400, 'done');
    core.transport.on(webhookOf(1).url, always(answer(500)));
    await take(900, 'waits');
    await core.time.advance(5_000);
    expect(core.counts()).toMatchObject({ delivered: 100, retrying: 900 });
    expect(retention.full).toBe(false);
    await take(150, 'more');
    await core.time.advance(12_000);
    expect(core.counts().delivered).toBeUndefined();
    expect(retention.full).toBe(true);
    core.transport.on(webhookOf(1).url, always(answer(200)));
    await core.time.advance(60_000);
    expect(retention.full).toBe(false);
    expect(ranks.total).toBeLessThanOrEqual(1_000);
    expect(rows('attempts')).toBeGreaterThan(0);
  });

  test('a message with an attempt open stays until that has ended', async () => {
    await core.start([webhookOf(1), webhookOf(2)]);
    core.transport.on(webhookOf(1).url, always(answer(200, 1)));
    core.transport.on(webhookOf(2).url, always(answer(200, 4_000)));
    limits = { ...limits, maxMessages: 100 };
    const first = await core.one('first');
    core.transport.on(webhookOf(2).url, always(answer(200, 1)));
    await take(300, 'later');
    await core.time.advance(2_000);
    expect(core.state(first)).toBe('delivered');
    expect(ids()).toHaveLength(100);
    await core.time.advance(5_000);
    await core.one('last');
    await core.time.advance(10_000);
    expect(ids()).not.toContain(first);
    expect(rows('attempts WHERE message_id NOT IN (SELECT id FROM messages)')).toBe(0);
  });
});

test('messages that are too old are removed even when there is room, but never the newest: ids only grow', async () => {
  await core.start([webhookOf(1)]);
  core.transport.on(webhookOf(1).url, always(answer(200)));
  await take(300, 'old');
  core.time.jumpWall(31 * DAY);
  await core.time.advance(11_000);
  expect(ids()).toEqual([300]);
  expect(await core.one('next')).toBe(301);
  await core.time.advance(11_000);
  expect(ids()).toEqual([301]);
});

test('no id of an attempt or a replay comes twice, whatever goes', async () => {
  await core.start([webhookOf(1)]);
  core.transport.on(webhookOf(1).url, always(answer(200)));
  const old = await core.one('old');
  await core.time.advance(1_000);
  await core.done(core.replayer.send(old, 1, Buffer.from('{}'), [webhookOf(1)]));
  await core.time.advance(1_000);
  core.dispatcher.hold(true);
  core.time.jumpWall(31 * DAY);
  await core.one('waits');
  await core.time.advance(11_000);
  const replayed = core.attempts(old).map(({ id }) => id);
  expect(replayed).toEqual([1, 2]);
  core.dispatcher.hold(false);
  await core.time.advance(3_000);
  expect(core.db.prepare('SELECT max(id) FROM attempts').pluck().get()).toBe(3);
});

test('what becomes final in the very transaction of a purge is left to the next one', async () => {
  retention.stop();
  await core.done(core.ingest([newMessage('first'), newMessage('newest')]));
  const everything = { after: 0, limit: 10, receivedBefore: Number.POSITIVE_INFINITY };
  const moves = new MessageMoves(core.db, new DueTimes());
  const waiting = core.deliveries.rounds.standing(1) as Standing<'queued'>;
  const purged = core.writer.write((changes) => {
    moves.apply(stop(waiting, 1), changes);
    return core.retention.purge(everything, changes).removed;
  });
  expect(await core.done(purged)).toBe(0);
  expect(core.counts()).toEqual({ queued: 1, stopped: 1 });
  expect(await core.done(core.writer.write((changes) => core.retention.purge(everything, changes).removed))).toBe(1);
  expect([ids(), core.counts()]).toEqual([[2], { queued: 1 }]);
});

test('bytes alone make it full, when everything that is stored still waits', async () => {
  await core.start([webhookOf(1)]);
  core.transport.on(webhookOf(1).url, always(answer(500)));
  await take(100, 'waits');
  limits = { ...limits, maxBytes: 2 * core.retention.bytes() };
  await core.time.advance(12_000);
  expect(retention.full).toBe(false);
  limits = { ...limits, maxBytes: core.retention.bytes() - 1 };
  await core.time.advance(12_000);
  expect(retention.full).toBe(true);
});

test('too many bytes: the file holds less afterwards', async () => {
  await core.start([webhookOf(1)]);
  core.transport.on(webhookOf(1).url, always(answer(200)));
  const wire = Buffer.alloc(8_000, 'x');
  for (let i = 0; i < 10; i++)
    await core.done(core.ingest(Array.from({ length: 50 }, (_, k) => newMessage(`b${i}-${k}`, { wire }))));
  await core.time.advance(1_000);
  const before = core.retention.bytes();
  limits = { ...limits, maxBytes: before / 2 };
  await core.time.advance(12_000);
  expect(core.retention.bytes()).toBeLessThanOrEqual(before / 2);
  expect(ids().length).toBeGreaterThan(100);
});

test('a full store answers 429 with Retry-After over HTTP, stores nothing, and says so in its status', async () => {
  const receiver = await startReceiver({ status: 500 });
  const config = { ...configOf([receiver.url], { speed: 1 }), storage: { maxMessages: 100 } };
  const engine = await startEngine({ config });
  const call = { type: 'track', userId: 'u', event: 'E' };
  const batch = (n: number) => engine.post('/v1/batch', { batch: Array.from({ length: n }, () => call) });
  expect(await batch(100)).toBe(200);
  expect(await batch(20)).toBe(200);
  const answered = await fetch(`${engine.ingest}/v1/track`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString('base64')}` },
    body: JSON.stringify(call),
  });
  expect(answered.status).toBe(429);
  expect(answered.headers.get('retry-after')).toBe('5');
  expect(await answered.json()).toMatchObject({ success: false, code: 'storage_full' });
  const { status } = (await engine.client.call('app.hello', {})).parts;
  expect(status).toMatchObject({ total: 120, storage: { full: true, maxMessages: 100 } });
  await engine.client.call('storage.save', { maxMessages: 1_000 });
  expect(await batch(1)).toBe(200);
});

test('a store that is full of bytes answers 429 too, however few its messages', async () => {
  const receiver = await startReceiver({ status: 500 });
  const maxBytes = 10 * 1024 * 1024;
  const engine = await startEngine({ config: { ...configOf([receiver.url], { speed: 1 }), storage: { maxBytes } } });
  const call = { type: 'track', userId: 'u', event: 'E', properties: { text: 'x'.repeat(30_000) } };
  const batch = { batch: Array.from({ length: 15 }, () => call) };
  // The size is read at most once a second, so that some more than the limit is taken.
  let taken = 0;
  while (taken < 2_000 && (await engine.post('/v1/batch', batch)) === 200) taken += 1;
  expect(taken).toBeLessThan(2_000);
  const { status } = (await engine.client.call('app.hello', {})).parts;
  expect(status).toMatchObject({ storage: { full: true } });
  expect(status.storeBytes).toBeGreaterThanOrEqual(maxBytes);
});
