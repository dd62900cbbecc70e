/**
 * Segment's own browser library, unmodified, in Chromium: from a page on another port of this machine, through a
 * real `hookbench serve`, to a receiver. No interception, so that CORS and its preflights are the real ones; the
 * browser can resolve no name but localhost, so that nothing can leave the machine.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { chromiumArguments, chromiumPath } from '../../tools/chromium.mjs';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type CheckedDelivery, checkedDelivery } from '../helpers/sdk-delivery.ts';
import { type HeadlessServer, root, startServer, test } from './launch.ts';

const WRITE_KEY = 'wk_browser';
const SECRET = 'shared-secret-of-the-browser-test';

/** What a page of the user's own does with the library. */
const PAGE_CODE = `
import { AnalyticsBrowser } from '@segment/analytics-next';
window.start = async (settings, options) => {
  const analytics = AnalyticsBrowser.load(settings, options);
  const [own] = await analytics;
  const failures = [];
  own.on('error', (error) => failures.push(String(error.reason ?? error.code)));
  window.analytics = own;
  window.failures = failures;
};
`;

type Files = ReadonlyMap<string, string>;

/** The library from node_modules, bundled as an app's build does it. */
async function bundle(): Promise<Files> {
  const entry = '/browser-sdk-page.js';
  const output = (await build({
    configFile: false,
    root,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'page-code',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? `${root}${entry}` : null),
        load: (id) => (id === `${root}${entry}` ? PAGE_CODE : null),
      },
    ],
    build: { write: false, rolldownOptions: { input: entry, output: { entryFileNames: 'page.js' } } },
  })) as Rolldown.RolldownOutput;
  const files = new Map<string, string>();
  for (const file of output.output) if (file.type === 'chunk') files.set(`/${file.fileName}`, file.code);
  return files;
}

const HTML = `<!doctype html><html><head><title>Checkout</title></head><body><script type="module" src="/page.js"></script></body></html>`;

interface Site {
  readonly url: string;
  close(): void;
}

async function serveSite(files: Files): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const code = files.get(pathname);
    response.setHeader(
      'Content-Type',
      code === undefined ? 'text/html; charset=utf-8' : 'text/javascript; charset=utf-8',
    );
    response.end(code ?? HTML);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://localhost:${port}/shop?utm_source=mail`, close: () => server.close() };
}

interface PageApi {
  start(settings: object, options?: object): Promise<void>;
  failures: string[];
  analytics: Record<
    'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias',
    (...values: unknown[]) => Promise<unknown>
  > & {
    user(): { anonymousId(): string };
    VERSION: string;
  };
}

let files: Files;
let browser: Browser;
let server: HeadlessServer;
let hook: Receiver;
let site: Site;
let page: Page;
let requested: URL[];
let problems: string[];

