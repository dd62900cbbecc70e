import { createServer, Server } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemTimers } from '../../src/core/adapters/clock.ts';
import { ListenError } from '../../src/core/ingest/listen-error.ts';
import { createListener } from '../../src/core/ingest/listener.ts';
import { createSelfSigned } from '../helpers/certificates.ts';
import { Agent, RawClient, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { basic, KEY, makeWorld } from '../helpers/ingest-parts.ts';

afterEach(stopAll);

const head = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
const authorization = `Authorization: ${basic(KEY)}`;

/** Sends text on a connection of its own and returns all that comes until the server closes. */
async function exchange(port: number, text: string): Promise<string> {
  const client = new RawClient(port);
  await client.write(text);
  const received = await client.untilEnd();
  client.close();
  return received;
}

describe('where it listens', () => {
  it('answers on 127.0.0.1 and ::1 with one port', async () => {
    const ingest = await startIngest();
    for (const host of ingest.addresses)
      expect((await sendJson(ingest.port, '/v1/t', track(), { host })).status).toBe(200);
    expect(ingest.addresses[0]).toBe('127.0.0.1');
    expect(ingest.store.messages).toHaveLength(ingest.addresses.length);
  });

  it.each(['http', 'https'])(
    'lets 4,096 connections wait to be accepted on each address, over %s',
    async (protocol) => {
      const identity = protocol === 'https' ? await createSelfSigned() : undefined;
      const listen = vi.spyOn(Server.prototype, 'listen');
      onTestFinished(() => listen.mockRestore());
      const { ingest, logger } = makeWorld();
      const listener = createListener({ handle: ingest.handle, timers: systemTimers, logger });
      const { addresses } = await listener.start(0, identity);
      await listener.stop();
      const asked = listen.mock.calls.map(([options]) => options as unknown as { host: string; backlog?: number });
      expect(asked.map(({ host }) => host)).toEqual(expect.arrayContaining([...addresses]));
      for (const { backlog } of asked) expect(backlog).toBe(4_096);
    },
  );

  it('names the program that has the port', async () => {
    const first = await startIngest();
    const second = createListener({ handle: first.ingest.handle, timers: systemTimers, logger: first.logger });
    const error = await second.start(first.port).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ListenError);
    expect(error).toMatchObject({ code: 'port_in_use', port: first.port });
    if (process.platform === 'linux') {
      expect((error as ListenError).holder?.pid).toBe(process.pid);
      expect((error as ListenError).message).toContain(`(process ${process.pid}) is listening on it.`);
    }
  });

  it('does not share a port that is taken on ::1 alone', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve, reject) => {
      taken.once('error', reject);
      taken.listen({ host: '::1', port: 0 }, () => resolve((taken.address() as { port: number }).port));
    });
    const world = await startIngest();
    const listener = createListener({ handle: world.ingest.handle, timers: systemTimers, logger: world.logger });
    await expect(listener.start(port)).rejects.toMatchObject({ code: 'port_in_use' });
    // Nothing was left behind on 127.0.0.1, and the same listener starts once the port is free.
    await expect(send(port, { method: 'GET', path: '/health' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await new Promise((resolve) => taken.close(resolve));
    expect((await listener.start(port)).port).toBe(port);
    await listener.stop();
  });
});

describe('what is not HTTP as it should be', () => {
  it.each([
    ['two Host headers', ['GET /health HTTP/1.1', 'Host: a', 'Host: b'], 400],
    ['no Host', ['GET /health HTTP/1.1'], 400],
    ['no Host in HTTP/1.0', ['GET /health HTTP/1.0'], 400],
    ['a Host with a user', ['GET /health HTTP/1.1', 'Host: 127.0.0.1@evil.test'], 400],
    ['an absolute target', ['GET http://localhost/health HTTP/1.1', 'Host: localhost'], 400],
    ['a fragment', ['GET /health#x HTTP/1.1', 'Host: localhost'], 400],
    ['no method', ['/health', 'Host: localhost'], 400],
    [
      'length and chunks',
      ['POST /v1/t HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
      400,
    ],
    ['two lengths', ['POST /v1/t HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3'], 400],
    ['headers over 16 KB', ['GET /health HTTP/1.1', 'Host: localhost', `X: ${'x'.repeat(17_000)}`], 431],
  ])('%s', async (_, lines, status) => {
    const ingest = await startIngest();
    const received = await exchange(ingest.port, head([...lines, 'Connection: close']));
    expect(statusOf(received)).toBe(status);
    expect(received).toContain('Access-Control-Allow-Origin: *');
    const body = JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4));
    expect(body).toMatchObject({ success: false, error: body.message });
    expect(ingest.store.kept).toEqual([]);
  });

  it('a TLS hello is reported once', async () => {
    const ingest = await startIngest();
    const client = connectTls({ host: '127.0.0.1', port: ingest.port, rejectUnauthorized: false });
    await new Promise<void>((resolve) => client.once('error', () => resolve()));
    expect(ingest.tlsHellos).toEqual(['127.0.0.1']);
    await exchange(ingest.port, 'nonsense\r\n\r\n');
    expect(ingest.tlsHellos).toHaveLength(1);
  });

  it('headers that do not come to an end are 408', async () => {
    const ingest = await startIngest({ limits: { headersMs: 60, requestMs: 60, checkEveryMs: 20 } });
    expect(statusOf(await exchange(ingest.port, 'GET /health HTTP/1.1\r\nHost: local'))).toBe(408);
  });

  it('a body that does not come to an end is 408, and nothing is stored', async () => {
    const ingest = await startIngest({ limits: { headersMs: 60, requestMs: 60, checkEveryMs: 20 } });
    const text = head(['POST /v1/t HTTP/1.1', 'Host: localhost', authorization, 'Content-Length: 100']);
    const received = await exchange(ingest.port, `${text}{"userId"`);
    expect(statusOf(received)).toBe(408);
    expect(received).toContain('"code":"request_timeout"');
    expect(ingest.store.kept).toEqual([]);
  });
});

