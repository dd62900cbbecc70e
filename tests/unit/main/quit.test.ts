/** The order of an end, over the double's app. */
import type { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineState, EngineSupervisor } from '../../../src/shell/engine-supervisor.ts';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
const { app } = (await import('electron')) as unknown as {
  app: EventEmitter & { exit: (code: number) => void; relaunch: () => void; quit: () => void };
};
const { quitInOrder } = await import('../../../src/main/quit.ts');

const settle = () => new Promise((resolve) => setImmediate(resolve));

function bench(starting?: Promise<never>) {
  const listeners: ((state: EngineState) => void)[] = [];
  let stopped = () => {};
  const engine = {
    onState: (listener: (state: EngineState) => void) => void listeners.push(listener),
    stop: vi.fn(() => {
      const { promise, resolve } = Promise.withResolvers<void>();
      stopped = resolve;
      return promise;
    }),
  };
  const clock = { now: 0 };
  const quit = quitInOrder(
    starting ?? Promise.resolve(engine as unknown as EngineSupervisor),
    async () => {},
    () => clock.now,
  );
  const ask = async () => {
    const event = { preventDefault: vi.fn() };
    app.emit('will-quit', event);
    await settle();
    return event.preventDefault.mock.calls.length === 1;
  };
  const end = async () => {
    stopped();
    await settle();
  };
  const say = (state: EngineState) => listeners.forEach((listener) => void listener(state));
  return { quit, engine, clock, ask, end, say };
}

let exits: unknown[] = [];
let said = '';
beforeEach(() => {
  vi.restoreAllMocks();
  app.removeAllListeners();
  exits = [];
  said = '';
  vi.spyOn(app, 'exit').mockImplementation((code) => void exits.push(code));
  vi.spyOn(app, 'relaunch').mockImplementation(() => void exits.push('relaunch'));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
});

test('with other arguments it starts again only once it has ended', async () => {
  const { quit, ask, end } = bench();
  const quitting = vi.spyOn(app, 'quit').mockImplementation(() => {});
  const relaunched = vi.spyOn(app, 'relaunch');
  quit.startAgain(['.', '--workspace=/next']);
  expect([quitting.mock.calls.length, relaunched.mock.calls.length]).toEqual([1, 0]);
  await ask();
  expect(exits).toEqual([]);
  await end();
  expect(exits).toEqual(['relaunch', 0]);
  expect(relaunched.mock.calls).toEqual([[{ args: ['.', '--workspace=/next'] }]]);
});

test('the app ends once the engine has stopped, and not before', async () => {
  const { quit, engine, ask, end } = bench();
  expect(quit.isUnderWay()).toBe(false);
  expect(await ask()).toBe(true);
  expect([engine.stop.mock.calls.length, exits, quit.isUnderWay()]).toEqual([1, [], true]);
  await end();
  expect(exits).toEqual([0]);
  expect(await ask()).toBe(false);
});

test.each([
  [1, 5_000, 'waits for 1 open attempt, at most 5 s.'],
  [16, 6_000, 'waits for 16 open attempts, at most 6 s.'],
])('with %i attempts open it says how many it waits for, and how long', async (attempts, limitMs, words) => {
  const { ask, say } = bench();
  await ask();
  expect(said).toBe('');
  say({ state: 'restarting', message: 'x' });
  say({ state: 'stopping', attempts, limitMs });
  expect(said).toBe(`hookbench: quitting: ${words} Quitting once more ends it at once\n`);
});

describe('quitting once more', () => {
  test('ends at once', async () => {
    const { ask, clock, engine } = bench();
    await ask();
    clock.now = 1_001;
    expect(await ask()).toBe(true);
    expect([exits, engine.stop.mock.calls.length]).toEqual([[1], 1]);
  });

  test('goes by the time that has passed since, whatever the clock of the machine says', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    quitInOrder(new Promise(() => {}));
    const quitNow = () => app.emit('will-quit', { preventDefault: () => {} });
    quitNow();
    vi.setSystemTime(0);
    quitNow();
    expect(exits).toEqual([]);
    vi.advanceTimersByTime(1_001);
    quitNow();
    expect(exits).toEqual([1]);
    vi.useRealTimers();
  });

  test('within a second is the same request', async () => {
    const { ask, clock, end } = bench();
    await ask();
    clock.now = 1_000;
    expect(await ask()).toBe(true);
    expect(exits).toEqual([]);
    await end();
    expect(exits).toEqual([0]);
  });
});

test('an app that was started again while it ends comes back', async () => {
  const { quit, ask, end } = bench();
  await ask();
  quit.comeBack();
  expect(said).toBe('hookbench: started again while quitting: it comes back once it has ended\n');
  expect(exits).toEqual([]);
  await end();
  expect(exits).toEqual(['relaunch', 0]);
});

test('an engine that could not start holds nothing up', async () => {
  const { ask } = bench(Promise.reject(new Error('no')));
  expect(await ask()).toBe(true);
  expect(exits).toEqual([0]);
});

test.each([
  ['linux', 1],
  ['win32', 1],
  ['darwin', 0],
])('on %s closing the last window quits: %i', (platform, times) => {
  const quits = vi.spyOn(app, 'quit').mockImplementation(() => {});
  bench();
  vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform);
  app.emit('window-all-closed');
  expect(quits).toHaveBeenCalledTimes(times);
  vi.restoreAllMocks();
});
