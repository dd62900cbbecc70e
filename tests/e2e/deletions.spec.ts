/** The deletions screen in a browser, from the real engine with a real receiver. */
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test, watchProblems } from './launch.ts';
import { postCall } from './post-call.ts';

const SOURCES = [
  { name: 'storefront-web', writeKey: 'wk_web', kind: 'web' as const, enabled: true, webhooks: true },
  { name: 'checkout-api', writeKey: 'wk_api', kind: 'server' as const, enabled: true, webhooks: true },
  { name: 'ios-app', writeKey: 'wk_ios', kind: 'mobile' as const, enabled: true, webhooks: false },
];

let app: LaunchedHeadless | null = null;
let receiver: Receiver | null = null;
test.afterEach(async () => {
  await app?.stop();
  await receiver?.close();
  app = null;
  receiver = null;
});

async function track(key: string, userId: string, count: number): Promise<void> {
  const batch = Array.from({ length: count }, (_, i) => ({ type: 'track', userId, event: `Event ${i}` }));
  await postCall(app!.ingestUrl, key, 'batch', { batch });
}

async function open(): Promise<LaunchedHeadless> {
  receiver = await startReceiver({ status: 200 });
  app = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: {
      sources: SOURCES,
      webhooks: { entries: [{ name: 'CRM sync', url: receiver.url, headers: {}, enabled: true }] },
    },
  });
  await track('wk_web', 'usr_5d10', 6);
  await track('wk_api', 'usr_5d10', 5);
  await track('wk_web', 'usr_2b9d', 3);
  await track('wk_ios', 'usr_2b9d', 5);
  await track('wk_api', 'usr_41c0', 4);
  const { page } = app;
  await page
    .getByText(/^Listening/)
    .first()
    .waitFor();
  await chord(page, 'gd');
  await expect(page.getByRole('button', { name: 'New request' })).toBeVisible();
  return app;
}

const box = (page: Page) => page.getByRole('textbox', { name: 'User ids, one in a line' });
/** From then on no preview is asked for. */
const withoutPreviews = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
      if (!String(text).includes('"deletions.preview"')) send.call(this, text);
    };
  });
/** Notices that the receiver got, as user ids in order. */
const told = (): string[] =>
  receiver!.requests
    .map(({ body }) => JSON.parse(String(body)) as Record<string, string>)
    .filter(({ type }) => type === 'delete')
    .map((notice) => {
      expect(Object.keys(notice)).toEqual(['type', 'userId', 'timestamp']);
      return notice.userId!;
    })
    .sort();

