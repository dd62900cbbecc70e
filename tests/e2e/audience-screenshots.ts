/**
 * Pictures of the audiences screens in both themes at three widths, from the real engine:
 * `node tests/e2e/audience-screenshots.ts DIR`, or with `traits` behind it those of computed traits alone.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchHeadless } from './launch.ts';
import { goTo, pictureFolder, postBatches, takePictures, WIDTHS } from './pictures-of.ts';

const folder = pictureFolder();

const pictures = (page: Page, name: string, widths?: readonly number[]): Promise<void> =>
  takePictures(page, join(folder, `audiences-${name}`), widths);

const go = (page: Page, hash: string): Promise<void> => goTo(page, hash, 500);

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `usr_${String(from + i).padStart(6, '0')}`);

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  'u\u202Egnp.exe',
  'ليلى.حداد',
  ' spaced ',
  'W'.repeat(300),
  '👩‍👩‍👧‍👦'.repeat(12),
  'müller@example.de',
];

/** Answers 422 to every seventh request, and waits a little. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const isBad = body.includes('0007"') || body.includes('0014"');
    setTimeout(() => response.writeHead(isBad ? 422 : 200).end(), 15);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

if (process.argv[3] !== 'traits') await audiencePictures();
await traitPictures();
server.close();
process.exit(0);

async function audiencePictures(): Promise<void> {
  const empty = await launchHeadless({});
  await go(empty.page, '#/audiences');
  await pictures(empty.page, 'empty');
  await go(empty.page, '#/audiences/traits');
  await pictures(empty.page, 'traits-empty');
  await go(empty.page, '#/audiences/traits/new');
  await pictures(empty.page, 'traits-new-empty', [1440]);
  await empty.stop();

  const { page, problems, stop } = await launchHeadless({
    config: {
      webhooks: { entries: [{ name: 'CRM', url, headers: {}, enabled: true }] },
      clock: { speed: 60 },
      audiences: [
        { name: 'High Value Customers', userIds: ids(1, 40), sync: { when: 'hand' }, track: false },
        { name: 'Cart Abandoners 24h', userIds: ids(41, 52), sync: { when: 'every', everyMs: 3_600_000 }, track: true },
        {
          name: `Hostile \u202E ${'W'.repeat(80)}`,
          property: 'hostile',
          userIds: HOSTILE,
          sync: { when: 'hand' },
          track: false,
        },
        { name: 'عملاء مميزون', property: 'vip', userIds: [], sync: { when: 'hand' }, track: false },
        { name: 'Newsletter Readers', userIds: ids(100_000, 109_999), sync: { when: 'hand' }, track: false },
      ],
    },
  });
  const syncIt = async (name: RegExp): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Nothing to send' }).waitFor({ timeout: 60_000 });
  };
  await go(page, '#/audiences/1');
  await pictures(page, 'first', [1440]);
  await syncIt(/^Sync 40 members/);
  await pictures(page, 'in-sync', [1440]);
  for (let round = 0; round < 3; round += 1) {
    await go(page, '#/audiences/1/members');
    await page.getByRole('button', { name: 'Add members' }).click();
    await page.getByRole('textbox', { name: /User ids/ }).fill(ids(60 + round * 10, 64 + round * 12).join('\n'));
    if (round === 0) await pictures(page, 'add-members', [1440]);
    await page.getByRole('button', { name: /^Add \d+ members/ }).click();
    await page.getByRole('button', { name: `Remove usr_00000${round + 1}` }).click();
    await page.waitForTimeout(300);
    await go(page, '#/audiences/1');
    if (round < 2) await syncIt(/^Sync \d+ changes/);
  }
  await pictures(page, 'pending');
  await go(page, '#/audiences/1/members');
  await pictures(page, 'members');
  await go(page, '#/audiences/1/syncs');
  await pictures(page, 'syncs');
  await go(page, '#/audiences/2');
  await page.waitForTimeout(2_000);
  await pictures(page, 'every');
  await go(page, '#/audiences/3');
  await pictures(page, 'hostile');
  await go(page, '#/audiences/4');
  await pictures(page, 'rtl', [1440]);
  await go(page, '#/audiences/99');
  await pictures(page, 'gone', [1440]);
  await page.getByRole('button', { name: 'New audience' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('High value customers');
  await page.waitForTimeout(400);
  await pictures(page, 'new');
  await page.keyboard.press('Escape');
  await go(page, '#/audiences/5/members');
  await page.getByRole('button', { name: 'Add members' }).first().click();
  // Typing so much takes the browser minutes.
  await page.getByRole('textbox', { name: /User ids/ }).evaluate((area, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, text);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }, ids(110_000, 199_999).join('\n'));
  await page.getByRole('button', { name: /^Add \d+,\d+ members/ }).click();
  await page.getByText('90,000 members added').waitFor({ timeout: 60_000 });
  await go(page, '#/audiences/5');
  await page.getByRole('button', { name: /^Sync 100,000/ }).click();
  await page.waitForTimeout(1_500);
  await pictures(page, 'running');
  await go(page, '#/audiences/5/syncs/1');
  await page.waitForTimeout(6_000);
  await page.keyboard.press('s');
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  await pictures(page, 'sync-stopped');
  await page.keyboard.press('s');
  await page.waitForTimeout(10_000);
  await pictures(page, 'sync-running');
  await page.getByRole('button', { name: /^Replay/ }).click();
  await pictures(page, 'sync-replay', [1440]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  await page.waitForTimeout(1_500);
  await pictures(page, 'sync-waits', [1440]);
  await page.keyboard.press('Control+.');
  await go(page, '#/audiences/1/syncs/2');
  await pictures(page, 'sync-done');
  await go(page, '#/audiences/1/syncs/77');
  await pictures(page, 'sync-gone', [1440]);
  console.log(JSON.stringify({ folder, problems }));
  await stop();
}

/** A shop of 600 people with six traits, of which one is synced and has changed since. */
async function traitPictures(): Promise<void> {
  const app = await launchHeadless({
    config: {
      sources: [
        { name: 'checkout-api', writeKey: 'wk_shop', kind: 'server', enabled: true, webhooks: true },
        { name: 'history', writeKey: 'wk_history', kind: 'server', enabled: true, webhooks: false },
      ],
      webhooks: { entries: [{ name: 'CRM', url, headers: {}, enabled: true }] },
      clock: { speed: 60 },
      // By default the store keeps 100,000 messages, and the syncs of a trait would push the calls out.
      storage: { maxMessages: 400_000 },
    },
  });
  const send = (calls: readonly object[], key = 'wk_shop'): Promise<void> =>
    postBatches(app.ingestUrl, key, calls, 500);
  /** Random enough, and the same each time. */
  let drawn = 7;
  const draw = (below: number): number => {
    drawn = (drawn * 16_807) % 2_147_483_647;
    return drawn % below;
  };
  const BRANDS = ['Acme', 'Braun', 'Český porcelán', 'ليلى', 'Nordlicht', 'Ōta', 'Pico', 'Quartz', 'Rhön', 'Sól'];
  const NAMES = ['Mira Kovač', 'Anaïs Lévy', 'Lee Park', 'Tomáš Dvořák', 'Jonas Lindqvist', 'ليلى حداد'];
  const user = (i: number): string => `usr_${String(i).padStart(4, '0')}`;
  const order = (i: number) => ({
    type: 'track',
    userId: user(i),
    event: 'Order Completed',
    properties: {
      total: draw(60) === 0 ? '184.50' : Math.round(draw(40_000) * (draw(4) === 0 ? 3 : 1) + 990) / 100,
      currency: draw(9) === 0 ? 'USD' : 'EUR',
      brand: BRANDS[draw(draw(3) + 8)],
    },
  });
  const people = Array.from({ length: 600 }, (_, i) => i);
  await send(people.map((i) => ({ type: 'identify', userId: user(i), traits: { name: NAMES[i % 6], plan: 'pro' } })));
  await send(people.filter((i) => i % 3 > 0).flatMap((i) => Array.from({ length: 1 + draw(3) }, () => order(i))));
  const { page: shop } = app;
  await go(shop, '#/audiences/traits');
  await shop.getByRole('button', { name: 'Sample trait' }).click();
  await shop.getByText('Sample trait added').waitFor();
  const fresh = async (name: string, kind: string, property: string | null): Promise<void> => {
    await go(shop, '#/audiences/traits/new');
    await shop.getByRole('textbox', { name: 'Name' }).fill(name);
    await shop.getByRole('combobox', { name: 'Kind' }).selectOption({ label: kind });
    await shop.getByRole('combobox', { name: 'Event' }).fill('Order Completed');
    await shop.keyboard.press('Escape');
    if (property !== null) {
      await shop.getByRole('combobox', { name: 'Computed property' }).fill(property);
      await shop.keyboard.press('Escape');
    }
  };
  const save = async (): Promise<void> => {
    await shop.keyboard.press('Control+s');
    await shop.waitForURL(/#\/audiences\/traits\/\d+$/, { timeout: 10_000 });
    await shop.waitForTimeout(400);
  };
  await fresh('Lifetime value', 'Sum', 'properties.total');
  await shop.getByRole('button', { name: 'Filter' }).click();
  await shop.getByRole('combobox', { name: 'Property', exact: true }).fill('properties.currency');
  await shop.keyboard.press('Escape');
  await shop.getByRole('textbox', { name: 'Value' }).fill('EUR');
  await shop.getByRole('combobox', { name: 'Time' }).selectOption({ label: 'last 90 days' });
  await shop.waitForTimeout(800);
  await pictures(shop, 'traits-new');
  await save();
  await fresh('Last brand', 'Last', 'properties.brand');
  await save();
  await fresh('Favourite brand', 'Most frequent', 'properties.brand');
  await save();
  await fresh('First order', 'First seen', null);
  await save();
  await fresh('Brands bought', 'Unique list', 'properties.brand');
  await save();
  await fresh('No sum', 'Sum', 'properties.brand');
  await save();
  await go(shop, '#/audiences/traits/2');
  await pictures(shop, 'traits-first', [1440]);
  await shop.getByRole('button', { name: /^Sync \d+ users/ }).click();
  await shop.getByRole('button', { name: 'Nothing to send' }).waitFor({ timeout: 60_000 });
  await pictures(shop, 'traits-in-sync', [1440]);
  await send(Array.from({ length: 41 }, () => order(draw(600))));
  await shop.getByRole('radio', { name: '1 h', exact: true }).click();
  await shop.waitForTimeout(1_500);
  await pictures(shop, 'traits-changed');
  await shop.getByRole('button', { name: /^Show all/ }).click();
  await pictures(shop, 'traits-all', [1440]);
  await shop.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Count' });
  await shop.waitForTimeout(600);
  await pictures(shop, 'traits-edited', [1440, 880]);
  await shop.getByRole('button', { name: 'Discard' }).click();
  for (const [id, name] of [
    [1, 'count'],
    [3, 'last'],
    [4, 'frequent'],
    [5, 'seen'],
    [6, 'list'],
    [7, 'no-sum'],
  ] as const) {
    await go(shop, `#/audiences/traits/${id}`);
    await shop.waitForTimeout(600);
    await pictures(shop, `traits-${name}`, name === 'seen' ? WIDTHS : [1440]);
  }
  await go(shop, '#/audiences/traits/2/syncs/1');
  await pictures(shop, 'traits-sync', [1440]);
  await go(shop, '#/audiences/traits/99');
  await pictures(shop, 'traits-gone', [1440]);
  // Everybody gets a value. The source sends nothing on, so that this takes seconds.
  await send(
    Array.from({ length: 100_000 }, (_, i) => ({ ...order(i), timestamp: new Date().toISOString() })),
    'wk_history',
  );
  await go(shop, '#/audiences/traits/1');
  await shop.getByText('100,000 of 100,000').waitFor({ timeout: 300_000 });
  await shop.waitForTimeout(1_500);
  await pictures(shop, 'traits-100000');
  await shop.getByRole('button', { name: /^Show all/ }).click();
  await shop.waitForTimeout(1_000);
  await shop.mouse.move(700, 700);
  await shop.mouse.wheel(0, 200_000);
  await shop.waitForTimeout(1_000);
  await pictures(shop, 'traits-100000-far', [1440]);
  console.log(JSON.stringify({ problems: app.problems }));
  await app.stop();
}
