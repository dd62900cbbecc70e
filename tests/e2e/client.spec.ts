/**
 * The built client in Chromium, from a page on another port with one import: through a real `hookbench serve`, and
 * against a server that records what crosses. Nothing is intercepted, so that CORS and its preflights are the real ones.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Client, ClientOptions, LossError } from '../../src/client/index.ts';
import { corsHeaders, preflightHeaders } from '../../src/core/ingest/cors.ts';
import { buildClient } from '../../tools/build-client.mjs';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { launchChromium, startServer, test } from './launch.ts';

const WRITE_KEY = 'wk_page';

const HTML = `<!doctype html><html><head><title>Checkout</title></head><body><script type="module">
import { Client } from '/client.js';
window.losses = [];
window.start = (options) => {
  window.client = new Client('${WRITE_KEY}', { onError: (loss) => window.losses.push(loss), ...options });
};
window.isReady = true;
</script></body></html>`;

interface Window {
  start(options: ClientOptions): void;
  client: Client;
  losses: LossError[];
  isReady?: boolean;
}

interface Site {
  readonly url: string;
  close(): void;
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Site> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Recorded {
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface RecordingServer extends Site {
  readonly all: Recorded[];
  /** Answers wait for it. */
  gate: Promise<void>;
  posts(): Recorded[];
  /** Of the messages that came, in order of arrival. */
  events(): string[];
}

/** A server that answers pages as ingest does, and keeps what came. */
async function recordingServer(): Promise<RecordingServer> {
  const all: Recorded[] = [];
  const site = await serve((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const { method = '', headers } = request;
      all.push({ method, headers, body: Buffer.concat(parts).toString() });
      await recording.gate;
      const cors = corsHeaders(headers.origin ?? null, () => false);
      for (const [name, value] of method === 'OPTIONS' ? preflightHeaders(cors) : cors) response.setHeader(name, value);
      response.writeHead(method === 'OPTIONS' ? 204 : 200).end(method === 'OPTIONS' ? '' : '{"success":true}');
    });
  });
  const posts = (): Recorded[] => all.filter(({ method }) => method === 'POST');
  const events = (): string[] =>
    posts().flatMap(({ body }) => (JSON.parse(body) as { batch: { event: string }[] }).batch.map(({ event }) => event));
  const recording: RecordingServer = { ...site, all, gate: Promise.resolve(), posts, events };
  return recording;
}

let folder: string;
let code: string;
let browser: Browser;
let page: Page;
let site: Site;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hb-client-'));
  await buildClient(folder);
  code = readFileSync(join(folder, 'index.js'), 'utf8');
  rmSync(folder, { recursive: true });
});
test.beforeEach(async () => {
  site = await serve((request, response) => {
    const isCode = request.url === '/client.js';
    response.setHeader('Content-Type', isCode ? 'text/javascript' : 'text/html; charset=utf-8');
    response.setHeader('Set-Cookie', 'session=of-the-page; SameSite=Lax');
    response.end(isCode ? code : HTML);
  });
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => (window as unknown as Window).isReady === true);
});
test.afterEach(async () => {
  await browser.close();
  site.close();
});

const start = (options: ClientOptions): Promise<void> =>
  page.evaluate((given) => (window as unknown as Window).start(given as ClientOptions), options as object);

/** Queues a track call for each name. */
const track = (events: readonly string[], note = ''): Promise<(string | null)[]> =>
  page.evaluate(
    ([names, text]) =>
      names.map((event) => {
        const { client } = window as unknown as Window;
        return client.track({ userId: 'u', event, properties: { note: text } })?.code ?? null;
      }),
    [events, note] as const,
  );

const flush = (): Promise<{ sent: number; lost: number }> =>
  page.evaluate(() => (window as unknown as Window).client.flush().then(({ sent, lost }) => ({ sent, lost })));

test('every kind of call arrives through ingest', async () => {
  const hook: Receiver = await startReceiver();
  const server = await startServer({
    config: {
      sources: [{ name: 'shop', writeKey: WRITE_KEY, kind: 'web', enabled: true, webhooks: true }],
      webhooks: { entries: [{ name: 'receiver', url: hook.url, headers: {}, enabled: true }] },
    },
  });
  try {
    await start({ endpoint: server.ingestUrl.replace('127.0.0.1', 'localhost') });
    const result = await page.evaluate(async () => {
      const { client } = window as unknown as Window;
      const errors = [
        client.identify({ userId: 'u1', traits: { email: 'zoë@example.com' } }),
        client.track({ userId: 'u1', event: 'Order <Done> & é\u2028' }),
        client.page({ userId: 'u1', name: 'Home', traits: { url: location.href } }),
        client.screen({ anonymousId: 'a1', name: 'Main' }),
        client.group({ userId: 'u1', groupId: 'g1' }),
        client.alias({ userId: 'u1', previousId: 'a1' }),
      ];
      const { sent, lost } = await client.close();
      return { errors, sent, lost, late: client.track({ userId: 'u', event: 'E' })?.code };
    });
    expect(result).toEqual({ errors: Array(6).fill(null), sent: 6, lost: 0, late: 'client_closed' });
    await hook.waitFor(6);
    const bodies = hook.requests.map(({ body }) => JSON.parse(body.toString()) as { type: string; event?: string });
    expect(bodies.map(({ type }) => type).sort()).toEqual(['alias', 'group', 'identify', 'page', 'screen', 'track']);
    expect(bodies.find(({ type }) => type === 'track')!.event).toBe('Order <Done> & é\u2028');
  } finally {
    await server.stop();
    await hook.close();
  }
});

