/**
 * Pictures of one message in the full view and of an explained digest, in both themes at three widths, from the real
 * engine: `node tests/e2e/message-screenshots.ts DIR`. Needs a build and a Chromium.
 */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startReceiver } from '../helpers/receivers.ts';
import { launchHeadless } from './launch.ts';
import { goTo, pictureFolder, takePictures, WIDTHS } from './pictures-of.ts';
import { postCall } from './post-call.ts';

const folder = pictureFolder();
const SECRET = 'whsec_dGVzdCBrZXk';

const pictures = (page: Page, name: string): Promise<void> => takePictures(page, join(folder, name), WIDTHS, 300);
const go = (page: Page, hash: string): Promise<void> => goTo(page, hash, 1_000);

const receivers = await Promise.all([startReceiver({ status: 200 }), startReceiver({ status: 503 })]);
const app = await launchHeadless({
  config: {
    sources: [{ name: 'checkout-api', writeKey: 'any', kind: 'server', enabled: true, webhooks: true }],
    webhooks: {
      sharedSecret: SECRET,
      entries: receivers.map(({ url }, n) => ({
        name: ['CRM sync', 'Warehouse loader'][n]!,
        url,
        headers: { 'X-Tenant': { value: 'acme', shown: true }, Authorization: 'Bearer 0123456789' },
        enabled: true,
      })),
    },
  },
});
const { page } = app;
const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();
const call = {
  type: 'track',
  event: 'Order Completed',
  userId: 70042,
  anonymousId: '77b1f0c3-0d9e',
  messageId: '3f0d6a18-9c52-4b7e-8a61-7d20c5be94f3',
  timestamp: ahead(12_000),
  properties: { orderId: 'A-10479', total: 184.5, currency: 'EUR', coupon: 'WINTER & CO', items: 3 },
  context: { ip: '203.0.113.24', locale: 'de-AT' },
  integrations: { all: true },
};
await postCall(app.ingestUrl, 'any', 'batch', {
  sentAt: ahead(12_400),
  context: { library: { name: 'analytics-go', version: '3.3.0' } },
  batch: [call],
});
await page.getByRole('row', { name: /Order Completed/ }).waitFor();
await page.waitForTimeout(1_500);
for (const tab of ['attempts', 'payload', 'compare', 'signature', 'raw']) {
  await go(page, `#/live/1/${tab}/full`);
  await pictures(page, `full-${tab}`);
}
await go(page, '#/live/1/compare/full');
await page.getByRole('radio', { name: 'Side by side' }).click();
await pictures(page, 'full-side-by-side');
await page.getByRole('radio', { name: 'Inline' }).click();
await pictures(page, 'full-inline');
await go(page, '#/signature/1');
const escaped = receivers[0]!.requests[0]!.body.toString().replaceAll('&', '\\u0026');
await page.getByLabel(/digest your receiver computed/).fill(createHmac('sha1', SECRET).update(escaped).digest('hex'));
await page.getByRole('heading', { name: /^Explained/ }).waitFor();
await pictures(page, 'signature-explained');

console.log(JSON.stringify({ problems: app.problems }));
await app.stop();
await Promise.all(receivers.map((one) => one.close()));
process.exit(0);
