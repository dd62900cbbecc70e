/** People in a browser, from the real engine with calls through its real port. */
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { boxOf } from './box-of.ts';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

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
  await postCall(app.ingestUrl, KEY, 'batch', { batch });
  return app.page;
}

test('leads by keyboard from the live stream to a finding and its call', async () => {
  const page = await open();
  await expect(page.getByText('Product Added').first()).toBeVisible();
  await chord(page, 'gp');
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
  await expect.poll(() => page.evaluate(() => document.scrollingElement!.scrollWidth <= innerWidth)).toBe(true);
});

test('keeps the facts of a person in one row, or in two even ones', async () => {
  const page = await open();
  await page.goto(new URL('/#/people/usr_8f21', page.url()).href);
  const facts = page.locator('dl').filter({ hasText: 'First seen' });
  await expect(facts).toContainText('AudiencesNone');
  // The longest times, of an earlier day of this year.
  await facts.evaluate((list) => {
    for (const fact of [...list.children].slice(0, 2)) fact.querySelector('dd')!.textContent = '28 Nov, 23:12:40';
  });
  for (const [width, rows] of [
    [1440, [6]],
    [1280, [3, 3]],
    [1279, [6]],
    [1024, [6]],
    [880, [6]],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const found = () =>
      facts.evaluate((list) => {
        const tops = [...list.children].map((fact) => Math.round(fact.getBoundingClientRect().top));
        return [...new Set(tops)].map((top) => tops.filter((one) => one === top).length);
      });
    await expect.poll(found, `at ${width} px`).toEqual(rows);
  }
});

test('scrolls many people without a gap, and keeps the selection at both ends', async () => {
  const page = await open();
  for (let from = 0; from < 2_000; from += 400) {
    const batch = Array.from({ length: 400 }, (_, i) => ({ type: 'track', userId: `u${from + i}`, event: 'Seen' }));
    await postCall(app!.ingestUrl, KEY, 'batch', { batch });
  }
  await page.goto(new URL('/#/people', page.url()).href);
  const list = page.getByRole('region', { name: 'People' });
  await expect(list).toContainText('2,002 people');
  await expect(list.locator('[data-person]').first()).toContainText('u1999');
  const gaps = await list.locator('ul').evaluate(async (rows) => {
    const box = rows.parentElement!.parentElement!.parentElement!;
    let found = 0;
    for (let frame = 0; frame < 60; frame += 1) {
      box.scrollTop += frame % 2 === 0 ? 900 : 2_500;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const { top, bottom } = box.getBoundingClientRect();
      const places = [...rows.children].map((row) => row.getBoundingClientRect()).sort((a, b) => a.top - b.top);
      let reached = top;
      for (const place of places) if (place.top <= reached + 1) reached = Math.max(reached, place.bottom);
      if (reached < bottom - 1) found += 1;
    }
    return found;
  });
  expect(gaps).toBe(0);
  await list.locator('[data-person][tabindex="0"]').focus();
  await page.keyboard.press('End');
  await expect(list.locator('[aria-current]')).toContainText('Lee Park');
  await expect(list.locator('[data-person]:focus')).toContainText('Lee Park');
  await page.keyboard.press('Home');
  await expect(list.locator('[aria-current]')).toContainText('u1999');
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(app!.problems).toEqual([]);
});

test('names the audiences of a person, with the way to their members', async () => {
  const sources = [{ name: 'shop', writeKey: KEY, kind: 'web' as const, enabled: true, webhooks: true }];
  const audiences = ['High Value Customers', 'Newsletter'].map((name) => ({
    name,
    userIds: ['usr_1'],
    sync: { when: 'hand' as const },
    track: false,
  }));
  app = await launchHeadless({ config: { sources, audiences } });
  await postCall(app.ingestUrl, KEY, 'track', { userId: 'usr_1', event: 'Seen' });
  await app.page.goto(new URL('/#/people/usr_1', app.page.url()).href);
  await app.page.getByRole('button', { name: 'In 2 audiences' }).click();
  expect(await accessibilityProblems(app.page)).toEqual([]);
  await app.page.getByRole('link', { name: 'Newsletter' }).click();
  await expect(app.page).toHaveURL(/#\/audiences\/2\/members$/);
});

test.describe('the head of the calls', () => {
  for (const width of [1440, 1024, 880])
    test(`stands over its columns at ${width}`, async () => {
      const page = await open();
      await page.setViewportSize({ width, height: 700 });
      await page.goto(new URL('/#/people/usr_8f21', page.url()).href);
      const calls = page.getByRole('region', { name: 'Calls' });
      const row = calls.getByRole('link').filter({ hasText: 'Product Added' });
      await expect(row).toBeVisible();
      const leftOf = async (text: string) => (await boxOf(calls.getByText(text, { exact: true }).first())).x;
      const lefts = () => row.evaluate((link) => [...link.children].map((cell) => cell.getBoundingClientRect().left));
      await expect(async () => {
        const columns = await lefts();
        expect(await leftOf('Event')).toBeCloseTo(columns[3]!, 0);
        expect(await leftOf('1')).toBeCloseTo(columns.at(-1)!, 0);
      }).toPass({ timeout: 30_000 });
    });
});
