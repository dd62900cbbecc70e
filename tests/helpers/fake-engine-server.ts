/**
 * Serves the built renderer over the fake engine, to look at screens:
 * `node tools/with-node.mjs node tests/helpers/fake-engine-server.ts [--rows N] [--rate N] [--port N] [--hostile]
 * [--fresh] [--port-in-use] [--read-only] [--damaged] [--unreadable] [--root DIR]`. Any token will do. Loopback only.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { WebSocketServer } from 'ws';
import type { MessageStateName } from '../../src/contract/values.ts';
import { createFakeEngine, type FakeEngine, type FakeOptions } from './fake-engine.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};
const NONCE = 'ZmFrZS1ub25jZQ';
/** As strict as that of the shells (architecture, Interface). */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${NONCE}'`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export interface FakeServer {
  readonly url: string;
  readonly engine: FakeEngine;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Port 0 takes a free one. */
export async function startFakeServer(
  options: FakeOptions & { root?: string; port?: number } = {},
): Promise<FakeServer> {
  const root = options.root ?? resolve(import.meta.dirname, '../../out/renderer');
  const engine = createFakeEngine(options);
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname));
    const file = join(root, path === '/' ? 'index.html' : path);
    try {
      const body = await readFile(file);
      const type = TYPES[extname(file)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': CSP, 'cache-control': 'no-store' });
      response.end(file.endsWith('.html') ? body.toString().replaceAll('__NONCE__', NONCE) : body);
    } catch {
      response.writeHead(404).end();
    }
  });
  const sockets = serveSockets(server, engine);
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/#token=dev`,
    engine,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets.clients) socket.terminate();
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function serveSockets(server: Server, engine: FakeEngine): WebSocketServer {
  const sockets = new WebSocketServer({ server, path: '/contract', handleProtocols: () => 'hookbench' });
  sockets.on('connection', (socket) => {
    const peer = engine.connect({
      post: (text) => socket.send(text),
      onText: (listener) => socket.on('message', (data) => listener(String(data))),
      close: () => socket.close(),
    });
    socket.on('close', () => engine.disconnect(peer));
  });
  return sockets;
}

/** Adds `rate` new messages a second, and moves older ones on. */
function keepBusy(engine: FakeEngine, rate: number): void {
  const step = Math.max(100, 1000 / rate);
  setInterval(() => {
    for (const row of engine.receive(Math.max(1, Math.round((rate * step) / 1000)))) {
      const ends: MessageStateName[] = ['delivered', 'delivered', 'delivered', 'retrying', 'failed'];
      const state = ends[row.id % ends.length]!;
      setTimeout(() => engine.update(row.id, { state: 'delivering', cells: 'sssrp', round: 1 }), 60);
      setTimeout(
        () =>
          engine.update(row.id, {
            state,
            cells: state === 'delivered' ? 'aafrp' : 'ftfrp',
            nextDueAt: state === 'retrying' ? Date.now() + 3_600_000 : null,
          }),
        400,
      );
    }
  }, step);
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      rate: { type: 'string' },
      port: { type: 'string', default: '8890' },
      root: { type: 'string' },
      hostile: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      'port-in-use': { type: 'boolean', default: false },
      'read-only': { type: 'boolean', default: false },
      damaged: { type: 'boolean', default: false },
      unreadable: { type: 'boolean', default: false },
    },
  });
  const { url, engine } = await startFakeServer({
    rows: values.rows === undefined ? undefined : Number(values.rows),
    port: Number(values.port),
    root: values.root,
    hostile: values.hostile,
    fresh: values.fresh,
    storeWritable: !values['read-only'],
    storeDamaged: values.damaged,
    secret: values.unreadable ? { state: 'unreadable' } : undefined,
    listener: values['port-in-use'] ? { state: 'port_in_use', holder: 'node (process 48213)' } : undefined,
  });
  if (values.rate !== undefined) keepBusy(engine, Number(values.rate));
  console.log(url);
}
