/**
 * A developer's story without a mouse: the first event, an edited replay to a receiver of the lab, the request that the
 * receiver got, the attempt that sent it, and its signature.
 */
import { createHmac } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const SECRET = 'bench_4c1d9e77a0f2';
const KEY = 'wk_story';
/** No page has more stops of the Tab key than this. */
const MOST_STOPS = 80;

let crm: Receiver;
let app: LaunchedHeadless;
test.beforeEach(async () => {
  crm = await startReceiver();
  app = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: {
      sources: [{ name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: {
        sharedSecret: SECRET,
        entries: [{ name: 'CRM sync', url: crm.url, headers: {}, enabled: true }],
      },
    },
  });
});
test.afterEach(async () => {
  await app.stop();
  await crm.close();
});

/** Presses keys one after the other. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab, or another key, until the element has the focus. */
async function moveTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${target}`);
}

async function postOrder(): Promise<void> {
  await postCall(app.ingestUrl, KEY, 'track', {
    userId: 'usr_8f21',
    event: 'Order Completed',
    properties: { total: 184.5 },
  });
}

/** Replaces the total in the editor of the body. */
async function editTotal(page: Page): Promise<void> {
  await moveTo(page, page.getByRole('textbox', { name: 'Body' }));
  await press(page, 'Control+f');
  await page.keyboard.type('184.5');
  await press(page, 'Enter', 'Escape');
  await page.keyboard.type('0');
  await expect(page.getByText('1 line edited')).toBeVisible();
}

/** Sends to the receiver that is always well, and to no webhook. */
async function sendToReceiver(page: Page): Promise<void> {
  await moveTo(page, page.getByRole('button', { name: 'Test receiver' }));
  await press(page, 'Enter');
  const item = page.getByRole('menuitem', { name: 'Always 200' });
  await moveTo(page, item, 'ArrowDown');
  await press(page, 'Enter');
  await expect(item).toBeHidden();
  await moveTo(page, page.getByRole('checkbox', { name: /^CRM sync/ }));
  await press(page, 'Space');
  await expect(page.getByRole('button', { name: /^Send to 1 target/ })).toBeEnabled();
  await press(page, 'Control+Enter');
  await expect(page.getByRole('row', { name: /Always 200/ })).toContainText('200');
}

test('from the first event to a verified signature, by keyboard alone', async () => {
  const { page, problems } = app;
  await expect(page.getByText(/^Listening/).first()).toBeVisible();
  await postOrder();
  await crm.waitFor(1);

  // The first event is there. J goes to its row, Enter into it, R to Replay.
  await expect(page.getByRole('row', { name: /Order Completed/ })).toBeVisible();
  await press(page, 'j', 'Enter');
  await expect(page.getByRole('heading', { name: 'Order Completed' })).toBeVisible();
  await press(page, 'r');
  await editTotal(page);
  await sendToReceiver(page);

  // G V leads to the receivers. The first one is shown: Enter goes into it, Tab to its request.
  await press(page, 'g', 'v');
  await moveTo(page, page.getByRole('row', { name: /^Always 200/ }));
  await press(page, 'Enter');
  const request = page.getByRole('region', { name: 'Requests' }).getByRole('listitem').getByRole('button');
  await expect(request).toHaveCount(1);
  await moveTo(page, request);
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog', { name: 'Request' });
  await expect(dialog).toContainText('X-Signature is the digest of the bytes received.');

  // The link in it leads to the attempt of the replay, which is open and has the focus.
  const sender = dialog.getByRole('link', { name: 'A replay of Order Completed to Always 200' });
  await moveTo(page, sender);
  await press(page, 'Enter');
  await expect(dialog).toBeHidden();
  const attempt = page.getByRole('region', { name: 'Replay 1' }).getByRole('button', { name: /200 OK/ });
  await expect(attempt).toBeFocused();
  await expect(attempt).toBeInViewport();
  await expect(attempt).toHaveAttribute('aria-expanded', 'true');

  // The attempt leads to the request again, and the browser's way back to the attempt.
  const address = page.url();
  await moveTo(page, page.getByRole('link', { name: 'Received by Always 200' }));
  await press(page, 'Enter');
  await expect(dialog.getByText('"total"')).toBeVisible();
  await page.goBack();
  await expect(dialog).toBeHidden();
  expect(page.url()).toBe(address);
  await expect(attempt).toBeFocused();

  // 4 shows the signatures: that of the stored body, and that of what the replay sent.
  await press(page, '4');
  const carried = page.getByRole('region', { name: 'Requests that carried a signature' }).getByRole('listitem');
  await expect(carried).toHaveCount(2);
  const replayed = carried.filter({ hasText: 'Always 200' });
  await expect(replayed).toContainText('the body it sent');
  await expect(replayed.getByLabel('Verified')).toBeVisible();
  const edited = crm.requests[0]!.body.toString().replace('184.5', '0');
  const digest = createHmac('sha1', SECRET).update(edited).digest('hex');
  await expect(replayed.getByTitle(digest)).toBeVisible();
  expect(crm.requests).toHaveLength(1);
  expect(problems).toEqual([]);
});
