/** What a connection asks of the dial and of TLS, what it writes, and when it can be used again. The sockets are not real. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Attempt } from '../../../src/core/delivery/transport/attempt.ts';
import { Connection, type ConnectionContext } from '../../../src/core/delivery/transport/connection.ts';
import type { Dialled, DialTarget } from '../../../src/core/delivery/transport/dial.ts';
import { noConnection } from '../../../src/core/delivery/transport/failures.ts';
import type { Secured } from '../../../src/core/delivery/transport/secure.ts';
import { type AttemptResult, type CertificateInfo, MAX_ANSWER_BYTES } from '../../../src/core/model/attempt.ts';
import type { AttemptRequest, WireRequest } from '../../../src/core/ports.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const fakes = vi.hoisted(() => ({
  dials: [] as Array<{ target: DialTarget; context: unknown; done: Dialled; cancelled: boolean }>,
  secures: [] as Array<{ raw: unknown; hostname: string; trust: unknown; done: Secured; cancelled: boolean }>,
}));
vi.mock('../../../src/core/delivery/transport/dial.ts', () => ({
  dial: (target: DialTarget, context: unknown, _phases: unknown, done: Dialled) => {
    const made = { target, context, done, cancelled: false };
    fakes.dials.push(made);
    return { cancel: () => void Object.assign(made, { cancelled: true }) };
  },
}));
vi.mock('../../../src/core/delivery/transport/secure.ts', () => ({
  secure: (raw: unknown, hostname: string, trust: unknown, _phases: unknown, done: Secured) => {
    const made = { raw, hostname, trust, done, cancelled: false };
    fakes.secures.push(made);
    return { cancel: () => void Object.assign(made, { cancelled: true }) };
  },
}));

/** A socket that takes what is written to it, and closes a moment after it was told to. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  closed = false;
  writableLength = 0;
  writableNeedDrain = false;
  localAddress = '127.0.0.1';
  localPort = 4_000;
  remotePort: number | undefined = 80;
  readonly wrote: string[] = [];
  write(part: Uint8Array): boolean {
    this.wrote.push(Buffer.from(part).toString('latin1'));
    return true;
  }
  destroy(): void {
    this.destroyed = true;
    queueMicrotask(() => {
      this.closed = true;
      this.emit('close');
    });
  }
}

const TRUST = {} as SecureContext;
const CERTIFICATE = { subject: 'CN=a' } as CertificateInfo;
const REFUSED = { outcome: 'refused_certificate', reason: 'self_signed', detail: 'x' } as const;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const WRITTEN = 'POST / HTTP/1.1\r\nhost: a.test\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n{}';

let time: SimTime;
let told: string[];
let context: ConnectionContext;
let connection: Connection;

function open(origin = 'http://a.test'): void {
  connection = new Connection(origin, context, {
    free: (freed) => void told.push(freed === connection ? 'free' : 'free another'),
    gone: (lost) => void told.push(lost === connection ? 'gone' : 'gone another'),
  });
}
beforeEach(() => {
  time = new SimTime();
  told = [];
  fakes.dials.length = 0;
  fakes.secures.length = 0;
  context = { timers: time, lookup: async () => [], ownPorts: () => [], trust: () => TRUST, keepAliveMs: 4_321 };
  open();
});

function attempt(over: Partial<AttemptRequest> = {}): Attempt {
  const request = { url: 'http://a.test/', headers: [], body: Buffer.from('{}'), limitMs: 5_000, ...over };
  return new Attempt(request, time, time);
}
function dialled(socket = new FakeSocket()): FakeSocket {
  fakes.dials.at(-1)!.done(null, socket as unknown as Socket);
  return socket;
}
/** An attempt whose request was written. */
function carried(over: Partial<AttemptRequest> = {}, path = '/'): { made: Attempt; socket: FakeSocket } {
  const made = attempt(over);
  connection.carry(made, path);
  return { made, socket: dialled() };
}
/** Bytes arrive over plain HTTP. */
const arrives = (text: string): void => fakes.dials.at(-1)!.target.onBytes!(Buffer.from(text, 'latin1'));
/** The next attempt, over the connection that is free. */
async function carriedNext(over: Partial<AttemptRequest> = {}): Promise<Attempt> {
  const made = attempt(over);
  connection.carry(made, '/next');
  await time.settle();
  return made;
}
/** The result, where it is there already. */
async function resultOf(made: Attempt): Promise<AttemptResult> {
  expect(made.settled).toBe(true);
  return made.done;
}

