/** The same program in Chromium: our built client, and @segment/analytics-next with batches of 20. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { buildClient } from '../tools/build-client.mjs';
import { chromiumArguments, chromiumPath } from '../tools/chromium.mjs';

export interface PageRun {
  readonly callsPerSecond: number;
  readonly messagesPerSecond: number;
}

export interface PageMeasured {
  readonly calls: number;
  readonly hookbench: PageRun;
  readonly analyticsNext: PageRun;
  readonly ratios: PageRun;
}

interface Counter {
  readonly url: string;
  expect(n: number): Promise<{ all: Promise<{ at: number }> }>;
}

const root = join(import.meta.dirname, '..');

const OURS = `
import { Client } from '/client.js';
window.prepare = (endpoint) => {
  const client = new Client('bench', { endpoint });
  return { track: (message) => client.track(message) === null, room: () => client.flush(), close: () => client.close() };
};
`;

const THEIRS = `
import { AnalyticsBrowser } from '@segment/analytics-next';
window.prepare = async (endpoint) => {
  const apiHost = endpoint.replace('http://', '') + '/v1';
  const cdnSettings = { integrations: { 'Segment.io': { apiKey: 'bench' } } };
  const deliveryStrategy = { strategy: 'batching', config: { size: 20, timeout: 5000 } };
  const [analytics] = await AnalyticsBrowser.load(
    { writeKey: 'bench', cdnSettings },
    { integrations: { 'Segment.io': { apiHost, protocol: 'http', deliveryStrategy } }, disableClientPersistence: true },
  );
  analytics.on('error', (error) => console.error(String(error.reason)));
  return {
    track: ({ event, properties, context }) => { void analytics.track(event, properties, { context }); return true; },
    room: async () => {},
    close: async () => {},
  };
};
`;

/** Runs in the page. A turn of the event loop after every thousand calls. */
const PROGRAM = `
window.run = async (endpoint, calls) => {
  const sender = await window.prepare(endpoint);
  const note = 'x'.repeat(60);
  const startedAt = performance.timeOrigin + performance.now();
  let inCallsMs = 0;
  for (let n = 0; n < calls; ) {
    const from = performance.now();
    let taken = true;
    const end = Math.min(calls, n + 1000);
    while (n < end) {
      const properties = { n, orderId: 'A-' + n, total: 184.5, currency: 'EUR', coupon: 'WINTER & CO', items: 3, note };
      taken = sender.track({ userId: 'usr_' + (n % 997), event: 'Order Completed', properties, context: { locale: 'de-AT' } });
      if (!taken) break;
      n += 1;
    }
    inCallsMs += performance.now() - from;
    if (!taken) await sender.room();
    await new Promise((resolve) => setTimeout(resolve));
  }
  await sender.close();
  return { startedAt, inCallsMs };
};
`;

async function bundle(code: string): Promise<string> {
  const entry = join(root, 'bench-page.js');
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'page-code',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
    build: {
      write: false,
      rolldownOptions: { input: entry, external: ['/client.js'], output: { format: 'es', codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  return output.find((file) => file.type === 'chunk')!.code;
}

async function clientCode(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-bench-'));
  try {
    await buildClient(folder);
    return readFileSync(join(folder, 'index.js'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function serve(files: ReadonlyMap<string, string>): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const code = files.get(request.url ?? '');
    response.setHeader('Content-Type', code === undefined ? 'text/html' : 'text/javascript');
    response.end(code ?? `<!doctype html><script type="module" src="${request.url?.slice(0, -1)}.js"></script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

async function run(browser: Browser, url: string, counter: Counter, calls: number): Promise<PageRun> {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error.message));
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  await page.goto(url);
  await page.waitForFunction('window.prepare !== undefined && window.run !== undefined');
  const { all } = await counter.expect(calls);
  const endpoint = counter.url.replace('127.0.0.1', 'localhost');
  type Told = { startedAt: number; inCallsMs: number };
  const told = (await page.evaluate(`window.run(${JSON.stringify(endpoint)}, ${calls})`)) as Told;
  const { at } = await all;
  await page.close();
  return {
    callsPerSecond: Math.round((calls / told.inCallsMs) * 1000),
    messagesPerSecond: Math.round((calls / (at - told.startedAt)) * 1000),
  };
}

/** Null where there is no Chromium. */
export async function measurePages(counter: Counter, calls: number): Promise<PageMeasured | null> {
  const executablePath = chromiumPath();
  if (executablePath === null) return null;
  const files = new Map([
    ['/client.js', await clientCode()],
    ['/ours.js', OURS + PROGRAM],
    ['/theirs.js', await bundle(THEIRS + PROGRAM)],
  ]);
  const site = await serve(files);
  const offline = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';
  const browser = await chromium.launch({ executablePath, args: [...chromiumArguments, offline], headless: true });
  try {
    const hookbench = await run(browser, `${site.url}/ours/`, counter, calls);
    const analyticsNext = await run(browser, `${site.url}/theirs/`, counter, calls);
    const ratio = (key: keyof PageRun): number => Number((hookbench[key] / analyticsNext[key]).toFixed(2));
    const ratios = { callsPerSecond: ratio('callsPerSecond'), messagesPerSecond: ratio('messagesPerSecond') };
    return { calls, hookbench, analyticsNext, ratios };
  } finally {
    await browser.close();
    site.close();
  }
}
