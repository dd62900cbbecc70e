import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { TextPort } from '../../src/core/engine/engine-thread.ts';
import { PortInUseError } from '../../src/headless/listen.ts';
import { serveUi, type UiServer } from '../../src/headless/server.ts';
import type { RendererFiles } from '../../src/shell/renderer-files.ts';
import { type HeaderList, rawRequest, rawUpgrade, sendRaw } from '../helpers/raw-http.ts';
import { refusedHosts, refusedOffers, refusedSenders } from '../helpers/request-cases.ts';

const token = 'Q0rAf5HBOSAN2T9dmtoutcUAivMR3_Eik5FdnG2x-Rg';
const page = '<!doctype html><meta name="csp-nonce" content="__NONCE__"><title>The page</title>';
const file = (text: string, type: string, isLasting = false) => ({ type, bytes: Buffer.from(text), isLasting });
const files: RendererFiles = new Map([
  ['/', file(page, 'text/html; charset=utf-8')],
  ['/index.html', file(page, 'text/html; charset=utf-8')],
  ['/assets/index.js', file('run()', 'text/javascript; charset=utf-8')],
  ['/assets/index-DvKWbx1E.js', file('run()', 'text/javascript; charset=utf-8', true)],
]);

/** Says back what it is told, and can be flooded from. */
class FakeEnginePort implements TextPort {
  closed = false;
  readonly posted: string[] = [];
  #text: (text: string) => void = () => {};
  #close: () => void = () => {};
  post(text: string): void {
    this.posted.push(text);
    this.#text(`echo:${text}`);
  }
  say(text: string): void {
    this.#text(text);
  }
  onText(listener: (text: string) => void): void {
    this.#text = listener;
  }
  onClose(listener: () => void): void {
    this.#close = listener;
  }
  close(): void {
    this.closed = true;
  }
  end(): void {
    this.#close();
  }
}

let server: UiServer;
/** Every connection to the engine: what a refused request must not make. */
let ports: FakeEnginePort[] = [];
let engineRuns = true;

const start = async (): Promise<void> => {
  server = await serveUi({
    files,
    port: 0,
    token,
    connect: () => {
      if (!engineRuns) return null;
      const port = new FakeEnginePort();
      ports.push(port);
      return port;
    },
  });
};

const host = (): string => `127.0.0.1:${server.port}`;
const fill = (text: string): string => text.replaceAll('PORT', String(server.port)).replaceAll('HOST', host());
const filled = (headers: HeaderList): HeaderList => headers.map(([name, value]) => [name, fill(value)]);
const good = (): HeaderList => [
  ['Host', host()],
  ['Origin', `http://${host()}`],
  ['Sec-WebSocket-Protocol', `hookbench, hookbench.${token}`],
];

const open = (protocols = ['hookbench', `hookbench.${token}`]): WebSocket =>
  new WebSocket(`ws://${host()}/contract`, protocols, { origin: `http://${host()}`, perMessageDeflate: true });
const closeCode = async (socket: WebSocket): Promise<number> => {
  const [code] = await once(socket, 'close');
  return code as number;
};

