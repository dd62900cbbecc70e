/** The server of receivers over real sockets: where it is reached, how long an answer lasts, and how it stops. */
import { createHmac } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { receiverResponse } from '../../src/contract/receivers.ts';
import { systemTimers } from '../../src/core/adapters/clock.ts';
import { LONGEST_ANSWER_MS } from '../../src/core/receivers/answer.ts';
import { MAX_BODY_BYTES } from '../../src/core/receivers/receiver-set.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import { turnUntil } from '../helpers/turns.ts';
import { BODY, receiver, start } from './receivers-stage.ts';

it('a request is judged by what the engine has said by then', async () => {
  const check = { on: true, onMismatch: 'reject', secret: 'shared' } as const;
  const kind = receiverResponse.parse({ kind: 'status', status: 200 });
  const { set, url } = await start([receiver(kind, { check })], systemTimers, (late) => late.setSecret('new'));
  set.setSecret('old');
  const headers = { 'X-Signature': createHmac('sha1', 'new').update(BODY).digest('hex') };
  expect((await fetch(url('x'), { method: 'POST', body: BODY, headers })).status).toBe(200);
});

/** A plain client that says what it gets: of another make than the transport. */
function ask(port: number, path: string, body: Buffer = BODY, host = '127.0.0.1'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest({ host, port, path, method: 'POST' }, resolve).on('error', reject).end(body);
  });
}

describe('a receiver', () => {
  const ok = receiver({ kind: 'status', status: 200, headers: [], body: 'ok' });

  it('is reached on both loopback addresses and over HTTPS by who trusts it', async () => {
    const running = await start([ok, { ...ok, id: 'tls', tls: true }]);
    expect((await ask(running.port, '/r/x')).statusCode).toBe(200);
    expect((await ask(running.port, '/r/x/?from=ipv6', BODY, '::1')).statusCode).toBe(200);
    const { port } = await running.server.listen('https', 0);
    const status = await new Promise((resolve, reject) => {
      httpsRequest({ host: 'localhost', port, path: '/r/tls', method: 'POST', rejectUnauthorized: false }, (answer) =>
        resolve(answer.statusCode),
      )
        .on('error', reject)
        .end(BODY);
    });
    expect(status).toBe(200);
  });

  it.each(['/', '/r', '/r/', '/r/nobody', '/r/x/y', '/r/X', '/r/..%2fx', `/r/${'x'.repeat(65)}`])(
    'is not at %s',
    async (path) => {
      const running = await start([ok]);
      expect((await ask(running.port, path)).statusCode).toBe(404);
      expect(running.ended).toEqual([]);
    },
  );

  it('takes a body of 1 MiB and answers a longer one 413', async () => {
    const running = await start([ok]);
    expect((await ask(running.port, '/r/x', Buffer.alloc(MAX_BODY_BYTES, 'a'))).statusCode).toBe(200);
    expect((await ask(running.port, '/r/x', Buffer.alloc(MAX_BODY_BYTES + 1, 'a'))).statusCode).toBe(413);
    await running.untilEnded(2);
    expect(running.ended.map(({ answer, bodyBytes }) => [answer, bodyBytes])).toEqual([
      ['status', MAX_BODY_BYTES],
      ['limit', MAX_BODY_BYTES + 1],
    ]);
  });

  it('says nothing to a request that breaks off', async () => {
    const running = await start([ok]);
    const socket = connect(running.port, '127.0.0.1');
    await new Promise<void>((resolve) =>
      socket.write('POST /r/x HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf', () => resolve()),
    );
    socket.destroy();
    expect((await ask(running.port, '/r/x')).statusCode).toBe(200);
    await running.untilEnded(1);
    expect(running.set.state('x').hits).toBe(1);
  });

  it('waits as long as the step says before it answers', async () => {
    const time = new SimTime();
    const running = await start(
      [receiver(ok.steps[0]!.response, { steps: [{ ...ok.steps[0]!, delayMs: 3_200 }] })],
      time,
    );
    let answered = false;
    const asked = ask(running.port, '/r/x').then((answer) => {
      answered = true;
      return answer;
    });
    await turnUntil(() => time.pending === 1);
    await time.advance(3_199);
    expect(answered).toBe(false);
    await time.advance(1);
    expect((await asked).statusCode).toBe(200);
  });

  it('stops waiting when the other side goes away, and notes it', async () => {
    const time = new SimTime();
    const running = await start(
      [receiver(ok.steps[0]!.response, { steps: [{ ...ok.steps[0]!, delayMs: 3_200 }] })],
      time,
    );
    const request = httpRequest({ port: running.port, host: '127.0.0.1', path: '/r/x', method: 'POST' }).on(
      'error',
      () => {},
    );
    request.end(BODY);
    await turnUntil(() => time.pending === 1);
    request.destroy();
    await running.untilEnded(1);
    expect(running.ended[0]).toMatchObject({ gone: true, status: null });
    expect(time.pending).toBe(0);
  });

  it.each([
    ['an endless body', { kind: 'endless', status: 200 }],
    ['a dripped body', { kind: 'drip', part: 'body', status: 200, bytesPerSecond: 5 }],
    ['a hang', { kind: 'hang', holdMs: 60_000 }],
  ] as const)('ends %s after 60 s by itself', async (_what, response) => {
    const time = new SimTime();
    const running = await start([receiver(response)], time);
    const socket = await open(running.port);
    socket.resume();
    await turnUntil(() => time.pending > 0);
    await time.advance(LONGEST_ANSWER_MS - 1);
    expect(running.ended).toEqual([]);
    await time.advance(1);
    await running.untilEnded(1);
    expect(running.ended[0]).toMatchObject({ gone: false });
    expect(time.pending).toBe(0);
  });

  it('ends everything at once when the server stops', async () => {
    const running = await start([
      receiver({ kind: 'hang', holdMs: 60_000 }),
      receiver({ kind: 'endless', status: 200 }, { id: 'endless' }),
      receiver(ok.steps[0]!.response, { id: 'slow', steps: [{ ...ok.steps[0]!, delayMs: 60_000 }] }),
    ]);
    const { port } = await running.server.listen('https', 0);
    const sockets = await Promise.all(['x', 'endless', 'slow'].map((id) => open(running.port, id)));
    // One that never begins its TLS handshake.
    sockets.push(connect(port, '127.0.0.1').on('error', () => {}));
    const closed = sockets.map((socket) => new Promise((resolve) => socket.resume().on('close', resolve)));
    await turnUntil(() => ['x', 'endless', 'slow'].every((id) => running.set.state(id).hits === 1));
    await turnUntil(() => running.server.connections === 4);
    await running.server.stop();
    await Promise.all(closed);
    expect(running.server.connections).toBe(0);
  });

  it('says which port is in use and by whom, and takes another one', async () => {
    const first = await start([ok]);
    const second = await start([ok]);
    expect(await second.server.listen('http', first.port)).toMatchObject({
      state: 'port_in_use',
      port: first.port,
      message: `Port ${first.port} is in use. Receivers are off.`,
    });
    const { port } = await second.server.listen('http', 0);
    expect((await ask(port, '/r/x')).statusCode).toBe(200);
  });
});

async function open(port: number, id = 'x'): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`POST /r/${id} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`);
  return socket;
}