describe('to connect', () => {
  test.each([
    ['http://a.test', 'a.test', 80],
    ['https://a.test', 'a.test', 443],
    ['http://a.test:8080', 'a.test', 8080],
    ['https://[::1]:8443', '::1', 8443],
  ])('to %s dials %s, %d', (origin, hostname, port) => {
    open(origin);
    connection.carry(attempt(), '/');
    expect(fakes.dials).toMatchObject([{ target: { hostname, port } }]);
    expect([fakes.dials[0]!.context, connection.origin]).toEqual([context, origin]);
  });

  test('over https is done by TLS over the dialled socket, which reads for itself', async () => {
    open('https://a.test');
    const made = attempt();
    connection.carry(made, '/');
    const raw = dialled();
    expect(fakes.dials[0]!.target.onBytes).toBeUndefined();
    expect(fakes.secures).toMatchObject([{ hostname: 'a.test' }]);
    expect([fakes.secures[0]!.raw, fakes.secures[0]!.trust, raw.wrote]).toEqual([raw, TRUST, []]);
    const socket = new FakeSocket();
    fakes.secures[0]!.done(null, socket as never, CERTIFICATE);
    expect([socket.wrote, made.certificate]).toEqual([[WRITTEN], CERTIFICATE]);
    socket.emit('data', Buffer.from(OK));
    expect(await resultOf(made)).toMatchObject({ status: 200, certificate: CERTIFICATE });
    const next = await carriedNext();
    expect([next.certificate, socket.wrote.length]).toEqual([CERTIFICATE, 2]);
  });

  test('that fails ends the attempt', async () => {
    const made = attempt();
    connection.carry(made, '/');
    fakes.dials[0]!.done(noConnection('connection_refused', 'no'), null);
    expect([await resultOf(made), told]).toMatchObject([
      { reason: 'connection_refused', requestHeaders: [] },
      ['gone'],
    ]);
  });

  test('to a server that is refused ends the attempt, which knows the certificate', async () => {
    open('https://a.test');
    const made = attempt();
    connection.carry(made, '/');
    dialled();
    fakes.secures[0]!.done(REFUSED, null, CERTIFICATE);
    expect(await resultOf(made)).toMatchObject({ ...REFUSED, certificate: CERTIFICATE, requestHeaders: [] });
  });

  test('is not begun for headers that cannot be written', async () => {
    const made = attempt({ headers: [['X Bad', '1']] });
    connection.carry(made, '/');
    expect(await resultOf(made)).toMatchObject({
      outcome: 'no_connection',
      reason: 'connection_error',
      detail: 'The header name "X Bad" is not allowed.',
    });
    expect([fakes.dials, told]).toEqual([[], ['gone']]);
  });
});

describe('what is written', () => {
  test('is the whole request, as it is recorded', async () => {
    const { made, socket } = carried({ headers: [['X-A', '\u00e9']] }, '/x?y=1');
    expect(socket.wrote).toEqual([
      'POST /x?y=1 HTTP/1.1\r\nhost: a.test\r\nconnection: keep-alive\r\nX-A: \u00e9\r\ncontent-length: 2\r\n\r\n{}',
    ]);
    expect([made.written, made.phases.open]).toEqual([true, 'wait']);
    arrives(OK);
    expect((await resultOf(made)).requestHeaders).toEqual([
      ['host', 'a.test'],
      ['connection', 'keep-alive'],
      ['X-A', '\u00e9'],
      ['content-length', '2'],
    ]);
  });

  test('of a GET is no body', () => {
    const { socket } = carried({ method: 'GET' });
    expect(socket.wrote).toEqual(['GET / HTTP/1.1\r\nhost: a.test\r\nconnection: keep-alive\r\n\r\n']);
  });

  test('is on its way until the socket has taken it', () => {
    const socket = Object.assign(new FakeSocket(), { writableNeedDrain: true });
    const made = attempt();
    connection.carry(made, '/');
    dialled(socket);
    expect(made.phases.open).toBe('send');
    socket.emit('drain');
    expect(made.phases.open).toBe('wait');
  });

  test('is told with its place, counted over the connection', async () => {
    const places: WireRequest[] = [];
    const onWire = (place: WireRequest): void => void places.push(place);
    const { socket } = carried({ onWire });
    arrives(OK);
    // As of a socket whose other end has just gone.
    socket.remotePort = undefined;
    await carriedNext({ onWire, method: 'GET' });
    expect(places).toEqual([
      { client: '127.0.0.1:4000', port: 80, order: 1, path: '/', bodyBytes: 2 },
      { client: '127.0.0.1:4000', port: 80, order: 2, path: '/next', bodyBytes: 0 },
    ]);
  });

  test('is told with port 0 where the other end was gone at once', () => {
    const places: WireRequest[] = [];
    connection.carry(attempt({ onWire: (place) => void places.push(place) }), '/');
    dialled(Object.assign(new FakeSocket(), { remotePort: undefined }));
    expect(places).toEqual([{ client: '127.0.0.1:4000', port: 0, order: 1, path: '/', bodyBytes: 2 }]);
  });
});

