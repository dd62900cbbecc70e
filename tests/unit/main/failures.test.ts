/** A page and an engine that end, over the double's dialog. */
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineState, EngineSupervisor } from '../../../src/shell/engine-supervisor.ts';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
const { app, dialog } = (await import('electron')) as unknown as {
  app: { quit: () => void };
  dialog: { showMessageBox: (...args: unknown[]) => Promise<{ response: number }> };
};
const { reviveCrashedPage, watchEngine } = await import('../../../src/main/failures.ts');

const settle = () => new Promise((resolve) => setImmediate(resolve));
let response = 0;
let shown: { args: number; message: string; detail: string }[] = [];
let said = '';
const quit = vi.fn();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  [response, shown, said] = [0, [], ''];
  quit.mockClear();
  vi.spyOn(app, 'quit').mockImplementation(quit);
  vi.spyOn(dialog, 'showMessageBox').mockImplementation(async (...args) => {
    shown.push({ ...(args.at(-1) as { message: string; detail: string }), args: args.length });
    return { response };
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += text;
    return true;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a page that crashed', () => {
  function page() {
    const webContents = Object.assign(new EventEmitter(), { reload: vi.fn() });
    const window = { webContents, destroyed: false, isDestroyed: () => window.destroyed };
    reviveCrashedPage(window as never);
    const crash = async (times = 1, reason = 'crashed') => {
      for (let n = 0; n < times; n++) webContents.emit('render-process-gone', {}, { reason, exitCode: 5 });
      await settle();
    };
    return { webContents, window, crash };
  }

  test('is loaded again and logged', async () => {
    const { webContents, crash } = page();
    await crash(3);
    expect([webContents.reload.mock.calls.length, shown]).toEqual([3, []]);
    expect(said).toContain('hookbench: the page ended (crashed, 5)');
  });

  test('four times in a minute is loaded again only when a person says so, and then counts from the start', async () => {
    const { webContents, crash } = page();
    await crash(4);
    expect(shown).toEqual([
      {
        args: 2,
        type: 'error',
        message: "The window's page ended 4 times in a minute.",
        detail: 'Calls are still received and delivered.',
        buttons: ['Load it again', 'Quit'],
        defaultId: 0,
        cancelId: 0,
      },
    ]);
    expect(webContents.reload).toHaveBeenCalledTimes(4);
    await crash(3);
    expect([webContents.reload.mock.calls.length, shown.length]).toEqual([7, 1]);
  });

  test('four times, and the person quits: it stays as it is', async () => {
    const { webContents, crash } = page();
    response = 1;
    await crash(4);
    expect([webContents.reload.mock.calls.length, quit.mock.calls.length]).toEqual([3, 1]);
  });

  test('now and then is always loaded again', async () => {
    const { webContents, crash } = page();
    for (let n = 0; n < 10; n++) {
      await crash();
      vi.advanceTimersByTime(21_000);
    }
    expect([webContents.reload.mock.calls.length, shown]).toEqual([10, []]);
  });

  test('in a window that is gone, or ended as it should: nothing is loaded', async () => {
    const { webContents, window, crash } = page();
    await crash(1, 'clean-exit');
    window.destroyed = true;
    await crash();
    expect(webContents.reload).not.toHaveBeenCalled();
  });
});

test('a page that does not answer is logged, and left to answer later', () => {
  const webContents = Object.assign(new EventEmitter(), { reload: vi.fn() });
  reviveCrashedPage({ webContents, isDestroyed: () => false } as never);
  webContents.emit('unresponsive');
  expect([said, shown, webContents.reload.mock.calls]).toEqual(['hookbench: the page does not answer\n', [], []]);
});

describe('an engine', () => {
  function engine(window: object | null = null) {
    const listeners: ((state: EngineState) => void)[] = [];
    const supervisor = { onState: (listener: never) => void listeners.push(listener), retry: vi.fn() };
    watchEngine(supervisor as unknown as EngineSupervisor, () => window as never);
    const enter = async (state: EngineState) => {
      for (const listener of listeners) listener(state);
      await settle();
    };
    return { enter, retry: supervisor.retry };
  }

  test('that starts again is logged, and nobody is asked', async () => {
    const { enter, retry } = engine({});
    await enter({ state: 'restarting', message: 'boom\u001b[2J' });
    await enter({ state: 'restarting', message: '' });
    await enter({ state: 'stopped', message: null });
    expect([said, shown, retry.mock.calls]).toEqual([
      'hookbench: the engine ended (boom\\u001b[2J); it starts again\n',
      [],
      [],
    ]);
  });

  test.each([
    ['over its window', {}, 2],
    ['without one where there is none', null, 1],
  ])('that is left alone asks a person %s, who starts it again', async (_title, window, args) => {
    const { enter, retry } = engine(window);
    await enter({ state: 'stopped', message: 'boom' });
    expect(shown).toEqual([expect.objectContaining({ args, message: 'The engine ended 5 times in a minute.' })]);
    expect(shown[0]).toMatchObject({ buttons: ['Start it again', 'Quit'] });
    expect(shown[0]?.detail).toBe('boom\n\nNo calls are received and nothing is delivered.');
    expect(said).toBe('hookbench: the engine ended 5 times in a minute (boom); it is left alone\n');
    expect([retry.mock.calls.length, quit.mock.calls.length]).toEqual([1, 0]);
  });

  test('that is left alone, and the person quits', async () => {
    const { enter, retry } = engine();
    response = 1;
    await enter({ state: 'stopped', message: 'boom' });
    expect([retry.mock.calls.length, quit.mock.calls.length]).toEqual([0, 1]);
  });
});
