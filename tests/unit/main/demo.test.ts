/** One demo at a time on its folder, over the double's Electron and an engine that stops when told. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DemoShell, EngineStartOptions } from '../../../src/core/engine/engine-thread.ts';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
/** What an engine is started with. */
interface Start {
  readonly worker: string;
  readonly options: EngineStartOptions;
  readonly own: DemoShell;
}
interface Started {
  stopped(): void;
  readonly start: Start;
  /** Each start that took the place of the running engine, and what is done between the two. */
  readonly renewed: Array<{ readonly start: Start; meanwhile(): void }>;
}
const started: Started[] = [];
vi.mock('../../../src/shell/engine-starts.ts', () => ({
  engineStarts: (worker: string, options: EngineStartOptions, own: DemoShell): Start => ({ worker, options, own }),
}));
vi.mock('../../../src/shell/engine-supervisor.ts', () => ({
  superviseEngine: async ({ start }: { readonly start: Start }) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const renewed: Started['renewed'] = [];
    started.push({ stopped: resolve, start, renewed });
    const renew = async (next: Start, meanwhile: () => void) => void renewed.push({ start: next, meanwhile });
    return { onState: () => {}, stop: () => promise, renew };
  },
}));
const watched: Array<() => unknown> = [];
vi.mock('../../../src/main/failures.ts', () => ({
  watchEngine: (_engine: unknown, window: () => unknown) => void watched.push(window),
}));
const { app } = await import('electron');
const { DesktopDemo } = await import('../../../src/main/demo.ts');
(app as unknown as { becomeReady(): void }).becomeReady();

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-desktop-demo-'));
  vi.spyOn(app, 'getVersion').mockReturnValue('1');
  vi.stubEnv('HOOKBENCH_DEMO_WORKSPACE', join(folder, 'demo-shop'));
  // A system that could seal the key.
  vi.stubEnv('ELECTRON_DOUBLE_KEYRING', 'gnome_libsecret');
  started.length = 0;
  watched.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function bench() {
  const shown: string[] = [];
  /** What is done to what is around the demo, in order. */
  const told: string[] = [];
  let closed = (): void => {};
  const demo = new DesktopDemo({
    workerPath: 'engine.js',
    receiversWorker: 'receivers.js',
    peopleWorker: 'people.js',
    backgroundWorker: 'background.js',
    windowOf: (_engine, keyStorage, onClosed) => {
      closed = onClosed;
      const close = () => void told.push('window closed');
      return { show: () => void shown.push(keyStorage), close, current: () => 'window' } as never;
    },
    opened: (workspace) => void told.push(`opened ${workspace}`),
    leadBack: () => void told.push('led back'),
  });
  return { demo, shown, told, closeWindow: () => closed() };
}

test('opens once, and shows its window each time', async () => {
  const { demo, shown } = bench();
  const [first, second] = await Promise.all([demo.shell.open({}), demo.shell.open({})]);
  expect([first, second]).toEqual([
    { url: null, existing: false },
    { url: null, existing: true },
  ]);
  // The command line opens the same folder, so that its key lies in a file.
  expect([started.length, shown]).toEqual([1, ['file', 'file']]);
});

test('opens again only when the engine before it has stopped', async () => {
  const { demo, closeWindow } = bench();
  await demo.shell.open({});
  closeWindow();
  const again = demo.shell.open({});
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toHaveLength(1);
  started[0]!.stopped();
  expect(await again).toEqual({ url: null, existing: false });
  expect(started).toHaveLength(2);
});

test('can be opened again after a start that failed', async () => {
  const { demo } = bench();
  await expect(demo.shell.open({ seed: 1 })).resolves.toMatchObject({ existing: false });
  started[0]!.stopped();
  await demo.stop();
  await expect(demo.shell.open({ seed: 2 })).rejects.toMatchObject({ code: 'demo_failed' });
  await expect(demo.shell.open({})).resolves.toMatchObject({ existing: false });
});

test('while none runs, there is none to name, reset or end', async () => {
  const { shell } = bench().demo;
  const asked = [shell.address(), shell.reset({}), shell.end()];
  const ended = await Promise.allSettled(asked);
  expect(ended).toMatchObject(Array(3).fill({ status: 'rejected', reason: { code: 'demo_not_running' } }));
});

test('a stop without a demo stops nothing, and one after a failed start neither', async () => {
  const { demo, told } = bench();
  await demo.stop();
  writeFileSync(join(folder, 'demo-shop'), '');
  const failed = demo.shell.open({});
  const stopped = demo.stop();
  await expect(failed).rejects.toThrow();
  await stopped;
  expect([told, started]).toEqual([[], []]);
});

test('its engine is that of a desktop app, on free ports and with a key in a file', async () => {
  const { demo, told } = bench();
  const workspace = join(folder, 'demo-shop');
  await demo.shell.open({});
  expect(started[0]!.start).toMatchObject({
    worker: 'engine.js',
    options: {
      workspace,
      version: '1',
      shell: 'electron',
      secretKeyBase64: readFileSync(join(workspace, 'key')).toString('utf8').trim(),
      keyStorage: 'file',
      ingestPort: 0,
      receiversPort: 0,
      receiversHttpsPort: 0,
      receiversWorker: 'receivers.js',
      peopleWorker: 'people.js',
      backgroundWorker: 'background.js',
      demo: { seed: 42, rate: 20 },
    },
  });
  expect([told, watched.map((window) => window())]).toEqual([[`opened ${workspace}`], ['window']]);
});

test('a stop closes its window and ends with its engine', async () => {
  const { demo, told } = bench();
  await demo.shell.open({});
  let isStopped = false;
  const stopped = demo.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([told.at(-1), isStopped]).toEqual(['window closed', false]);
  started[0]!.stopped();
  await stopped;
});

describe('its own engine', () => {
  async function own(input = {}) {
    const world = bench();
    await world.demo.shell.open(input);
    return { ...world, own: started[0]!.start.own };
  }

  test('opens no other demo, and shows its window where it is asked for an address', async () => {
    const { own: shell, shown } = await own();
    await expect(shell.open({})).rejects.toMatchObject({ code: 'demo_not_here', message: 'This is the demo.' });
    await expect(shell.address()).rejects.toMatchObject({
      code: 'demo_not_here',
      message: 'The demo runs in the desktop app. Its window is in front now.',
    });
    expect(shown).toEqual(['file', 'file']);
  });

  test.each([
    [{}, { seed: 7, rate: 30 }],
    [
      { seed: 8, rate: 40 },
      { seed: 8, rate: 40 },
    ],
  ])('is renewed once it has answered a reset with %j, on an empty folder', async (next, demo) => {
    const { own: shell } = await own({ seed: 7, rate: 30 });
    vi.useFakeTimers();
    expect(await shell.reset(next)).toBeNull();
    vi.advanceTimersByTime(99);
    const [{ renewed }] = started as [Started];
    expect(renewed).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(renewed.map(({ start }) => start.options.demo)).toEqual([demo]);
    const workspace = join(folder, 'demo-shop');
    writeFileSync(join(workspace, 'store.sqlite'), '');
    renewed[0]!.meanwhile();
    expect(existsSync(join(workspace, 'store.sqlite'))).toBe(false);
    expect(JSON.parse(readFileSync(join(workspace, 'demo.json'), 'utf8'))).toEqual({ seed: demo.seed });
  });

  test('ends once it has answered, after the other window is there', async () => {
    const { own: shell, told } = await own();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    expect(await shell.end()).toEqual({ url: null });
    vi.advanceTimersByTime(99);
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(told.slice(1)).toEqual(['led back', 'window closed']);
  });
});
