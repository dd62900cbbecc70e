/** A stop with attempts on the wire: nothing new begins, what is open comes to its end, nothing arrives twice. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configOf, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { type Answer, type ReceivedRequest, type Receiver, startReceiver } from '../helpers/receivers.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { watchDelays, watchTimers } from '../helpers/timer-lasts.ts';

type Answers = Parameters<typeof startReceiver>[0];

async function receiver(answer?: Answers): Promise<Receiver> {
  const hook = await startReceiver(answer);
  onTestFinished(() => hook.close());
  return hook;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** A receiver that accepts once it is opened. */
async function gate() {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const hook = await receiver(async (): Promise<Answer> => {
    await opened;
    return { status: 200 };
  });
  return { hook, open };
}
const idsOf = (requests: readonly ReceivedRequest[]): string[] =>
  requests.map(({ body }) => (JSON.parse(body.toString()) as { userId: string }).userId).toSorted();
const users = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `user-${String(from + i).padStart(2, '0')}`);

describe('the engine', () => {
  test('16 open attempts arrive once each, and what waited for a sender is sent by the next life alone', async () => {
    const { hook, open } = await gate();
    const first = await startEngine({ config: configOf([hook.url], { speed: 1 }) });
    const ids = await Promise.all(users(0, 20).map((userId) => first.track('Open', { userId })));
    await hook.waitFor(16);
    const waited: unknown[] = [];
    const stopped = first.engine.stop((waiting) => waited.push(waiting));
    await pause(200);
    open();
    await stopped;
    expect(waited).toEqual([{ attempts: 16, limitMs: 6_000 }]);
    expect(hook.requests).toHaveLength(16);

    const second = await startEngine({ workspace: first.workspace, key: first.key });
    for (const id of ids) expect(await second.final(id)).toMatchObject({ state: 'delivered' });
    const outcomes = await Promise.all(ids.map(async (id) => (await second.attempts(id)).map((one) => one.outcome)));
    expect(outcomes).toEqual(ids.map(() => ['accepted']));
    expect(idsOf(hook.requests)).toEqual(users(0, 20));
  });

  test('an attempt without an answer ends at its own limit, on record', async () => {
    const hook = await receiver(({ number }) => (number === 1 ? 'hang' : { status: 200 }));
    const first = await startEngine({ config: configOf([hook.url], { speed: 1 }) });
    await first.client.call('destination.save', { timeoutMs: 1_000 });
    const id = await first.track('Hangs');
    await hook.waitFor(1);
    const delays = watchDelays();
    const startedAt = performance.now();
    await first.stop();
    expect(performance.now() - startedAt).toBeLessThan(1_000 + 900 + delays());
    const second = await startEngine({ workspace: first.workspace, key: first.key });
    expect((await second.attempts(id)).map(({ outcome }) => outcome)).toEqual(['timed_out']);
    expect(await second.message(id)).toMatchObject({ state: 'retrying', round: 1 });
  });

  test('meanwhile no call is taken, no replay begins, and the status says that it stops', async () => {
    const { hook, open } = await gate();
    const { engine, client, track, message, ingest } = await startEngine({ config: configOf([hook.url]) });
    const row = (await message(await track('Open')))!;
    await hook.waitFor(1);
    const stopped = engine.stop();
    expect((await client.call('app.status')).notSending).toEqual(['stopping']);
    const replay = client.call('replay.send', { id: row.id, webhookIds: [1] });
    await expect(replay).rejects.toMatchObject({ code: 'stopped' });
    await expect(fetch(`${ingest}/health`)).rejects.toThrow();
    open();
    await stopped;
    expect(hook.requests).toHaveLength(1);
  });

  test('an open replay is waited for too', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const hook = await receiver(async ({ number }) => {
      if (number === 2) await opened;
      return { status: 200 };
    });
    const first = await startEngine({ config: configOf([hook.url]) });
    const id = await first.track('Replayed');
    const row = await first.final(id);
    await first.client.call('replay.send', { id: row.id, webhookIds: [1] });
    await hook.waitFor(2);
    const stopped = first.engine.stop();
    await pause(200);
    open();
    await stopped;
    const second = await startEngine({ workspace: first.workspace, key: first.key });
    const { rows } = await second.client.call('attempts.list', { messageId: id, limit: 10 });
    expect(rows.map(({ outcome, replayId }) => [outcome, replayId !== null])).toEqual([
      ['accepted', false],
      ['accepted', true],
    ]);
  });
});

