/** The rule editor and the import of members in a browser, from the real engine with calls through its real port. */
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
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

async function post(calls: readonly object[]): Promise<void> {
  await postCall(app!.ingestUrl, KEY, 'batch', { batch: calls });
}

const orders = (userId: string, count: number): object[] =>
  Array.from({ length: count }, () => ({
    type: 'track',
    userId,
    event: 'Order Completed',
    properties: { total: 30 },
  }));

/** Three people: `usr_1` and `usr_3` of AT, `usr_2` of US, with as many orders as their number. */
async function open(hash: string): Promise<LaunchedHeadless> {
  receiver = await startReceiver({ status: 200 });
  app = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: {
      sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: false }],
      audiences: [{ name: 'Beta Testers', userIds: ['usr_1', 'usr_9'], sync: { when: 'hand' }, track: false }],
      webhooks: { entries: [{ name: 'CRM sync', url: receiver.url, headers: {}, enabled: true }] },
    },
  });
  await post(
    [1, 2, 3].flatMap((n) => [
      { type: 'identify', userId: `usr_${n}`, traits: { address: { country: n === 2 ? 'US' : 'AT' } } },
      ...orders(`usr_${n}`, n),
    ]),
  );
  const { page } = app;
  await page
    .getByText(/^Listening/)
    .first()
    .waitFor();
  await go(page, hash);
  return app;
}

const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

const matching = (page: Page) => page.getByRole('region', { name: 'Matching people' });
const part = (page: Page, id: string) => page.getByRole('treeitem', { name: new RegExp(`^${id} `) });

/** By the keyboard alone, from the name on. */
async function writeRule(page: Page): Promise<void> {
  const { keyboard } = page;
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await keyboard.type('Repeat Buyers (EU)');
  const kinds = page.getByRole('menuitem');
  await page.getByRole('button', { name: 'Condition', exact: true }).focus();
  await keyboard.press('Enter');
  await expect(kinds.first()).toBeFocused();
  await keyboard.press('Enter');
  await expect(part(page, '1').getByRole('combobox', { name: 'Trait' })).toBeFocused();
  await keyboard.type('addr');
  await expect(page.getByRole('option', { name: /address\.country/ })).toBeVisible();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(part(page, '1').getByRole('combobox', { name: 'Trait' })).toHaveValue('address.country');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.type('AT');
  await expect(matching(page)).toContainText('2of 3 people');
  await page.getByRole('button', { name: 'Condition', exact: true }).focus();
  await keyboard.press('Enter');
  await expect(kinds.first()).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(kinds.nth(1)).toBeFocused();
  await keyboard.press('Enter');
  await expect(part(page, '2').getByRole('combobox', { name: 'Event' })).toBeFocused();
  await keyboard.type('Order Completed');
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.type('2');
  await expect(matching(page)).toContainText('1of 3 people');
}

test('a rule is written by the keyboard alone, follows a call, and its audience is synced', async () => {
  const { page, problems } = await open('#/audiences/new');
  await writeRule(page);
  await post(orders('usr_1', 1));
  await expect(matching(page)).toContainText('2of 3 people');
  await expect(matching(page)).toContainText('joined in the last minute');

  await page.keyboard.press('Escape');
  await expect(part(page, '2')).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(part(page, '1')).toHaveAccessibleDescription(/^1: Order Completed/);
  await expect(part(page, '1')).toBeFocused();
  await page.keyboard.press('Backspace');
  // A notice with the focus stays.
  await page.getByRole('button', { name: 'Undo' }).focus();
  await expect(matching(page)).toContainText('of 3 people');
  await expect(page.getByRole('treeitem')).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treeitem')).toHaveCount(3);
  await expect(page.getByRole('tree')).toHaveAccessibleName(
    'All of: Order Completed at least 2 times in the last 7 days; address.country is AT',
  );

  await page.keyboard.press('Control+s');
  await expect(page.getByRole('heading', { name: 'Repeat Buyers (EU)' })).toBeVisible();
  await page.getByRole('button', { name: 'Sync 2 members' }).click();
  await expect(page.getByRole('button', { name: 'Nothing to send' })).toBeVisible();
  const told = receiver!.requests.map(({ body }) => JSON.parse(String(body)) as { userId: string; traits: object });
  expect(
    told.map(({ userId, traits }) => ({ userId, traits })).toSorted((a, b) => (a.userId < b.userId ? -1 : 1)),
  ).toEqual([
    { userId: 'usr_1', traits: { repeat_buyers_eu: true } },
    { userId: 'usr_3', traits: { repeat_buyers_eu: true } },
  ]);
  expect(problems).toEqual([]);
});

