/** What the Settings screen asks of the engine: how calls are taken in, the port, and deleting what is finished. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Retention } from '../../src/core/retention/retention.ts';
import { Core, countedStates, newMessage, webhookOf } from '../helpers/core-fixture.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { always, answer } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const CALL = { userId: 'u', event: 'E' };

async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

describe('how calls are taken in', () => {
  test('is told in the greeting, and a change to every client with the next batch', async () => {
    const engine = await startEngine({ config: configOf([]) });
    const other = await engine.connect();
    expect(engine.hello.parts.ingest).toEqual({
      mode: 'segment',
      acceptAnyKey: false,
      dedupe: true,
      correctEveryTimestamp: false,
      port: 8765,
    });
    const saved = await engine.client.call('ingest.save', { mode: 'strict' });
    expect(saved).toMatchObject({ mode: 'strict', dedupe: true });
    for (const { batches, until } of [engine, other])
      expect(await until(() => batches.findLast(({ parts }) => parts.ingest !== undefined)?.parts.ingest)).toEqual(
        saved,
      );
  });

  test('counts from the next request on: strict mode, duplicates, keys that nobody made', async () => {
    const { client, post, message } = await startEngine({ config: configOf([]) });
    const bad = { userId: 'u' };
    expect(await post('/v1/track', bad)).toBe(200);
    expect(await post('/v1/track', CALL, 'wk_nobody')).toBe(200);
    await client.call('ingest.save', { mode: 'strict' });
    expect(await post('/v1/track', bad)).toBe(400);
    expect(await post('/v1/track', CALL, 'wk_nobody')).toBe(401);
    await client.call('ingest.save', { acceptAnyKey: true });
    expect(await post('/v1/track', CALL, 'wk_new')).toBe(200);
    expect((await client.call('app.hello', {})).parts.sources.map(({ writeKey }) => writeKey)).toEqual([
      WRITE_KEY,
      'wk_new',
    ]);

    const twice = { ...CALL, messageId: 'twice' };
    const total = async () => (await client.call('app.status')).total;
    await post('/v1/track', twice);
    const before = await total();
    await post('/v1/track', twice);
    expect(await total()).toBe(before);
    await client.call('ingest.save', { dedupe: false });
    await post('/v1/track', twice);
    expect(await total()).toBe(before + 1);
    expect((await message('twice'))?.repeats).toBeLessThanOrEqual(1);
  });

  test('two changes of one moment are both kept, also over a restart', async () => {
    const { client, workspace, key, stop } = await startEngine({ config: configOf([]) });
    await Promise.all([
      client.call('ingest.save', { mode: 'strict' }),
      client.call('ingest.save', { dedupe: false }),
      client.call('ingest.save', { acceptAnyKey: true }),
    ]);
    await stop();
    const { hello } = await startEngine({ workspace, key });
    expect(hello.parts.ingest).toMatchObject({ mode: 'strict', acceptAnyKey: true, dedupe: false, port: 8765 });
  });

  test('what the start command decided holds until a person decides otherwise', async () => {
    const { client, hello, post } = await startEngine({ config: configOf([]), acceptAnyKey: true });
    expect(hello.parts.ingest.acceptAnyKey).toBe(true);
    await client.call('ingest.save', { mode: 'strict' });
    expect(await post('/v1/track', CALL, 'wk_one')).toBe(200);
    expect(await client.call('ingest.save', { acceptAnyKey: false })).toMatchObject({ acceptAnyKey: false });
    expect(await post('/v1/track', CALL, 'wk_two')).toBe(401);
  });

  test('takes nothing that it does not know', async () => {
    const { client } = await startEngine();
    await expect(client.call('ingest.save', { mode: 'lax' as never })).rejects.toMatchObject({
      code: 'invalid_argument',
      field: 'mode',
    });
    await expect(client.call('ingest.save', { port: 1 } as never)).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

describe('another port', () => {
  test('that is taken is refused, and calls go on arriving where they did', async () => {
    const { client, port, post, hello } = await startEngine({ config: configOf([]) });
    const taken = await takenPort();
    await expect(client.call('ingest.listen', { port: taken })).rejects.toMatchObject({
      code: 'port_in_use',
      field: 'port',
      message: expect.stringMatching(new RegExp(`has port ${taken}\\. Calls still arrive on ${port}\\.$`)),
    });
    expect((await client.call('app.status')).listener).toMatchObject({ state: 'listening', port });
    expect(await post('/v1/track', CALL)).toBe(200);
    expect((await client.call('app.hello', {})).parts.ingest.port).toBe(hello.parts.ingest.port);
  });

  test('is the setting once it works, told to every client', async () => {
    const { client, batches, until } = await startEngine({ config: configOf([]) });
    // A port that is free: the one that another engine just gave back.
    const other = await startEngine({ config: configOf([]) });
    const { port } = other;
    await other.stop();
    expect((await client.call('ingest.listen', { port })).listener).toMatchObject({ state: 'listening', port });
    expect(await until(() => batches.findLast(({ parts }) => parts.ingest !== undefined)?.parts.ingest?.port)).toBe(
      port,
    );
  });
});

describe('deleting finished messages', () => {
  let core: Core;
  let retention: Retention;
  /** Most rows removed in one transaction. */
  let longest: number;

  beforeEach(async () => {
    longest = 0;
    core = new Core({
      folder: tempWorkspace(),
      onCommit: ({ removed }) => {
        longest = Math.max(longest, removed.length);
      },
    });
    retention = new Retention({
      store: core.retention,
      write: (job, rows) => core.writer.write(job, rows),
      limits: () => ({ maxMessages: 1e6, maxBytes: 1e12, maxAgeDays: 30 }),
      use: () => ({ messages: 0, bytes: 0 }),
      clock: core.time,
      timers: core.timers,
      logger: { log: () => {} },
    });
    await core.start([webhookOf(1)]);
  });

  const ids = (): number[] => core.db.prepare('SELECT id FROM messages ORDER BY id').pluck().all() as number[];

  async function take(n: number, name: string, status: number): Promise<void> {
    core.transport.on(webhookOf(1).url, always(answer(status)));
    for (let i = 0; i < n; i += 50)
      await core.done(
        core.ingest(Array.from({ length: Math.min(50, n - i) }, (_, k) => newMessage(`${name}${i + k}`))),
      );
    await core.time.advance(500);
  }

  /** As a client does it: again with `next` until there is none. */
  async function clearAll(): Promise<{ removed: number; calls: number }> {
    let removed = 0;
    let calls = 0;
    let next: { after: number; upTo: number } | null | undefined;
    do {
      const clearing = retention.clear(next ?? {});
      await core.time.advance(1_500);
      const part = await clearing;
      removed += part.removed;
      next = part.next;
      calls += 1;
    } while (next !== null);
    return { removed, calls };
  }

  test('takes all of them in short transactions, and none that waits', async () => {
    await take(450, 'done', 200);
    await take(60, 'waits', 500);
    await take(250, 'more', 200);
    const waiting = core.db.prepare("SELECT id FROM messages WHERE state = 'retrying'").pluck().all();
    expect(waiting).toHaveLength(60);
    expect(await clearAll()).toMatchObject({ removed: 699 });
    expect(ids()).toEqual([...(waiting as number[]), 760]);
    expect(longest).toBe(200);
    expect(core.counts()).toEqual(countedStates(core.db));
    for (const table of ['attempts', 'message_bodies'])
      expect(core.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(61);
  });

  test('leaves alone what arrived after it was asked for', async () => {
    await take(300, 'old', 200);
    await take(10, 'new', 200);
    const clearing = retention.clear({ after: 0, upTo: 300 });
    await core.time.advance(1_500);
    expect(await clearing).toEqual({ removed: 300, next: null });
    expect(ids()).toEqual(Array.from({ length: 10 }, (_, i) => 301 + i));
  });

  test('answers within about a second and says where to go on, so that a long one shows how far it is', async () => {
    await take(900, 'done', 200);
    let now = 0;
    const slow = new Retention({
      store: core.retention,
      write: (job, rows) => {
        now += 600;
        return core.writer.write(job, rows);
      },
      limits: () => ({ maxMessages: 1e6, maxBytes: 1e12, maxAgeDays: 30 }),
      use: () => ({ messages: 0, bytes: 0 }),
      clock: { wall: () => now, mono: () => now },
      timers: core.timers,
      logger: { log: () => {} },
    });
    const clearing = slow.clear({});
    await core.time.advance(100);
    const { removed, next } = await clearing;
    expect([removed, next]).toEqual([400, { after: 400, upTo: 900 }]);
    expect(ids()[0]).toBe(401);
  });
});

