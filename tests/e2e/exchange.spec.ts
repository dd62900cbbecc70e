/** Export and import in the browser, with the keyboard and in both themes. */
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const WRITE_KEY = 'wk_e2e';

let app: LaunchedHeadless | undefined;
test.afterEach(async () => {
  await app?.stop();
  app = undefined;
});

test('a file is saved with the keyboard, and imported again', async () => {
  app = await launchHeadless({
    config: { sources: [{ name: 'shop', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }] },
  });
  const { page, ingestUrl } = app;
  for (const event of ['Signed Up', 'Order Completed'])
    await postCall(ingestUrl, WRITE_KEY, 'track', {
      userId: 'usr_8f21',
      event,
      properties: { email: 'ada@acme.test' },
    });
  await page.evaluate(() => location.assign('#/settings/storage'));

  await page.getByRole('button', { name: 'Export all messages' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByText('All 2 messages of this workspace.')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByLabel('Mask fields').focus();
  await page.keyboard.type('properties.email');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save file' }).press('Enter');
  const path = await (await download).path();
  const text = readFileSync(path, 'utf8');
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name),
  ).toEqual(['Signed Up', 'Order Completed']);
  expect(text).not.toContain('ada@acme.test');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Exported 2 messages')).toBeVisible();

  await page.getByRole('button', { name: 'Import calls' }).press('Enter');
  const imports = page.getByRole('dialog', { name: 'Import calls' });
  await expect(imports.getByRole('button', { name: 'Choose a file' })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await imports.getByLabel('File of calls').setInputFiles({
    name: 'calls.ndjson',
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(`${text}{"type":"page","userId":"u","name":"Home"}\nno json\n`),
  });
  await expect(imports.getByText('1 call imported. 2 there already, 1 refused.')).toBeVisible();
  await expect(imports.getByText('Line 4: It is not valid JSON.')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(imports).toBeHidden();
});
