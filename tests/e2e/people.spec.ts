/** People in a browser, from the real engine with calls through its real port. */
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';

const KEY = 'wk_shop';
let app: LaunchedHeadless | null = null;
test.afterEach(async () => {
  await app?.stop();
  app = null;
});

async function open(): Promise<Page> {
  const sources = [{ name: 'shop', writeKey: KEY, kind: 'web' as const, enabled: true, webhooks: true }];
  app = await launchHeadless({ config: { sources } });
  const anonymousId = '5e0c91';
  const batch = [
    { type: 'identify', userId: 'usr_41c0', anonymousId, traits: { name: 'Lee Park' } },
    { type: 'track', anonymousId, event: 'Product Added' },
    { type: 'identify', userId: 'usr_8f21', anonymousId, traits: { name: 'Mira Kovač', seats: 12 } },
    { type: 'alias', userId: 'usr_8f21', previousId: 'guest_2217' },
    { type: 'identify', userId: 'usr_8f21', traits: { seats: '12' } },
  ];
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`${KEY}:`)}` };
  await fetch(`${app.ingestUrl}/v1/batch`, { method: 'POST', headers, body: JSON.stringify({ batch }) });
  return app.page;
}

test('leads by keyboard from the live stream to a finding and its call', async () => {
  const page = await open();
  await expect(page.getByText('Product Added').first()).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.locator('[data-person]').filter({ hasText: 'Lee Park' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('heading', { name: 'Mira Kovač' })).toBeVisible();
  const finding = page.getByRole('region', { name: 'Findings' }).getByRole('link').last();
  await expect(finding).toContainText('Product Added');
  await finding.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/live\/2\/payload$/);
  expect(app!.problems).toEqual([]);
});

test('passes axe in both themes, wide and narrow', async () => {
  const page = await open();
  await page.goto(new URL('/#/people/usr_8f21', page.url()).href);
  await expect(page.getByRole('region', { name: 'Findings' })).toContainText('A trait changed its type: seats');
  await expect(page.getByRole('region', { name: 'Calls' })).toContainText('Product Added');
  expect(await accessibilityProblems(page), 'picture').toEqual([]);
  await page.getByRole('button', { name: 'View as table' }).click();
  await page.setViewportSize({ width: 880, height: 700 });
  expect(await accessibilityProblems(page), 'table').toEqual([]);
  expect(await page.evaluate(() => document.scrollingElement!.scrollWidth <= innerWidth)).toBe(true);
});
