/** The live stream through the real engine: first event, following, reading, filtering, and a long list. */
import { type Browser, expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { accessibilityProblems } from '../helpers/axe.ts';
import { startFakeServer } from '../helpers/fake-engine-server.ts';
import type { PageServer } from '../helpers/page-server.ts';
import { jumpAndCount, scrollAndCount, waitForAnswers } from './blank-rows.ts';
import { boxOf } from './box-of.ts';
import { type LaunchedHeadless, launchChromium, launchHeadless, test } from './launch.ts';
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
async function open(options: Parameters<typeof launchHeadless>[0] = {}): Promise<LaunchedHeadless> {
  app = await launchHeadless({ config, ...options });
  return app;
}

async function send(...events: readonly string[]): Promise<void> {
  const batch = events.map((event) => ({ type: 'track', userId: 'usr_8f21', event }));
  await postCall(app!.ingestUrl, WRITE_KEY, 'batch', { batch });
}
const many = (count: number, name = 'Event') => Array.from({ length: count }, (_, i) => `${name} ${i + 1}`);
const row = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
const grid = (page: Page) => page.getByRole('grid', { name: 'Messages' });
/** Scrolls and waits until the list has noticed, which takes until the next frame. */
const scrollTo = (page: Page, top: number) =>
  grid(page).evaluate(async (list, to) => {
    list.scrollTop = to;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, top);

test.describe('first run', () => {
  test('has address and key in every snippet, and gives way to the first event, selected', async () => {
    const { page, ingestUrl, problems } = await open();
    const port = new URL(ingestUrl).port;
    await expect(page.getByRole('heading', { name: 'See it work, or send your own' })).toBeVisible();
    for (const name of ['Go', 'Go v2', 'Node.js', 'Python', 'Browser JS', 'curl']) {
      await page.getByRole('tab', { name, exact: true }).click();
      const code = page.getByRole('group', { name: `${name} code` });
      await expect(code).toContainText(`localhost:${port}`);
      await expect(code).toContainText(WRITE_KEY);
    }
    await page.getByRole('button', { name: 'Nothing arriving?' }).click();
    await expect(page.getByText('Is the flush size above 1?')).toBeVisible();

    await page.getByRole('button', { name: 'Send a sample event' }).click();
    await expect(page.getByText(/^First event received after/)).toBeVisible();
    await expect(page.getByRole('row').first()).toHaveAttribute('aria-current', 'true');
    expect(problems).toEqual([]);
  });

  test('a source is made in one click where there is none', async () => {
    const { page } = await open();
    await page.goto(new URL('#/sources', page.url()).href);
    await page.getByRole('button', { name: 'Remove checkout-api' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText('No source yet.')).toBeVisible();
    await page.goto(new URL('#/live', page.url()).href);
    await expect(page.getByRole('button', { name: 'Send a sample event' })).toBeDisabled();
    await page.getByRole('button', { name: 'Add source dev' }).click();
    await expect(page.getByText('Write key of source dev')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send a sample event' })).toBeEnabled();
  });
});

test.describe('the list', () => {
  test('shows a call at the top within a moment, and counts rows while the person reads', async () => {
    const { page } = await open();
    await send(...many(60));
    await expect(row(page, 'Event 60')).toBeVisible();
    await send('Newest');
    await expect(page.getByRole('row').first()).toContainText('Newest');

    await scrollTo(page, 450);
    const watched = row(page, 'Event 40');
    const before = await boxOf(watched);
    await send('Held 1', 'Held 2');
    const strip = page.getByRole('button', { name: '2 new messages' });
    await expect(strip).toBeVisible();
    expect(await boxOf(watched)).toEqual(before);
    await strip.click();
    await expect(page.getByRole('row').first()).toContainText('Held 2');
    await expect(strip).toBeHidden();
  });

  test('pauses and resumes by the space bar, and goes to the newest by T', async () => {
    const { page } = await open();
    await send(...many(60));
    await expect(row(page, 'Event 60')).toBeVisible();
    await page.keyboard.press('Space');
    await send('While paused');
    await expect(page.getByRole('button', { name: /Paused .*1 new\. Resume/ })).toBeVisible();
    await expect(row(page, 'While paused')).toHaveCount(0);
    await page.keyboard.press('Space');
    await expect(row(page, 'While paused')).toBeVisible();
    await scrollTo(page, 900);
    await page.keyboard.press('t');
    await expect(page.getByRole('row').first()).toContainText('While paused');
  });

  test('clears the view only, and brings it back', async () => {
    const { page } = await open();
    await send('One', 'Two');
    await expect(row(page, 'Two')).toBeVisible();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    // A notice under the pointer stays.
    await page.getByRole('button', { name: 'Undo' }).hover();
    await expect(page.getByText('The list was cleared.')).toBeVisible();
    await send('Three');
    await expect(page.getByRole('row')).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('row')).toHaveCount(3);
  });

  test('filters by tokens and text, and lets matching calls in as they come', async () => {
    const { page } = await open();
    await send('Order Completed', 'Cart Viewed');
    await expect(row(page, 'Cart Viewed')).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('type:track order');
    await expect(page.getByRole('button', { name: 'Remove type:track' })).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(1);
    await send('Order Refunded', 'Page Seen');
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row').first()).toContainText('Order Refunded');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('row')).toHaveCount(4);
  });

  test('is worked by keyboard from the row to the detail and back', async () => {
    const { page } = await open();
    await expect(page.getByRole('heading', { name: 'See it work, or send your own' })).toBeVisible();
    await send('One', 'Two', 'Three');
    await expect(page.getByRole('heading', { name: 'Three' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(row(page, 'Three')).toBeFocused();
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await expect(row(page, 'One')).toBeFocused();
    await page.keyboard.press('k');
    await expect(row(page, 'Two')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Two' })).toBeVisible();
    await expect(row(page, 'Two')).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { name: 'Two' })).toBeHidden();
    await expect(row(page, 'Two')).toBeFocused();
  });

  test('keeps its divider between 420 px and 60%, by arrow keys and double-click', async () => {
    const { page } = await open();
    await send('One');
    await row(page, 'One').click();
    const detail = page.getByRole('region', { name: 'Detail', exact: true });
    const width = async () => Math.round((await boxOf(detail)).width);
    const start = await width();
    const divider = page.getByRole('separator', { name: 'Width of the detail' });
    await divider.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(width).toBe(start + 16);
    for (let i = 0; i < 8; i += 1) await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBe(420);
    await divider.dblclick();
    await expect.poll(width).toBe(start);
  });

  test('keeps the width that was chosen for the detail: closed, reloaded, and over a narrower window', async () => {
    const { page } = await open();
    await send('One');
    await row(page, 'One').click();
    const detail = page.getByRole('region', { name: 'Detail', exact: true });
    const width = async () => Math.round((await boxOf(detail)).width);
    const box = await boxOf(page.getByRole('separator', { name: 'Width of the detail' }));
    await page.mouse.move(box.x, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x - 90, box.y + 200, { steps: 5 });
    await page.mouse.up();
    await expect.poll(width).toBeGreaterThan(580);
    const chosen = await width();
    await page.keyboard.press('Escape');
    await row(page, 'One').click();
    await expect.poll(width).toBe(chosen);
    await page.setViewportSize({ width: 1030, height: 800 });
    await expect.poll(width).toBeLessThan(500);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(width).toBe(chosen);
    await page.reload();
    await expect.poll(width).toBe(chosen);
  });

  test('leaves the event its room beside the detail in a window of 1,024', async () => {
    const { page } = await open({ page: { viewport: { width: 1024, height: 768 } } });
    await send('Shipping Method');
    await row(page, 'Shipping Method').click();
    await expect(page.getByRole('region', { name: 'Detail', exact: true })).toBeVisible();
    const event = row(page, 'Shipping Method').getByRole('gridcell').filter({ hasText: 'Shipping Method' });
    await expect.poll(async () => (await boxOf(event)).width).toBeGreaterThanOrEqual(130);
    await expect.poll(() => event.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
  });

  test('shows all five tabs of a message whole at each width', async () => {
    const { page } = await open({ page: { viewport: { width: 1024, height: 768 } } });
    await send('One');
    await row(page, 'One').click();
    for (const width of [1024, 1100, 1440, 880]) {
      await page.setViewportSize({ width, height: 768 });
      const tabs = page.getByRole('tablist');
      await expect(tabs.getByRole('tab')).toHaveCount(5);
      // Below 1,024 px the page draws the detail anew, in front of the list.
      await expect(async () => {
        const room = await boxOf(tabs);
        for (const tab of await tabs.getByRole('tab').all()) {
          const box = await boxOf(tab);
          expect(box.x, `${width}`).toBeGreaterThanOrEqual(room.x);
          expect(box.x + box.width, `${width}`).toBeLessThanOrEqual(Math.min(width, room.x + room.width));
        }
      }).toPass({ timeout: 30_000 });
    }
  });

  test('leads by R into Replay with the focus, and by 5 to the raw request', async () => {
    const { page } = await open();
    await send('One', 'Two');
    await expect(row(page, 'Two')).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await expect(page).toHaveURL(/#\/replay\/\d+$/);
    await expect(page.getByRole('main')).toBeFocused();
    await page.goBack();
    await row(page, 'One').click();
    await page.keyboard.press('5');
    await expect(page.getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('r');
    await expect(page.getByRole('main')).toBeFocused();
  });

  test('selects rows and no text by Shift and click, and goes to the oldest by End', async () => {
    const { page } = await open();
    await send(...many(1_500));
    await expect(row(page, 'Event 1500')).toBeVisible();
    await row(page, 'Event 1499').click();
    await row(page, 'Event 1495').click({ modifiers: ['Shift'] });
    expect(await page.evaluate(() => String(document.getSelection()))).toBe('');
    await expect(page.getByText('5 selected').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Event 1499' })).toBeVisible();
    await page.keyboard.press('End');
    await expect(row(page, 'Event 1')).toBeFocused();
  });

  test('lays the detail over the list in a narrow window', async () => {
    const { page } = await open({ page: { viewport: { width: 900, height: 700 } } });
    await send('One');
    await row(page, 'One').click();
    await expect(page.getByRole('heading', { name: 'One' })).toBeVisible();
    expect(await page.evaluate(() => document.scrollingElement?.scrollLeft)).toBe(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { name: 'One' })).toBeHidden();
  });

  test('and the first run pass axe in both themes', async () => {
    test.slow();
    const { page } = await open();
    await expect(page.getByRole('heading', { name: 'See it work, or send your own' })).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await send(...many(60));
    await row(page, 'Event 60').click();
    await scrollTo(page, 300);
    await send('Held');
    await expect(page.getByRole('button', { name: '1 new message' })).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('searchbox').pressSequentially('status:');
    await expect(page.getByRole('option', { name: /Not selected/ })).toBeVisible();
    expect(await accessibilityProblems(page), 'suggestions').toEqual([]);
  });

  test('jumps to a typed time, and says so when no message is as old', async () => {
    const { page } = await open();
    await send(...many(60));
    await row(page, 'Event 60').waitFor();
    await page.keyboard.press('Shift+T');
    await expect(page.getByRole('textbox', { name: 'Time' })).toBeFocused();
    expect(await accessibilityProblems(page), 'dialog').toEqual([]);
    await page.keyboard.type('2020-01-01 00:00');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No message at that time or earlier')).toBeVisible();
    await expect(row(page, 'Event 1')).toBeFocused();
  });
});

test.describe('over an engine of make-believe', () => {
  let server: PageServer | undefined;
  let browser: Browser | undefined;
  test.afterEach(async () => {
    await browser?.close();
    await server?.close();
  });

  test('100,000 rows have no blank row in any frame at wheel speed, and few frames of them after a jump', async () => {
    test.slow();
    server = await startFakeServer({ rows: 100_000 });
    browser = await launchChromium();
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await waitForAnswers(page);
    await page.goto(server.url);
    await expect(page.getByRole('row').first()).toBeVisible();
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '100000');
    for (const px of [3_000, -3_000, 300]) {
      const result = await scrollAndCount(page, px, 60);
      expect(result).toMatchObject({ frames: 60, blankFrames: 0, blankRows: 0 });
      expect(result.lastRows).toBeGreaterThan(20);
    }
    for (const part of [0.5, 0.9, 0.13, 1]) expect(await jumpAndCount(page, part)).toBeLessThan(30);
  });
});
