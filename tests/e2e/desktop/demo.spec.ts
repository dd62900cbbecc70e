/** The demo of the desktop app: a window of its own beside the workspace, which stays as it is. */
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type LaunchedDesktop, type Shell, test, watchProblems } from '../launch.ts';
import { ask, isConnected, opener } from './open.ts';

const { launch, folder, closeAll } = opener();
test.afterEach(closeAll);

/** Until the shop is full, however busy the machine is: the limit is that of the test. */
const running = (page: Page): Promise<void> => page.getByText('Demo running').waitFor({ timeout: 0 });

interface Opened extends LaunchedDesktop {
  readonly demo: Page;
  /** The folder of the demo. */
  readonly shop: string;
  readonly demoProblems: string[];
}

/** Starts the app, and the demo from its first page by the key. */
async function openDemo(shell: Shell): Promise<Opened> {
  const shop = join(folder(), 'demo-shop');
  const desktop = await launch(shell, { env: { HOOKBENCH_DEMO_WORKSPACE: shop } });
  const { app, page } = desktop;
  await page.getByRole('button', { name: /^Start with a demo shop/ }).waitFor();
  const opened = app.waitForEvent('window');
  await page.keyboard.press('d');
  const demo = await opened;
  const demoProblems = watchProblems(demo);
  await running(demo);
  return { ...desktop, demo, shop, demoProblems };
}

const windows = ({ app }: LaunchedDesktop) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isFocused()));

test('opens beside the workspace, comes to the front when asked again, and leads back when it ends', async ({
  shell,
}) => {
  test.slow();
  const desktop = await openDemo(shell);
  const { app, page, demo, workspace, shop } = desktop;
  await expect(page.getByText('The demo shop opened in a window of its own.')).toBeVisible();
  await expect(demo.getByText('Order Completed').first()).toBeVisible();
  expect((await ask(workspace, (client) => client.call('app.status'))).total).toBe(0);
  expect(await ask(shop, (client) => client.call('demo.get'))).toMatchObject({ state: 'running', seed: 42 });

  await app.evaluate(({ BrowserWindow }) => {
    for (const window of BrowserWindow.getAllWindows()) window.blur();
  });
  await page.keyboard.press('d');
  await expect.poll(() => windows(desktop)).toEqual([false, true]);
  await expect(ask(shop, (client) => client.call('demo.address'))).rejects.toMatchObject({ code: 'demo_not_here' });

  const closed = demo.waitForEvent('close');
  await demo.getByRole('button', { name: 'End demo' }).click();
  await demo.getByRole('dialog').getByRole('button', { name: 'End the demo' }).click();
  await closed;
  await expect.poll(() => windows(desktop)).toEqual([true]);
  await isConnected(page);
  expect([desktop.problems, desktop.demoProblems]).toEqual([[], []]);
});

test('ends with its window, and opens again where it stopped', async ({ shell }) => {
  test.slow();
  const desktop = await openDemo(shell);
  const { app, page, demo, shop } = desktop;
  const stored = async () => (await ask(shop, (client) => client.call('app.status'))).total;
  const before = await stored();
  await demo.close();
  await isConnected(page);
  const opened = app.waitForEvent('window');
  await page.keyboard.press('d');
  await running(await opened);
  expect(await stored()).toBeGreaterThanOrEqual(before);
});

test('does not keep the app from quitting', async ({ shell }) => {
  test.slow();
  const { shop, stop } = await openDemo(shell);
  await stop();
  await expect(ask(shop, (client) => client.call('demo.get'))).rejects.toThrow();
});
