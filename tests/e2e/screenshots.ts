/**
 * Pictures of every screen in both themes, from the real engine with real receivers:
 *
 *   npm run screenshots [-- DIR [firstRun] [working] [waiting] [lab]]
 *
 * Needs `npm run build` and a Chromium. Not a test: somebody looks at what it writes, and at the problems that pages
 * reported, which it prints.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type LaunchedHeadless, launchHeadless } from './launch.ts';
import { goTo, pictureFolder, takeBothThemes } from './pictures-of.ts';
import { postText } from './post-call.ts';

const folder = pictureFolder('test-results/screenshots');

async function receiver(status: (n: number) => number, delayMs = 0): Promise<{ url: string; server: Server }> {
  let n = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      n += 1;
      const code = status(n);
      setTimeout(
        () =>
          response
            .writeHead(code, { 'content-type': 'application/json' })
            .end(JSON.stringify({ accepted: code < 300 })),
        delayMs,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/segment`, server };
}

const KEY = 'wk_checkout';

/** Whatever ingest answers: it refuses the call that is too large. */
async function send(ingest: string, call: Record<string, unknown>, key = KEY): Promise<void> {
  await postText(ingest, key, 'batch', JSON.stringify({ batch: [call] }));
}

const context = { ip: '203.0.113.24', library: { name: 'analytics-go', version: '3.3.0' }, locale: 'de-AT' };
const CALLS: Record<string, unknown>[] = [
  { type: 'identify', userId: 'usr_8f21', traits: { email: 'a@example.com', name: 'Ada', locale: 'en' }, context },
  { type: 'page', userId: 'usr_8f21', category: 'Checkout', name: 'Review', properties: { path: '/review' }, context },
  { type: 'group', userId: 'usr_7d2e', groupId: 'g_1', traits: { name: 'Acme Outlet GmbH' }, context },
  { type: 'alias', userId: 'usr_41c0', previousId: '5e0c91', context },
  {
    type: 'screen',
    userId: 'usr_c3f5',
    name: 'Order Summary',
    context: { ...context, device: { model: 'iPhone15,2', type: 'ios' } },
  },
  { type: 'track', userId: 'usr_b812', event: 'تم إكمال الطلب', properties: { total: 12 }, context },
  { type: 'track', userId: 'usr_c3f5', event: 'ऑर्डर पूरा हुआ', context },
  {
    type: 'track',
    userId: 'usr_2b9d',
    event: 'Newsletter Opened',
    integrations: { webhooks: true, All: false },
    context,
  },
  { type: 'track', event: 'No One', context },
  { type: 'track', userId: 'usr_0a77', event: 'Catalog Imported', properties: { blob: 'x'.repeat(42_000) }, context },
  { type: 'track', anonymousId: '5e0c91', event: 'Product Added', properties: { sku: 'S-1', price: 184.5 }, context },
  { type: 'identify', userId: 'usr_8f21', traits: { high_value_customers: true }, context },
];
const HOSTILE: Record<string, unknown>[] = [
  {
    type: 'track',
    userId: '<script>alert(1)</script>',
    event: `<img src=x onerror=alert(1)>${'W'.repeat(3000)}`,
    properties: { a: 1 },
  },
  {
    type: 'track',
    userId: 'u\u202Egnp.exe',
    event: 'left\u202Eright\u200B zero\u0007bell',
    properties: { __proto__: 1 },
  },
  {
    type: 'track',
    userId: '👩‍👩‍👧‍👦'.repeat(20),
    event: '🚀'.repeat(80),
    properties: { deep: JSON.parse('['.repeat(400) + ']'.repeat(400)) },
  },
];

const both = (page: Page, name: string): Promise<void> => takeBothThemes(page, join(folder, name));

/** In windows of three widths; the widest comes last, and stays. */
async function everyWidth(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [900, 800],
    [1100, 800],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(300);
    await both(page, width === 1440 ? name : `${name}-${width}`);
  }
}

async function end(run: LaunchedHeadless): Promise<void> {
  await run.stop();
  if (run.problems.length > 0) console.log(JSON.stringify(run.problems));
}

async function firstRun(): Promise<void> {
  const run = await launchHeadless({ config: { sources: [{ name: 'dev', writeKey: 'wk_dev_7f3a9c' } as never] } });
  await run.page.getByText('See it work, or send your own').waitFor();
  await both(run.page, 'first-run');
  await end(run);
}

async function fill(run: LaunchedHeadless): Promise<void> {
  for (let i = 0; i < 3; i++) for (const call of CALLS) await send(run.ingestUrl, call);
  for (const call of HOSTILE) await send(run.ingestUrl, call);
  await send(run.ingestUrl, { type: 'track', userId: 'x', event: 'Lost Key' }, 'wk_x91');
  for (const call of CALLS.slice(0, 5)) await send(run.ingestUrl, call);
}

