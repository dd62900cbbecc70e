/**
 * Pictures of the deletions screens in both themes at three widths, from the real engine:
 * `node tests/e2e/deletion-screenshots.ts DIR`. Needs a build and a Chromium.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { launchHeadless } from './launch.ts';
import { goTo, pictureFolder, postBatches, takePictures } from './pictures-of.ts';
import { postCall } from './post-call.ts';

const folder = pictureFolder();

const pictures = (page: Page, name: string, widths?: readonly number[]): Promise<void> =>
  takePictures(page, join(folder, `deletions-${name}`), widths);

/** Refuses what mentions a user of this list, and answers 503 to the other one. */
const REFUSED = ['usr_3ea4', 'usr_0f0f'];
const BUSY = ['usr_6e02'];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const isNotice = body.includes('"delete"');
    const mentions = (ids: readonly string[]): boolean => isNotice && ids.some((id) => body.includes(id));
    response.writeHead(mentions(REFUSED) && body.includes('usr_') ? 410 : mentions(BUSY) ? 503 : 200).end();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

const empty = await launchHeadless({});
await goTo(empty.page, '#/deletions');
await pictures(empty.page, 'empty');
await goTo(empty.page, '#/deletions/new');
await pictures(empty.page, 'new-empty', [1440]);
await empty.stop();

const SOURCES = [
  { name: 'storefront-web', writeKey: 'wk_web', kind: 'web' as const, enabled: true, webhooks: true },
  { name: 'checkout-api', writeKey: 'wk_api', kind: 'server' as const, enabled: true, webhooks: true },
  { name: 'ios-app', writeKey: 'wk_ios', kind: 'mobile' as const, enabled: true, webhooks: false },
];
const entries = ['CRM sync', 'Warehouse loader', 'Email tool'].map((name) => ({
  name,
  url,
  headers: {},
  enabled: true,
}));
const run = await launchHeadless({ config: { sources: SOURCES, webhooks: { entries }, clock: { speed: 60 } } });
const { page, problems, ingestUrl, stop } = run;

async function track(key: string, userId: string, count: number, name?: string): Promise<void> {
  const calls: object[] = Array.from({ length: count - (name === undefined ? 0 : 1) }, (_, i) => ({
    type: 'track',
    userId,
    event: i % 2 === 0 ? 'Product Viewed' : 'Order Completed',
  }));
  if (name !== undefined) calls.push({ type: 'identify', userId, traits: { name } });
  await postBatches(ingestUrl, key, calls);
}

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  'u\u202Egnp.exe',
  'ليلى.حداد',
  ' spaced ',
  'W'.repeat(300),
  'müller@例え.jp',
];
await track('wk_web', 'usr_5d10', 61, 'Jonas Lindqvist');
await track('wk_api', 'usr_5d10', 51);
await track('wk_web', 'usr_2b9d', 3, 'Kemi Oduya');
await track('wk_ios', 'usr_2b9d', 5);
await track('wk_web', 'usr_3ea4', 14, 'Tomáš Dvořák');
await track('wk_api', 'usr_3ea4', 8);
await track('wk_api', 'usr_41c0', 58);
for (const userId of ['usr_19aa', 'usr_6e02', 'usr_3c4d', 'usr_0f0f', 'usr_d2c8']) await track('wk_web', userId, 2);
for (const userId of HOSTILE) await track('wk_web', userId, 1);
const customers = Array.from({ length: 400 }, (_, i) => ({ type: 'track', userId: `cust_${i}`, event: 'E' }));
await postBatches(ingestUrl, 'wk_web', customers, 100);
await page.waitForTimeout(2_000);

const write = async (ids: readonly string[]): Promise<void> => {
  await goTo(page, '#/deletions/new');
  const box = page.getByRole('textbox', { name: 'User ids, one in a line' });
  await box.fill('');
  // To fill in 10,000 lines takes minutes.
  await page
    .getByLabel('File with user ids')
    .setInputFiles({ name: 'ids.txt', mimeType: 'text/plain', buffer: Buffer.from(ids.join('\n')) });
  await page.getByText(/different ids:|1 id:/).waitFor();
  await page.waitForTimeout(400);
};
const check = async (name: string): Promise<void> => page.getByRole('checkbox', { name }).click();
const send = async (): Promise<void> => {
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').getByRole('button').last().click();
  await page.getByRole('heading', { name: /^Delete/ }).waitFor();
};

for (const userId of ['usr_d2c8', 'usr_0f0f', 'usr_19aa', 'usr_6e02']) {
  await goTo(page, '#/deletions');
  await page.getByRole('textbox', { name: 'Delete one user' }).fill(userId);
  await page.getByRole('button', { name: 'Create request' }).click();
  await page.waitForTimeout(800);
}
await pictures(page, 'retrying');
await goTo(page, '#/deletions');
await page.getByRole('textbox', { name: 'Delete one user' }).fill('USR_41C0');
await page.getByRole('button', { name: 'Create request' }).click();
await page.waitForTimeout(500);
await pictures(page, 'short-form-near', [1440]);

