/** Every kind of response, over real sockets, against the transport that delivers: each ends as the right outcome. */
import { createHmac } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiverResponse } from '../../src/contract/receivers.ts';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import type { Timers } from '../../src/core/ports.ts';
import { LONGEST_ANSWER_MS } from '../../src/core/receivers/answer.ts';
import { makeSelfSigned } from '../../src/core/receivers/certificate.ts';
import type { Hit } from '../../src/core/receivers/hit-log.ts';
import type { Receiver, Response } from '../../src/core/receivers/program.ts';
import { MAX_BODY_BYTES, ReceiverSet } from '../../src/core/receivers/receiver-set.ts';
import { ReceiversServer } from '../../src/core/receivers/server.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import { turnUntil } from '../helpers/turns.ts';

const BODY = Buffer.from('{"type":"track","event":"Order Completed"}');
const CHECK_OFF = { on: false, onMismatch: 'reject', secret: 'shared' } as const;

interface Running {
  readonly set: ReceiverSet;
  readonly server: ReceiversServer;
  readonly port: number;
  /** Hits whose answer has ended. */
  readonly ended: Hit[];
  /** Resolves once so many have. */
  untilEnded(count: number): Promise<void>;
  url(id: string): string;
}

const receiver = (response: Response, over: Partial<Receiver> = {}): Receiver => ({
  id: 'x',
  name: 'x',
  tls: false,
  steps: [{ response, times: 1, delayMs: 0 }],
  check: CHECK_OFF,
  ...over,
});

async function start(
  receivers: readonly Receiver[],
  timers: Timers = systemTimers,
  catchUp: (set: ReceiverSet) => void = () => {},
): Promise<Running> {
  const set = new ReceiverSet(systemClock);
  set.configure(receivers);
  const ended: Hit[] = [];
  const waiting = new Set<() => void>();
  const server = new ReceiversServer({
    set,
    clock: systemClock,
    timers,
    certificate: () => makeSelfSigned(Date.now()),
    catchUp: () => catchUp(set),
    changed: () => {},
    ended: (hit) => {
      ended.push(hit);
      for (const check of waiting) check();
    },
  });
  onTestFinished(() => server.stop());
  const { state, port } = await server.listen('http', 0);
  expect(state).toBe('listening');
  return {
    set,
    server,
    port,
    ended,
    untilEnded: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (ended.length >= count) resolve();
        };
        waiting.add(check);
        check();
      }),
    url: (id) => `http://localhost:${port}/r/${id}`,
  };
}

async function send(url: string, limitMs = 5_000): Promise<AttemptResult> {
  const transport = createHttpTransport({ clock: systemClock, timers: systemTimers });
  const result = await transport.send({ url, headers: [['Content-Type', 'application/json']], body: BODY, limitMs });
  await transport.close();
  return result;
}

it('a request is judged by what the engine has said by then', async () => {
  const check = { on: true, onMismatch: 'reject', secret: 'shared' } as const;
  const kind = receiverResponse.parse({ kind: 'status', status: 200 });
  const { set, url } = await start([receiver(kind, { check })], systemTimers, (late) => late.setSecret('new'));
  set.setSecret('old');
  const headers = { 'X-Signature': createHmac('sha1', 'new').update(BODY).digest('hex') };
  expect((await fetch(url('x'), { method: 'POST', body: BODY, headers })).status).toBe(200);
});

/** The limit of an attempt that ends by it. Until then a busy machine has to bring the request and the status. */
const SHORT_MS = 2_000;

interface Case {
  readonly what: string;
  readonly response: Record<string, unknown>;
  readonly expected: Partial<AttemptResult>;
  /** The attempt ends by its limit. */
  readonly endless?: boolean;
  /** What the log says; the attempt's status when left out. */
  readonly logged?: Partial<Hit>;
}