test('a file replaces the members after every row was shown', async () => {
  const { page, problems } = await open('#/audiences/1/import');
  const many = Array.from({ length: 100_000 }, (_, i) => `u${String(i).padStart(6, '0')}`);
  const text = ['user_id', ' usr_1', 'usr_1', 'usr_1', '  ', ...many].join('\n');
  const buffer = Buffer.from(text);
  await page.locator('input[type="file"]').setInputFiles({ name: 'all.csv', mimeType: 'text/csv', buffer });
  const sums = page.getByRole('complementary', { name: 'What the import does' });
  await expect(sums).toContainText('100,004 rows');
  await expect(sums).toContainText('Good100,002');
  await expect(sums).toContainText('Duplicates kept once1');
  await expect(sums).toContainText('Bad left out1');
  await expect(sums).toContainText('Known to a source1');
  const rows = page.getByRole('table', { name: 'Rows of the file' });
  expect(await rows.getByRole('row').count()).toBeLessThan(100);
  await rows.getByRole('rowgroup').evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(rows.getByText('u099999')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the bad row' }).click();
  expect((await download).suggestedFilename()).toBe('all.bad.csv');

  await page.getByRole('radio', { name: 'Replace' }).click();
  await expect(sums).toContainText('+100,001');
  await expect(sums).toContainText('\u22121');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('100,001 members added')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('1 removed')).toBeVisible();
  expect(problems).toEqual([]);
});

test('the rule editor and the import pass axe in both themes', async () => {
  const { browser, uiUrl } = await open('#/audiences');
  const page = await (await browser.newContext()).newPage();
  const problems = watchProblems(page);
  await page.goto(uiUrl);
  await page.goto(new URL('/#/audiences/new', uiUrl).href);
  const check = async (what: string, within = 'html'): Promise<void> =>
    expect(await accessibilityProblems(page, { within }), what).toEqual([]);
  await expect(page.getByText('Add a condition. Without one nobody is in.')).toBeVisible();
  await check('empty');
  await writeRule(page);
  await page.getByRole('button', { name: 'Group', exact: true }).click();
  await page.getByRole('textbox', { name: 'User id' }).fill('usr_2');
  await expect(page.getByText(/1 time in|needed|is US/).first()).toBeVisible();
  await check('rule');
  await part(page, '2').getByRole('button', { name: 'Count only calls where' }).click();
  await part(page, '2').getByRole('combobox', { name: 'Property' }).fill('tot');
  await page.getByRole('option', { name: /properties\.total/ }).click();
  await expect(part(page, '2').getByRole('combobox', { name: 'Property' })).toHaveValue('properties.total');
  await part(page, '2').getByRole('textbox', { name: 'Times' }).fill('x');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('x is not a whole number of times.')).toBeVisible();
  await expect(page.getByText('Choose a trait. Type a value.')).toBeVisible();
  await check('errors');
  await page.getByRole('button', { name: 'Condition', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Trait of the user' }).click();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option').first()).toBeVisible();
  // The rest of the page is hidden from screen readers while the list is open.
  await check('suggestions', '[role="listbox"]');
  await page.keyboard.press('Escape');
  await go(page, '#/audiences/1/import');
  await expect(page.getByText('Paste ids, or drop a CSV or NDJSON file.')).toBeVisible();
  await check('import');
  const buffer = Buffer.from('customer_id,email\nusr_1,a@b.c\n usr_2,b@b.c\nusr_1,c@b.c\n,d@b.c\n');
  await page.locator('input[type="file"]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByText('customer_id is empty')).toBeVisible();
  await check('file');
  expect(problems).toEqual([]);
});
