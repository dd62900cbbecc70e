/** The client in a page: what differs from Node, and what happens when the page goes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClientOptions, Client as ClientType } from '../../../src/client/index.ts';
import type { FetchInit } from '../../../src/client/types.ts';
import { countingIds, SimTime } from '../../helpers/sim-ports.ts';

/** A window or document that counts its listeners. */
class Target {
  readonly listeners = new Map<string, Set<() => void>>();
  visibilityState = 'visible';
  addEventListener(type: string, listener: () => void): void {
    this.listeners.set(type, (this.listeners.get(type) ?? new Set()).add(listener));
  }
  removeEventListener(type: string, listener: () => void): void {
    this.listeners.get(type)?.delete(listener);
  }
  emit(type: string): void {
    for (const listener of this.listeners.get(type) ?? []) listener();
  }
  get count(): number {
    return [...this.listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }
}

let window: Target;
let document: Target;
beforeEach(() => {
  window = new Target();
  document = new Target();
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', document);
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetModules();
});

async function pageClient(options: ClientOptions = {}) {
  const { Client } = await import('../../../src/client/index.ts');
  const time = new SimTime();
  const sent: FetchInit[] = [];
  const answers: ((status: number) => void)[] = [];
  const client: ClientType = new Client('wk', {
    clock: time,
    timers: time,
    ids: countingIds(),
    fetch: (_, init) => {
      sent.push(init);
      return new Promise((resolve) => {
        answers.push((status) => resolve({ status, headers: { get: () => null }, body: null }));
      });
    },
    ...options,
  });
  const batches = () => sent.map(({ body }) => (JSON.parse(body) as { batch: unknown[] }).batch.length);
  return { client, time, sent, answers, batches };
}

const track = (client: ClientType, note = '') => client.track({ userId: 'u', event: 'E', properties: { n: 1, note } });

test('a page sends no User-Agent, which it may not set, and lets requests outlive it', async () => {
  const { client, time, sent } = await pageClient({ size: 1 });
  track(client);
  await time.settle();
  expect(sent[0]).toMatchObject({
    keepalive: true,
    headers: { Authorization: 'Basic d2s6', 'Content-Type': 'application/json' },
  });
  expect(sent[0]!.headers).not.toHaveProperty('User-Agent');
});

test.each([
  ['hidden', () => document.emit('visibilitychange')],
  ['gone', () => window.emit('pagehide')],
])('when the page is %s, what waits for a flush is sent in that turn', async (_, leave) => {
  const { client, batches } = await pageClient();
  track(client);
  track(client);
  document.visibilityState = 'hidden';
  leave();
  expect(batches()).toEqual([2]);
});

test('a page that is shown again sends nothing for it', async () => {
  const { client, batches } = await pageClient();
  track(client);
  document.emit('visibilitychange');
  expect(batches()).toEqual([]);
});

test('what waits behind an open request is sent too, in pieces that fit', async () => {
  const { client, time, batches, sent } = await pageClient({ size: 20 });
  for (let n = 0; n < 20; n += 1) track(client);
  await time.settle();
  for (let n = 0; n < 6; n += 1) track(client, 'x'.repeat(20_000));
  expect(batches()).toEqual([20]);
  window.emit('pagehide');
  expect(batches()).toEqual([20, 2, 2, 2]);
  expect(sent.map(({ keepalive }) => keepalive)).toEqual([true, true, false, false]);
});

test('a try that waits for its time is made when the page is gone, not when it is hidden', async () => {
  const { client, time, answers, batches } = await pageClient({ size: 1 });
  track(client);
  await time.settle();
  answers[0]!(503);
  await time.settle();
  document.visibilityState = 'hidden';
  document.emit('visibilitychange');
  await time.settle();
  expect(batches()).toEqual([1]);
  window.emit('pagehide');
  await time.settle();
  expect(batches()).toEqual([1, 1]);
  answers[1]!(200);
  await time.settle();
  expect(time.pending).toBe(0);
});

test('what is on its way already is not sent again when the page goes', async () => {
  const { client, time, batches } = await pageClient({ size: 1 });
  for (let n = 0; n < 3; n += 1) track(client);
  await time.settle();
  expect(batches()).toEqual([1]);
  window.emit('pagehide');
  await time.settle();
  expect(batches()).toEqual([1, 1, 1]);
});

test('a client that was closed no longer listens to its page', async () => {
  const { client, time, answers } = await pageClient({ size: 1 });
  expect([window.count, document.count]).toEqual([1, 1]);
  track(client);
  const closed = client.close();
  await time.settle();
  expect([window.count, document.count]).toEqual([1, 1]);
  answers[0]!(200);
  expect(await closed).toMatchObject({ sent: 1 });
  expect([window.count, document.count]).toEqual([0, 0]);
});

test('logging is switched by localStorage, and goes to the console of the page', async () => {
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const asked: string[] = [];
  let setting: string | null = null;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => {
      asked.push(key);
      return setting;
    },
  });
  const { client } = await pageClient();
  track(client);
  expect(debug).not.toHaveBeenCalled();
  setting = 'analytics';
  track(client);
  expect(new Set(asked)).toEqual(new Set(['debug']));
  expect(debug).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^analytics: queued track/));
  client.track({ userId: 'u', event: '' });
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^analytics: track refused/));
  expect(error).not.toHaveBeenCalled();
});

