/** One demo at a time on its folder, over the double's Electron and an engine that stops when told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
const started: Array<{ stopped(): void }> = [];
vi.mock('../../../src/shell/engine-supervisor.ts', () => ({
  superviseEngine: async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started.push({ stopped: resolve });
    return { onState: () => {}, stop: () => promise };
  },
}));
const { app } = await import('electron');
const { DesktopDemo } = await import('../../../src/main/demo.ts');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-desktop-demo-'));
  vi.spyOn(app, 'getVersion').mockReturnValue('1');
  vi.stubEnv('HOOKBENCH_DEMO_WORKSPACE', join(folder, 'demo-shop'));
  started.length = 0;
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function bench() {
  const shown: string[] = [];
  let closed = (): void => {};
  const demo = new DesktopDemo({
    workerPath: '',
    receiversWorker: '',
    peopleWorker: '',
    searchWorker: '',
    windowOf: (_engine, keyStorage, onClosed) => {
      closed = onClosed;
      return { show: () => void shown.push(keyStorage), close: () => {}, current: () => null } as never;
    },
    opened: () => {},
    leadBack: () => {},
  });
  return { demo, shown, closeWindow: () => closed() };
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