describe('what the wire refuses', () => {
  beforeAll(start);
  afterAll(() => server.close());
  beforeEach(() => {
    ports = [];
  });
  /** Nothing of the page, no engine asked, and the server answers the next one. */
  afterEach(async () => {
    expect(ports).toHaveLength(0);
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
    const before = server;
    const other = await serveUi({ files, port: 0, token: 'another'.padEnd(43, 'A'), connect: () => null });
    server = other;
    const { status } = await sendRaw(other.port, rawUpgrade('/contract', good()));
    server = before;
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

  test('is served on ::1 as well, where there is one', async () => {
    const answer = await fetch(`http://[::1]:${server.port}/`).catch(() => null);
    if (answer !== null) expect(answer.status).toBe(200);
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

describe('the contract over WebSocket (C6)', () => {
  beforeEach(async () => {
    ports = [];
    engineRuns = true;
    await start();
  });
  afterEach(() => server.close());

  test('texts pass both ways, and the protocol is answered without the token', async () => {
    const socket = open();
    await once(socket, 'open');
    expect(socket.protocol).toBe('hookbench');
    expect(socket.extensions).toBe('');
    socket.send('{"hello":1}');
    const [text] = await once(socket, 'message');
    expect(String(text)).toBe('echo:{"hello":1}');
    socket.close();
    await once(socket, 'close');
  });

  test('closing the socket closes the engine connection', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.terminate();
    await expect.poll(() => ports[0]?.closed).toBe(true);
  });

  test('the end of the engine closes the socket with 1012: come again', async () => {
    const socket = open();
    await once(socket, 'open');
    ports[0]?.end();
    expect(await closeCode(socket)).toBe(1012);
  });

  test('a text over 1 MiB closes with 1009 and does not reach the engine', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send('x'.repeat(1024 * 1024 + 1));
    expect(await closeCode(socket)).toBe(1009);
    expect(ports[0]?.posted).toEqual([]);
  });

  test('a text of 1 MiB passes', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send('x'.repeat(1024 * 1024));
    await once(socket, 'message');
    expect(ports[0]?.posted[0]).toHaveLength(1024 * 1024);
    socket.terminate();
  });

  test('bytes that are no text close with 1003', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send(Buffer.from('{}'));
    expect(await closeCode(socket)).toBe(1003);
    expect(ports[0]?.posted).toEqual([]);
  });

  test('a text that is no UTF-8 closes with 1007', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await closeCode(socket)).toBe(1007);
  });

  test('32 sockets are served and one more is refused until one has gone', async () => {
    const sockets = Array.from({ length: 32 }, () => open());
    await Promise.all(sockets.map((socket) => once(socket, 'open')));
    expect((await sendRaw(server.port, rawUpgrade('/contract', good()))).status).toBe(503);
    sockets[0]?.close();
    await once(sockets[0]!, 'close');
    const next = open();
    await once(next, 'open');
    for (const socket of [...sockets, next]) socket.terminate();
  });

  test('a reader that stands still is cut off after 8 MiB, and the others go on', async () => {
    const slow = open();
    await once(slow, 'open');
    slow.pause();
    const quick = open();
    await once(quick, 'open');
    const [slowPort, quickPort] = [ports[0]!, ports[1]!];
    const text = 'x'.repeat(256 * 1024);
    let sent = 0;
    while (!slowPort.closed && sent < 400) {
      slowPort.say(text);
      sent += 1;
      if (sent % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(slowPort.closed).toBe(true);
    // The system's own buffers take some MiB more.
    expect(sent * 0.25).toBeLessThan(40);
    quickPort.say('still here');
    const [heard] = await once(quick, 'message');
    expect(String(heard)).toBe('still here');
    slow.terminate();
    quick.terminate();
  });

  test('while no engine runs an upgrade is 503', async () => {
    engineRuns = false;
    expect((await sendRaw(server.port, rawUpgrade('/contract', good()))).status).toBe(503);
  });

  test('stopping closes sockets with 1001, and stopping again is harmless', async () => {
    const socket = open();
    await once(socket, 'open');
    const [code] = await Promise.all([closeCode(socket), server.close()]);
    expect(code).toBe(1001);
    await server.close();
  });
});

describe('connections that do nothing', () => {
  beforeEach(async () => {
    ports = [];
    engineRuns = true;
    await start();
  });
  afterEach(() => server.close());

  const silent = async (first: string): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (first !== '') socket.write(first);
    return socket;
  };
  const answered = (socket: Socket) => once(socket, 'data');

  test.each([
    ['silent ones', ''],
    ['ones with half a head', 'GET / HTTP/1.1\r\nHost: '],
  ])('600 %s leave the page and the contract within reach', async (_title, first) => {
    const before = open();
    await once(before, 'open');
    const sockets = await Promise.all(Array.from({ length: 600 }, () => silent(first)));
    expect((await sendRaw(server.port, rawRequest('GET', '/', [['Host', host()]]))).status).toBe(200);
    const socket = open();
    await once(socket, 'open');
    // Nor was the connection that works let go.
    before.send('1');
    expect(String((await once(before, 'message'))[0])).toBe('echo:1');
    const left = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open');
    expect(left.length).toBeLessThanOrEqual(256);
    for (const one of [...sockets, before, socket]) 'terminate' in one ? one.terminate() : one.destroy();
  });

  test('the oldest goes first, and one that is answered again and again counts as young', async () => {
    const ask = `GET /assets/index.js HTTP/1.1\r\nHost: ${host()}\r\n\r\n`;
    const [old, kept] = [await silent(''), await silent('')];
    const gone = once(old, 'close');
    for (let n = 2; n < 256; n++) await silent('');
    kept.write(ask);
    await answered(kept);
    await silent('');
    await gone;
    kept.write(ask);
    await answered(kept);
    kept.destroy();
  });
});

test('a port that is taken is named, on either address', async () => {
  const parts = { files, token, connect: () => null };
  const first = await serveUi({ ...parts, port: 0 });
  await expect(serveUi({ ...parts, port: first.port })).rejects.toThrow(PortInUseError);
  await first.close();
  const again = await serveUi({ ...parts, port: first.port });
  expect(again.port).toBe(first.port);
  await again.close();
});
