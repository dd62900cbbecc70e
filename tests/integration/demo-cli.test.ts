/** `hookbench demo`, and the demo that a running instance opens: real processes, real sockets, real time. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRunning, type Running } from '../../src/cli/running.ts';
import type { DemoView, RunningDemo } from '../../src/contract/demo.ts';
import { type CliProcess, runCliProcess, sourceCli, startCli, startServe } from '../helpers/cli-process.ts';

let root = '';
let started: CliProcess[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hb-demo-cli-'));
  started = [];
});
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

const shop = () => join(root, 'demo-shop');

const runDemo = (...args: string[]) =>
  runCliProcess(['demo', '--json', '--no-open', '--workspace', shop(), ...args], {}, sourceCli);

/** The instance on the folder, once it listens to its local socket. */
async function instance(workspace: string): Promise<Running> {
  for (;;) {
    const running = await openRunning(workspace);
    if (running !== null) return running;
    await delay(50);
  }
}

/** Asks until the answer fits. */
async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (fits(answer)) return answer;
    await delay(100);
  }
}

/** What a browser does with a link on another page. */
async function follow(url: string): Promise<{ readonly status: number | undefined }> {
  const headers = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode };
}

const isRunning = (view: DemoView): view is RunningDemo => view.state === 'running';

test('starts a shop, is found running, begins again with another seed, and ends', async () => {
  const demo = startCli(['demo', '--json', '--no-open', '--workspace', shop(), '--rate', '60'], {}, sourceCli);
  started.push(demo);
  const ready = JSON.parse((await demo.firstLine)!) as { ready: boolean; workspace: string };
  expect(ready).toMatchObject({ ready: true, workspace: shop() });
  const first = await instance(shop());
  const view = await until(() => first.call('demo.get'), isRunning);
  expect(view).toMatchObject({ seed: 42, rate: 60, problem: null });
  const { rows } = await until(
    () => first.call('attempts.list', { limit: 1_000 }),
    (answer) => answer.rows.some(({ status }) => status === 503),
  );
  expect(rows.length).toBeGreaterThan(200);

  expect(JSON.parse((await runDemo()).stdout)).toMatchObject({ running: true, seed: 42, rate: 60, reset: false });
  const other = await runDemo('--seed', '7');
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('Add --reset to begin again with 7')]);
  const link = JSON.parse((await runDemo('--rate', '30')).stdout) as { ui: string };
  expect((await follow(link.ui)).status).toBe(200);
  expect(await first.call('demo.get')).toMatchObject({ rate: 30 });

  expect(JSON.parse((await runDemo('--reset', '--seed', '7')).stdout)).toMatchObject({ reset: true, seed: 7 });
  await expect(
    until(
      () => first.call('demo.get'),
      () => false,
    ),
  ).rejects.toThrow();
  const second = await instance(shop());
  await until(
    () => second.call('demo.get'),
    (one) => isRunning(one) && one.seed === 7,
  );
  const { rows: anew } = await second.call('messages.list', { filter: {}, limit: 1_000 });
  for (const { messageId } of anew) expect(messageId).not.toMatch(/^demo-42-/);

  expect(await second.call('demo.end')).toEqual({ url: null });
  expect((await demo.ended).code).toBe(0);
  expect(existsSync(join(shop(), 'demo.json'))).toBe(true);
});

test('opens beside another workspace, and ends without touching it', async () => {
  const own = join(root, 'own');
  const served = startCli(
    [
      'serve',
      '--json',
      '--no-open',
      '--workspace',
      own,
      '--ingest-port',
      '0',
      '--ui-port',
      '0',
      '--receivers-port',
      '0',
    ],
    { HOOKBENCH_DEMO_WORKSPACE: shop() },
    sourceCli,
  );
  started.push(served);
  await served.firstLine;
  const workspace = await instance(own);
  const opened = await workspace.call('demo.open', { seed: 5 });
  expect(opened.existing).toBe(false);
  expect((await follow(opened.url!)).status).toBe(200);
  const demo = await instance(shop());
  await until(
    () => demo.call('demo.get'),
    (view) => isRunning(view) && view.seed === 5,
  );
  const again = await workspace.call('demo.open', {});
  expect([again.existing, new URL(again.url!).host]).toEqual([true, new URL(opened.url!).host]);
  expect(await workspace.call('demo.get')).toEqual({ state: 'none' });
  expect((await workspace.call('app.status')).total).toBe(0);

  const { url } = await demo.call('demo.end');
  expect((await follow(url!)).status).toBe(200);
  await expect(
    until(
      () => demo.call('demo.get'),
      () => false,
    ),
  ).rejects.toThrow();
  expect((await workspace.call('app.status')).listener.state).toBe('listening');
  expect((await workspace.call('demo.open', {})).existing).toBe(false);
  served.child.kill('SIGTERM');
  expect((await served.ended).code).toBe(0);
});

test('leaves a folder alone that is no demo', async () => {
  const { child, ended } = await startServe(shop(), [], sourceCli);
  started.push({ child, ended, firstLine: Promise.resolve(null) });
  const running = await runDemo();
  expect([running.code, running.stderr]).toEqual([2, expect.stringContaining('it is no demo')]);
  child.kill('SIGTERM');
  await ended;
  const stored = await runDemo('--reset');
  expect([stored.code, stored.stderr]).toEqual([1, expect.stringContaining('is no demo, so it is left alone')]);
  expect(existsSync(join(shop(), 'store.sqlite'))).toBe(true);
});

test.each([
  ['--seed', '-1'],
  ['--seed', '4294967296'],
  ['--rate', '0'],
  ['--rate', 'fast'],
])('refuses %s %s', async (option, value) => {
  const { code, stderr } = await runDemo(`${option}=${value}`);
  expect([code, stderr]).toEqual([2, expect.stringContaining('takes a whole number')]);
});
