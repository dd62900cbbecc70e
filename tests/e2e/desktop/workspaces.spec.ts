/** Opening another workspace from the desktop window: this one ends in order, and the app starts again with the other. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { accessibilityProblems } from '../../helpers/axe.ts';
import { processesWith } from '../../helpers/processes.ts';
import { test } from '../launch.ts';
import { ask, isConnected, opener } from './open.ts';

const { launch, folder, closeAll } = opener();
let own: string | null = null;
test.afterEach(async () => {
  // The app that started again is nobody's child here. Its paths name this folder, which no other process has.
  // It quits in order, because the double's Chromium would outlive an app that is killed.
  const started = own ?? '';
  own = null;
  if (started !== '') {
    for (const pid of processesWith(started)) {
      try {
        process.kill(pid, 'SIGTERM');
      } catch {
        // It has ended meanwhile.
      }
    }
    await expect.poll(() => processesWith(started), { timeout: 30_000 }).toEqual([]);
  }
  await closeAll();
});

test('a new workspace opens in place of this one, which is then among the others', async ({ shell }) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  // Two starts, each with a Chromium.
  test.setTimeout(120_000);
  own = folder();
  const workspace = join(own, 'first');
  const env = { HOME: own, HOOKBENCH_KNOWN: join(own, 'known') };
  const { app, page } = await launch(shell, { userData: join(own, 'user-data'), workspace, env });
  await isConnected(page);
  await page.getByRole('button', { name: 'Workspace first, menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Open folder…' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'New workspace…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New workspace' });
  await dialog.getByLabel('Name').fill('Second');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const second = join(own, '.hookbench', 'Second');
  const question = page.getByRole('dialog', { name: 'Open another workspace' });
  await expect(question.getByText(second)).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  const exited = once(app.process(), 'exit');
  await question.getByRole('button', { name: 'Open', exact: true }).click();
  expect((await exited)[0]).toBe(0);
  expect(existsSync(join(workspace, 'control.sock'))).toBe(false);

  await expect.poll(() => existsSync(join(second, 'control.sock')), { timeout: 30_000 }).toBe(true);
  const { hello, others } = await ask(second, async (client) => ({
    hello: await client.call('app.hello', {}),
    others: await client.call('workspaces.list'),
  }));
  expect(hello.workspace).toMatchObject({ name: 'Second', folder: second, shell: 'electron' });
  expect(others.map(({ name, isThere }) => [name, isThere])).toEqual([['first', true]]);
});
