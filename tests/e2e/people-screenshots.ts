/**
 * Pictures of the people screen in both themes at three widths, from the real engine:
 * `node tests/e2e/people-screenshots.ts DIR`. Needs a build and a Chromium.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchHeadless } from './launch.ts';
import { goTo, pictureFolder, takePictures } from './pictures-of.ts';
import { postCall } from './post-call.ts';

const folder = pictureFolder();

const pictures = (page: Page, name: string, widths?: readonly number[]): Promise<void> =>
  takePictures(page, join(folder, `people-${name}`), widths);

const go = (page: Page, hash: string): Promise<void> => goTo(page, hash, 1_500);

const sources = [
  { name: 'checkout-api', writeKey: 'wk_api', kind: 'server' as const, enabled: true, webhooks: true },
  { name: 'storefront-web', writeKey: 'wk_web', kind: 'web' as const, enabled: true, webhooks: true },
];
const byHand = { sync: { when: 'hand' as const }, track: false };
const audiences = ['High Value Customers', 'Newsletter', `\u202e<b>${'long name '.repeat(8)}`].map((name, i) => ({
  name,
  property: `audience_${i}`,
  userIds: ['usr_8f21', 'guest_2217'],
  ...byHand,
}));
const app = await launchHeadless({ config: { sources, audiences } });
const send = (path: string, body: object, key = 'wk_web'): Promise<void> => postCall(app.ingestUrl, key, path, body);
const { page } = app;
await go(page, '#/people');
await pictures(page, 'empty', [1440]);

const people = [
  'Anaïs Lévy',
  'ليلى حداد',
  'Lee Park',
  'Jonas Lindqvist',
  'Sam Whitfield',
  'Petra Nováková',
  'Kemi Oduya',
];
for (const [i, name] of people.entries())
  await send('identify', { userId: `usr_${(i * 7919 + 4096).toString(16)}`, traits: { name } }, 'wk_api');
for (const n of [1, 2, 3]) await send('page', { anonymousId: `77b1f${n}`, name: 'Home' });
await send('identify', { userId: 'petra.novak@example.cz', traits: { plan: 'free' } });

const anonymousId = '5e0c91';
await send('identify', { userId: 'usr_41c0', anonymousId, traits: { name: 'Lee Park' } });
await send('identify', {
  userId: 'usr_8f21',
  anonymousId: 'a91c44',
  traits: {
    name: 'Mira Kovač',
    email: 'm.kovac@example.com',
    seats: 12,
    plan: 'trial',
    locale: 'en-GB',
    newsletter: true,
  },
});
for (const name of ['Account', 'Account / Sign up'])
  await send('page', { userId: 'usr_8f21', anonymousId: 'a91c44', name });
await send('alias', { userId: 'usr_8f21', previousId: 'guest_2217' }, 'wk_api');
await send('group', { userId: 'usr_8f21', groupId: 'grp_118', traits: { name: 'Acme Outlet GmbH' } }, 'wk_api');
await send('identify', { userId: 'usr_8f21', traits: { plan: 'enterprise', seats: '12' } }, 'wk_api');
await send('track', { anonymousId, event: 'Product Added' });
await send('track', { anonymousId, event: 'Cart Viewed' });
await send('page', { anonymousId, name: 'Checkout / Shipping' });
await send('identify', {
  userId: 'usr_8f21',
  anonymousId,
  traits: { email: 'mira.kovac@example.com', locale: 'de-AT' },
});
for (const event of [
  'Shipping Method Selected for Express Delivery to a Pickup Point',
  'Order Completed',
  'Payment Method Added',
])
  await send('track', { userId: 'usr_8f21', event, properties: { total: 184.5 } }, 'wk_api');
const timestamp = new Date().toISOString();
for (const _ of [1, 2]) await send('track', { userId: 'usr_8f21', event: 'Order Reviewed', timestamp }, 'wk_api');
await go(page, '#/people/usr_8f21');
await pictures(page, 'person');
await page.getByRole('button', { name: 'In 3 audiences' }).click();
await pictures(page, 'audiences');
await page.getByRole('button', { name: 'View as table' }).click();
await pictures(page, 'table', [1440]);
await go(page, '#/people/77b1f1');
await pictures(page, 'anonymous', [1440]);
await go(page, '#/people/nobody');
await pictures(page, 'nobody', [1440]);

const evil = '<img src=x onerror=alert(1)>\u202etxt.exe\u200b';
const long = 'x'.repeat(900);
for (let i = 0; i < 9; i++)
  await send('track', { anonymousId: `${evil}${i}`, userId: ` ${long}`, event: evil.repeat(9) });
await send('identify', { userId: ` ${long}`, traits: { name: evil.repeat(20), [long]: evil, list: [1, { a: evil }] } });
await send('group', { userId: ` ${long}`, groupId: evil, traits: { name: long } });
await go(page, `#/people/${encodeURIComponent(` ${long}`)}`);
await pictures(page, 'hostile');

for (let i = 0; i < 40; i++)
  await send('batch', {
    batch: Array.from({ length: 100 }, (_, n) => ({
      type: 'track',
      userId: i < 20 ? 'usr_busy' : `u${i}_${n}`,
      event: `Event ${n}`,
    })),
  });
await go(page, '#/people/usr_busy');
await pictures(page, 'much');
await page.locator('[data-person][tabindex="0"]').focus();
await page.keyboard.press('End');
await pictures(page, 'end', [1440]);
await app.stop();
