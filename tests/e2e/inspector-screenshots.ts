/**
 * Pictures of what finds, replays, proves and exports messages, in both themes at three widths, with realistic and with
 * hostile data, from the real engine: `node tests/e2e/inspector-screenshots.ts DIR`. Needs a build and a Chromium.
 */
import { join } from 'node:path';
import { HOSTILE_STRINGS } from '../helpers/hostile-strings.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { launchHeadless } from './launch.ts';
import { goTo, pictureFolder, takePictures } from './pictures-of.ts';
import { postCall } from './post-call.ts';

const folder = pictureFolder();
const receivers = await Promise.all([startReceiver({ status: 200 }), startReceiver({ status: 503 })]);
const entries = [
  { name: 'CRM sync', url: receivers[0]!.url, headers: {}, enabled: true },
  { name: '"><img src=x onerror=alert(1)>‮evil', url: receivers[1]!.url, headers: {}, enabled: true },
];
const app = await launchHeadless({
  config: {
    sources: [{ name: 'shop', writeKey: 'any', kind: 'server', enabled: true, webhooks: true }],
    webhooks: { sharedSecret: 'whsec_c2VjcmV0', entries },
  },
});
const { page } = app;

const pictures = (name: string, widths?: readonly number[]): Promise<void> =>
  takePictures(page, join(folder, name), widths);

const send = (path: string, body: object): Promise<void> => postCall(app.ingestUrl, 'any', path, body);
const go = (hash: string): Promise<void> => goTo(page, hash, 1_200);

const items = Array.from({ length: 6 }, (_, n) => ({ sku: `SKU-${n}`, price: 9.5 * n, name: 'Kettle & Co' }));
for (let n = 0; n < 40; n += 1) {
  const event = ['Order Completed', 'Product Viewed', 'Cart Updated'][n % 3]!;
  await send('track', { userId: `usr_${n % 7}`, event, properties: { total: 184.5 + n, currency: 'EUR', items } });
}
const strings = HOSTILE_STRINGS.slice(0, 60);
const properties = Object.fromEntries(strings.map((text, n) => [`k${n} ${text.slice(0, 40)}`, text]));
await send('track', { userId: strings[3], event: strings[5], properties });
await send('track', { userId: 'u', event: '' });
await page.waitForTimeout(1_500);

await page.getByRole('row').nth(3).waitFor();
await page.getByRole('row').nth(3).click();
await page.keyboard.press('Escape');
for (const n of [3, 5, 6])
  await page
    .getByRole('row')
    .nth(n)
    .click({ modifiers: ['Control'] });
await pictures('live-selected');
await page.keyboard.press('Escape');
await page.keyboard.press('Control+k');
await page.waitForTimeout(400);
await pictures('palette');
await page.keyboard.type('order');
await page.waitForTimeout(600);
await pictures('palette-found', [1440, 880]);
await page.keyboard.press('Escape');

await go('#/live/41');
await pictures('detail-hostile');
await go('#/replay/41');
await pictures('replay-hostile');
await page.keyboard.press('Control+Enter');
await page.waitForTimeout(1_500);
await pictures('replay-hostile-sent');
await go('#/signature');
await pictures('signature-pick');
await go('#/signature/1');
await page.getByLabel(/digest your receiver computed/).fill('0'.repeat(40));
await page.waitForTimeout(3_000);
await pictures('signature');
await go('#/settings/shortcuts');
await pictures('settings-shortcuts');
await app.stop();
await Promise.all(receivers.map((one) => one.close()));