describe('what comes in', () => {
  test('is the answer of the attempt', async () => {
    const { made } = carried();
    arrives('HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 2');
    expect(made.phases.open).toBe('read');
    arrives('01 Made\r\nContent-Length: 2\r\n\r\no');
    arrives('k');
    const result = await resultOf(made);
    expect(result).toMatchObject({ status: 201, statusText: 'Made', responseHeaders: [['Content-Length', '2']] });
    expect(Buffer.from(result.responseBody).toString()).toBe('ok');
  });

  test.each([
    ['no HTTP', 'SSH-2.0', { reason: 'invalid_response', status: null }],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n', { status: 101, outcome: 'declined' }],
    ['too much', 'HTTP/1.1 102 P\r\n\r\n\r\n'.padEnd(MAX_ANSWER_BYTES + 1, '\n'), { reason: 'headers_too_large' }],
  ])('that is %s ends the attempt and the connection', async (_, text, result) => {
    const { made } = carried();
    arrives(text);
    expect([await resultOf(made), told]).toMatchObject([result, ['gone']]);
  });

  test.each([OK, 'HTTP/1.1 101 Switching\r\n\r\n', 'SSH-2.0', '\n'.repeat(MAX_ANSWER_BYTES + 1)])(
    'after the end of the attempt changes nothing',
    async (late) => {
      const { made } = carried();
      made.interrupt();
      expect(() => arrives(late)).not.toThrow();
      expect([(await made.done).outcome, told]).toEqual(['interrupted', ['gone']]);
    },
  );
});