const MIXED = ['usr_5d10', 'usr_2b9d', 'usr_3ea4', 'USR_41C0', 'usr_9f00', 'usr_2b9d'];
await write(MIXED);
await check('Erase stored messages');
await check('Suppress from now on');
await pictures(page, 'new');
await page.keyboard.press('Control+Enter');
await pictures(page, 'confirm', [1440]);
await page.getByRole('dialog').getByRole('button').last().click();
await page.getByText(/Looked through/).waitFor();
await page.getByRole('button', { name: 'Send', exact: true }).click();
await page.getByText('Rejected: usr_5d10 is suppressed.').waitFor();
await page.waitForTimeout(800);
await pictures(page, 'done');
await page.getByRole('button', { name: 'Lift usr_5d10' }).click();
await page.waitForTimeout(600);
await page.getByRole('button', { name: 'Send', exact: true }).click();
await page.waitForTimeout(1_500);
await pictures(page, 'lifted', [1440]);
await goTo(page, '#/deletions/suppressed');
await pictures(page, 'suppressed');
await goTo(page, '#/live');
await page.waitForTimeout(500);
await pictures(page, 'live-rejected', [1440]);
await page
  .getByRole('row', { name: /suppressed/ })
  .first()
  .click();
await page.waitForTimeout(500);
await pictures(page, 'live-rejected-detail', [1440]);

await write(['nobody_1', 'nobody_2']);
await pictures(page, 'new-unknown', [1440]);
await write(HOSTILE);
await pictures(page, 'new-hostile');
await send();
await page.waitForTimeout(1_000);
await pictures(page, 'hostile');
await write([
  ...Array.from({ length: 9_700 }, (_, i) => `gone_${i}`),
  ...Array.from({ length: 300 }, (_, i) => `cust_${i}`),
]);
await pictures(page, 'new-10000');
await send();
await page.waitForTimeout(3_000);
await pictures(page, '10000');
for (let from = 0; from < 12_000; from += 400) await track('wk_web', 'usr_big', 400);
await page.waitForTimeout(3_000);
await write(['usr_big']);
await check('Erase stored messages');
await page.waitForTimeout(1_000);
await send();
await page.waitForTimeout(300);
await pictures(page, 'erasing', [1440]);
await goTo(page, '#/deletions/99');
await pictures(page, 'gone', [1440]);
console.log(JSON.stringify({ folder, problems }));
await stop();

const manySources = Array.from({ length: 12 }, (_, i) => ({
  name: i === 3 ? 'a-source-with-a-very-long-name-that-nobody-can-read' : `source-${i + 1}`,
  writeKey: `wk_${i}`,
  kind: (['web', 'server', 'mobile'] as const)[i % 3]!,
  enabled: true,
  webhooks: i !== 5,
}));
const many = await launchHeadless({ config: { sources: manySources, webhooks: { entries } } });
for (const [i, { writeKey }] of manySources.entries()) {
  const batch = Array.from({ length: i + 1 }, () => ({ type: 'track', userId: 'usr_everywhere', event: 'E' }));
  await postCall(many.ingestUrl, writeKey, 'batch', { batch });
}
await goTo(many.page, '#/deletions/new');
await many.page.getByRole('textbox', { name: 'User ids, one in a line' }).fill('usr_everywhere\nusr_nobody');
await many.page.getByText('notice 1 of 11').waitFor();
await many.page.getByRole('region', { name: 'Preview by user and source' }).evaluate((box) => box.scrollTo(420, 0));
await pictures(many.page, 'new-12-sources', [1440, 880]);
await many.page.keyboard.press('Control+Enter');
await many.page.getByRole('dialog').getByRole('button').last().click();
await many.page.getByText('11: 11 delivered').waitFor();
await many.page.getByRole('region', { name: 'Notices by user and source' }).evaluate((box) => box.scrollTo(420, 0));
await pictures(many.page, '12-sources', [1440, 880]);
await many.stop();

// A request that a receiver of ours has checked.
const own = await launchHeadless({
  config: { sources: SOURCES, webhooks: { sharedSecret: 'a secret for pictures', entries: [] } },
});
await goTo(own.page, '#/receivers/ok');
await own.page.getByRole('button', { name: 'Use as webhook' }).click();
await postCall(own.ingestUrl, 'wk_web', 'track', { userId: 'usr_19aa', event: 'Product Viewed' });
await goTo(own.page, '#/deletions');
await own.page.getByRole('textbox', { name: 'Delete one user' }).fill('usr_19aa');
await own.page.getByRole('button', { name: 'Create request' }).click();
await own.page.getByText('Signature verified').waitFor();
await own.page.getByRole('button', { name: 'Close notice' }).last().click();
await pictures(own.page, 'verified');
await own.stop();
server.close();
process.exit(0);
