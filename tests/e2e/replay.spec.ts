/** A replay edited by keyboard alone, through the real engine and real sockets, and read by axe in both themes. */
import { createHmac } from 'node:crypto';
import { expect } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const SECRET = 'bench_4c1d9e77a0f2';
const WRITE_KEY = 'wk_e2e';
let receiver: Receiver;
let app: LaunchedHeadless;

test.beforeEach(async () => {
  receiver = await startReceiver({ status: 503, headers: { 'content-type': 'application/json' }, body: '{"n":1}' });
  app = await launchHeadless({
    config: {
      sources: [{ name: 'checkout-api', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: {
        sharedSecret: SECRET,
        // The message is not tried again while the test runs, however long that takes.
        retry: { baseMs: 3_600_000, factor: 1, maxMs: 3_600_000, windowMs: 14_400_000, jitter: 0, seed: 1 },
        entries: [{ name: 'CRM sync', url: receiver.url, headers: {}, enabled: true }],
      },
    },
  });
});
test.afterEach(async () => {
  await app.stop();
  await receiver.close();
});

test('edits, sends and compares by keyboard, and is readable in both themes', async () => {
  const { page } = app;
  await postCall(app.ingestUrl, WRITE_KEY, 'track', {
    userId: 'usr_8f21',
    event: 'Order Completed',
    properties: { total: 184.5 },
  });
  await receiver.waitFor(1);
  await page.evaluate(() => location.assign('#/replay/1'));
  const body = page.getByRole('textbox', { name: 'Body' });
  await body.focus();
  await page.keyboard.press('Control+f');
  await page.keyboard.type('184.5');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.type('oops');
  await expect(page.locator('#replay-note')).toHaveText(/^Unexpected token at line \d+, column \d+\. Correct it/);
  await expect(page.getByRole('button', { name: /^Send to/ })).toBeDisabled();
  for (let i = 0; i < 4; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('0');
  await expect(page.getByText('1 line edited')).toBeVisible();
  await expect(body).toContainText('was 184.5');

  const first = receiver.requests[0]!.body.toString();
  const edited = first.replace('184.5', '0');
  const digest = createHmac('sha1', SECRET).update(edited).digest('hex');
  await expect(page.getByTitle(digest)).toContainText('X-Signature will be');
  receiver.setAnswer({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"n":2}' });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('row', { name: /CRM sync/ })).toContainText('Now accepted');
  const sent = receiver.requests.at(-1)!;
  expect([sent.body.toString(), sent.headers['x-signature']]).toEqual([edited, digest]);

  expect(await accessibilityProblems(page, { without: ['region'] })).toEqual([]);
  await page.getByRole('tab', { name: /^Headers/ }).press('Enter');
  await page.getByRole('button', { name: 'Add header' }).press('Enter');
  expect(await accessibilityProblems(page, { without: ['region'] })).toEqual([]);
});
