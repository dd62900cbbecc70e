/** The receivers lab in a browser, from the real engine with its own worker. */
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test, watchProblems } from './launch.ts';
import { postCall } from './post-call.ts';

let headless: LaunchedHeadless | null = null;
test.afterEach(async () => {
  await headless?.stop();
  headless = null;
});

const KEY = 'wk_lab';
async function open(): Promise<LaunchedHeadless> {
  headless = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: {
      sources: [{ name: 'lab', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: { sharedSecret: 'secret-of-the-lab', entries: [] },
      clock: { speed: 240 },
    },
  });
  const { page } = headless;
  await page
    .getByText(/^Listening/)
    .first()
    .waitFor();
  await chord(page, 'gv');
  await expect(page.getByText(/^9 running on localhost:/)).toBeVisible();
  return headless;
}
const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
const track = (ingest: string, event: string): Promise<void> =>
  postCall(ingest, KEY, 'track', { userId: 'user-1', event });

test('a message fails three times at the flaky receiver, is accepted, and each request can be opened', async () => {
  const { page, ingestUrl, problems } = await open();
  await row(page, 'Flaky').click();
  await page.getByRole('button', { name: 'Use as webhook' }).click();
  await expect(page.getByText('Used by webhook 1')).toBeVisible();
  await track(ingestUrl, 'Order Completed');
  const requests = page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
  await expect(requests).toHaveCount(4);
  await expect(requests.first()).toContainText('200');
  await expect(requests.first()).toContainText('Verified');
  await requests.last().click();
  const dialog = page.getByRole('dialog', { name: 'Request' });
  await expect(dialog).toContainText('500 Internal Server Error');
  await expect(dialog).toContainText('Hookbench/1.0');
  await expect(dialog.getByText('"Order Completed"')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('No requests yet.')).toBeVisible();
  expect(problems).toEqual([]);
});

test('a program is edited by the keyboard alone, and answers so at once', async () => {
  const { page } = await open();
  await row(page, 'Always 200').focus();
  await page.keyboard.press('End');
  await expect(row(page, 'Self-signed')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect(row(page, 'Flaky')).toBeFocused();
  await page.getByRole('button', { name: /^Step 1, / }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByRole('button', { name: /^Step 2, 500/ })).toBeFocused();
  await page.getByRole('button', { name: /^Response of step 1/ }).press('Enter');
  await page.getByRole('menuitem', { name: '410 Gone' }).press('Enter');
  await expect(row(page, 'Flaky')).toContainText('410, then 500 three times');
  const url = await page
    .getByRole('complementary')
    .getByText(/^http:/)
    .innerText();
  const digestless = await fetch(url, { method: 'POST', body: '{}' });
  expect(digestless.status).toBe(401);
  await page.getByRole('switch', { name: 'Signature check of Flaky' }).press('Space');
  await expect(page.getByText('On mismatch')).toHaveCount(0);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(410);
});

test('a step is dragged to its place', async () => {
  const { page } = await open();
  await row(page, 'Flaky').click();
  await page.getByRole('button', { name: /^Step 2, 200/ }).dragTo(page.getByRole('button', { name: /^Step 1, 500/ }));
  await expect(row(page, 'Flaky')).toContainText('200, then 500 three times');
});

test('every receiver tells what became of its signatures, at every width', async () => {
  const { page } = await open();
  for (const width of [1440, 1279, 1024, 1023, 880]) {
    await page.setViewportSize({ width, height: 768 });
    const flaky = row(page, 'Flaky');
    await expect(flaky.getByText('500 three times, then 200')).toBeInViewport({ ratio: 1 });
    await expect(flaky.getByText('No requests')).toBeInViewport({ ratio: 1 });
  }
});

test('a step shows its response and the units of long numbers whole', async () => {
  const { page } = await open();
  await row(page, 'Slow').click();
  const cut = () =>
    page
      .getByRole('region', { name: 'Behaviour' })
      .getByText(/^(200 OK|time|times|ms delay)$/)
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  for (const width of [1440, 1024, 880]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByLabel('Delay of step 1 in milliseconds')).toHaveValue('3200');
    expect([width, await cut()]).toEqual([width, []]);
  }
  await page.getByLabel('Delay of step 1 in milliseconds').fill('60000');
  await page.getByLabel('Times of step 1, empty for ever').fill('10000');
  await page.keyboard.press('Enter');
  await expect(page.getByText('times', { exact: true })).toBeVisible();
  expect(await cut()).toEqual([]);
});

test('a receiver is made of a preset, renamed and removed', async () => {
  const { page } = await open();
  await page.getByRole('button', { name: 'New receiver' }).click();
  await page.getByRole('button', { name: /^Throttles/ }).click();
  await expect(row(page, 'Throttles')).toContainText('429, Retry-After 10');
  await page.getByRole('button', { name: 'More for Throttles' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Busy');
  await page.keyboard.press('Enter');
  await expect(row(page, 'Busy')).toContainText('/r/throttles');
  await page.getByRole('button', { name: 'More for Busy' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(row(page, 'Busy')).toHaveCount(0);
});

test('the screen and its dialogs pass axe in both themes', async () => {
  const { browser, uiUrl } = await open();
  const page = await (await browser.newContext()).newPage();
  const problems = watchProblems(page);
  await page.goto(uiUrl);
  await page.goto(new URL('/#/receivers/flaky', uiUrl).href);
  await row(page, 'Flaky').click();
  const check = async (what: string, without: string[] = []): Promise<void> =>
    expect(await accessibilityProblems(page, { without }), what).toEqual([]);
  await check('screen');
  await page.getByRole('button', { name: /^Response of step 1/ }).click();
  // A menu floats beside every landmark.
  await check('menu', ['region']);
  await page.getByRole('menuitem', { name: /^Status, headers/ }).click();
  await check('response');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New receiver' }).click();
  await check('new receiver');
  expect(problems).toEqual([]);
});