async function working(): Promise<void> {
  const ok = await receiver(() => 200, 40);
  const flaky = await receiver((n) => (n % 3 === 0 ? 503 : 200), 20);
  const failing = await receiver(() => 500);
  const gone = await receiver(() => 410);
  const entry = (name: string, url: string, more = {}) => ({ name, url, headers: {}, enabled: true, ...more });
  const run = await launchHeadless({
    config: {
      sources: [
        { name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: true },
        { name: 'storefront-web', writeKey: 'wk_web', kind: 'web', enabled: true, webhooks: true },
        { name: 'ios-app', writeKey: 'wk_ios', kind: 'mobile', enabled: true, webhooks: false },
      ],
      webhooks: {
        sharedSecret: 's3cret-for-pictures',
        entries: [
          entry('CRM sync', ok.url, {
            headers: { 'X-Tenant': { value: 'acme', shown: true }, Authorization: 'Bearer 0123456789' },
          }),
          entry('Warehouse loader', flaky.url),
          entry('Flaky receiver', failing.url),
          entry('Legacy ERP', gone.url),
          entry('Archive', ok.url, { enabled: false }),
        ],
      },
      clock: { speed: 60 },
    },
  });
  const { page } = run;
  await fill(run);
  await page.waitForTimeout(1500);
  await goTo(page, '#/webhooks');
  await both(page, 'webhooks');
  await page.getByRole('switch', { name: /CRM sync/ }).click();
  await page.getByRole('switch', { name: /Warehouse/ }).click();
  for (const call of CALLS.slice(10)) await send(run.ingestUrl, call);
  await send(run.ingestUrl, {
    type: 'track',
    userId: 'usr_8f21',
    event: 'Order Completed',
    properties: { orderId: 'A-10482', total: 184.5, currency: 'EUR', coupon: 'WINTER & CO', items: 3 },
    context,
  });
  await page.waitForTimeout(2500);
  await goTo(page, '#/live');
  await page
    .getByRole('row', { name: /Order Completed/ })
    .first()
    .click();
  await page.waitForTimeout(800);
  await both(page, 'live');
  await page.getByRole('tab', { name: 'Payload' }).click();
  await page.waitForTimeout(500);
  await both(page, 'payload');
  await page.getByRole('tab', { name: /^Raw/ }).click();
  await page.getByRole('radio', { name: 'Hex' }).waitFor();
  await both(page, 'raw');
  const id = /#\/live\/(\d+)/.exec(page.url())?.[1];
  await goTo(page, `#/replay/${id}`);
  await both(page, 'replay');
  await page.getByRole('button', { name: /Send to/ }).click();
  const results = page.getByRole('region', { name: /^Result of replay/ });
  await results.getByText('500 Internal Server Error').waitFor();
  await results.getByRole('button', { name: /^Show the response of Flaky/ }).click();
  await everyWidth(page, 'replay-results');
  await goTo(page, '#/sources');
  await both(page, 'sources');
  for (const section of ['ingest', 'storage', 'delivery', 'privacy', 'appearance', 'shortcuts', 'about']) {
    await goTo(page, `#/settings/${section}`);
    await everyWidth(page, `settings-${section}`);
  }
  await goTo(page, '#/webhooks/rules');
  await everyWidth(page, 'rules');
  await page.keyboard.press(',');
  await page.keyboard.press('Control+.');
  await goTo(page, `#/live/${id}`);
  await page.getByRole('button', { name: /^Schedule/ }).click();
  await page.waitForTimeout(500);
  await both(page, 'paused');
  await page.keyboard.press(',');
  await page.keyboard.press('Control+.');
  await goTo(page, '#/overview');
  await page.waitForTimeout(1500);
  await both(page, 'overview');
  await page.getByRole('radio', { name: 'Time limits' }).click();
  await both(page, 'overview-headroom');
  await goTo(page, '#/live');
  await everyWidth(page, 'live-list');
  await page.emulateMedia({ forcedColors: 'active' });
  await goTo(page, `#/live/${id}`);
  await page
    .getByRole('button', { name: /Flaky receiver/ })
    .first()
    .click();
  await both(page, 'live-forced');
  await goTo(page, '#/webhooks');
  await both(page, 'webhooks-forced');
  await goTo(page, '#/settings/storage');
  await both(page, 'settings-forced');
  await end(run);
  for (const { server } of [ok, flaky, failing, gone]) server.close();
}

/** One webhook fails at once and the other is slow: a message waits while every sender of the slow one is busy. */
async function waiting(): Promise<void> {
  const slow = await receiver(() => 200, 9_000);
  const failing = await receiver(() => 500);
  const entry = (name: string, url: string) => ({ name, url, headers: {}, enabled: true });
  const run = await launchHeadless({
    config: {
      sources: [{ name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: {
        timeoutMs: 10_000,
        entries: [entry('Slow loader', slow.url), entry('Failing receiver', failing.url)],
      },
    },
  });
  for (let n = 1; n <= 120; n++)
    await send(run.ingestUrl, { type: 'track', userId: `usr_${n}`, event: 'Order Completed', properties: { n } });
  const { page } = run;
  await page.getByRole('button', { name: /^Waiting/ }).waitFor();
  await everyWidth(page, 'waiting');
  await page
    .getByRole('row', { name: /Order Completed/ })
    .first()
    .click();
  await page.waitForTimeout(500);
  await everyWidth(page, 'waiting-detail');
  await end(run);
  for (const { server } of [slow, failing]) server.close();
}

/** A receiver of the lab with its requests, and one of them. */
async function lab(): Promise<void> {
  const run = await launchHeadless({
    config: {
      sources: [{ name: 'checkout-api', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: { sharedSecret: 's3cret-for-pictures', entries: [] },
      clock: { speed: 240 },
    },
  });
  const { page } = run;
  await goTo(page, '#/receivers/flaky');
  await page.getByRole('button', { name: 'Use as webhook' }).click();
  await page.getByText('Used by webhook 1').waitFor();
  for (const call of CALLS.slice(0, 4)) await send(run.ingestUrl, call);
  const requests = page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
  await requests.nth(5).waitFor();
  await page.getByRole('button', { name: 'Close notice' }).click();
  await both(page, 'receivers');
  await requests.first().click();
  await page.getByRole('dialog', { name: 'Request' }).getByText('Headers').waitFor();
  await everyWidth(page, 'hit-dialog');
  await end(run);
}

const SCENES = { firstRun, working, waiting, lab } as const;
const asked = process.argv.slice(3);
for (const [name, scene] of Object.entries(SCENES)) if (asked.length === 0 || asked.includes(name)) await scene();
process.exit(0);
