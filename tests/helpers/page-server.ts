/** Serves the built renderer and one WebSocket for the contract, under a policy as strict as that of the shells. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { WebSocketServer } from 'ws';
import type { Channel } from '../../src/contract/channel.ts';

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

export interface PageServer {
  /** With a token, of which any will do. */
  readonly url: string;
  close(): Promise<void>;
}

export interface PageServerOptions {
  /** The built renderer, by default out/renderer. */
  readonly root?: string;
  /** By default 0, any free port. */
  readonly port?: number;
}

/** Listens on 127.0.0.1. `connect` serves the contract to one more window and returns what ends that. */
export async function startPageServer(
  connect: (channel: Channel) => () => void,
  { root = resolve(import.meta.dirname, '../../out/renderer'), port = 0 }: PageServerOptions = {},
): Promise<PageServer> {
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
  const sockets = serveSockets(server, connect);
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/#token=dev`,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets.clients) socket.terminate();
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

function serveSockets(server: Server, connect: (channel: Channel) => () => void): WebSocketServer {
  const sockets = new WebSocketServer({ server, path: '/contract', handleProtocols: () => 'hookbench' });
  sockets.on('connection', (socket) => {
    const disconnect = connect({
      post: (text) => socket.send(text),
      onText: (listener) => socket.on('message', (data) => listener(String(data))),
      close: () => socket.close(),
    });
    socket.on('close', disconnect);
  });
  return sockets;
}
