/** Whom the headless server refuses, and the page that it serves to the others. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PortInUseError } from '../../src/headless/listen.ts';
import { serveUi } from '../../src/headless/server.ts';
import { type HeaderList, rawRequest, rawUpgrade, sendRaw } from '../helpers/raw-http.ts';
import { refusedHosts, refusedOffers, refusedSenders } from '../helpers/request-cases.ts';
import { engine, files, good, host, server, start, token } from './headless-stage.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all!.some(({ address }) => address === '::1'));
const LOOPBACK = hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'];

const fill = (text: string): string => text.replaceAll('PORT', String(server.port)).replaceAll('HOST', host());
const filled = (headers: HeaderList): HeaderList => headers.map(([name, value]) => [name, fill(value)]);

describe('what the wire refuses', () => {
  beforeAll(start);
  afterAll(() => server.close());
  beforeEach(() => {
    engine.ports = [];
  });
  /** Nothing of the page, no engine asked, and the server answers the next one. */
  afterEach(async () => {
    expect(engine.ports).toHaveLength(0);
    const { status } = await sendRaw(server.port, rawRequest('GET', '/', [['Host', host()]]));
    expect(status).toBe(200);
  });

  test.each(refusedHosts)('Host %s (C1)', async (value) => {
    const headers: HeaderList = [['Host', Buffer.from(fill(value)).toString('latin1')]];
    const answers = await Promise.all([
      sendRaw(server.port, rawRequest('GET', '/', headers)),
      sendRaw(server.port, rawUpgrade('/contract', [...headers, ...good().slice(1)])),
    ]);
    for (const { status, text } of answers) {
      expect([400, 403]).toContain(status);
      expect(text).not.toContain('The page');
    }
  });

  test.each<[string, string]>([
    ['no Host header', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no Host header in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['an empty Host header', 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: HOST\r\nHost: evil.com\r\nConnection: close\r\n\r\n'],
    ['two equal Host headers', 'GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\nConnection: close\r\n\r\n'],
    ['an absolute target', 'GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n'],
    ['a target with a fragment', 'GET /#x HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n'],
    ['a folded Host header', 'GET / HTTP/1.1\r\nHost:\r\n HOST\r\nX: y\r\n z\r\nConnection: close\r\n\r\n'],
    ['CONNECT', 'CONNECT HOST HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n'],
    ['20 KB of headers', `GET / HTTP/1.1\r\nHost: HOST\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a TLS hello', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003'],
    ['an SSH banner', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('%s', async (_title, bytes) => {
    const { status, text } = await sendRaw(server.port, Buffer.from(fill(bytes), 'latin1'));
    expect(status === 0 || status >= 400).toBe(true);
    expect(text).not.toContain('The page');
  });

  test.each(refusedSenders)('$title (C2)', async ({ headers }) => {
    const sent: HeaderList = [['Host', host()], ...filled(headers)];
    const answers = await Promise.all([
      sendRaw(server.port, rawRequest('GET', '/', sent)),
      sendRaw(server.port, rawRequest('POST', '/contract', sent)),
      sendRaw(server.port, rawUpgrade('/contract', [...sent, good()[2]!])),
    ]);
    for (const { status, text } of answers) {
      expect([400, 403]).toContain(status);
      expect(text).not.toContain('The page');
    }
  });

  test.each(refusedOffers(token))('%s (C3)', async (_title, offers) => {
    const headers = good().slice(0, 2);
    const sent: HeaderList = offers === null ? headers : [...headers, ['Sec-WebSocket-Protocol', offers]];
    expect((await sendRaw(server.port, rawUpgrade('/contract', sent))).status).toBe(401);
  });

  test('the token of another start', async () => {
    const other = await serveUi({ files, port: 0, token: 'another'.padEnd(43, 'A'), connect: () => null });
    const { status } = await sendRaw(other.port, rawUpgrade('/contract', good(other.port)));
    await other.close();
    expect(status).toBe(401);
  });

  test.each(['/contract', '/contract?token=x', `/contract?token=${token}`])(
    '%s without an upgrade is 401',
    async (target) => {
      expect((await sendRaw(server.port, rawRequest('GET', target, [['Host', host()]]))).status).toBe(401);
    },
  );

  test.each(['/contract/', '/', '/index.html', '/contract?x=1', '//contract'])('an upgrade of %s', async (target) => {
    expect((await sendRaw(server.port, rawUpgrade(target, good()))).status).toBe(404);
  });

  test.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets\\index.js',
    '/INDEX.HTML',
    '/index.html?x',
    '/index.html%00',
    '//index.html',
    '/etc/passwd',
    '/__proto__',
  ])('%s is 404', async (target) => {
    const { status, text } = await sendRaw(server.port, rawRequest('GET', target, [['Host', host()]]));
    expect(status).toBe(404);
    expect(text).toContain("default-src 'none'");
  });
});

describe('the page', () => {
  beforeAll(start);
  afterAll(() => server.close());

  test('is served without a token, with its policy, a fresh nonce, and no way for others to read it', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => sendRaw(server.port, rawRequest('GET', '/', [['Host', host()]]))),
    );
    const nonce = /content="([^"]+)"/.exec(first?.text ?? '')?.[1];
    expect(first?.text).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(first?.text).toContain(`connect-src 'self' ws://${host()};`);
    expect(second?.text).not.toContain(nonce);
    for (const header of [
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'Cross-Origin-Opener-Policy: same-origin',
      'Cross-Origin-Resource-Policy: same-origin',
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
    ])
      expect(first?.text).toContain(header);
    expect(first?.text.toLowerCase()).not.toMatch(/set-cookie|access-control/);
  });

  test('keeps its opener away from a Chromium in the way that lets it keep compiled code', async () => {
    const brands: [string, string] = ['Sec-CH-UA', '"Chromium";v="156"'];
    const answer = await sendRaw(server.port, rawRequest('GET', '/', [['Host', host()], brands]));
    expect(answer.text).toContain('Cross-Origin-Opener-Policy: noopener-allow-popups');
  });

  test.runIf(hasIpv6)('is served on ::1 as well', async () => {
    expect((await fetch(`http://[::1]:${server.port}/`)).status).toBe(200);
  });

  test('is opened once by a launch address, which carries the token only in the redirect', async () => {
    const address = server.launchUrl();
    expect(address).not.toContain(token);
    const first = await fetch(address, { redirect: 'manual' });
    expect([first.status, first.headers.get('location')]).toEqual([302, `/#token=${token}`]);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(401);
  });

  test('a launch address is not for other sites', async () => {
    const path = new URL(server.launchUrl()).pathname;
    const headers: HeaderList = [
      ['Host', host()],
      ['Sec-Fetch-Site', 'cross-site'],
    ];
    expect((await sendRaw(server.port, rawRequest('GET', path, headers))).status).toBe(403);
    expect((await sendRaw(server.port, rawRequest('GET', path, headers.slice(0, 1)))).status).toBe(302);
  });

  test('a link from another page opens it too, in a document that goes on by itself', async () => {
    const path = new URL(server.launchUrl()).pathname;
    const headers: HeaderList = [
      ['Host', host()],
      ['Sec-Fetch-Site', 'same-site'],
      ['Sec-Fetch-Mode', 'navigate'],
      ['Sec-Fetch-Dest', 'document'],
    ];
    const { status, text } = await sendRaw(server.port, rawRequest('GET', path, headers));
    expect(status).toBe(200);
    expect(text).toContain(`content="0;url=/#token=${token}"`);
    expect(text).toContain('Cache-Control: no-store');
    expect((await sendRaw(server.port, rawRequest('GET', path, headers))).status).toBe(401);
    expect((await sendRaw(server.port, rawRequest('GET', '/', headers))).status).toBe(403);
  });

  test('a browser keeps only files whose name changes with their bytes, with every other header', async () => {
    const cacheOf = async (target: string): Promise<[string | undefined, string]> => {
      const { text } = await sendRaw(server.port, rawRequest('GET', target, [['Host', host()]]));
      return [/^Cache-Control: (.*)\r$/m.exec(text)?.[1], text];
    };
    const [kept, text] = await cacheOf('/assets/index-DvKWbx1E.js');
    expect(kept).toBe('private, max-age=31536000, immutable');
    expect(text.match(/^Cache-Control:/gim)).toHaveLength(1);
    expect(text).toContain("default-src 'none'");
    expect(text).not.toContain(token);
    for (const target of ['/', '/index.html', '/assets/index.js', '/assets/absent-DvKWbx1E.js'])
      expect((await cacheOf(target))[0]).toBe('no-store');
  });

  test('HEAD has the length and no body', async () => {
    const { text } = await sendRaw(server.port, rawRequest('HEAD', '/assets/index.js', [['Host', host()]]));
    expect(text).toContain('Content-Length: 5');
    expect(text).not.toContain('run()');
  });
});

test.each(LOOPBACK)('a port that is taken on %s is named', async (address) => {
  const parts = { files, token, connect: () => null };
  const other = createServer().listen(0, address);
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await expect(serveUi({ ...parts, port })).rejects.toThrow(PortInUseError);
  other.close();
  await once(other, 'close');
  const now = await serveUi({ ...parts, port });
  expect(now.port).toBe(port);
  await now.close();
});