describe('a body over the limit', () => {
  it('is answered at once, and the client that goes on sending can read it', async () => {
    const ingest = await startIngest();
    const client = new RawClient(ingest.port);
    await client.write(head(['POST /v1/batch HTTP/1.1', 'Host: localhost', authorization, 'Content-Length: 8000000']));
    const answer = await client.until((text) => text.includes('\r\n\r\n{') && text.endsWith('}'));
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('This batch is 7813 KB.');
    for (let sent = 0; sent < 8_000_000; sent += 500_000) await client.write(Buffer.alloc(500_000, 'x'));
    await client.untilEnd();
    expect(client.error).toBeNull();
    expect(ingest.store.messages).toMatchObject([{ reason: 'batch_too_large', reasonDetail: '7813 KB' }]);
    client.close();
  });

  it('without a length is cut off as soon as it is too long', async () => {
    const ingest = await startIngest();
    const client = new RawClient(ingest.port);
    await client.write(
      head(['POST /v1/batch HTTP/1.1', 'Host: localhost', authorization, 'Transfer-Encoding: chunked']),
    );
    const chunk = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`;
    for (let count = 0; count < 6; count += 1) await client.write(chunk);
    const answer = await client.until((text) => text.endsWith('}'));
    expect(statusOf(answer)).toBe(400);
    await client.write('0\r\n\r\n');
    await client.untilEnd();
    expect(client.error).toBeNull();
    client.close();
  });

  it('is refused before it is sent to a client that asks first', async () => {
    const ingest = await startIngest();
    const lines = ['POST /v1/batch HTTP/1.1', 'Host: localhost', authorization, 'Expect: 100-continue'];
    const refused = await exchange(ingest.port, head([...lines, 'Content-Length: 600000']));
    expect(statusOf(refused)).toBe(400);
    const client = new RawClient(ingest.port);
    await client.write(head([...lines, 'Content-Length: 12']));
    expect(await client.until((text) => text.endsWith('\r\n\r\n'))).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    await client.write('{"batch":[]}');
    expect(await client.until((text) => text.includes('{"success":true}'))).toContain('HTTP/1.1 200');
    client.close();
  });

  it('leaves the listener able to serve', async () => {
    const ingest = await startIngest();
    const large = { body: 'x'.repeat(2_000_000) };
    const answers = await Promise.all([send(ingest.port, large), send(ingest.port, large), send(ingest.port, large)]);
    expect(answers.map((answer) => [answer.status, answer.json.code])).toEqual(
      answers.map(() => [400, 'batch_too_large']),
    );
    expect((await sendJson(ingest.port, '/v1/t', track())).status).toBe(200);
  });
});

describe('stopping', () => {
  it('answers what is open, takes nothing new, and then is done', async () => {
    const ingest = await startIngest();
    let commit = () => {};
    ingest.store.gate = new Promise((resolve) => {
      commit = resolve;
    });
    const agent = new Agent({ keepAlive: true });
    const idle = new RawClient(ingest.port);
    await send(ingest.port, { method: 'GET', path: '/health', agent });
    const open = sendJson(ingest.port, '/v1/t', track(), { agent });
    // Over another connection, so that the open request has arrived when this one is answered.
    await send(ingest.port, { method: 'GET', path: '/health' });
    let stopped = false;
    const stopping = ingest.listener.stop().then(() => {
      stopped = true;
    });
    await idle.untilEnd();
    await expect(send(ingest.port, { method: 'GET', path: '/health' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(stopped).toBe(false);
    commit();
    const answer = await open;
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    await stopping;
    agent.destroy();
    idle.close();
    await ingest.listener.stop();
  });

  it('closes a kept connection whose answer was on its way when it began', async () => {
    const world = makeWorld();
    let stopped: Promise<void> | null = null;
    const listener = createListener({
      handle: async (request) => {
        const answer = await world.ingest.handle(request);
        // A few turns later the answer has been written, but not yet sent.
        const stop = () => {
          stopped = listener.stop();
        };
        queueMicrotask(() => queueMicrotask(() => queueMicrotask(stop)));
        return answer;
      },
      timers: systemTimers,
      logger: world.logger,
      limits: { stopGraceMs: 60_000 },
    });
    const { port } = await listener.start(0);
    const agent = new Agent({ keepAlive: true });
    const answer = await send(port, { method: 'GET', path: '/health', agent });
    expect(answer.headers.connection).toBe('keep-alive');
    await stopped;
    agent.destroy();
  });

  it('does not wait for a client that never finishes its body', async () => {
    const ingest = await startIngest({ limits: { stopGraceMs: 50 } });
    const client = new RawClient(ingest.port);
    await client.write(`${head(['POST /v1/t HTTP/1.1', 'Host: localhost', 'Content-Length: 100'])}{`);
    await send(ingest.port, { method: 'GET', path: '/health' });
    await ingest.listener.stop();
    expect(await client.untilEnd()).toBe('');
    expect(ingest.store.kept).toEqual([]);
  });

  it('frees the port, and the same listener can start on it again', async () => {
    const ingest = await startIngest();
    await ingest.listener.stop();
    expect((await ingest.listener.start(ingest.port)).port).toBe(ingest.port);
    expect((await sendJson(ingest.port, '/v1/t', track())).status).toBe(200);
  });
});
