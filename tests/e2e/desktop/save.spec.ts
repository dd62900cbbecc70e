/** Files that the page saves, in the desktop window: they are written where the dialog says, and the page tells so. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { type Shell, test } from '../launch.ts';
import { isConnected, opener, post } from './open.ts';

const { launch, folder, closeAll } = opener();
test.afterEach(closeAll);

/** Opens Settings, Storage with two stored calls. */
async function openStorage(shell: Shell, env: Record<string, string>) {
  test.skip(shell === 'electron', 'a real save dialog waits for a person');
  const desktop = await launch(shell, { env });
  await isConnected(desktop.page);
  await post(desktop, 'Signed Up');
  await post(desktop, 'Order Completed');
  await desktop.page.evaluate(() => window.location.assign('#/settings/storage'));
  return desktop;
}

async function exportAll(page: Page) {
  await page.getByRole('button', { name: 'Export all messages' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByText('All 2 messages of this workspace.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save file' }).click();
  return dialog;
}

test('an export is written where the dialog says, and the message names the file', async ({ shell }) => {
  const to = folder();
  const { page, problems } = await openStorage(shell, { ELECTRON_DOUBLE_SAVE_TO: to });
  const dialog = await exportAll(page);
  await expect(dialog).toBeHidden();
  const [name = ''] = readdirSync(to);
  expect(name).toMatch(/^hookbench-\d{4}-.*\.ndjson$/);
  await expect(page.getByText('Exported 2 messages')).toBeVisible();
  await expect(page.getByText(join(to, name))).toBeVisible();
  const lines = readFileSync(join(to, name), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(['Signed Up', 'Order Completed']);

  await page.evaluate(() => window.location.assign('#/settings/about'));
  await page.getByRole('button', { name: 'Save as hookbench.json' }).click();
  await expect(page.getByText(join(to, 'hookbench.json'))).toBeVisible();
  expect(JSON.parse(readFileSync(join(to, 'hookbench.json'), 'utf8'))).toHaveProperty('sources');
  expect(problems).toEqual([]);
});

test('a closed dialog leaves the export open and says nothing of a file; the same export can be saved then', async ({
  shell,
}) => {
  const to = folder();
  const { app, page } = await openStorage(shell, {});
  const asked = new Promise<void>((resolve) =>
    app.process().stderr?.on('data', (text) => String(text).includes('DIALOG Save') && resolve()),
  );
  const dialog = await exportAll(page);
  await asked;
  await app.evaluate((_electron, folderNow) => {
    process.env.ELECTRON_DOUBLE_SAVE_TO = folderNow;
  }, to);
  await dialog.getByRole('button', { name: 'Save file' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Exported 2 messages')).toHaveCount(1);
  expect(readdirSync(to)).toHaveLength(1);
});

test('a file that cannot be written is told as such', async ({ shell }) => {
  const to = join(folder(), 'is-not-there');
  const { page } = await openStorage(shell, { ELECTRON_DOUBLE_SAVE_TO: to });
  const dialog = await exportAll(page);
  await expect(page.getByText('Could not save the file')).toBeVisible();
  await expect(dialog).toBeVisible();
  expect(existsSync(to)).toBe(false);
});

test('nothing but files of the page is downloaded', async ({ shell }) => {
  const to = folder();
  const { page } = await openStorage(shell, { ELECTRON_DOUBLE_SAVE_TO: to });
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'data:text/html,hello';
    link.download = 'page.html';
    link.click();
  });
  const dialog = await exportAll(page);
  await expect(dialog).toBeHidden();
  expect(readdirSync(to).filter((name) => name.endsWith('.html'))).toEqual([]);
});