const gone = { gone: true };
const cases: readonly Case[] = [
  {
    what: '200',
    response: { kind: 'status', status: 200, body: 'fine' },
    expected: { outcome: 'accepted', status: 200, responseBytes: 4 },
  },
  {
    what: '204',
    response: { kind: 'status', status: 204, body: 'dropped' },
    expected: { outcome: 'accepted', status: 204, responseBytes: 0 },
  },
  { what: '299', response: { kind: 'status', status: 299 }, expected: { outcome: 'accepted', status: 299 } },
  { what: '304', response: { kind: 'status', status: 304 }, expected: { outcome: 'declined', status: 304 } },
  { what: '410', response: { kind: 'status', status: 410 }, expected: { outcome: 'declined', status: 410 } },
  { what: '408', response: { kind: 'status', status: 408 }, expected: { outcome: 'throttled', status: 408 } },
  { what: '500', response: { kind: 'status', status: 500 }, expected: { outcome: 'failed', status: 500 } },
  { what: '599', response: { kind: 'status', status: 599 }, expected: { outcome: 'failed', status: 599 } },
  { what: '101', response: { kind: 'status', status: 101 }, expected: { outcome: 'declined', status: 101 } },
  { what: '999', response: { kind: 'status', status: 999 }, expected: { outcome: 'no_connection' } },
  {
    what: 'a redirect',
    response: { kind: 'redirect', location: '/r/ok' },
    expected: { outcome: 'declined', status: 302 },
  },
  {
    what: '429 with Retry-After',
    response: { kind: 'throttle', retryAfter: '7' },
    expected: { outcome: 'throttled', status: 429 },
  },
  {
    what: 'a hang',
    response: { kind: 'hang', holdMs: 30_000 },
    expected: { outcome: 'timed_out', status: null },
    endless: true,
    logged: gone,
  },
  {
    what: 'a hang that ends',
    response: { kind: 'hang', holdMs: 20 },
    expected: { outcome: 'no_connection', reason: 'connection_closed' },
    logged: { gone: false, status: null },
  },
  {
    what: 'a reset before the answer',
    response: { kind: 'reset' },
    expected: { outcome: 'no_connection', reason: 'connection_reset' },
  },
  {
    what: 'a reset in the headers',
    response: { kind: 'reset_during', part: 'head' },
    expected: { outcome: 'no_connection', reason: 'connection_reset' },
  },
  {
    what: 'a reset in the body',
    response: { kind: 'reset_during', part: 'body' },
    expected: { outcome: 'accepted', status: 200, responseCut: true },
  },
  {
    what: 'a close without an answer',
    response: { kind: 'close' },
    expected: { outcome: 'no_connection', reason: 'connection_closed' },
  },
  {
    what: 'a dripped head',
    response: { kind: 'drip', part: 'head', bytesPerSecond: 20 },
    expected: { outcome: 'timed_out' },
    endless: true,
    logged: gone,
  },
  {
    what: 'a dripped body',
    response: { kind: 'drip', part: 'body', bytesPerSecond: 40 },
    expected: { outcome: 'accepted', status: 200, responseCut: true },
    endless: true,
    logged: gone,
  },
  {
    what: 'a dripped body of a 503',
    response: { kind: 'drip', part: 'body', status: 503, bytesPerSecond: 40 },
    expected: { outcome: 'failed', status: 503 },
    endless: true,
    logged: gone,
  },
  {
    what: 'an endless body',
    response: { kind: 'endless' },
    expected: { outcome: 'accepted', status: 200, responseCut: true },
    logged: gone,
  },
  {
    what: 'huge headers',
    response: { kind: 'huge_headers' },
    expected: { outcome: 'no_connection', reason: 'headers_too_large' },
    logged: {},
  },
  {
    what: 'a banner',
    response: { kind: 'invalid_http' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
  {
    what: 'a bad status line',
    response: { kind: 'invalid_http', variant: 'bad_status' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
  {
    what: 'two lengths',
    response: { kind: 'invalid_http', variant: 'two_lengths' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
  {
    what: 'a bad header',
    response: { kind: 'invalid_http', variant: 'bad_header' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
];

describe('against the transport', () => {
  it.each(cases)('$what', async ({ response, expected, endless, logged }) => {
    const running = await start([receiver(receiverResponse.parse(response))]);
    const result = await send(running.url('x'), endless === true ? SHORT_MS : 5_000);
    expect(result).toMatchObject(expected);
    await running.untilEnded(1);
    expect(running.ended).toHaveLength(1);
    expect(running.ended[0]).toMatchObject(logged ?? { gone: false });
    expect(running.ended[0]).toMatchObject({ name: 'Order Completed', bodyBytes: BODY.length, receiver: 'x' });
  });

  it('sends headers and Retry-After as told', async () => {
    const headers = [
      { name: 'X-Two', value: 'a' },
      { name: 'X-Two', value: 'b' },
      { name: 'Content-Type', value: 'text/plain' },
    ];
    const running = await start([
      receiver({ kind: 'status', status: 200, headers, body: 'ok' }),
      receiver({ kind: 'throttle', retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' }, { id: 'busy' }),
    ]);
    const { responseHeaders } = await send(running.url('x'));
    expect(responseHeaders).toEqual(expect.arrayContaining(headers.map(({ name, value }) => [name, value])));
    const busy = await send(running.url('busy'));
    expect(busy.responseHeaders).toContainEqual(['Retry-After', 'Wed, 21 Oct 2015 07:28:00 GMT']);
  });

  it('refuses the self-signed certificate: not one hit, also not over plain HTTP', async () => {
    const running = await start([receiver({ kind: 'status', status: 200, headers: [], body: '' }, { tls: true })]);
    const { port } = await running.server.listen('https', 0);
    expect(await send(`https://localhost:${port}/r/x`)).toMatchObject({
      outcome: 'refused_certificate',
      reason: 'self_signed',
    });
    expect(await send(running.url('x'))).toMatchObject({ outcome: 'declined', status: 404 });
    expect(running.set.state('x').hits).toBe(0);
  });
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