interface Served {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  readonly lines: string[];
  line(n: number): Promise<string>;
  track(userId: string): Promise<void>;
}

const sourceCli = join(import.meta.dirname, '../helpers/source-cli.ts');
const runChild = join(import.meta.dirname, '../../tools/run-child.mjs');
const launcher = `const { becomeChild } = await import(${JSON.stringify(runChild)});
becomeChild(process.execPath, process.argv.slice(1), { watched: true });`;

/** `serve` from its sources with 16 senders to this webhook; behind a launcher if wanted. */
async function serve(
  url: string,
  { workspace = tempWorkspace(), launched = false, timeoutMs = 5_000 } = {},
): Promise<Served> {
  const file = join(workspace, 'hookbench.json');
  const config = configOf([url], { speed: 1 });
  writeFileSync(file, JSON.stringify({ ...config, webhooks: { ...config.webhooks, timeoutMs } }));
  const command = [sourceCli, 'serve', '--workspace', workspace, '--config', file, '--json'];
  const ports = ['--no-open', '--no-receivers', '--ingest-port', '0', '--ui-port', '0'];
  const args = launched ? ['--input-type=module', '-e', launcher, '--', ...command, ...ports] : [...command, ...ports];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    for (const wake of waiting) wake();
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const line = (n: number): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => void (lines[n] !== undefined && resolve(lines[n]));
      waiting.add(look);
      look();
    });
  const { ingest } = JSON.parse(await line(0)) as { ingest: string };
  const track = async (userId: string): Promise<void> => {
    const headers = { Authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString('base64')}` };
    const body = JSON.stringify({ userId, event: 'Open', messageId: userId });
    expect((await fetch(`${ingest}/v1/track`, { method: 'POST', headers, body })).status).toBe(200);
  };
  return { child, ended, lines, line, track };
}

describe('hookbench serve', () => {
  test('SIGTERM: says how many it waits for, ends with 0, and none of them arrives again', async () => {
    const { hook, open } = await gate();
    const workspace = tempWorkspace();
    const first = await serve(hook.url, { workspace });
    await Promise.all(users(0, 16).map(first.track));
    await hook.waitFor(16);
    first.child.kill('SIGTERM');
    expect(JSON.parse(await first.line(1))).toEqual({ stopping: true, attempts: 16, limitMs: 6_000 });
    await pause(1_000);
    open();
    expect(await first.ended).toBe(0);

    const second = await serve(hook.url, { workspace });
    await second.track('user-16');
    await hook.waitFor(17);
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(idsOf(hook.requests)).toEqual(users(0, 17));
  });

  test('a second signal ends it at once, but not the same one twice as a launcher passes it on', async () => {
    const hook = await receiver('hang');
    const { child, ended, line, track } = await serve(hook.url, { timeoutMs: 30_000 });
    await track('user-00');
    await hook.waitFor(1);
    child.kill('SIGINT');
    child.kill('SIGINT');
    await line(1);
    let over = false;
    void ended.then(() => {
      over = true;
    });
    await pause(1_100);
    expect(over).toBe(false);
    const latest = watchTimers();
    onTestFinished(() => void latest());
    const secondAt = performance.now();
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    // Without it the attempt would be waited for, nearly 30 seconds more.
    expect(performance.now() - secondAt).toBeLessThan(2_500 + latest());
  });

  test('a launcher that is killed asks for a stop, in order', async () => {
    const { hook, open } = await gate();
    const workspace = tempWorkspace();
    const { child, line, lines, track } = await serve(hook.url, { workspace, launched: true });
    await track('user-00');
    await hook.waitFor(1);
    const { pid } = JSON.parse(lines[0]!) as { pid: number };
    onTestFinished(() => {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {}
    });
    process.kill(pid, 'SIGTERM');
    await line(1);
    // The launcher's end is no second request, however late it comes.
    await pause(1_050);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await pause(400);
    open();
    await once(child.stdout!, 'close');
    const list = spawnSync(process.execPath, [sourceCli, 'attempts', '--workspace', workspace, '--json']);
    expect(JSON.parse(list.stdout.toString())).toMatchObject({ outcome: 'accepted', round: 1 });
  });
});
