/** The audiences screen in a browser, from the real engine with a real receiver. */
import { expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test, watchProblems } from './launch.ts';

let app: LaunchedHeadless | null = null;
let receiver: Receiver | null = null;
test.afterEach(async () => {
  await app?.stop();
  await receiver?.close();
  app = null;
  receiver = null;
});

async function open(audiences: Config['audiences'] = []): Promise<LaunchedHeadless> {
  receiver = await startReceiver({ status: 200 });
  app = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: {
      audiences,
      webhooks: { entries: [{ name: 'CRM sync', url: receiver.url, headers: {}, enabled: true }] },
    },
  });
  const { page } = app;
  await page
    .getByText(/^Listening/)
    .first()
    .waitFor();
  await chord(page, 'ga');
  await expect(page.getByRole('heading', { name: 'Audiences' })).toBeVisible();
  return app;
}

const row = (page: Page, name: string) => page.getByRole('grid', { name: 'All audiences' }).getByRole('row', { name });

async function make(page: Page, name: string, ids: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'New audience' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: /^User ids/ }).fill(ids.join('\n'));
  await page.getByRole('button', { name: 'Add audience' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
}

/** What the receiver got after so many requests: user and value, in order of users. */
const told = (property: string, after = 0): string[] =>
  receiver!.requests
    .slice(after)
    .map(({ body }) => JSON.parse(String(body)) as { userId: string; traits: Record<string, boolean> })
    .map(({ userId, traits }) => `${userId} ${traits[property]}`)
    .sort();

test('an audience is made, looked at, synced, edited and synced again, and a stopped sync is resumed', async () => {
  const { page, problems } = await open();
  await make(page, 'High Value Customers', ['usr_1', 'usr_2', ' usr_3']);
  await expect(page.getByText('The first sync sends 3 identify calls, 0 of them removals.')).toBeVisible();
  await page.keyboard.press(']');
  await expect(page.getByText('2 of 3')).toBeVisible();
  expect(receiver!.requests).toHaveLength(0);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Nothing to send' })).toBeVisible();
  expect(told('high_value_customers')).toEqual([' usr_3 true', 'usr_1 true', 'usr_2 true']);

  await page.getByRole('button', { name: 'Edit members' }).click();
  await page.getByRole('button', { name: 'Remove usr_1' }).click();
  await page.getByRole('button', { name: 'Add members' }).click();
  await page.getByRole('textbox', { name: /^User ids/ }).fill('usr_4');
  await page.getByRole('button', { name: 'Add 1 member' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+.');
  await expect(page.getByText('Delivery is paused.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Sync 2 changes' }).click();
  await expect(page.getByText(/^It waits: delivery is paused/)).toBeVisible();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped at 0 of 2. Resume goes on with the next one.')).toBeVisible();
  await page.keyboard.press('Control+.');
  await expect(page.getByText('Delivery is paused.', { exact: true })).toBeHidden();
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Nothing to send' })).toBeVisible();
  expect(told('high_value_customers', 3)).toEqual(['usr_1 false', 'usr_4 true']);

  await page.getByRole('tab', { name: /^Syncs/ }).click();
  await expect(page.getByRole('table', { name: 'Syncs' }).getByRole('row')).toHaveCount(3);
  await page.reload();
  await expect(row(page, 'High Value Customers')).toContainText('In sync');
  expect(problems).toEqual([]);
});

test('the keyboard alone reaches everything', async () => {
  const { page } = await open();
  await make(page, 'First', ['a']);
  await make(page, 'Second', ['b', 'c']);
  await row(page, 'Second').focus();
  await page.keyboard.press('ArrowUp');
  await expect(row(page, 'First')).toBeFocused();
  await expect(page.getByRole('heading', { name: 'First' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'First' })).toBeFocused();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByRole('complementary', { name: 'Next sync' })).toBeFocused();
  await page.getByRole('tab', { name: /^Pending/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('searchbox', { name: 'Find a member' })).toBeVisible();
});

test('10,000 members are scrolled to their end with few rows drawn', async () => {
  const userIds = Array.from({ length: 10_000 }, (_, i) => `u${String(i).padStart(6, '0')}`);
  const { page } = await open([{ name: 'Newsletter', userIds, sync: { when: 'hand' }, track: false }]);
  await page.getByRole('tab', { name: /^Members/ }).click();
  const rows = page.getByRole('table', { name: 'Members' }).getByRole('rowgroup');
  // Each look at the end reads more members, so the next one comes at once.
  await expect(async () => {
    await rows.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(page.getByText('u009999')).toBeVisible({ timeout: 200 });
  }).toPass({ intervals: [0] });
  expect(await rows.getByRole('row').count()).toBeLessThan(100);
});

test('the screen and its dialogs pass axe in both themes', async () => {
  const { browser, uiUrl, page: first } = await open();
  await make(first, 'High Value Customers', ['usr_1', ' usr_2']);
  await first.keyboard.press('Control+Enter');
  await expect(first.getByRole('button', { name: 'Nothing to send' })).toBeVisible();
  await first.getByRole('button', { name: 'Edit members' }).click();
  await first.getByRole('button', { name: 'Remove usr_1' }).click();
  const page = await (await browser.newContext()).newPage();
  const problems = watchProblems(page);
  await page.goto(uiUrl);
  await page.goto(new URL('/#/audiences/1', uiUrl).href);
  const check = async (what: string): Promise<void> => expect(await accessibilityProblems(page), what).toEqual([]);
  await expect(page.getByText('1 of 1')).toBeVisible();
  await check('pending');
  for (const tab of [/^Members/, /^Syncs/]) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('table')).toBeVisible();
    await check(String(tab));
  }
  await page.getByRole('button', { name: 'New audience' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('High value customers');
  await expect(page.getByText(/sends high_value_customers already/)).toBeVisible();
  await check('new audience');
  expect(problems).toEqual([]);
});