test.describe('against a server that records', () => {
  let server: Awaited<ReturnType<typeof recordingServer>>;
  test.beforeEach(async () => {
    server = await recordingServer();
  });
  test.afterEach(() => server.close());

  test('the browser asks once for two headers, and the requests carry no cookie and no other header of ours', async () => {
    await start({ endpoint: server.url, size: 1 });
    await track(['one']);
    // With a size of 1 a call may have arrived before the flush, which then has nothing to tell of.
    expect(await flush()).toMatchObject({ lost: 0 });
    await track(['two', 'three']);
    expect(await flush()).toMatchObject({ lost: 0 });
    expect(server.all.map(({ method }) => method)).toEqual(['OPTIONS', 'POST', 'POST', 'POST']);
    const [asked, post] = server.all;
    expect(asked!.headers['access-control-request-headers']).toBe('authorization,content-type');
    expect(post!.headers.authorization).toBe(`Basic ${Buffer.from(`${WRITE_KEY}:`).toString('base64')}`);
    expect(post!.headers['content-type']).toBe('application/json');
    expect(post!.headers.cookie).toBeUndefined();
    expect(post!.headers['user-agent']).toMatch(/Chrome/);
    expect(server.events()).toEqual(['one', 'two', 'three']);
  });

  /** Lets the server answer nothing, not even whether a page may send, until the function given is called. */
  const closeGate = (): (() => void) => {
    let open = (): void => {};
    server.gate = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  };

  test('what is queued when the page is left arrives, up to the bytes that browsers allow', async () => {
    const openGate = closeGate();
    await start({ endpoint: server.url, size: 500 });
    // 13 of about 4.2 KB fit into 60,000 bytes together with their envelope.
    const names = Array.from({ length: 13 }, (_, n) => `left ${n}`);
    await track(names, 'x'.repeat(4_000));
    expect(server.all).toEqual([]);
    await page.goto('about:blank');
    openGate();
    await expect.poll(() => server.events()).toEqual(names);
    expect(server.posts()).toHaveLength(1);
  });

  test('more than that is cut, and the first part arrives', async () => {
    await start({ endpoint: server.url, size: 500 });
    await track(['before']);
    await flush();
    const names = Array.from({ length: 40 }, (_, n) => `left ${n}`);
    await track(names, 'x'.repeat(4_000));
    await page.goto('about:blank');
    await expect.poll(() => server.events()).toEqual(expect.arrayContaining(names.slice(0, 13)));
    for (const { body } of server.posts()) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(60_000);
    expect(new Set(server.events()).size).toBe(server.events().length);
  });

  test('a request that the server has not let through yet outlives its page', async () => {
    const openGate = closeGate();
    await start({ endpoint: server.url, size: 1 });
    await track(['last']);
    await expect.poll(() => server.all.map(({ method }) => method)).toEqual(['OPTIONS']);
    await page.goto('about:blank');
    openGate();
    await expect.poll(() => server.events()).toEqual(['last']);
  });

  test('a page that is hidden sends what it has, and goes on', async () => {
    await start({ endpoint: server.url });
    await track(['one', 'two']);
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(() => server.events()).toEqual(['one', 'two']);
    await track(['three']);
    expect(await flush()).toEqual({ sent: 1, lost: 0 });
    expect(server.events()).toEqual(['one', 'two', 'three']);
  });

  test('localStorage.debug switches the log on and off while the page runs', async () => {
    const lines: string[] = [];
    page.on('console', (message) => lines.push(`${message.type()} ${message.text()}`));
    await start({ endpoint: server.url, size: 1 });
    await track(['quiet']);
    await flush();
    await page.evaluate(() => localStorage.setItem('debug', 'analytics'));
    await track(['loud']);
    await flush();
    await page.evaluate(() => localStorage.removeItem('debug'));
    await track(['quiet again']);
    await flush();
    await expect.poll(() => lines.length).toBe(2);
    expect(lines).toEqual([
      expect.stringMatching(/^debug analytics: queued track, \d+ bytes \(1 of 1\)$/),
      expect.stringMatching(/^debug analytics: sent 1 message, \d+ bytes, try 1$/),
    ]);
  });
});

test('a server that is not there is reported in the page, with the messages', async () => {
  const gone = await serve(() => {});
  gone.close();
  await start({ endpoint: gone.url, maxTries: 2, backoffMs: 1 });
  await track(['lost']);
  expect(await flush()).toEqual({ sent: 0, lost: 1 });
  const told = await page.evaluate(() =>
    (window as unknown as Window).losses.map(({ code, tries, status, messages }) => ({
      code,
      tries,
      status,
      events: messages.map(({ event }) => event),
    })),
  );
  expect(told).toEqual([{ code: 'retries_exhausted', tries: 2, status: null, events: ['lost'] }]);
});
