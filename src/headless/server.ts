/**
 * The headless shell's one HTTP server: the built interface as files, the contract over WebSocket at
 * `/contract`. It listens on loopback only, every request passes `access.ts` first, and it never sets a cookie or a
 * CORS header.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { TextPort } from '../core/engine/engine-thread.ts';
import { newNonce, openerPolicy, pageHeaders } from '../shell/page-headers.ts';
import { fileBytes, type RendererFile, type RendererFiles } from '../shell/renderer-files.ts';
import {
  CONTRACT_PROTOCOL,
  checkRequest,
  checkUpgrade,
  isFromOtherPage,
  type Refusal,
  type RequestFacts,
} from './access.ts';
import { boundConnections } from './connections.ts';
import { isLaunchPath, LaunchCodes } from './launch-codes.ts';
import { listenOnLoopback } from './listen.ts';

const MAX_SOCKETS = 32;
/** Without an upgrade, on each address. */
const MAX_CONNECTIONS = 256;
const MAX_TEXT_BYTES = 1024 * 1024;
const MAX_UNSENT_BYTES = 8 * 1024 * 1024;
const CLOSE_GRACE_MS = 1_000;
/** For files whose name changes with their bytes. A browser that keeps a script also keeps it compiled. */
const KEPT = 'private, max-age=31536000, immutable';

export interface UiServerOptions {
  readonly files: RendererFiles;
  /** 0 takes any free port. */
  readonly port: number;
  /** 256 bits as text. */
  readonly token: string;
  /** A connection to the engine; null while none runs. */
  readonly connect: () => TextPort | null;
}

export interface UiServer {
  readonly port: number;
  /** An address that opens the interface once, within a minute, without showing the token. */
  launchUrl(): string;
  /** Closes every connection. Harmless when repeated. */
  close(): Promise<void>;
}

const factsOf = (request: IncomingMessage): RequestFacts => ({
  method: request.method ?? '',
  target: request.url ?? '',
  rawHeaders: request.rawHeaders,
});

const refusalBody = (refusal: Refusal): string => JSON.stringify({ error: refusal.code });

function refuse(response: ServerResponse, refusal: Refusal): void {
  const body = refusalBody(refusal);
  response.writeHead(refusal.status, {
    ...pageHeaders(newNonce()),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  const body = refusalBody(refusal);
  const head = [
    `HTTP/1.1 ${refusal.status} Refused`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** What every answer of one shell shares. */
interface Site {
  readonly files: RendererFiles;
  readonly token: string;
  readonly codes: LaunchCodes;
  port: number;
}

/**
 * Opens the page. A browser that comes from another page (the workspace beside the demo) would carry that origin through
 * a redirect, and the page itself refuses foreign origins, so it gets a document that goes on by itself.
 */
function answerLaunch(site: Site, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  if (!site.codes.take(path)) {
    refuse(response, { status: 401, code: 'token_required' });
    return;
  }
  if (isFromOtherPage(factsOf(request))) {
    const body = `<!doctype html><meta http-equiv="refresh" content="0;url=/#token=${site.token}"><title>Hookbench</title><link rel="icon" href="data:,">`;
    response.writeHead(200, {
      ...pageHeaders(newNonce()),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
    return;
  }
  response.writeHead(302, { ...pageHeaders(newNonce()), Location: `/#token=${site.token}`, 'Content-Length': 0 });
  response.end();
}

function answer(site: Site, request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  const host = checkRequest(factsOf(request), site.port, site.token);
  const file = site.files.get(path);
  if (typeof host !== 'string') refuse(response, host);
  else if (isLaunchPath(path) && request.method === 'GET') answerLaunch(site, request, response);
  else if (file === undefined) refuse(response, { status: 404, code: 'not_found' });
  else answerFile(file, host, request, response);
}

function answerFile(file: RendererFile, host: string, request: IncomingMessage, response: ServerResponse): void {
  const nonce = newNonce();
  const bytes = fileBytes(file, nonce);
  response.writeHead(200, {
    ...pageHeaders(nonce, [`ws://${host}`], openerPolicy(request.headers['sec-ch-ua']?.toString())),
    ...(file.isLasting && { 'Cache-Control': KEPT }),
    'Content-Type': file.type,
    'Content-Length': bytes.length,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Closes with a code, then destroys the socket: a stalled reader would never read the close frame. */
function closeSoon(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
}

/** Relays texts as they are, both ways, until either side ends. */
function relay(socket: WebSocket, port: TextPort): void {
  port.onText((text) => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) {
      port.close();
      closeSoon(socket, 1013, 'reading too slowly');
    } else socket.send(text);
  });
  port.onClose(() => closeSoon(socket, 1012, 'the engine ended the connection'));
  socket.on('message', (data, isBinary) => {
    if (isBinary) closeSoon(socket, 1003, 'texts only');
    else port.post(data.toString());
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => port.close());
}

/**
 * Answers what is no HTTP request. A browser opens spare connections, which time out too: it would take an answer there
 * for that of its next request, and show an error in place of the page. It tries again where a spare one just closes.
 */
export function answerBroken(socket: Pick<Socket, 'bytesRead' | 'writable' | 'end' | 'destroy'>): void {
  if (socket.writable && socket.bytesRead > 0) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  else socket.destroy();
}

function makeServer(site: Site, sockets: WebSocketServer, connect: UiServerOptions['connect']): Server {
  const server = createServer(
    { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    (request, response) => answer(site, request, response),
  );
  boundConnections(server, MAX_CONNECTIONS);
  const refusalOf = (request: IncomingMessage): Refusal | null => {
    const refusal = checkUpgrade(factsOf(request), site.port, site.token);
    if (refusal !== null) return refusal;
    return sockets.clients.size >= MAX_SOCKETS ? { status: 503, code: 'too_many_connections' } : null;
  };
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const refusal = refusalOf(request);
    const port = refusal === null ? connect() : null;
    if (port === null) {
      refuseUpgrade(socket, refusal ?? { status: 503, code: 'engine_not_running' });
      return;
    }
    socket.once('close', () => port.close());
    sockets.handleUpgrade(request, socket, head, (client) => relay(client, port));
  });
  server.on('clientError', (_error, socket) => answerBroken(socket as Socket));
  return server;
}

/** Rejects with a `PortInUseError`. */
export async function serveUi(options: UiServerOptions): Promise<UiServer> {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_TEXT_BYTES,
    handleProtocols: (offers) => (offers.has(CONTRACT_PROTOCOL) ? CONTRACT_PROTOCOL : false),
  });
  const site: Site = { files: options.files, token: options.token, codes: new LaunchCodes(), port: 0 };
  const listening = await listenOnLoopback(() => makeServer(site, sockets, options.connect), options.port);
  site.port = listening.port;
  const close = async (): Promise<void> => {
    const closed = listening.servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const client of sockets.clients) closeSoon(client, 1001, 'stopping');
    for (const server of listening.servers) server.closeIdleConnections();
    const cut = setTimeout(() => {
      for (const client of sockets.clients) client.terminate();
      for (const server of listening.servers) server.closeAllConnections();
    }, 500);
    await Promise.all(closed);
    clearTimeout(cut);
  };
  let closing: Promise<void> | null = null;
  return {
    port: site.port,
    launchUrl: () => `http://127.0.0.1:${site.port}${site.codes.make()}`,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
