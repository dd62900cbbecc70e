/** Starting, stopping and starting again: ports, the lock on a workspace, configs, secrets that cannot be read, open attempts. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realPorts } from '../../bench/real-ports.ts';
import { systemTimers } from '../../src/core/adapters/clock.ts';
import { createSealer } from '../../src/core/adapters/sealer.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import { configOf, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { type Answer, type ReceivedRequest, type Receiver, startReceiver } from '../helpers/receivers.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

async function receiver(answer?: Answer | ((request: ReceivedRequest) => Answer)): Promise<Receiver> {
  const started = await startReceiver(answer);
  onTestFinished(() => started.close());
  return started;
}

describe('the ingest port', () => {
  test('in use: everything else runs, the holder is named, and another port can be taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void holder.close());
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const hook = await receiver();
    const { client, until, hello } = await startEngine({ config: configOf([hook.url]), ingestPort: port });
    expect(hello.parts.status.listener).toEqual({
      state: 'port_in_use',
      port,
      message: expect.stringContaining(`Port ${port} is in use`),
      holder: process.platform === 'linux' ? expect.stringContaining(`(process ${process.pid})`) : null,
    });
    expect((await client.call('ingest.listen', {})).listener.state).not.toBe('stopped');
    const { listener } = await client.call('ingest.listen', { port: 0 });
    expect(listener).toMatchObject({ state: 'listening', message: null, holder: null });
    expect(listener.port).not.toBe(port);
    const answer = await fetch(`http://127.0.0.1:${listener.port}/v1/track`, {
      method: 'POST',
      body: JSON.stringify({ writeKey: WRITE_KEY, userId: 'u', event: 'E' }),
    });
    expect(answer.status).toBe(200);
    await until(() => (hook.requests.length === 1 ? true : undefined));
  });

  test('given again while it is the one that listens, it goes on listening', async () => {
    const { client, port, post } = await startEngine({ config: configOf([]) });
    expect((await client.call('ingest.listen', { port })).listener).toMatchObject({ state: 'listening', port });
    expect(await post('/v1/track', { userId: 'u', event: 'E' })).toBe(200);
  });
});

test('a stop right after the start begins nothing of what was put off', async () => {
  const pending = new Set<() => void>();
  const soon = (run: () => void): void => {
    const once = (): void => {
      pending.delete(once);
      run();
    };
    pending.add(once);
    systemTimers.soon(() => pending.has(once) && once());
  };
  const ports = realPorts(createSealer(randomBytes(32)));
  const options = { workspace: tempWorkspace(), version: '0.0.0-test', shell: 'headless', ingestPort: 0 } as const;
  const engine = new Engine(
    { ...options, config: { ingest: { https: { enabled: true, port: 0 } } }, controlSocket: false },
    { ...ports, timers: { after: ports.timers.after.bind(ports.timers), soon } },
  );
  await engine.start();
  const putOff = [...pending];
  pending.clear();
  await engine.stop();
  expect(putOff.length).toBeGreaterThanOrEqual(2);
  for (const run of putOff) expect(run).not.toThrow();
  expect(engine.parts.server.https.state).toMatchObject({ state: 'stopped' });
});

describe('a workspace', () => {
  test('is held by one engine: a second is told workspace_in_use and the first goes on', async () => {
    const hook = await receiver();
    const first = await startEngine({ config: configOf([hook.url]) });
    await expect(startEngine({ workspace: first.workspace, key: first.key })).rejects.toMatchObject({
      code: 'workspace_in_use',
    });
    expect(await first.final(await first.track('Still Here'))).toMatchObject({ state: 'delivered' });
  });

  test('is free again after a stop, with everything in it', async () => {
    const hook = await receiver();
    const first = await startEngine({ config: configOf([hook.url], { secret: 'kept' }) });
    const id = await first.track('Kept');
    await first.final(id);
    const { rows } = await first.client.call('messages.list', { filter: {}, limit: 10 });
    await first.stop();
    const second = await startEngine({ workspace: first.workspace, key: first.key });
    expect((await second.client.call('messages.list', { filter: {}, limit: 10 })).rows).toEqual(rows);
    expect(second.hello.parts.sources).toEqual(first.hello.parts.sources);
    expect(second.hello.parts.webhooks.map(({ url }) => url)).toEqual([hook.url]);
    expect(second.hello.parts.destination.secret).toEqual({ state: 'set', last2: '', length: 4 });
    expect(second.hello.parts.clock.speed).toBe(240);
    expect(second.hello.epoch).not.toBe(first.hello.epoch);
    expect(second.hello.parts.status.counts).toMatchObject({ delivered: 1, queued: 0, retrying: 0 });
    expect(hook.requests).toHaveLength(1);
  });

  test('is free again after a start that failed', async () => {
    const workspace = tempWorkspace();
    const bad = configOf([{ url: 'http://127.0.0.1:1/', headers: { Host: 'elsewhere' } }]);
    await expect(startEngine({ workspace, config: bad })).rejects.toThrow();
    await startEngine({ workspace, config: configOf([]) });
  });
});

describe('a config that cannot be taken', () => {
  test.each([
    [{ url: 'http://127.0.0.1:1/', headers: { Host: 'elsewhere' } }, 'webhooks.entries[1].headers.Host'],
    [{ url: 'http://127.0.0.1:1/', headers: { 'X-A': 'ok', 'X-B': 'two\nlines' } }, 'webhooks.entries[1].headers.X-B'],
    [{ url: 'ftp://127.0.0.1/' }, 'webhooks.entries[1].url'],
    [{ url: 'no url' }, 'webhooks.entries[1].url'],
  ])('%j is named by its path, and nothing of it is kept', async (entry, path) => {
    const workspace = tempWorkspace();
    const key = randomBytes(32);
    const config = configOf([{ url: 'http://127.0.0.1:1/' }, entry], { secret: 'must not be kept' });
    const failure = await startEngine({ workspace, key, config }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ path, message: expect.stringMatching(/^webhooks\.entries\[1\]\.\S+: ./) });
    const { hello } = await startEngine({ workspace, key });
    expect(hello.parts.webhooks).toEqual([]);
    expect(hello.parts.destination.secret).toEqual({ state: 'none' });
    expect(hello.parts.sources.map(({ writeKey }) => writeKey)).not.toContain(WRITE_KEY);
  });

  test('two sources with one write key are named by path too', async () => {
    const config = configOf([]);
    const twice = { ...config, sources: [...config.sources!, { ...config.sources![0]!, name: 'again' }] };
    await expect(startEngine({ config: twice })).rejects.toMatchObject({ path: 'sources[1].writeKey' });
  });
});

describe('a shared secret that cannot be read', () => {
  test('delivery stands still and says why, calls are still taken, nothing goes out unsigned', async () => {
    const hook = await receiver();
    const workspace = tempWorkspace();
    const key = randomBytes(32);
    const config = configOf([hook.url], { secret: 'sealed with the first key' });
    await (await startEngine({ workspace, key, config })).stop();

    const locked = await startEngine({ workspace, key: randomBytes(32) });
    expect(locked.hello.parts.status.notSending).toEqual(['secret_unreadable', 'headers_unreadable']);
    expect(locked.hello.parts.destination.secret).toEqual({ state: 'unreadable' });
    const id = await locked.track('While Locked');
    const row = (await locked.message(id))!;
    expect(row).toMatchObject({ state: 'queued', round: 0, cells: '.....' });
    await locked.client.call('messages.retryNow', { id: row.id });
    await expect(
      locked.client.call('replay.send', { id: row.id, webhookIds: [locked.hello.parts.webhooks[0]!.id] }),
    ).rejects.toMatchObject({ code: 'secret_unreadable' });
    await locked.stop();
    expect(hook.requests).toHaveLength(0);

    const opened = await startEngine({ workspace, key });
    expect(await opened.final(id)).toMatchObject({ state: 'delivered', round: 1 });
    expect(hook.requests).toHaveLength(1);
    expect(hook.requests[0]!.headers['x-signature']).toMatch(/^[0-9a-f]{40}$/);
  });

  test('a new secret lets delivery go on', async () => {
    const hook = await receiver();
    const workspace = tempWorkspace();
    await (await startEngine({ workspace, config: configOf([hook.url], { secret: 'lost' }) })).stop();
    const locked = await startEngine({ workspace, key: randomBytes(32) });
    const id = await locked.track('Waiting');
    await locked.client.call('destination.setSecret', { secret: 'new one' });
    // The webhook's static headers were sealed with the lost key too: an edit would lose them, so it is made anew.
    const { id: webhook, name } = locked.hello.parts.webhooks[0]!;
    const entry = { name, url: hook.url, headers: [], enabled: true };
    await expect(locked.client.call('webhooks.save', { id: webhook, ...entry })).rejects.toMatchObject({
      code: 'secret_unreadable',
    });
    await locked.client.call('webhooks.remove', { id: webhook });
    await locked.client.call('webhooks.save', entry);
    expect(await locked.final(id)).toMatchObject({ state: 'delivered' });
    expect((await locked.client.call('app.status')).notSending).toEqual([]);
    expect(hook.requests).toHaveLength(1);
  });
});

describe('a restart', () => {
  test('a message that waits for its next round keeps its due time over a restart', async () => {
    const hook = await receiver({ status: 500 });
    const first = await startEngine({ config: configOf([hook.url], { speed: 1 }) });
    const id = await first.track('Waits');
    const waiting = await first.messageWhen(id, ({ state }) => state === 'retrying');
    await first.stop();
    const second = await startEngine({ workspace: first.workspace, key: first.key });
    expect(await second.message(id)).toEqual(waiting);
    expect(second.hello.parts.status.nextDueAt).toBe(waiting.nextDueAt);
    expect(hook.requests).toHaveLength(1);
  });

  test('a stopped engine listens no more, and stopping it again is harmless', async () => {
    const { stop, ingest } = await startEngine({ config: configOf([]) });
    await stop();
    await stop();
    await expect(fetch(`${ingest}/health`)).rejects.toThrow();
  });
});