test('over the contract: the counts of the status follow, what waits stays, and room comes back', async () => {
  const receiver = await startReceiver({ status: 500 });
  onTestFinished(() => receiver.close());
  const config = { ...configOf([receiver.url], { speed: 1 }), storage: { maxMessages: 100 } };
  const engine: RunningEngine = await startEngine({ config });
  const rejected = Array.from({ length: 40 }, () => ({ type: 'track', userId: 'u' }));
  await engine.post('/v1/batch', { batch: [...rejected, { type: 'track', ...CALL, messageId: 'waits' }] });
  await engine.messageWhen('waits', ({ state }) => state === 'retrying');
  expect(await engine.client.call('storage.clear', {})).toEqual({ removed: 40, next: null });
  const absent = (id: number) => engine.client.call('messages.get', { id }).catch((error: Error) => error.message);
  expect(await absent(1)).toBe('This message was removed, by the storage limits or by hand.');
  expect(await absent(1_000)).toBe('There has been no message with this id.');
  const { total, counts } = await engine.until(async () => {
    const status = await engine.client.call('app.status');
    return status.total === 1 ? status : undefined;
  });
  expect([total, counts.rejected, counts.retrying]).toEqual([1, 0, 1]);
  expect(await engine.client.call('storage.clear', {})).toEqual({ removed: 0, next: null });
});

test('that the store became full, or has room again, is told without another call', async () => {
  const held = configOf(['http://127.0.0.1:1/']);
  const engine = await startEngine({ config: { ...held, webhooks: { ...held.webhooks, paused: true } } });
  await engine.post('/v1/batch', { batch: Array.from({ length: 120 }, () => ({ type: 'track', ...CALL })) });
  const { status, workspace } = engine.engine.parts;
  const quiet = status.fingerprint();
  await workspace.storage.save({ maxMessages: 100 });
  expect((await engine.client.call('app.status')).storage.full).toBe(true);
  expect(status.fingerprint()).not.toBe(quiet);
  await workspace.storage.save({ maxMessages: 1_000 });
  expect(status.fingerprint()).toBe(quiet);
});
