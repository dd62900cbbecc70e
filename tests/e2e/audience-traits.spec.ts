/** Computed traits and the page of a sync in a browser, from the real engine with a real receiver. */
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { boxOf } from './box-of.ts';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test, watchProblems } from './launch.ts';
import { postCall } from './post-call.ts';

const KEY = 'wk_shop';
let app: LaunchedHeadless | null = null;
let receiver: Receiver | null = null;
test.afterEach(async () => {
  await app?.stop();
  await receiver?.close();
  app = null;
  receiver = null;
});

/** The webhook refuses usr_2. */
async function open(): Promise<LaunchedHeadless> {
  receiver = await startReceiver((request) => ({ status: String(request.body).includes('"usr_2"') ? 422 : 200 }));
  app = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: {
      sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      audiences: [{ name: 'Readers', userIds: ['usr_1', 'usr_2', 'usr_3'], sync: { when: 'hand' }, track: false }],
      webhooks: { entries: [{ name: 'CRM sync', url: receiver.url, headers: {}, enabled: true }] },
    },
  });
  await app.page
    .getByText(/^Listening/)
    .first()
    .waitFor();
  return app;
}

/** Orders of two users, of which one is no number. */
async function order(ingestUrl: string): Promise<void> {
  const of = (userId: string, total: unknown) => ({
    type: 'track',
    userId,
    event: 'Order Completed',
    properties: { total },
  });
  const batch = [of('usr_1', 20), of('usr_1', 5.5), of('usr_3', 7), of('usr_3', '9')];
  await postCall(ingestUrl, KEY, 'batch', { batch });
}

const told = (property: string): string[] =>
  receiver!.requests
    .map(({ body }) => JSON.parse(String(body)) as { userId: string; traits?: Record<string, unknown> })
    .filter(({ traits }) => traits !== undefined && property in traits)
    .map(({ userId, traits }) => `${userId} ${traits![property]}`)
    .sort();

const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

test('a sync is stopped, resumed and looked through by the keyboard alone', async () => {
  const { page, problems } = await open();
  await page.keyboard.press('Control+.');
  await expect(page.getByText('Delivery is paused.', { exact: true })).toBeVisible();
  await chord(page, 'ga');
  await expect(page.getByRole('heading', { name: 'Readers' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'Show the sync' }).press('Enter');
  await expect(page).toHaveURL(/#\/audiences\/1\/syncs\/1$/);
  await expect(page.getByText(/^It waits: delivery is paused/)).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByText('Stopped at 0 of 3. Resume goes on with the next one.')).toBeVisible();
  await page.keyboard.press('s');
  await expect(page.getByText('Resumed with member 1')).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect(page.getByText('Done: 2 delivered, 1 failed, 0 waiting.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Calls' })).toContainText('3 of 3');
  await page.keyboard.press('[');
  await expect(page.getByRole('region', { name: 'Calls' })).toContainText('2 of 3');
  await expect(page.getByRole('region', { name: 'Failed' })).toContainText('Declined 422');
  await page.getByRole('link', { name: 'Open the message of usr_2' }).press('Enter');
  await expect(page).toHaveURL(/#\/live\/\d+$/);
  await page.goBack();
  await page.getByRole('button', { name: 'Replay 1\u2026' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).press('Enter');
  await expect(page.getByText('1 replay begun')).toBeVisible();
  await expect(page.getByText('Done: 2 delivered, 1 failed, 0 waiting.')).toBeVisible();
  await expect.poll(() => receiver!.requests.length).toBe(4);
  expect(problems).toEqual([]);
});

test('a trait is defined, synced and changed by the keyboard alone', async () => {
  const { page, ingestUrl, problems } = await open();
  await order(ingestUrl);
  await chord(page, 'ga');
  await page.getByRole('radio', { name: 'Audiences 1' }).press('ArrowRight');
  await expect(page.getByText('No computed trait yet.')).toBeVisible();
  await page.getByRole('button', { name: 'New trait' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Lifetime value');
  await page.getByRole('combobox', { name: 'Kind' }).press('s');
  const property = page.getByRole('combobox', { name: 'Computed property' });
  await property.focus();
  await page.keyboard.type('properties.total');
  // Closes the suggestions, which hide the rest from a screen reader.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Rules' })).toContainText('such as "9"');
  await page.keyboard.press('Control+s');
  await expect(page).toHaveURL(/#\/audiences\/traits\/2$/);
  await expect(page.getByRole('button', { name: 'Sync 2 users' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Nothing to send' })).toBeVisible();
  expect(told('lifetime_value')).toEqual(['usr_1 25.5', 'usr_3 7']);

  await order(ingestUrl);
  const changes = page.getByRole('table', { name: 'Changed values' });
  await expect(changes.getByRole('row')).toHaveCount(3);
  await expect(changes).toContainText('51.00');
  await page.getByRole('button', { name: 'Show the call of usr_3' }).press('Enter');
  await expect(page.getByRole('complementary', { name: 'Next sync' })).toContainText('2 of 2');
  await page.getByRole('link', { name: 'Order Completed of usr_1' }).press('Enter');
  await expect(page).toHaveURL(/#\/live\/\d+\/payload$/);
  expect(problems).toEqual([]);
});

test('traits and syncs pass axe in both themes', async () => {
  const { browser, uiUrl, ingestUrl } = await open();
  await order(ingestUrl);
  const page = await (await browser.newContext()).newPage();
  const problems = watchProblems(page);
  await page.goto(uiUrl);
  const check = async (what: string): Promise<void> => expect(await accessibilityProblems(page), what).toEqual([]);
  await page
    .getByText(/^Listening/)
    .first()
    .waitFor();
  await go(page, '#/audiences/traits');
  await expect(page.getByText('No computed trait yet.')).toBeVisible();
  await check('no trait');
  await page.getByRole('button', { name: 'New trait' }).click();
  await expect(page.getByRole('region', { name: 'Values' })).toContainText('median');
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('sum');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('button', { name: /^Save trait/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Enter a name.');
  await check('new trait');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Sample trait' }).click();
  await expect(page.getByRole('button', { name: 'Sync 2 users' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Changed values' })).toBeVisible();
  await check('trait');
  await go(page, '#/audiences/1');
  await page.getByRole('button', { name: 'Sync 3 members' }).click();
  await go(page, '#/audiences/1/syncs/1');
  await expect(page.getByText('Done: 2 delivered, 1 failed, 0 waiting.')).toBeVisible();
  await check('sync');
  await page.getByRole('button', { name: 'Replay 1\u2026' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check('replay');
  expect(problems).toEqual([]);
});

test('notices leave the buttons at the foot of a form free, in wide and narrow windows', async () => {
  const { page } = await open();
  await go(page, '#/audiences/traits');
  await page.getByRole('button', { name: 'Sample trait' }).click();
  const notice = page.locator('[data-region="notice"]').filter({ hasText: 'Sample trait added' });
  // Its time stands still while the pointer is on it.
  await notice.hover();
  await go(page, '#/audiences/traits/new');
  const foot = page.locator('[data-region="rule-actions"]');
  for (const width of [1440, 1024, 880]) {
    await page.setViewportSize({ width, height: 900 });
    await notice.hover();
    await expect(async () => {
      const [shown, bar] = [await boxOf(notice), await boxOf(foot)];
      expect(shown.y + shown.height, `at ${width} px`).toBeLessThanOrEqual(bar.y);
    }).toPass({ timeout: 30_000 });
  }
});
