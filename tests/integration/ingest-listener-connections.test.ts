/** Single connections to the listener: several requests on one, uploads that break, secure ones, and their end. */
import { Server } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemTimers } from '../../src/core/adapters/clock.ts';
import { createListener, type Listener, type ListenerParts, type TlsIdentity } from '../../src/core/ingest/listener.ts';
import type { IngestRequest, IngestResponse } from '../../src/core/ingest/request.ts';
import { createSelfSigned } from '../helpers/certificates.ts';
import { RawClient, send, startIngest, stopAll } from '../helpers/ingest-http.ts';
import { makeWorld } from '../helpers/ingest-parts.ts';

let identity: TlsIdentity;
beforeAll(async () => {
  identity = await createSelfSigned();
});
afterEach(stopAll);

const requestOf = (path: string, ...lines: string[]): string =>
  `${[`POST ${path} HTTP/1.1`, 'Host: localhost', ...lines].join('\r\n')}\r\n\r\n`;

/** Listens without any of the callbacks that may be left out. */
async function listening(over: Partial<ListenerParts> = {}, tls?: TlsIdentity) {
  const { ingest, logger } = makeWorld();
  const listener = createListener({
    handle: (request) => ingest.handle(request),
    timers: systemTimers,
    logger,
    ...over,
  });
  onTestFinished(() => listener.stop());
  return { listener, ...(await listener.start(0, tls)) };
}

/** Sends a request over TLS and gives all that comes back. */
const overTls = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false }, () =>
      socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    );
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    socket.on('error', reject).on('end', () => resolve(received));
  });

