/** The edges of the listener: ports that fail, answers that fail, what it hands over and what it writes. */
import { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemTimers } from '../../src/core/adapters/clock.ts';
import type { ListenError } from '../../src/core/ingest/listen-error.ts';
import { createListener } from '../../src/core/ingest/listener.ts';
import type { IngestRequest, IngestResponse } from '../../src/core/ingest/request.ts';
import { RawClient, send, startIngest, stopAll } from '../helpers/ingest-http.ts';
import { makeWorld } from '../helpers/ingest-parts.ts';

afterEach(stopAll);
afterEach(() => vi.restoreAllMocks());

const answer = (over: Partial<IngestResponse> = {}): IngestResponse => ({
  status: 200,
  headers: [['X-One', '1']],
  body: 'é',
  ...over,
});

describe('where a port cannot be had', () => {
  /** Each asked-for address, in order; a code ends the asking with that error. */
  let asked: { host: string; port: number; exclusive: boolean }[] = [];
  let failures: (string | null)[] = [];
  const real = NetServer.prototype.listen;
  beforeEach(() => {
    asked = [];
    vi.spyOn(NetServer.prototype, 'listen').mockImplementation(function listen(this: NetServer, ...args: unknown[]) {
      asked.push(args[0] as (typeof asked)[number]);
      const code = failures.shift() ?? null;
      if (code === null) return real.apply(this, args as never);
      process.nextTick(() => this.emit('error', Object.assign(new Error(`${code}: no`), { code })));
      return this;
    });
  });
  const start = async (port: number, ...codes: (string | null)[]) => {
    failures = codes;
    const world = makeWorld();
    const listener = createListener({ handle: world.ingest.handle, timers: systemTimers, logger: world.logger });
    const result = await listener.start(port).catch((error: ListenError) => error);
    return { listener, result, world };
  };

  it.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EPROTONOSUPPORT', 'EINVAL', 'ENODEV'])(
    'on ::1 because there is no IPv6 (%s), it listens on 127.0.0.1 alone and logs it',
    async (code) => {
      const { listener, result, world } = await start(0, null, code);
      expect(result).toEqual({ port: expect.any(Number), addresses: ['127.0.0.1'] });
      expect(world.logged).toEqual([{ level: 'info', event: 'ingest_without_ipv6', fields: { code } }]);
      await listener.stop();
    },
  );

  it.each([
    ['EACCES', 'port_denied', 'Port 81 may not be used by this user'],
    ['EMFILE', 'listen_failed', 'Port 81 could not be opened, so no events can arrive. EMFILE: no'],
  ])('for %s it says %s, and takes no other', async (code, name, message) => {
    const { listener, result } = await start(81, code);
    expect(result).toMatchObject({ name: 'ListenError', code: name, port: 81, holder: null, cause: { code } });
    expect((result as ListenError).message).toContain(message);
    expect(asked).toEqual([{ host: '127.0.0.1', port: 81, exclusive: true, backlog: 4_096 }]);
    await listener.stop();
  });

  it('of any free one on ::1 too, it tries another, up to 20 of them', async () => {
    const taken = Array.from({ length: 19 }, () => [null, 'EADDRINUSE']).flat();
    const { listener, result } = await start(0, ...taken);
    const { port, addresses } = result as { port: number; addresses: string[] };
    expect(asked).toHaveLength(40);
    expect(asked.slice(-2).map((one) => [one.host, one.port])).toEqual([
      ['127.0.0.1', 0],
      ['::1', port],
    ]);
    expect(addresses).toEqual(['127.0.0.1', '::1']);
    await listener.stop();
    const none = await start(0, ...taken, null, 'EADDRINUSE');
    expect(none.result).toMatchObject({ code: 'port_in_use', port: 0 });
  });

  it('a port that was asked for is tried once, and its holder may stay unknown', async () => {
    const { result } = await start(65_000, 'EADDRINUSE');
    const message = 'Port 65000 is in use, so no events can arrive.';
    expect([result, asked.length]).toMatchObject([{ code: 'port_in_use', port: 65_000, holder: null, message }, 1]);
  });

  it('any free one is tried once where what fails is not the port', async () => {
    const { result } = await start(0, 'EMFILE');
    expect([result, asked.length]).toMatchObject([{ code: 'listen_failed', port: 0 }, 1]);
  });

  it('is started twice: it says so and goes on', async () => {
    const { listener } = await start(0);
    await expect(listener.start(0)).rejects.toThrow('The listener is already started.');
    await listener.stop();
  });

  it('has the limits of its documentation, and logs what fails later', async () => {
    const servers: Server[] = [];
    const on = vi.spyOn(Server.prototype, 'on');
    const { listener, world } = await start(0);
    servers.push(...new Set(on.mock.contexts as Server[]));
    const [server] = servers;
    expect([server?.keepAliveTimeout, server?.headersTimeout, server?.requestTimeout]).toEqual([
      61_000, 10_000, 10_000,
    ]);
    server?.emit('error', new Error('late'));
    expect(world.logged.at(-1)).toEqual({ level: 'error', event: 'ingest_listener', fields: { message: 'late' } });
    await listener.stop();
  });
});

