/** A message from its arrival to a replay, through the real engine and real sockets. */
import { expect } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const WRITE_KEY = 'wk_e2e';

const configFor = (urls: readonly string[]): Config => ({
  sources: [{ name: 'checkout-api', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
  webhooks: {
    sharedSecret: 'bench_4c1d9e77a0f2',
    entries: urls.map((url, index) => ({
      name: ['CRM sync', 'Warehouse loader'][index] ?? `Hook ${index + 1}`,
      url,
      headers: { Authorization: 'Bearer very-secret-token' },
      enabled: true,
    })),
  },
});

async function track(app: LaunchedHeadless, event: string, more: object = {}): Promise<void> {
  await postCall(app.ingestUrl, WRITE_KEY, 'track', {
    userId: 'usr_8f21',
    event,
    properties: { total: 184.5 },
    ...more,
  });
}

/** Goes to an address within the page, as a link would. */
const go = (app: LaunchedHeadless, hash: string) => app.page.evaluate((to) => location.assign(to), hash);

test.describe('message detail', () => {
  let receivers: Receiver[] = [];
  let app: LaunchedHeadless | undefined;
  test.afterEach(async () => {
    await app?.stop();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    receivers = [];
    app = undefined;
  });

  async function open(answers: readonly Parameters<typeof startReceiver>[0][]): Promise<LaunchedHeadless> {
    receivers = await Promise.all(answers.map((answer) => startReceiver(answer)));
    app = await launchHeadless({ config: configFor(receivers.map((receiver) => receiver.url)) });
    return app;
  }

  test('follows a failing message, shows what was sent, and stops it', async () => {
    const { page } = await open([
      { status: 503, headers: { 'content-type': 'application/json' }, body: '{"error":"busy"}' },
    ]);
    await track(app!, 'Order Completed');
    await receivers[0]!.waitFor(1);
    await go(app!, '#/live/1');
    await expect(page.getByRole('heading', { name: 'Order Completed' })).toBeVisible();
    await expect(page.getByText(/Retrying\. Round 2/)).toBeVisible();
    await expect(page.getByText('One round failed on every webhook. Expires at 4 h if none succeeds.')).toBeVisible();

    await page.getByRole('button', { name: /CRM sync/ }).click();
    await expect(page.getByText('Failed with 503 Service Unavailable.')).toBeVisible();
    await expect(page.getByText('"busy"')).toBeVisible();
    await expect(page.getByText('hidden, 24 characters')).toBeVisible();
    expect(await page.content()).not.toContain('very-secret-token');

    await page.getByRole('button', { name: 'Retry now' }).click();
    await receivers[0]!.waitFor(2);
    await expect(page.getByRole('region', { name: 'Round 2' })).toBeVisible();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(page.getByText('You stopped the retries after 2 rounds.')).toBeVisible();
    expect(app!.problems).toEqual([]);
  });

  test('shows the delivered bytes with the signature that the receiver got', async () => {
    const { page } = await open([{ status: 200 }]);
    await track(app!, 'Order Completed');
    await receivers[0]!.waitFor(1);
    await go(app!, '#/live/1/payload');
    await page.getByRole('radio', { name: 'Delivered' }).click();
    const sent = String(receivers[0]!.requests[0]!.headers['x-signature']);
    const shown = page.getByRole('region', { name: 'X-Signature' });
    await expect(shown).toContainText(sent.match(/.{8}/g)!.join(''));
    await expect(page.getByText('"total"')).toBeVisible();
  });

  test('replays as it was and says what changed', async () => {
    const { page } = await open([{ status: 503 }, 'reset']);
    await track(app!, 'Order Completed');
    await Promise.all(receivers.map((receiver) => receiver.waitFor(1)));
    const first = receivers[0]!.requests[0]!.body;
    await go(app!, '#/live/1');
    await expect(page.getByText(/Retrying\. Round 2/)).toBeVisible();
    await page.keyboard.press('r');
    receivers[0]!.setAnswer({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"accepted":true}',
    });
    await page.getByRole('button', { name: /Send to 2 webhooks/ }).click();
    const row = page.getByRole('row', { name: /CRM sync/ });
    await expect(row).toContainText('Now accepted');
    await expect(page.getByRole('row', { name: /Warehouse loader/ })).toContainText('Same result');
    await expect(page.getByText('"accepted"')).toBeVisible();
    expect(receivers[0]!.requests.at(-1)!.body.equals(first)).toBe(true);

    await go(app!, '#/live/1');
    await expect(page.getByText(/Retrying\. Round 2/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Replays' })).toContainText('1 of 2 accepted');
  });

  test('keeps the results of a replay apart at every width, and gives the replay the focus', async () => {
    const { page } = await open(['reset', 'reset']);
    await track(app!, 'Order Completed');
    await go(app!, '#/live/1');
    await expect(page.getByText(/Retrying\. Round 2/)).toBeVisible();
    await page.getByRole('row', { name: /Order Completed/ }).focus();
    await page.keyboard.press('r');
    await expect(page.getByRole('main')).toBeFocused();
    await page.getByRole('button', { name: /Send to 2 webhooks/ }).click();
    await expect(page.getByRole('row', { name: /Warehouse loader/ })).toContainText('Same result');
    for (const width of [1440, 1280, 1279, 1024, 880]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await page
        .locator('td, td *')
        .evaluateAll((parts) =>
          parts
            .filter((one) => getComputedStyle(one).textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth)
            .map((one) => one.textContent),
        );
      expect([width, cut]).toEqual([width, []]);
    }
  });

  test('explains a rejected call with the exact reason', async () => {
    const { page } = await open([{ status: 200 }]);
    await track(app!, 'Nobody', { userId: undefined });
    await go(app!, '#/live/1/payload');
    // A toast may say the same.
    const detail = page.getByTestId('detail');
    await expect(detail.getByText('Rejected: this call has neither userId nor anonymousId.')).toBeVisible();
    await expect(detail.getByRole('button', { name: 'Replay' })).toBeEnabled();
  });

  test('shows hostile names and answers as text', async () => {
    const evil = '<img src=x onerror="document.title=1">';
    const { page } = await open([{ status: 503, headers: { 'x-evil': evil }, body: evil }]);
    await track(app!, evil);
    await receivers[0]!.waitFor(1);
    await go(app!, '#/live/1');
    await expect(page.getByRole('heading', { name: evil })).toBeVisible();
    await page.getByRole('button', { name: /CRM sync/ }).click();
    await expect(page.locator('.cm-content').getByText(evil)).toBeVisible();
    expect(await page.locator('img').count()).toBe(0);
    expect(app!.problems).toEqual([]);
  });

  test('passes axe in both themes', async () => {
    test.slow();
    receivers = [
      await startReceiver({ status: 503, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }),
    ];
    app = await launchHeadless({ config: configFor([receivers[0]!.url]) });
    const { page } = app;
    await track(app, 'Order Completed');
    await receivers[0]!.waitFor(1);
    for (const hash of [
      '#/live/1',
      '#/live/1/payload',
      '#/live/1/compare',
      '#/live/1/compare/full',
      '#/live/1/attempts/full',
      '#/live/1/payload/full',
      '#/replay/1',
      '#/replay',
    ]) {
      await go(app, hash);
      await expect(page.getByText('Order Completed').first()).toBeVisible();
      if (hash === '#/live/1') await page.getByRole('button', { name: /CRM sync/ }).click();
      // Notices come and go over any screen; they are not part of this one.
      expect(await accessibilityProblems(page, { without: ['region'] }), hash).toEqual([]);
    }
  });
});
