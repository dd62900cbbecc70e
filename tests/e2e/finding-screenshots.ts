/**
 * Pictures of the filter field's suggestions, of an empty result, of a jump to a time and of the card of the search index,
 * in both themes at three widths, from the real engine: `node tests/e2e/finding-screenshots.ts DIR`. Needs a build and a
 * Chromium.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchHeadless } from './launch.ts';
import { goTo, pictureFolder, takePictures } from './pictures-of.ts';
import { postCall } from './post-call.ts';

const folder = pictureFolder();

const pictures = (page: Page, name: string): Promise<void> => takePictures(page, join(folder, `finding-${name}`));

const go = (page: Page, hash: string): Promise<void> => goTo(page, hash, 800);

const sources = [
  { name: 'checkout-api', writeKey: 'wk_api', kind: 'server' as const, enabled: true, webhooks: true },
  { name: 'storefront-web', writeKey: 'wk_web', kind: 'web' as const, enabled: true, webhooks: false },
];
const EVENTS = [
  'Order Completed',
  'Product Added',
  'Cart Viewed',
  'Shipping Method Selected for Express Delivery to a Pickup Point in the Old Town of a Very Small City',
  'تم إكمال الطلب',
  'a,b "quoted" * \u202eevil',
  'Objednávka dokončena',
];
const app = await launchHeadless({ config: { sources } });
const { page } = app;
await go(page, '#/settings/storage');
const card = page.getByRole('heading', { name: 'Search index' });
await card.scrollIntoViewIfNeeded();
await pictures(page, 'index-small');
for (let n = 0; n < 60; n += 1) {
  const batch = Array.from({ length: 100 }, (_, i) => {
    const userId = i % 9 === 0 ? '' : `usr_${(i * 7919).toString(16)}`;
    if (i % 5 === 0) return { type: 'identify', userId: userId || 'u', traits: { plan: 'pro', seats: i } };
    return { type: 'track', userId, event: EVENTS[(i * i + n) % EVENTS.length], properties: { total: i } };
  });
  await postCall(app.ingestUrl, n % 3 === 0 ? 'wk_web' : 'wk_api', 'batch', { batch });
}
await page.waitForTimeout(1_500);
await pictures(page, 'index-ready');
await page.getByRole('switch', { name: 'Search index' }).click();
await page.waitForTimeout(500);
await pictures(page, 'index-off');

await go(page, '#/live');
const field = page.getByRole('searchbox', { name: 'Filter messages' });
for (const [name, text] of [
  ['status', 'status:'],
  ['event', 'event:'],
  ['type', 'source:checkout-api type:'],
  ['reason', 'reason:'],
] as const) {
  await field.fill('');
  await field.pressSequentially(text);
  await page.waitForTimeout(800);
  await pictures(page, `suggest-${name}`);
  await field.press('Escape');
  await field.press('Escape');
}
await field.fill('type:identify event:"Order Completed" source:checkout-api ');
await field.press('Enter');
await page.getByRole('button', { name: /without/ }).waitFor();
await pictures(page, 'none');
await field.press('Escape');
await page.locator('body').press('Shift+T');
await page.waitForTimeout(300);
if (await page.getByRole('dialog').isVisible()) {
  await page.getByLabel('Time').fill('yesterday 9:00');
  await pictures(page, 'jump');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  await pictures(page, 'jumped');
}
await app.stop();