describe('a connection', () => {
  it('of HTTP/1.0 is served, and an unknown expectation gets the answer alone', async () => {
    const { port } = await startIngest();
    for (const [version, line] of [
      ['1.0', 'X: y'],
      ['1.1', 'Expect: wonders'],
    ]) {
      const client = new RawClient(port);
      await client.write(`GET /health HTTP/${version}\r\nHost: localhost\r\n${line}\r\nConnection: close\r\n\r\n`);
      expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 200/);
      client.close();
    }
  });

  it('with several requests counts each: a stop waits for the last of them', async () => {
    const gates = new Map<string, () => void>();
    const both = Promise.withResolvers<void>();
    const { listener, port } = await startIngest({
      handle: async ({ target }) => {
        await new Promise<void>((resolve) => {
          gates.set(target, resolve);
          if (gates.size === 2) both.resolve();
        });
        return { status: 200, headers: [], body: target };
      },
      limits: { stopGraceMs: 60_000 },
    });
    const client = new RawClient(port);
    await client.write(requestOf('/first', 'Content-Length: 0') + requestOf('/second', 'Content-Length: 0'));
    await both.promise;
    gates.get('/first')?.();
    await client.until((text) => text.endsWith('/first'));
    const stopped = listener.stop();
    await Promise.resolve();
    gates.get('/second')?.();
    expect(await client.untilEnd()).toMatch(/\/first.*\/second$/s);
    await stopped;
    client.close();
  });

  it('that breaks its upload after the answer just ends', async () => {
    const { port } = await startIngest();
    const client = new RawClient(port);
    await client.write(requestOf('/v1/batch', 'Transfer-Encoding: chunked'));
    const chunk = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`;
    for (let count = 0; count < 6; count += 1) await client.write(chunk);
    const answer = await client.until((text) => text.endsWith('}'));
    await client.write('no chunk\r\n');
    expect(await client.untilEnd()).toBe(answer);
    client.close();
  });

  it('of the wrong protocol harms nobody where nobody asks about it', async () => {
    const plain = await listening();
    const hello = connectTls({ host: '127.0.0.1', port: plain.port, rejectUnauthorized: false });
    await new Promise((resolve) => hello.once('error', resolve));
    expect((await send(plain.port, { method: 'GET', path: '/health' })).status).toBe(200);
    const secure = await listening({}, identity);
    const client = new RawClient(secure.port);
    await client.write('GET /health HTTP/1.1\r\n\r\n');
    await client.untilEnd();
    client.close();
    expect(await overTls(secure.port)).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe('a secure connection', () => {
  it('hands over requests as secure', async () => {
    const got: IngestRequest[] = [];
    const handle = async (request: IngestRequest) => {
      got.push(request);
      return { status: 200, headers: [], body: '' };
    };
    const { port } = await listening({ handle }, identity);
    await overTls(port);
    expect(got).toMatchObject([{ target: '/health', secure: true, remote: '127.0.0.1' }]);
  });

  it('that never becomes secure does not hold up a stop', async () => {
    const limits = { stopGraceMs: 50, headersMs: 60_000, requestMs: 60_000 };
    const { listener, port } = await listening({ limits }, identity);
    const client = new RawClient(port);
    await new Promise<void>((resolve) => client.socket.once('connect', resolve));
    // Once this one is answered, the one before it has been accepted.
    await overTls(port);
    await listener.stop();
    await client.untilEnd();
    client.close();
  });

  it('that has asked for nothing yet ends with a stop, without its grace', async () => {
    const timers = { ...systemTimers, after: () => ({ cancel: () => {} }) };
    const { listener, port } = await listening({ timers }, identity);
    const client = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
    const ended = new Promise((resolve) => client.on('error', () => {}).once('close', resolve));
    await new Promise<void>((resolve) => client.once('secureConnect', resolve));
    // Once this one is answered, the one before it is secure on both sides.
    await overTls(port);
    await listener.stop();
    await ended;
  });
});

const atOnce = (_delayMs: number, run: () => void) => {
  run();
  return { cancel: () => {} };
};

/** The server of a new listener, whose connections can be made by hand. */
async function serverOf(protocol: string, over: Partial<ListenerParts> = {}): Promise<[Listener, Server]> {
  const on = vi.spyOn(Server.prototype, 'on');
  const { Server: Secure } = await import('node:https');
  const onSecure = vi.spyOn(Secure.prototype, 'on');
  onTestFinished(() => void [on.mockRestore(), onSecure.mockRestore()]);
  const { listener } = await listening(over, protocol === 'https' ? identity : undefined);
  return [listener, [...on.mock.contexts, ...onSecure.mock.contexts][0] as Server];
}

it.each(['http', 'https'])('a connection that arrives while it stops is closed at once, over %s', async (protocol) => {
  const [listener, server] = await serverOf(protocol);
  const stopped = listener.stop();
  const late = new Socket();
  server.emit('connection', late);
  expect(late.destroyed).toBe(true);
  await stopped;
});

it('a connection that was answered and has begun its next request ends with a stop, without its grace', async () => {
  const timers = { ...systemTimers, after: () => ({ cancel: () => {} }) };
  const { listener, port } = await listening({ timers });
  const client = new RawClient(port);
  await client.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await client.until((text) => text.endsWith('}'));
  await client.write('GET /health HT');
  // Once this one is answered, those bytes have arrived.
  await send(port, { method: 'GET', path: '/health' });
  await listener.stop();
  await client.untilEnd();
  client.close();
});

it('a stop leaves no timer behind', async () => {
  const cancel = vi.fn();
  const { listener } = await listening({ timers: { ...systemTimers, after: () => ({ cancel }) } });
  await listener.stop();
  expect(cancel).toHaveBeenCalledTimes(1);
});

it.each(['http', 'https'])('a connection that closed is forgotten, over %s', async (protocol) => {
  const [listener, server] = await serverOf(protocol, { timers: { ...systemTimers, after: atOnce } });
  const closed = new Socket();
  server.emit('connection', closed);
  closed.emit('close');
  const destroy = vi.spyOn(closed, 'destroy');
  await listener.stop();
  expect(destroy).not.toHaveBeenCalled();
});

it('a connection whose client left before the answer is forgotten', async () => {
  const handled = Promise.withResolvers<void>();
  const handle = () => {
    handled.resolve();
    return new Promise<IngestResponse>(() => {});
  };
  const [listener, server] = await serverOf('http', { handle, timers: { ...systemTimers, after: atOnce } });
  const arrived = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = new RawClient((server.address() as AddressInfo).port);
  await client.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [socket] = await Promise.all([arrived, handled.promise]);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  client.close();
  await closed;
  const destroy = vi.spyOn(socket, 'destroy');
  await listener.stop();
  expect(destroy).not.toHaveBeenCalled();
});

it('too long a body behind a request that has no answer yet is answered after it', async () => {
  const first = Promise.withResolvers<IngestResponse>();
  const second = Promise.withResolvers<void>();
  const log = vi.fn();
  const handle = ({ target }: IngestRequest) => {
    if (target === '/first') return first.promise;
    second.resolve();
    return Promise.resolve({ status: 413, headers: [], body: 'two' } satisfies IngestResponse);
  };
  const { port } = await listening({ handle, logger: { log } });
  const client = new RawClient(port);
  await client.write(
    `GET /first HTTP/1.1\r\nHost: localhost\r\n\r\n${requestOf('/v1/batch', 'Content-Length: 9000000')}`,
  );
  await second.promise;
  await new Promise((resolve) => setImmediate(resolve));
  first.resolve({ status: 200, headers: [], body: 'one' });
  expect(await client.until((text) => text.endsWith('two'))).toMatch(/ 200 .*one.* 413 /s);
  expect(log).not.toHaveBeenCalled();
  client.close();
});
