/**
 * Segment's browser libraries, unmodified, in Chromium, from a page on another port of this machine. The browser can
 * resolve no name but localhost, so nothing can leave the machine, and nothing is intercepted, so that preflights
 * are real.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { chromiumArguments, chromiumPath } from '../../tools/chromium.mjs';
import { type Bench, WRITE_KEY } from './bench.ts';
import { type Line, linesOf } from './table.ts';

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);
const LIBRARY = '@segment/analytics-next';
const OLDER = 'analytics-next-1-70';
const CALLS = 6;

interface Setup {
  readonly library: string;
  readonly note: string;
  /** HTML of the page, given the port of ingest. */
  page(port: number): string;
}

const html = (script: string): string =>
  `<!doctype html><html><head><title>Checkout</title></head><body>${script}</body></html>`;

/** A page of an app that bundles the library. */
const bundled = (library: string, settings: object, options: object | undefined): string =>
  html(
    `<script type="module">import load from '/${library}.js';
load(${JSON.stringify(settings)}, ${JSON.stringify(options) ?? 'undefined'}).then((own) => { window.own = own; });</script>`,
  );

/** A page with a snippet: a queue until the script is there, and where the script is. */
const snippet = (port: number): string =>
  html(`<script>
const queue = (window.analytics = []);
for (const name of ['identify', 'track', 'page', 'screen', 'group', 'alias', 'ready'])
  queue[name] = (...values) => { queue.push([name, ...values]); return queue; };
queue._writeKey = ${JSON.stringify(WRITE_KEY)};
const script = document.createElement('script');
script.src = 'http://localhost:${port}/analytics.js/v1/${WRITE_KEY}/analytics.min.js';
document.head.append(script);
queue.ready(() => { window.own = window.analytics; });
</script>`);

const inline = { writeKey: WRITE_KEY, cdnSettings: { integrations: { 'Segment.io': { apiKey: WRITE_KEY } } } };
const segment = (port: number, more: object = {}) => ({
  integrations: { 'Segment.io': { apiHost: `localhost:${port}/v1`, protocol: 'http', ...more } },
});
const batching = { deliveryStrategy: { strategy: 'batching', config: { size: CALLS, timeout: 1_000 } } };

const setups: readonly Setup[] = [
  ...[LIBRARY, OLDER].flatMap((library): Setup[] => [
    { library, note: 'settings in the page', page: (port) => bundled(library, inline, segment(port)) },
    {
      library,
      note: 'cdnURL only',
      page: (port) => bundled(library, { writeKey: WRITE_KEY, cdnURL: `http://localhost:${port}` }, undefined),
    },
  ]),
  { library: LIBRARY, note: 'batching', page: (port) => bundled(LIBRARY, inline, segment(port, batching)) },
  { library: LIBRARY, note: 'snippet and bundles from this port', page: snippet },
];

/** One module of a library, as an app's build makes it. */
async function bundleOf(library: string): Promise<string> {
  const entry = `${root}/sdk-matrix-page.js`;
  const output = (await build({
    configFile: false,
    root,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'page-code',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) =>
          id === entry
            ? `import { AnalyticsBrowser } from '${library}';
export default async (settings, options) => (await AnalyticsBrowser.load(settings, options))[0];`
            : null,
      },
    ],
    build: {
      write: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: `${library}.js`, codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output.output[0].code;
}

interface Site {
  readonly origin: string;
  html: string;
  close(): void;
}

async function serveSite(code: ReadonlyMap<string, string>): Promise<Site> {
  const server = createServer((request, response) => {
    const script = code.get((request.url ?? '').slice(1).replace(/\.js$/, ''));
    response.setHeader('Content-Type', `text/${script === undefined ? 'html' : 'javascript'}; charset=utf-8`);
    response.end(script ?? site.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: Site = { origin: `http://localhost:${port}`, html: '', close: () => server.close() };
  return site;
}

type Own = Record<string, (...values: unknown[]) => Promise<unknown>>;

/** Every kind of call, each once. */
const callAll = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const { own } = window as unknown as { own: Own };
    await Promise.all([
      own.page?.('Docs', 'Home'),
      own.track?.('Order Done', { total: 12.5 }),
      own.screen?.('App', 'Main', { tab: 2 }),
      own.identify?.('u1', { email: 'zoë@example.com' }),
      own.group?.('g1', { name: 'ACME' }),
      own.alias?.('new-id', 'old-id'),
    ]);
  });

async function runSetup(bench: Bench, browser: Browser, site: Site, setup: Setup): Promise<Line[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const said: string[] = [];
  page.on('pageerror', (error) => said.push(error.message));
  page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())));
  const strangers: string[] = [];
  page.on('request', (one) => void (new URL(one.url()).hostname !== 'localhost' && strangers.push(one.url())));
  site.html = setup.page(bench.port);
  const before = bench.receiver.requests.length;
  await page.goto(`${site.origin}/shop`);
  try {
    await page.waitForFunction(() => 'own' in window, undefined, { timeout: 10_000 });
    await callAll(page);
    await bench.receiver.waitFor(before + CALLS);
  } catch (error) {
    throw new Error(`${setup.library}, ${setup.note}: ${(error as Error).message} ${said.join(' ')}`);
  } finally {
    await context.close();
  }
  if (strangers.length > 0) throw new Error(`${setup.note}: the page asked for ${strangers.join(', ')}`);
  if (said.length > 0) throw new Error(`${setup.note}: the page said ${said.join(' ')}`);
  const { version } = require(`${setup.library}/package.json`) as { version: string };
  return linesOf(bench, LIBRARY, version, [setup.note]);
}

/** Needs Chromium (tools/chromium.mjs). */
export async function runBrowserClients(bench: Bench): Promise<Line[]> {
  const code = new Map<string, string>();
  for (const library of [LIBRARY, OLDER]) code.set(library, await bundleOf(library));
  const site = await serveSite(code);
  const browser = await chromium.launch({
    executablePath: chromiumPath() ?? undefined,
    args: [...chromiumArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
    headless: true,
  });
  try {
    const lines: Line[] = [];
    for (const setup of setups) lines.push(...(await runSetup(bench, browser, site, setup)));
    return lines;
  } finally {
    await browser.close();
    site.close();
  }
}
