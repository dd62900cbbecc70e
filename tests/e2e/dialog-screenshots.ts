/**
 * Pictures of what opens over a screen, with hostile data, in both themes at three widths, from the real engine: the
 * menu and dialogs of workspaces, the jump to a time, export and import, a request of a receiver, toasts, the palette,
 * the bar of a selection. `node tests/e2e/dialog-screenshots.ts DIR`. Needs a build and a Chromium.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { KnownWorkspaces } from '../../src/shell/known-workspaces.ts';
import { HOSTILE_STRINGS } from '../helpers/hostile-strings.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { launchHeadless, temporaryFolder } from './launch.ts';
import { goTo, pictureFolder, takePictures } from './pictures-of.ts';
import { postCall } from './post-call.ts';

const folder = pictureFolder();
process.env.HOOKBENCH_KNOWN = temporaryFolder();
const known = temporaryFolder();
const opened = new KnownWorkspaces(process.env.HOOKBENCH_KNOWN);
for (const name of ['acme-shop-staging-europe-with-a-long-name', '\u202Eevil', 'ليلى', 'gone']) {
  if (name !== 'gone') mkdirSync(join(known, name));
  opened.remember(join(known, name));
}

const receiver = await startReceiver({ status: 500 });
const entries = [
  { name: 'CRM sync', url: receiver.url, headers: {}, enabled: true },
  { name: '"><img src=x onerror=alert(1)>\u202eevil', url: receiver.url, headers: {}, enabled: true },
];
const app = await launchHeadless({
  workspace: join(known, 'a-workspace-whose-name-is-longer-than-the-sidebar'),
  config: {
    sources: [{ name: 'shop', writeKey: 'any', kind: 'server', enabled: true, webhooks: true }],
    webhooks: { sharedSecret: 'whsec_c2VjcmV0', entries },
  },
});
const { page } = app;

const pictures = (name: string, widths?: readonly number[]): Promise<void> =>
  takePictures(page, join(folder, name), widths);
const send = (path: string, body: object): Promise<void> => postCall(app.ingestUrl, 'any', path, body);
const go = (hash: string): Promise<void> => goTo(page, hash, 900);
const leaveDialog = async (): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};
const step = async (name: string, act: () => Promise<void>): Promise<void> => {
  try {
    await act();
  } catch (error) {
    console.log(`${name}: ${String(error).split('\n')[0]}`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
  }
};

const strings = HOSTILE_STRINGS.slice(0, 60);
for (let n = 0; n < 30; n += 1)
  await send('track', { userId: strings[n]?.trim() || 'u', event: strings[n + 20] || 'E', properties: { n } });
for (let n = 0; n < 12; n += 1) await send('track', { userId: 'usr_1', event: 'Order Completed', properties: { n } });
await page.waitForTimeout(1_500);

await step('workspace', async () => {
  await page.getByRole('button', { name: /^Workspace/ }).click();
  await page.waitForTimeout(600);
  await pictures('workspace-menu');
  await page.getByRole('menuitem', { name: 'New workspace…' }).click();
  await page.getByRole('dialog').waitFor();
  await pictures('workspace-new');
  await page.getByRole('textbox', { name: 'Name' }).fill(`it's "${'long '.repeat(10)}`);
  await pictures('workspace-new-long', [1440, 880]);
  await leaveDialog();
});
await step('switch', async () => {
  await page.evaluate(() => {
    Object.assign(window, {
      hookbench: {
        openWorkspace: async () => 'It is open in another Hookbench.',
        chooseWorkspace: async () => ({ end: 'refused', problem: 'A folder of that name is there already.' }),
      },
    });
  });
  await page.getByRole('button', { name: /^Workspace/ }).click();
  await page.waitForTimeout(400);
  await pictures('workspace-menu-desktop', [1440]);
  await page.getByRole('menuitem', { name: 'New workspace…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('shop');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForTimeout(300);
  await pictures('workspace-refused');
  await leaveDialog();
  await page.getByRole('button', { name: /^Workspace/ }).click();
  await page.getByRole('menuitem', { name: /acme-shop/ }).click();
  await page.getByRole('dialog').waitFor();
  await pictures('workspace-switch');
  await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  await page.waitForTimeout(500);
  await pictures('workspace-not-opened', [1440, 880]);
  await page.evaluate(() => Object.assign(window, { hookbench: undefined }));
});
await step('toasts', async () => {
  await go('#/live/30');
  await page.keyboard.press('=');
  await page.keyboard.press('Control+.');
  await page.waitForTimeout(400);
  await pictures('toast-detail');
  await page.keyboard.press('Control+.');
});
await step('jump', async () => {
  await go('#/live');
  await page.locator('body').press('Shift+T');
  await page.getByRole('dialog').waitFor();
  await pictures('jump');
  await page.getByRole('textbox', { name: 'Time' }).fill(`${'x'.repeat(200)}\u202e<b>`);
  await pictures('jump-hostile');
  await page.getByRole('textbox', { name: 'Time' }).fill('yesterday 9:00');
  await pictures('jump-read', [1440]);
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  await pictures('jump-oldest', [1440, 880]);
});
await step('bulk', async () => {
  await go('#/live');
  for (const n of [3, 5, 6])
    await page
      .getByRole('row')
      .nth(n)
      .click({ modifiers: ['Control'] });
  await pictures('bulk');
  await page.getByRole('button', { name: /^Replay 3/ }).click();
  await page.getByRole('dialog').waitFor();
  await pictures('bulk-replay');
  await leaveDialog();
  await page.keyboard.press('Escape');
});
await step('export', async () => {
  await go('#/settings/storage');
  await page.getByRole('button', { name: 'Export all messages' }).click();
  await page.getByRole('dialog').waitFor();
  await pictures('export');
  await page.getByLabel('Mask fields').fill('properties..n, <b>');
  await pictures('export-problem', [1440, 880]);
  await leaveDialog();
  await page.getByRole('button', { name: 'Import calls' }).click();
  await page.getByRole('dialog').waitFor();
  await pictures('import');
  const lines = Array.from({ length: 60_000 }, (_, n) =>
    n % 5_000 === 3 ? `no json ${strings[n % 60]}` : `{"type":"track","userId":"u${n}","event":"E"}`,
  );
  await page.getByLabel('File of calls').setInputFiles({
    name: `${'calls-of-a-very-long-name-'.repeat(5)}\u202e.ndjson`,
    mimeType: 'application/x-ndjson',
    buffer: Buffer.from(lines.join('\n')),
  });
  await page.waitForTimeout(500);
  await pictures('import-progress');
  await page
    .getByRole('button', { name: 'Stop' })
    .click({ timeout: 3_000 })
    .catch(() => {});
  await page.getByRole('button', { name: 'Close', exact: true }).last().waitFor();
  await pictures('import-done');
  await leaveDialog();
});
await step('palette', async () => {
  await go('#/live/30');
  await page.keyboard.press('Control+k');
  await page.waitForTimeout(400);
  await pictures('palette');
  await page.keyboard.type('order completed');
  await page.waitForTimeout(800);
  await pictures('palette-found');
  await page.keyboard.type('zzz');
  await page.waitForTimeout(800);
  await pictures('palette-none', [1440, 880]);
  await page.keyboard.press('Escape');
});
await step('receivers', async () => {
  await go('#/receivers/flaky');
  await page.getByRole('button', { name: 'Use as webhook' }).click();
  await page.getByText(/Used by webhook/).waitFor();
  for (let n = 0; n < 6; n += 1)
    await send('track', {
      userId: strings[n + 8] || 'u',
      event: strings[n + 3] || 'E',
      properties: { [strings[n]!]: n },
    });
  const requests = page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
  await requests.nth(5).waitFor();
  await pictures('receivers');
  await requests.first().click();
  await page.getByRole('dialog', { name: 'Request' }).getByText('Headers').waitFor();
  await pictures('receiver-request');
  await leaveDialog();
  await go('#/receivers/flaky/9999');
  await pictures('receiver-request-gone', [1440]);
  await page.keyboard.press('Escape');
});
await step('signature', async () => {
  await go('#/signature/1');
  await pictures('signature-open');
  await page.getByLabel(/digest your receiver computed/).fill('39 chars');
  await page.waitForTimeout(1_500);
  await pictures('signature-no-digest');
  await page.getByLabel(/digest your receiver computed/).fill('0'.repeat(40));
  await page.waitForTimeout(6_000);
  await pictures('signature-none');
});
await step('saved', async () => {
  await go('#/live');
  const field = page.getByRole('searchbox', { name: 'Filter messages' });
  await field.fill('hok:3 ');
  await page.waitForTimeout(500);
  await pictures('filter-unknown', [1440, 880]);
  await field.fill('type:track event:"Order Completed" ');
  await field.press('Enter');
  await page.keyboard.press('Control+s');
  await page.waitForTimeout(500);
  await pictures('filter-save');
});
console.log(JSON.stringify({ problems: app.problems }));
await app.stop();
await receiver.close();
process.exit(0);
