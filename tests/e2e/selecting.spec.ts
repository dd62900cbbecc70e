/** Selecting in the live list, the menu of a row and the palette, in a real browser. */
import { expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { accessibilityProblems } from '../helpers/axe.ts';
import { boxOf } from './box-of.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const WRITE_KEY = 'wk_e2e';
const config: Config = {
  sources: [{ name: 'checkout-api', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
};

let app: LaunchedHeadless | undefined;
test.afterEach(async () => {
  await app?.stop();
  app = undefined;
});

/** The list with these events, the newest on top and selected. */
async function openWith(...events: readonly string[]): Promise<LaunchedHeadless> {
  app = await launchHeadless({ config });
  // Only a page that stood empty selects what comes first.
  await expect(app.page.getByRole('heading', { name: 'See it work, or send your own' })).toBeVisible();
  const batch = events.map((event) => ({ type: 'track', userId: 'usr_8f21', event }));
  await postCall(app.ingestUrl, WRITE_KEY, 'batch', { batch });
  await expect(row(app.page, events.at(-1)!)).toBeVisible();
  await expect(detail(app.page)).toBeVisible();
  return app;
}
const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
const detail = (page: Page) => page.getByRole('region', { name: 'Detail', exact: true });
async function closeDetail(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(detail(page)).toBeHidden();
}
const bar = (page: Page) => page.getByRole('region', { name: 'Selected messages' });

test('selects by the checkbox in the place of the icon and by keys, hides with Undo, and passes axe', async () => {
  const { page, problems } = await openWith('One', 'Two', 'Three', 'Four');
  await closeDetail(page);
  const icon = row(page, 'Three').locator('[data-checkbox] svg');
  const before = await boxOf(icon);
  await icon.click();
  await expect(row(page, 'Three')).toHaveAttribute('aria-selected', 'true');
  await expect(bar(page)).toContainText('1 selected');
  expect(await boxOf(icon)).toEqual(before);
  await row(page, 'Two').click({ modifiers: ['Shift'] });
  await expect(bar(page)).toContainText('2 selected');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(bar(page)).toContainText('3 selected');
  expect(await accessibilityProblems(page)).toEqual([]);
  await bar(page).getByRole('button', { name: 'Hide from list' }).click();
  // A notice under the pointer stays.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await expect(row(page, 'Three')).toHaveCount(0);
  await expect(row(page, 'Four')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Three')).toBeVisible();

  await row(page, 'Four').focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await accessibilityProblems(page, { within: '[role="menu"]' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(row(page, 'Four')).toBeFocused();
  await row(page, 'One').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Only this event' }).click();
  await expect(row(page, 'Four')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('finds and runs by keyboard alone', async () => {
  const { page, problems } = await openWith('Order Completed', 'Signed Up');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find or run' })).toBeFocused();
  await page.keyboard.type('order comp');
  await expect(page.getByRole('option', { name: /Filter the live stream/ })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle(/^Order Completed · Live · /);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find or run' })).toBeFocused();
  await page.keyboard.type('light theme');
  await page.keyboard.press('Control+Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('a column keeps the width that it was dragged to, until a double click', async () => {
  const { page, problems } = await openWith('One');
  await page.setViewportSize({ width: 1440, height: 900 });
  await closeDetail(page);
  const divider = page.getByRole('separator', { name: 'Width of Received' });
  const before = Number(await divider.getAttribute('aria-valuenow'));
  const box = await boxOf(divider);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y, { steps: 4 });
  await page.mouse.up();
  await expect(divider).toHaveAttribute('aria-valuenow', String(before + 40));
  await page.reload();
  await expect(divider).toHaveAttribute('aria-valuenow', String(before + 40));
  await expect(async () => expect((await boxOf(divider)).x).toBeCloseTo(box.x + 40, 0)).toPass({ timeout: 30_000 });
  await divider.dblclick();
  await expect(divider).toHaveAttribute('aria-valuenow', String(before));
  expect(problems).toEqual([]);
});

test('notices leave the buttons for selected messages free, in wide and narrow windows', async () => {
  const { page } = await openWith('One', 'Two');
  await closeDetail(page);
  await row(page, 'One').locator('[data-checkbox] svg').click();
  await bar(page).getByRole('button', { name: /^Copy/ }).first().click();
  const notice = page.locator('[data-region="notice"]').first();
  for (const width of [1440, 1024, 880]) {
    await page.setViewportSize({ width, height: 900 });
    // Its time stands still while the pointer is on it.
    await notice.hover();
    await expect(async () => {
      const [shown, free] = [await boxOf(notice), await boxOf(bar(page))];
      expect(shown.y + shown.height, `at ${width} px`).toBeLessThanOrEqual(free.y);
    }).toPass({ timeout: 30_000 });
  }
});