describe('a request', () => {
  it('is handed over as it came', async () => {
    const got: IngestRequest[] = [];
    const { port } = await startIngest({
      handle: async (request) => {
        got.push(request);
        return answer();
      },
    });
    await send(port, { path: '/a?b#', method: 'PUT', headers: ['Host', 'x', 'A', '1', 'a', '2'], body: 'body' });
    expect(got).toMatchObject([
      { method: 'PUT', target: '/a?b#', remote: '127.0.0.1', secure: false, body: Buffer.from('body') },
    ]);
    expect(got[0]?.overflow).toBeUndefined();
    expect(got[0]?.headers.slice(0, 3)).toEqual([
      ['Host', 'x'],
      ['A', '1'],
      ['a', '2'],
    ]);
  });

  it.each([
    [answer(), 200, '2', 'é'],
    [answer({ body: new Uint8Array([0x21]) }), 200, '1', '!'],
    [answer({ status: 204, body: '' }), 204, undefined, ''],
  ])('is answered with the length of its answer: %#', async (given, status, length, body) => {
    const { port } = await startIngest({ handle: async () => given });
    const got = await send(port, {});
    expect([got.status, got.headers['content-length'], got.headers['x-one'], got.body.toString()]).toEqual([
      status,
      length,
      '1',
      body,
    ]);
  });

  it('whose answer fails ends its connection and is logged; the next one is answered', async () => {
    let isBroken = true;
    const ingest = await startIngest({
      handle: async () => {
        if (isBroken) throw new Error('no answer');
        return answer();
      },
    });
    await expect(send(ingest.port, {})).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(ingest.logged).toEqual([
      { level: 'error', event: 'ingest_answer_failed', fields: { message: 'no answer' } },
    ]);
    isBroken = false;
    expect((await send(ingest.port, {})).status).toBe(200);
  });

  it('may be answered by another, or in another way', async () => {
    const { port } = await startIngest({
      handle: async () => answer({ write: (_response, usual) => usual(answer({ status: 503 })) }),
    });
    expect((await send(port, {})).status).toBe(503);
    const odd = await startIngest({
      handle: async () => answer({ write: (response) => void response.writeHead(418).end() }),
    });
    expect((await send(odd.port, {})).status).toBe(418);
  });

  it('is left alone once its head was taken', async () => {
    const heads: (string | undefined)[] = [];
    let handled = 0;
    const { port } = await startIngest({
      takesHead: (request) => {
        heads.push(request.url);
        if (request.url === '/taken') request.socket.destroy();
        return request.url === '/taken';
      },
      handle: async () => {
        handled += 1;
        return answer();
      },
    });
    await expect(send(port, { path: '/taken' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    await send(port, { path: '/left' });
    expect([heads, handled]).toEqual([['/taken', '/left'], 1]);
  });

  it.each(['0.9', '2.0', '1.2'])('of HTTP/%s is none', async (version) => {
    const { port, store } = await startIngest();
    const client = new RawClient(port);
    await client.write(`GET /health HTTP/${version}\r\nHost: localhost\r\n\r\n`);
    expect(await client.untilEnd()).toContain('HTTP/1.1 400');
    expect(store.kept).toEqual([]);
    client.close();
  });

  it('with an expectation that nobody knows is answered as without', async () => {
    const { port } = await startIngest();
    const client = new RawClient(port);
    await client.write('GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n');
    expect(await client.untilEnd()).toContain('HTTP/1.1 200');
    client.close();
  });
});