describe('after an answer', () => {
  test('that was whole the connection is free, and kept for so long', async () => {
    const { socket } = carried();
    arrives(OK);
    expect(told).toEqual(['free']);
    await time.advance(4_320);
    expect(socket.destroyed).toBe(false);
    await time.advance(1);
    expect([socket.destroyed, told, time.pending]).toEqual([true, ['free', 'gone'], 0]);
  });

  test.each([
    ['timeout=3', 2_000],
    ['timeout=60', 4_321],
  ])('with Keep-Alive: %s it is kept for %d ms', async (keepAlive, ms) => {
    const { socket } = carried();
    arrives(`HTTP/1.1 200 OK\r\nKeep-Alive: ${keepAlive}\r\nContent-Length: 0\r\n\r\n`);
    await time.advance(ms - 1);
    expect(socket.destroyed).toBe(false);
    await time.advance(1);
    expect(socket.destroyed).toBe(true);
  });

  test.each([
    ['whose server keeps it for a second', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n'],
    ['whose server closes it', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['that something follows', `${OK}x`],
  ])('%s the connection is closed', async (_, text) => {
    const { made, socket } = carried();
    arrives(text);
    expect([(await resultOf(made)).outcome, socket.destroyed, told]).toEqual(['accepted', true, ['gone']]);
  });

  test('to a request that is still being written the connection is closed', () => {
    const { socket } = carried();
    socket.writableLength = 1;
    arrives(OK);
    expect(told).toEqual(['gone']);
  });

  test('a connection whose socket has closed is not free', () => {
    const { socket } = carried();
    socket.destroyed = true;
    arrives(OK);
    expect(told).toEqual(['gone']);
  });

  test('the next attempt is sent over it once what came in meanwhile was read', async () => {
    const { socket } = carried();
    arrives(OK);
    const next = attempt();
    connection.carry(next, '/next');
    expect([socket.wrote.length, next.written]).toEqual([1, false]);
    await time.settle();
    expect([socket.wrote.length, fakes.dials.length]).toEqual([2, 1]);
    await time.advance(4_321);
    expect(socket.destroyed).toBe(false);
    arrives(OK);
    expect((await resultOf(next)).status).toBe(200);
  });

  test('the next attempt is not sent if it is over before', async () => {
    const { socket } = carried();
    arrives(OK);
    const next = attempt();
    connection.carry(next, '/next');
    next.interrupt();
    await time.settle();
    expect([socket.wrote.length, (await resultOf(next)).requestHeaders]).toEqual([1, []]);
  });
});

describe('a connection that was lost', () => {
  const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const closed = { outcome: 'no_connection', reason: 'connection_closed' };

  test.each([
    ['by an error', (socket: FakeSocket) => socket.emit('error', reset), { reason: 'connection_reset' }],
    ['by its end', (socket: FakeSocket) => socket.emit('end'), closed],
    ['without a word', (socket: FakeSocket) => socket.emit('close'), closed],
  ])('%s fails its attempt: nothing is sent twice', async (_, lose, result) => {
    const { made, socket } = carried();
    lose(socket);
    expect([await resultOf(made), told, fakes.dials.length]).toMatchObject([result, ['gone'], 1]);
  });

  test('by its end ends a body that ends so', async () => {
    const { made, socket } = carried();
    arrives('HTTP/1.1 200 OK\r\n\r\nall of it');
    socket.emit('end');
    expect([await resultOf(made), told]).toMatchObject([{ responseCut: false, responseBytes: 9 }, ['gone']]);
  });

  test.each([
    ['an error', (socket: FakeSocket) => socket.emit('error', reset)],
    ['its end', (socket: FakeSocket) => socket.emit('end')],
    ['bytes that nobody asked for', () => arrives('x')],
  ])('while nobody used it, by %s, is closed', (_, lose) => {
    const { socket } = carried();
    arrives(OK);
    lose(socket);
    expect([told, socket.destroyed, time.pending]).toEqual([['free', 'gone'], true, 0]);
  });

  test.each([
    ['an error', (socket: FakeSocket) => socket.emit('error', reset)],
    ['its end', (socket: FakeSocket) => socket.emit('end')],
    ['bytes that nobody asked for', () => arrives(OK)],
  ])('before the next attempt was written, by %s, is replaced', async (_, lose) => {
    open('http://a.test');
    const { socket } = carried();
    arrives(OK);
    const next = attempt();
    connection.carry(next, '/next');
    next.certificate = CERTIFICATE;
    lose(socket);
    await time.settle();
    expect([fakes.dials.length, socket.destroyed, next.certificate, next.settled]).toEqual([2, true, null, false]);
    const another = dialled();
    expect([another.wrote.length, socket.wrote.length, told]).toEqual([1, 1, ['free']]);
    arrives(OK);
    expect([(await resultOf(next)).status, told]).toEqual([200, ['free', 'free']]);
  });

  test('and is being replaced is not replaced again for what still arrives from it', async () => {
    const { socket } = carried();
    arrives(OK);
    connection.carry(attempt(), '/');
    socket.emit('end');
    fakes.dials[0]!.target.onBytes!(Buffer.from('late'));
    await time.settle();
    expect(fakes.dials).toHaveLength(2);
  });

  test('and replaced at once has the next attempt written once', async () => {
    const { socket } = carried();
    arrives(OK);
    connection.carry(attempt(), '/next');
    socket.emit('end');
    const another = dialled();
    expect(another.wrote).toHaveLength(1);
    await time.settle();
    expect([another.wrote.length, socket.wrote.length]).toEqual([1, 1]);
  });

  test('and replaced counts its requests anew, from its own place', async () => {
    const places: unknown[] = [];
    const onWire = ({ client, order }: WireRequest): void => void places.push([client, order]);
    const { socket } = carried({ onWire });
    arrives(OK);
    connection.carry(attempt({ onWire }), '/');
    socket.emit('end');
    await time.settle();
    dialled(Object.assign(new FakeSocket(), { localPort: 4001 }));
    expect(places).toEqual([
      ['127.0.0.1:4000', 1],
      ['127.0.0.1:4001', 1],
    ]);
  });
});

describe('a close', () => {
  test('ends the dial, and is made once', async () => {
    connection.carry(attempt(), '/');
    await Promise.all([connection.close(), connection.close()]);
    expect([fakes.dials[0]!.cancelled, told]).toEqual([true, ['gone']]);
  });

  test('ends the handshake', async () => {
    open('https://a.test');
    connection.carry(attempt(), '/');
    dialled();
    await connection.close();
    expect([fakes.dials[0]!.cancelled, fakes.secures[0]!.cancelled]).toEqual([false, true]);
  });

  test('waits until the socket is closed', async () => {
    const { socket } = carried();
    const closing = connection.close();
    expect([socket.destroyed, socket.closed]).toEqual([true, false]);
    await closing;
    expect([socket.closed, fakes.dials[0]!.cancelled]).toEqual([true, false]);
  });

  test('does not wait for one that is closed already', async () => {
    const { socket } = carried();
    arrives(OK);
    socket.closed = true;
    socket.destroy = () => expect.unreachable();
    await connection.close();
    expect(told).toEqual(['free', 'gone']);
  });

  test('of a free connection leaves no timer', async () => {
    carried();
    arrives(OK);
    await connection.close();
    expect(time.pending).toBe(0);
  });
});
