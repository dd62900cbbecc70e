/** A page that crashes or is loaded again, and an engine that ends: the work goes on and the words are true. */
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { type LaunchedDesktop, test } from '../launch.ts';
import { ask, isConnected, opener, post } from './open.ts';

test.describe.configure({ mode: 'serial' });
const { launch, closeAll } = opener();
let desktop: LaunchedDesktop;
let isLaunched = false;
// Before the first test and not before all: where the shell cannot run, nothing is started.
test.beforeEach(async ({ shell }) => {
  if (isLaunched) return;
  isLaunched = true;
  desktop = await launch(shell, { required: [join(import.meta.dirname, 'keep-workers.cjs')] });
  await isConnected(desktop.page);
});
test.afterAll(closeAll);

/** Through the main process: Playwright loses a page that crashed. */
const shown = (): Promise<string> =>
  desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!
      .webContents.executeJavaScript('document.body.innerText')
      .catch(() => ''),
  );
const isLive = async (event: string): Promise<void> => {
  await expect.poll(shown).toContain('Listening');
  await post(desktop, event);
  await expect.poll(shown).toContain(event);
};

test('after a reload the page connects again', async () => {
  const { app, page, problems } = desktop;
  await isLive('Before the reload');
  const loaded = page.waitForEvent('load');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.reload());
  await loaded;
  await isLive('After the reload');
  await expect.poll(shown).toContain('Before the reload');
  expect(problems).toEqual([]);
});

test('a page that crashed is loaded again and is live', async () => {
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
  );
  await expect.poll(shown).toContain('After the reload');
  await isLive('After the crash');
  const windows = await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  expect(windows).toBe(1);
});

test('an engine that ended is followed by another on the same port, and the page goes on', async () => {
  const { app, workspace } = desktop;
  const engine = () => ask(workspace, (client) => client.call('app.hello', {}));
  const before = await engine();
  let said = '';
  app.process().stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const ended = await app.evaluate(() => {
    const { keptWorkers } = globalThis as unknown as { keptWorkers: { terminate(): Promise<number> }[] };
    return keptWorkers.at(-1)!.terminate();
  });
  expect(ended).toBe(1);
  await expect.poll(async () => (await engine().catch(() => before)).epoch).not.toBe(before.epoch);
  expect((await engine()).parts.status.listener).toEqual(before.parts.status.listener);
  await isLive('After the engine');
  await expect.poll(shown).toContain('After the crash');
  expect(said).toContain('the engine ended (The engine ended without being asked to.); it starts again');
});
