/**
 * The demo in a browser: from the first page to a shop in which every page has something to show. That it takes less
 * than 10 s is measured by `npm run bench:demo`, with nothing beside it.
 */
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { boxOf } from './box-of.ts';
import { type LaunchedHeadless, launchHeadless, temporaryFolder, test } from './launch.ts';

let run: LaunchedHeadless;
test.beforeEach(() => {
  process.env.HOOKBENCH_DEMO_WORKSPACE = join(temporaryFolder(), 'demo-shop');
});
test.afterEach(async () => {
  await run.stop();
  delete process.env.HOOKBENCH_DEMO_WORKSPACE;
});

/** Opens the demo from the first page of a new workspace. */
async function openDemo(): Promise<Page> {
  run = await launchHeadless();
  const { page, uiUrl } = run;
  await page.getByRole('button', { name: /^Start with a demo shop/ }).waitFor();
  await page.keyboard.press('d');
  await page.waitForURL((url) => url.origin !== new URL(uiUrl).origin);
  return page;
}

/** Until the shop is full, however busy the machine is: the limit is that of the test. */
const running = (page: Page): Promise<void> => page.getByText('Demo running').waitFor({ timeout: 0 });

const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

const bar = (page: Page) => page.getByRole('region', { name: /^Demo tour/ });

/** An address, and what its page shows when it has something to show. */
const PAGES: ReadonlyArray<readonly [hash: string, text: RegExp]> = [
  ['#/live', /Order Completed/],
  ['#/overview', /Email tool/],
  ['#/replay', /Order Completed|Product|Home/],
  ['#/webhooks', /Ad network/],
  ['#/receivers', /Email tool/],
  ['#/sources', /Phone app/],
  ['#/audiences', /Recent Buyers EU/],
  ['#/deletions', /usr_19aa/],
];

test('fills every page, and ends back where it was opened', async () => {
  test.slow();
  const page = await openDemo();
  await running(page);
  await expect(bar(page)).toHaveAttribute('aria-label', 'Demo tour, step 1 of 5');
  for (const [hash, text] of PAGES) {
    await go(page, hash);
    await expect(page.locator('main').getByText(text).first()).toBeVisible();
  }

  await page.getByRole('button', { name: 'End demo' }).click();
  const dialog = page.getByRole('dialog', { name: 'End the demo?' });
  await expect(dialog).toContainText('Its workspace is kept until you remove it.');
  await dialog.getByRole('button', { name: 'End the demo' }).click();
  await page.waitForURL((url) => url.origin === new URL(run.uiUrl).origin);
  await expect(page.getByRole('heading', { name: 'See it work, or send your own' })).toBeVisible();
  expect(run.problems).toEqual([]);
});

test('leads through five steps by keyboard, without taking the focus or covering anything', async () => {
  test.slow();
  const page = await openDemo();
  await running(page);
  const filter = page.locator('main input').first();
  await filter.focus();
  await page.keyboard.type('n');
  await expect(bar(page)).toHaveAttribute('aria-label', 'Demo tour, step 1 of 5');
  await filter.fill('');
  await page.keyboard.press('Escape');
  await page.locator('#main').focus();

  await page.keyboard.press('n');
  await expect(bar(page)).toContainText('Email tool answered 503, Ad network nothing within 5 s.');
  await expect(page.getByRole('heading', { name: 'Order Completed' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Detail' })).toContainText('503');
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { name: 'Recent Buyers EU' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page).toHaveURL(/#\/deletions\/1/);
  const edges = async (selector: string) => {
    const { y, height } = await boxOf(page.locator(selector));
    return { top: Math.round(y), bottom: Math.round(y + height) };
  };
  await expect(async () => {
    const [main, tour, status] = await Promise.all(
      ['#main', '[data-region="tour"]', '[data-region="status"]'].map(edges),
    );
    expect([tour!.bottom - tour!.top, main!.bottom, tour!.bottom]).toEqual([52, tour!.top, status!.top]);
  }).toPass({ timeout: 30_000 });
  const { top } = await edges('[data-region="tour"]');
  await page.keyboard.press('=');
  const notice = page.locator('[data-region="notice"]').first();
  await notice.hover();
  const shown = await boxOf(notice);
  expect(Math.round(shown.y + shown.height)).toBeLessThanOrEqual(top);
  await notice.getByRole('button', { name: 'Undo' }).click();
  await page.keyboard.press('Shift+N');
  await expect(page).toHaveURL(/#\/audiences\/1/);
  await page.getByRole('button', { name: 'End the tour' }).click();
  await expect(bar(page)).toBeHidden();
  await page.getByRole('button', { name: /^Demo running/ }).click();
  await expect(bar(page)).toHaveAttribute('aria-label', 'Demo tour, step 1 of 5');
});

test('offers to go to a demo that runs already', async () => {
  test.slow();
  const page = await openDemo();
  await running(page);
  const demo = new URL(page.url()).origin;
  await page.goto(run.uiUrl);
  await page.getByRole('button', { name: /^Start with a demo shop/ }).click();
  await page.getByRole('link', { name: 'Go to it' }).click();
  await page.waitForURL((url) => url.origin === demo);
  await running(page);
});

test('passes axe on the first page and in the tour, in both themes', async () => {
  test.slow();
  run = await launchHeadless();
  const { page } = run;
  await page.getByRole('button', { name: /^Start with a demo shop/ }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('d');
  await running(page);
  for (const hash of ['#/live', '#/overview']) {
    await go(page, hash);
    expect(await accessibilityProblems(page), hash).toEqual([]);
  }
  await page.getByRole('button', { name: 'End demo' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press('Escape');
});
