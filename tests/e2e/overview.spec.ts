/** The Overview over the real engine: counts that are true, pictures with tables, and ways to the messages behind them. */
import { expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { chord } from './chord.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const WRITE_KEY = 'wk_e2e';

const configFor = (urls: readonly string[]): Config => ({
  sources: [{ name: 'checkout-api', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
  webhooks: {
    entries: urls.map((url, i) => ({ name: ['CRM sync', 'Flaky receiver'][i]!, url, headers: {}, enabled: true })),
  },
});

async function post(app: LaunchedHeadless, calls: readonly object[]): Promise<void> {
  await postCall(app.ingestUrl, WRITE_KEY, 'batch', { batch: calls });
}

const track = (event: string, more: object = {}) => ({ type: 'track', userId: 'usr_8f21', event, ...more });
const kpi = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Figures' }).getByRole('button', { name: new RegExp(`^${name}`) });

test.describe('overview', () => {
  let receivers: Receiver[] = [];
  let app: LaunchedHeadless | undefined;
  test.afterEach(async () => {
    await app?.stop();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    receivers = [];
    app = undefined;
  });

  async function open(answers: readonly Parameters<typeof startReceiver>[0][]): Promise<Page> {
    receivers = await Promise.all(answers.map((answer) => startReceiver(answer)));
    app = await launchHeadless({ config: configFor(receivers.map(({ url }) => url)) });
    await app.page.getByRole('link', { name: 'Overview' }).click();
    return app.page;
  }

  test('counts what arrives, by what became of it, and leads to the messages', async () => {
    const page = await open([{ status: 200 }, { status: 503 }]);
    await expect(page.getByText('No messages in the last hour.')).toBeVisible();
    await post(app!, [
      ...Array.from({ length: 5 }, (_, i) => track(`Order ${i}`)),
      track('Quiet', { integrations: { Webhooks: false } }),
      { type: 'track', event: 'Nobody' },
    ]);
    await receivers[0]!.waitFor(5);
    await expect(kpi(page, 'Received')).toContainText('7');
    await expect(kpi(page, 'Delivered')).toContainText('5');
    await expect(kpi(page, 'Rejected')).toContainText('no userId or anonymousId');
    await expect(kpi(page, 'Not selected')).toContainText('by integrations');
    await expect(page.getByRole('img', { name: /7 received, 5 delivered first time, 0 needed a retry/ })).toBeVisible();

    const attempts = page.getByRole('region', { name: 'Attempts by webhook' });
    await expect(attempts.getByRole('img', { name: '5 attempts: 5 failed' })).toBeVisible();
    await attempts.getByRole('radio', { name: 'Time limits' }).click();
    await expect(attempts.getByRole('row', { name: /Flaky receiver 5 .* unknown 5$/ })).toBeVisible();
    await expect(page.getByText('Flaky receiver accepts nothing')).toBeVisible();

    await kpi(page, 'Rejected').click();
    await expect(page).toHaveURL(/#\/live$/);
    await expect(page.getByRole('row', { name: /Nobody/ })).toBeVisible();
    await expect(page.getByRole('row', { name: /Order 1/ })).toHaveCount(0);
    expect(app!.problems).toEqual([]);
  });

  test('has the right edge of the header on every page, whether it scrolls or not', async () => {
    const page = await open([{ status: 200 }]);
    const rightOf = () =>
      page
        .locator('main [data-region="overview"], main [data-region="content"]')
        .evaluate(
          (box) =>
            box.getBoundingClientRect().left + box.clientWidth - Number.parseFloat(getComputedStyle(box).paddingRight),
        );
    for (const [hash, title] of [
      ['#/overview', 'Overview'],
      ['#/faults', 'Ingest faults'],
      ['#/settings/storage', 'Settings'],
      ['#/sources', 'Sources'],
      ['#/webhooks', 'Webhooks'],
    ] as const)
      for (const height of [600, 1600]) {
        await page.setViewportSize({ width: 1024, height });
        await page.evaluate((to) => {
          location.hash = to;
        }, hash);
        await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
        await expect.poll(rightOf, `${hash} ${height}`).toBe(1024 - 16);
      }
  });

  test('says so at an address that names no page', async () => {
    const page = await open([{ status: 200 }]);
    await page.evaluate(() => {
      location.hash = '#/nowhere/3';
    });
    await expect(page.getByText('There is no page at #/nowhere/3')).toBeVisible();
    await page.getByRole('button', { name: 'Open the live stream' }).click();
    await expect(page.getByRole('heading', { name: 'Live stream' })).toBeVisible();
  });

  test('is used with the keyboard alone', async () => {
    const page = await open([{ status: 503 }]);
    await post(app!, [track('Waits')]);
    await receivers[0]!.waitFor(1);
    await chord(page, 'gl');
    await expect(page.getByRole('row', { name: /Waits/ })).toBeVisible();
    await chord(page, 'go');
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await expect(kpi(page, 'To be delivered')).toContainText('1 retrying');

    await page.getByRole('radio', { name: '1 h', exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('img', { name: /in the last 15 minutes/ })).toBeVisible();
    const band = page.getByRole('region', { name: 'Retry window' });
    await band.getByRole('button', { name: 'View as table' }).focus();
    await page.keyboard.press('Enter');
    await band.getByRole('link', { name: 'Open message' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Waits' })).toBeVisible();
  });

  test('has no accessibility fault in either theme', async () => {
    const page = await open([{ status: 200 }, { status: 503 }]);
    await post(app!, [track('One'), track('Two'), track('Three'), { type: 'track', event: 'Nobody' }]);
    await receivers[0]!.waitFor(3);
    await expect(kpi(page, 'Delivered')).toContainText('3');
    await expect(page.getByText('Flaky receiver accepts nothing')).toBeVisible();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Time limits' }).click();
    for (let i = 0; i < 3; i++) await page.getByRole('button', { name: 'View as table' }).first().click();
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
