/** The signature lab in a browser: from the first event to an explained digest by keyboard only, and both themes. */
import { createHmac } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { accessibilityProblems } from '../helpers/axe.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type LaunchedHeadless, launchHeadless, test, watchProblems } from './launch.ts';
import { postCall } from './post-call.ts';

const KEY = 'wk_sign';
const DIGEST = '3. The digest your receiver computed';
const SECRET = 'whsec_dGVzdCBrZXk';

let headless: LaunchedHeadless | null = null;
let receiver: Receiver | null = null;
test.afterEach(async () => {
  await headless?.stop();
  await receiver?.close();
  headless = null;
  receiver = null;
});

const digestOf = (body: Buffer | string): string => createHmac('sha1', SECRET).update(body).digest('hex');

test('from the first event to an explained digest by keyboard only, and axe in both themes', async () => {
  receiver = await startReceiver({ status: 200 });
  const { url, requests } = receiver;
  headless = await launchHeadless({
    page: { reducedMotion: 'reduce' },
    config: {
      sources: [{ name: 'checkout', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: { entries: [{ name: 'CRM sync', url, headers: {}, enabled: true }], sharedSecret: SECRET },
    },
  });
  const { page, ingestUrl, problems, browser, uiUrl } = headless;
  await page.getByRole('heading', { name: 'See it work, or send your own' }).waitFor();
  await postCall(ingestUrl, KEY, 'track', {
    userId: 'u',
    event: 'Order Completed',
    properties: { coupon: 'WINTER & CO' },
  });
  await expect.poll(() => requests.length).toBe(1);
  const { body, headers } = requests[0]!;
  const signature = String(headers['x-signature']);

  // The first event comes selected.
  await expect(page.getByRole('tab', { name: 'Signature' })).toBeVisible();
  await page.keyboard.press('4');
  await expect(page.getByRole('tab', { name: 'Signature' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText(signature.match(/.{8}/g)!.join(' '))).toBeVisible();
  await page.getByRole('button', { name: 'Open in Signature lab' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/signature\/\d+$/);

  const field = page.getByLabel(DIGEST);
  await expect(field).toBeVisible();
  for (let i = 0; i < 40; i += 1) {
    if (await field.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(field).toBeFocused();
  await page.keyboard.insertText(signature);
  await expect(page.getByRole('heading', { name: 'Match: this is the X-Signature of these bytes' })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+a');
  const escaped = digestOf(body.toString().replace('&', '\\u0026'));
  await page.keyboard.insertText(escaped);
  await expect(
    page.getByRole('heading', { name: /^Explained: your receiver hashed an HTML-escaped body/ }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'First difference' })).toContainText('in properties.coupon');

  expect(problems).toEqual([]);

  const audited = await (await browser.newContext()).newPage();
  const auditProblems = watchProblems(audited);
  await audited.goto(uiUrl);
  await audited.goto(new URL(new URL(page.url()).hash, uiUrl).href);
  await audited.getByLabel(DIGEST).fill(escaped);
  await expect(audited.getByRole('region', { name: 'First difference' })).toBeVisible();
  await check(audited, 'lab');
  await audited.goto(new URL('/#/live/1/signature', uiUrl).href);
  await expect(audited.getByRole('button', { name: 'Open in Signature lab' })).toBeVisible();
  await check(audited, 'tab');
  expect(auditProblems).toEqual([]);
});

const check = async (page: Page, what: string): Promise<void> =>
  expect(await accessibilityProblems(page), what).toEqual([]);
