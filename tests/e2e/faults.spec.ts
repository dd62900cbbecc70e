/** Ingest faults in a browser, from the real engine: a preset, what it does, and the report of a client. */
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test, watchProblems } from './launch.ts';
import { postText } from './post-call.ts';

let headless: LaunchedHeadless | null = null;
test.afterEach(async () => {
  await headless?.stop();
  headless = null;
});

const KEY = 'wk_faults';
async function open(): Promise<LaunchedHeadless> {
  headless = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: { sources: [{ name: 'checkout', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }] },
  });
  const { page } = headless;
  await page
    .getByText(/^Listening/)
    .first()
    .waitFor();
  return headless;
}

const context = { library: { name: '@segment/analytics-node', version: '3.1.0' } };
async function send(ingest: string, messageId: string, retryCount = 0): Promise<number> {
  const headers = {
    'User-Agent': 'analytics-node-next/latest',
    ...(retryCount > 0 && { 'X-Retry-Count': String(retryCount) }),
  };
  const batch = [{ type: 'track', userId: 'u', event: 'E', messageId, context }];
  const { status } = await postText(ingest, KEY, 'batch', JSON.stringify({ batch }), headers);
  return status;
}

const line = (page: Page, what: string) =>
  page.getByRole('region', { name: 'Measured and published' }).getByRole('row', { name: new RegExp(`^${what}`) });

test('F6 goes round every region of the screen, and back with Shift', async () => {
  const { page } = await open();
  await chord(page, 'gf');
  await page.getByRole('button', { name: 'Rate limited' }).click();
  await expect(page.getByRole('switch', { name: 'Ingest faults' })).toBeChecked();
  const regions = async (key: string) => {
    const seen: string[] = [];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press(key);
      seen.push(
        await page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset.region ?? ''),
      );
    }
    return seen;
  };
  const forth = await regions('F6');
  expect(new Set(forth)).toEqual(new Set(['sidebar', 'header', 'content', 'list', 'status', 'notice']));
  expect(new Set(await regions('Shift+F6'))).toEqual(new Set(forth));
});

test('a preset makes ingest misbehave, the banner says so, and F turns it off', async () => {
  const { page, ingestUrl, problems } = await open();
  await chord(page, 'gf');
  await expect(page.getByText('No rule yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Rate limited' }).click();
  await expect(page.getByText('The first 2 requests of each client get 429 with Retry-After 2.')).toBeVisible();
  expect([await send(ingestUrl, 'm-1'), await send(ingestUrl, 'm-1', 1), await send(ingestUrl, 'm-1', 2)]).toEqual([
    429, 429, 200,
  ]);
  await expect(line(page, 'Answer 429')).toContainText('retried 2×');
  // It came at once, and the policy waits two seconds.
  await expect(line(page, 'Wait after Retry-After 2 on 429')).toContainText('differs');
  await expect(page.getByRole('button', { name: /^m-1/ })).toContainText('stored');
  await chord(page, 'gl');
  await expect(page.getByText('Ingest faults are on:')).toBeVisible();
  await page.keyboard.press('f');
  await expect(page.getByText('Ingest faults are on:')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Ingest faults off', exact: true })).toBeVisible();
  expect(await send(ingestUrl, 'm-2')).toBe(200);
  expect(problems).toEqual([]);
});

test('a rule is edited by keyboard alone', async () => {
  const { page, ingestUrl } = await open();
  await chord(page, 'gf');
  await page.getByRole('button', { name: 'Add rule' }).press('Enter');
  await page.getByRole('textbox', { name: 'Rule 1: status' }).fill('418');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Ingest faults', exact: true }).press('Space');
  await expect(page.getByText('All requests get 418.')).toBeVisible();
  expect(await send(ingestUrl, 'm-1')).toBe(418);
});

test('the screen passes axe in both themes, empty and full', async () => {
  const { browser, uiUrl, ingestUrl } = await open();
  const page = await (await browser.newContext()).newPage();
  const problems = watchProblems(page);
  await page.goto(uiUrl);
  await page.goto(new URL('/#/faults', uiUrl).href);
  const check = async (what: string): Promise<void> => expect(await accessibilityProblems(page), what).toEqual([]);
  await page.getByText('No rule yet.').waitFor();
  await check('empty');
  await page.getByRole('button', { name: 'Empty 200' }).click();
  await page.getByRole('checkbox', { name: /store the calls first/ }).click();
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('switch', { name: 'Rule 2 on' }).click();
  for (const id of ['m-1', 'm-2']) for (const n of [0, 1]) await send(ingestUrl, id, n);
  await expect(line(page, 'Answer: an empty 200')).toBeVisible();
  await page.getByText(/^Compared with/).click();
  await check('full');
  expect(problems).toEqual([]);
});