test('a request is looked at, sent, proven and held by keyboard alone; then one user is lifted', async () => {
  const { page, problems } = await open();
  await page.keyboard.press('n');
  await expect(box(page)).toBeFocused();
  await page.keyboard.insertText('usr_5d10\nusr_2b9d\nUSR_41C0\nusr_9f00\nusr_2b9d');
  await expect(page.getByText('5 lines, 4 different ids: 2 known, 1 unknown, 1 differs only in case')).toBeVisible();
  await expect(page.getByText('no calls; usr_41c0 has 4')).toBeVisible();
  await expect(page.getByText('same as line 2')).toBeVisible();
  await expect(
    page.getByText('19 calls: 14 where the destination is on, 5 in ios-app, which gets no notice.'),
  ).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByRole('region', { name: 'Dry run' })).toBeFocused();
  await page.keyboard.press(']');
  await expect(page.getByText('notice 2 of 3')).toBeVisible();
  expect(told()).toEqual([]);

  await box(page).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.getByRole('checkbox', { name: 'Erase stored messages' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('checkbox', { name: 'Suppress from now on' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Erase 19 messages of 2 users?' });
  await expect(dialog).toContainText('It cannot be undone. 3 notices are sent first.');
  const confirm = dialog.getByRole('button', { name: 'Send 3 notices, erase 19' });
  for (let i = 0; i < 40 && !(await confirm.evaluate((button) => button === document.activeElement)); i += 1)
    await page.keyboard.press('Tab');
  await expect(confirm).toBeFocused();
  await page.keyboard.press('Enter');

  await expect(page.getByText(/^Looked through .* the suppression list\.$/)).toBeVisible();
  await expect(page.getByRole('grid', { name: 'All requests' }).getByRole('row', { name: /usr_5d10/ })).toContainText(
    'Done',
  );
  expect(told()).toEqual(['usr_2b9d', 'usr_5d10', 'usr_5d10']);

  const before = receiver!.requests.length;
  await page.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await expect(page.getByText('Rejected: usr_5d10 is suppressed.')).toBeVisible();
  await page.getByRole('button', { name: 'Lift usr_5d10' }).press('Enter');
  await expect(page.getByText('Suppression lifted')).toBeVisible();
  expect(receiver!.requests).toHaveLength(before);
  await page.getByRole('button', { name: 'Send', exact: true }).press('Enter');
  await expect.poll(() => receiver!.requests.length).toBe(before + 1);
  await expect(page.getByRole('region', { name: 'Messages after the request' }).getByRole('listitem')).toHaveCount(2);

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Delete usr_5d10 and 3 more' })).toBeVisible();
  await page
    .getByRole('link', { name: /Delivered/ })
    .first()
    .press('Enter');
  await expect(page).toHaveURL(/#\/live\/\d+/);
  await expect(page.getByRole('heading', { name: 'Deletion notice' })).toBeVisible();
  expect(problems).toEqual([]);
});

test('a suppressed call is rejected in words, in the list and in its detail', async () => {
  const { page } = await open();
  await page.getByRole('textbox', { name: 'Delete one user' }).fill('nobody');
  await page.keyboard.press('Enter');
  await expect(page.getByText('No source knows this user, so nothing is sent.')).toBeVisible();
  await page.getByRole('button', { name: 'Erase or suppress it' }).click();
  await page.getByRole('checkbox', { name: 'Suppress from now on' }).click();
  await page.getByRole('button', { name: /^Suppress 1 user/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suppress 1 user' }).click();
  await expect(page.getByText('1 of 1')).toBeVisible();
  await track('wk_web', 'nobody', 1);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(
    page.getByRole('table', { name: 'Suppressed users' }).getByRole('row', { name: /nobody/ }),
  ).toContainText('request 1');
  await page.goto(new URL('/#/live', page.url()).href);
  await page.getByRole('row', { name: /nobody/ }).click();
  await expect(page.getByText('Rejected: nobody is suppressed.')).toBeVisible();
  expect(told()).toEqual([]);
});

test('10,000 ids are pasted, looked up and drawn few at a time', async () => {
  const { page } = await open();
  await page.keyboard.press('n');
  const ids = [...Array.from({ length: 9_999 }, (_, i) => `gone_${i}`), 'usr_5d10'];
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const processorMs = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ThreadTime')!.value * 1_000;
  };
  const before = await processorMs();
  await box(page).evaluate((area, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, ids.join('\n'));
  const pasteMs = (await processorMs()) - before;
  expect(pasteMs).toBeLessThan(2_000);
  await expect(page.getByText('10,000 lines, 10,000 different ids: 1 known, 9,999 unknown')).toBeVisible();
  await expect(page.getByText('200 of 10,000 ids, those without calls first.')).toBeVisible();
  await expect(page.locator('[data-line="10000"]')).toBeVisible();
  await expect(page.locator('[data-line="1"]')).toHaveCount(0);
  expect(await page.locator('[data-line]').count()).toBeLessThan(60);
});

test('the screen passes axe in both themes', async () => {
  const { browser, uiUrl } = await open();
  const page = await (await browser.newContext()).newPage();
  const problems = watchProblems(page);
  await page.goto(uiUrl);
  await page.goto(new URL('/#/deletions', uiUrl).href);
  const check = async (what: string): Promise<void> => expect(await accessibilityProblems(page), what).toEqual([]);
  await expect(page.getByText('No deletion request yet.')).toBeVisible();
  await check('empty');
  await page.getByRole('button', { name: 'New request' }).click();
  await box(page).fill('usr_5d10\n usr_2b9d\nUSR_41C0\nusr_9f00\nusr_5d10');
  await expect(page.getByText('notice 1 of 2')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Erase stored messages' }).click();
  await page.getByRole('checkbox', { name: 'Suppress from now on' }).click();
  await check('new request');
  await page.keyboard.press('Control+Enter');
  await check('confirm');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send 2 notices/ })
    .click();
  await expect(page.getByText(/^Looked through/)).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Rejected: usr_5d10 is suppressed.')).toBeVisible();
  await check('request');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByRole('table', { name: 'Suppressed users' })).toBeVisible();
  await check('suppressed users');
  await page.goto(new URL('/#/deletions/new', uiUrl).href);
  await box(page).fill('usr_41c0');
  await expect(page.getByText('notice 1 of 1')).toBeVisible();
  await withoutPreviews(page);
  await box(page).fill('usr_41c0\nusr_9f00');
  await expect(page.getByRole('region', { name: 'Preview', exact: true })).toHaveAttribute('aria-busy', 'true');
  await check('a preview of earlier lines');
  expect(problems).toEqual([]);
});