test('a page that forbids its storage logs nothing and works', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('forbidden');
    },
  });
  const { debugSetting } = await import('../../../src/client/platform.ts');
  expect(debugSetting()).toBe('');
  vi.stubGlobal('localStorage', undefined);
  vi.resetModules();
  expect((await import('../../../src/client/platform.ts')).debugSetting()).toBe('');
});

test('a worker has no page to watch, and is a browser all the same', async () => {
  vi.stubGlobal('window', undefined);
  vi.stubGlobal('document', undefined);
  vi.stubGlobal('process', undefined);
  const { isBrowser, watchPage } = await import('../../../src/client/platform.ts');
  expect(isBrowser).toBe(true);
  expect(() => watchPage(() => {})()).not.toThrow();
});

test('a process that is not that of Node makes no Node', async () => {
  vi.stubGlobal('window', undefined);
  vi.stubGlobal('process', {});
  expect((await import('../../../src/client/platform.ts')).isBrowser).toBe(true);
});

test('a page tells whether it is hidden or gone', async () => {
  const { watchPage } = await import('../../../src/client/platform.ts');
  const stages: string[] = [];
  watchPage((stage) => stages.push(stage));
  document.visibilityState = 'hidden';
  document.emit('visibilitychange');
  window.emit('pagehide');
  expect(stages).toEqual(['hidden', 'gone']);
});

test('without a document, or without a window, there is nothing to watch', async () => {
  vi.stubGlobal('document', undefined);
  const { watchPage } = await import('../../../src/client/platform.ts');
  expect(() => watchPage(() => {})()).not.toThrow();
  expect(window.count).toBe(0);
  vi.stubGlobal('document', document);
  vi.stubGlobal('window', undefined);
  vi.resetModules();
  const other = await import('../../../src/client/platform.ts');
  expect(() => other.watchPage(() => {})()).not.toThrow();
  expect(document.count).toBe(0);
});

test('Node is no browser; its log goes to standard error and is switched by the environment', async () => {
  vi.stubGlobal('window', undefined);
  vi.stubEnv('DEBUG', 'analytics');
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { consoleLogger, debugSetting, isBrowser } = await import('../../../src/client/platform.ts');
  expect([isBrowser, debugSetting()]).toEqual([false, 'analytics']);
  consoleLogger('debug', 'one');
  consoleLogger('warn', 'two');
  expect([error.mock.calls, warn.mock.calls]).toEqual([[['one']], [['two']]]);
  vi.unstubAllEnvs();
});

test('the parts of the platform are those of the machine', async () => {
  const { systemClock, systemFetch, systemIds, systemTimers } = await import('../../../src/client/platform.ts');
  vi.useFakeTimers({ now: 1_234 });
  let ran = 0;
  systemTimers.after(100, () => {
    ran += 1;
  });
  const other = systemTimers.after(100, () => {
    ran += 10;
  });
  other.cancel();
  vi.advanceTimersByTime(99);
  expect(ran).toBe(0);
  vi.advanceTimersByTime(1);
  expect(ran).toBe(1);
  expect(systemClock.wall()).toBe(1_334);
  vi.useRealTimers();
  const [before, mono, after] = [performance.now(), systemClock.mono(), performance.now()];
  expect(mono).toBeGreaterThanOrEqual(before);
  expect(mono).toBeLessThanOrEqual(after);
  const fetch = vi.fn(async () => 'answer');
  vi.stubGlobal('fetch', fetch);
  expect(await systemFetch('http://a.test', { method: 'POST' } as FetchInit)).toBe('answer');
  expect(fetch).toHaveBeenCalledWith('http://a.test', { method: 'POST' });
  vi.stubGlobal('crypto', { randomUUID: () => 'from the platform' });
  expect(systemIds.uuid()).toBe('from the platform');
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) });
  expect(systemIds.uuid()).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(0) });
  expect(systemIds.uuid()).toBe('00000000-0000-4000-8000-000000000000');
});