test.beforeAll(async () => {
  files = await bundle();
});
test.beforeEach(async () => {
  hook = await startReceiver();
  server = await startServer({
    config: {
      sources: [{ name: 'shop', writeKey: WRITE_KEY, kind: 'web', enabled: true, webhooks: true }],
      webhooks: {
        sharedSecret: SECRET,
        entries: [{ name: 'receiver', url: hook.url, headers: { 'X-Team': 'checkout' }, enabled: true }],
      },
      clock: { speed: 240 },
    },
  });
  site = await serveSite(files);
  browser = await chromium.launch({
    executablePath: chromiumPath() ?? undefined,
    args: [...chromiumArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
    headless: true,
  });
  page = await browser.newPage({ locale: 'de-AT' });
  requested = [];
  problems = [];
  page.on('request', (request) => requested.push(new URL(request.url())));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(site.url);
});
test.afterEach(async () => {
  await browser.close();
  site.close();
  await server.stop();
  await hook.close();
});

const ingestPort = (): string => new URL(server.ingestUrl).port;

const setups: ReadonlyArray<{ name: string; settings: () => object; options: () => object | undefined }> = [
  {
    name: 'settings in the page, apiHost and protocol in its options',
    settings: () => ({
      writeKey: WRITE_KEY,
      cdnSettings: { integrations: { 'Segment.io': { apiKey: WRITE_KEY } } },
    }),
    options: () => ({ integrations: { 'Segment.io': { apiHost: `localhost:${ingestPort()}/v1`, protocol: 'http' } } }),
  },
  {
    name: 'only cdnURL, the rest from our settings answer',
    settings: () => ({ writeKey: WRITE_KEY, cdnURL: `http://localhost:${ingestPort()}` }),
    options: () => undefined,
  },
  {
    name: 'batching, settings in the page',
    settings: () => ({
      writeKey: WRITE_KEY,
      cdnSettings: { integrations: { 'Segment.io': { apiKey: WRITE_KEY } } },
    }),
    options: () => ({
      integrations: {
        'Segment.io': {
          apiHost: `localhost:${ingestPort()}/v1`,
          protocol: 'http',
          deliveryStrategy: { strategy: 'batching', config: { size: 6, timeout: 1_000 } },
        },
      },
    }),
  },
];

/** Every kind of call, each once; the anonymous id that they carry. */
const callAll = (): Promise<string> =>
  page.evaluate(async () => {
    const { analytics } = window as unknown as PageApi;
    const anonymousId = analytics.user().anonymousId();
    await Promise.all([
      analytics.page('Docs', 'Home', { tier: 'gold' }),
      analytics.track('Order <Done> & é', { total: 12.5, items: [{ sku: 'A', n: 1 }], none: null }),
      analytics.screen('App', 'Main', { tab: 2 }),
    ]);
    await analytics.identify('u1', { email: 'zoë@example.com', age: 41 });
    await analytics.group('g1', { name: 'ACME', seats: 30 });
    await analytics.alias('new-id', 'old-id');
    return anonymousId;
  });

/** The context that the library made, but for what the library alone knows. */
const pageContext = (): Promise<Record<string, unknown>> =>
  page.evaluate(() => ({
    page: {
      path: location.pathname,
      referrer: document.referrer,
      search: location.search,
      title: document.title,
      url: location.href,
    },
    userAgent: navigator.userAgent,
    locale: navigator.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgentData: (navigator as unknown as { userAgentData: { toJSON(): unknown } }).userAgentData.toJSON(),
  }));

const TYPES = ['alias', 'group', 'identify', 'page', 'screen', 'track'];

const deliveries = (): CheckedDelivery[] =>
  hook.requests
    .map((request) => checkedDelivery(request, SECRET))
    .sort((a, b) => String(a.body.type).localeCompare(String(b.body.type)));

function expectedBodies(anonymousId: string, context: unknown, timestamp: unknown): Record<string, unknown>[] {
  const pageProperties = {
    path: '/shop',
    referrer: '',
    search: '?utm_source=mail',
    title: 'Checkout',
    url: site.url,
    tier: 'gold',
  };
  return [
    // After identify the library's alias carries the current user, not the new id: recorded as received.
    { type: 'alias', timestamp, version: 1, 'Previous ID': 'old-id', 'User ID': 'u1', context },
    { type: 'group', userId: 'u1', timestamp, version: 1, groupId: 'g1', traits: { name: 'ACME', seats: 30 }, context },
    {
      type: 'identify',
      userId: 'u1',
      timestamp,
      version: 1,
      traits: { email: 'zoë@example.com', age: 41 },
      context,
    },
    {
      type: 'page',
      anonymousId,
      timestamp,
      version: 1,
      properties: { ...pageProperties, category: 'Docs', name: 'Home' },
      name: 'Home',
      category: 'Docs',
      context,
    },
    {
      type: 'screen',
      anonymousId,
      timestamp,
      version: 1,
      name: 'Main',
      properties: { tab: 2 },
      context,
    },
    {
      type: 'track',
      anonymousId,
      timestamp,
      version: 1,
      event: 'Order <Done> & é',
      properties: { total: 12.5, items: [{ sku: 'A', n: 1 }], none: null },
      context,
    },
  ];
}

for (const { name, settings, options } of setups)
  test(`every kind of call arrives signed and as documented: ${name}`, async () => {
    const before = Date.now();
    await page.evaluate(
      ([given, more]) => (window as unknown as PageApi).start(given as object, more as object | undefined),
      [settings(), options()] as const,
    );
    const anonymousId = await callAll();
    await expect.poll(() => hook.requests.length).toBe(TYPES.length);

    const context = {
      ...(await pageContext()),
      campaign: { source: 'mail' },
      library: { name: 'analytics.js', version: 'npm:next-1.84.3' },
      ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    };
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const arrived = deliveries();
    const expected = expectedBodies(anonymousId, context, timestamp);
    expect(arrived.map(({ body }) => body)).toEqual(expected);
    expect(arrived.map(({ body }) => Object.keys(body))).toEqual(expected.map((body) => Object.keys(body)));
    for (const { body, headers } of arrived) {
      expect(Date.parse(String(body.timestamp))).toBeGreaterThanOrEqual(before - 1_000);
      expect(Date.parse(String(body.timestamp))).toBeLessThanOrEqual(Date.now() + 1_000);
      expect(headers).toEqual([
        ['User-Agent', 'Hookbench/1.0'],
        ['Content-Type', 'application/json'],
        ['X-Signature', expect.stringMatching(/^[0-9a-f]{40}$/)],
        ['X-Team', 'checkout'],
      ]);
    }

    expect(await page.evaluate(() => (window as unknown as PageApi).failures)).toEqual([]);
    expect(problems).toEqual([]);
    expect(requested.some(({ port, pathname }) => port === ingestPort() && pathname.startsWith('/v1/'))).toBe(true);
    expect([...new Set(requested.map(({ hostname, protocol }) => `${protocol}//${hostname}`))]).toEqual([
      'http://localhost',
    ]);
  });
