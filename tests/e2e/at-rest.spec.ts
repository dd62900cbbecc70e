/** What turns on the page while a message is delivered, and that nothing does afterwards: a page stays open all day. */
import { expect, type Page } from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { type Answer, type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type LaunchedHeadless, launchHeadless, test } from './launch.ts';
import { postCall } from './post-call.ts';

const WRITE_KEY = 'wk_e2e';

let app: LaunchedHeadless | undefined;
let webhook: Receiver;
/** Lets the webhook answer. */
let answer: (answer: Answer) => void;

test.beforeEach(async () => {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  answer = resolve;
  webhook = await startReceiver(() => promise);
});
test.afterEach(async () => {
  await app?.stop();
  await webhook.close();
});

/** Sends one call to a webhook that does not answer yet. */
async function open(): Promise<Page> {
  const config: Config = {
    sources: [{ name: 'checkout-api', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
    webhooks: { entries: [{ name: 'CRM', url: webhook.url, headers: {}, enabled: true }] },
  };
  app = await launchHeadless({ config });
  await app.page.emulateMedia({ reducedMotion: 'no-preference' });
  await postCall(app.ingestUrl, WRITE_KEY, 'track', { userId: 'usr_8f21', event: 'Order Completed' });
  return app.page;
}

/** What turns without an end, by the roles of what it is in. */
const turning = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ effect }) => effect!.getTiming().iterations === Number.POSITIVE_INFINITY)
      .map(({ effect }) => (effect as KeyframeEffect).target!.closest('[role]:not(svg)')?.getAttribute('role') ?? '')
      .sort(),
  );

/** The row and the detail of a message. */
const MESSAGE: ReadonlySet<string> = new Set(['gridcell', 'tabpanel']);

test('a message turns while it is delivered; chips and suggestions that name the state do not', async () => {
  const page = await open();
  const chips = page.getByRole('group', { name: 'Message state' });
  await expect(chips.getByRole('button', { name: 'Delivering 1' })).toBeVisible();
  await expect.poll(() => turning(page)).toContain('gridcell');
  expect(await turning(page)).not.toContain('group');
  await page.getByRole('searchbox').pressSequentially('status:');
  await expect(page.getByRole('option', { name: /^Delivering/ })).toBeVisible();
  expect(await turning(page)).not.toContain('option');
  await page.getByRole('searchbox').fill('');

  answer({ status: 200 });
  await expect(chips.getByRole('button', { name: 'Delivered 1' })).toBeVisible();
  await expect.poll(() => turning(page)).toEqual([]);
});

test('on every screen, nothing else turns meanwhile', async () => {
  const page = await open();
  await expect(page.getByRole('button', { name: 'Delivering 1' })).toBeVisible();
  const links = page.getByRole('navigation').getByRole('link');
  await expect(links).toHaveCount(12);
  for (const link of await links.all()) {
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(async () => (await turning(page)).filter((role) => !MESSAGE.has(role))).toEqual([]);
  }
});
