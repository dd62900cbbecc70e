/** What a connection asks of undici, of the dial and of TLS, and what it does with the bytes. The sockets are not real. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector, Dispatcher } from 'undici';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Attempt } from '../../../src/core/delivery/transport/attempt.ts';
import { Connection, type ConnectionContext } from '../../../src/core/delivery/transport/connection.ts';
import type { Dialled } from '../../../src/core/delivery/transport/dial.ts';
import { noConnection } from '../../../src/core/delivery/transport/failures.ts';
import type { Secured } from '../../../src/core/delivery/transport/secure.ts';
import { type CertificateInfo, MAX_ANSWER_BYTES } from '../../../src/core/model/attempt.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

interface FakeClient extends EventEmitter {
  readonly origin: string;
  readonly options: { connect: buildConnector.connector } & Record<string, unknown>;
  readonly dispatched: Dispatcher.DispatchOptions[];
  destroyed: number;
}
const fakes = vi.hoisted(() => ({
  client: null as unknown,
  dials: [] as Array<{ target: unknown; context: unknown; done: Dialled; cancelled: boolean }>,
  secures: [] as Array<{ raw: unknown; hostname: string; trust: unknown; done: Secured; cancelled: boolean }>,
  passed: [] as string[],
}));
vi.mock('undici/lib/dispatcher/client.js', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  return {
    default: class extends Emitter {
      readonly origin: string;
      readonly options: unknown;
      readonly dispatched: unknown[] = [];
      destroyed = 0;
      constructor(origin: string, options: unknown) {
        super();
        this.origin = origin;
        this.options = options;
        fakes.client = this;
      }
      dispatch(options: unknown): void {
        this.dispatched.push(options);
      }
      async destroy(): Promise<void> {
        this.destroyed += 1;
      }
    },
  };
});
vi.mock('../../../src/core/delivery/transport/dial.ts', () => ({
  dial: (target: unknown, context: unknown, _phases: unknown, done: Dialled) => {
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
vi.mock('../../../src/core/failpoint.ts', () => ({
  failpoint: (name: string, before: () => void) => {
    fakes.passed.push(name);
    before();
  },
}));

/** A socket that takes what is written to it, and gives what a test lets come in. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  readonly wrote: unknown[][] = [];
  readonly corks: string[] = [];
  readonly incoming: Buffer[] = [];
  readonly sizes: unknown[] = [];
  write(...args: unknown[]): boolean {
    this.wrote.push(args);
    return true;
  }
  read(size?: number): Buffer | null {
    this.sizes.push(size);
    return this.incoming.shift() ?? null;
  }
  cork(): void {
    this.corks.push('cork');
  }
  uncork(): void {
    this.corks.push('uncork');
  }
}

const TRUST = {} as SecureContext;
const CERTIFICATE = { subject: 'CN=a' } as CertificateInfo;
const HEAD = 'POST / HTTP/1.1\r\nHost: a.test\r\n\r\n';
const REFUSED = { outcome: 'refused_certificate', reason: 'self_signed', detail: 'x' } as const;
const CLOSED = {
  outcome: 'no_connection',
  reason: 'connection_closed',
  detail: 'The connection was closed before an answer came.',
};

let time: SimTime;
let told: string[];
let context: ConnectionContext;
let connection: Connection;
let client: FakeClient;
let connected: unknown[][];

function open(origin = 'http://a.test'): void {
  connection = new Connection(origin, context, {
    free: (freed) => void told.push(freed === connection ? 'free' : 'free another'),
    gone: (lost) => void told.push(lost === connection ? 'gone' : 'gone another'),
  });
  client = fakes.client as FakeClient;
}
beforeEach(() => {
  time = new SimTime();
  told = [];
  connected = [];
  fakes.dials.length = 0;
  fakes.secures.length = 0;
  fakes.passed.length = 0;
  context = { timers: time, lookup: async () => [], ownPorts: () => [], trust: () => TRUST, keepAliveMs: 4_321 };
  open();
});

function attempt(over: Partial<AttemptRequest> = {}): Attempt {
  const request = { url: 'http://a.test/', headers: [], body: Buffer.from('{}'), limitMs: 5_000, ...over };
  return new Attempt(request, time, time);
}
/** As undici asks for a connection. */
const connect = (target: Partial<buildConnector.Options> = {}): void =>
  client.options.connect(
    { hostname: 'a.test', protocol: 'http:', port: '', ...target } as buildConnector.Options,
    ((...given: unknown[]) => void connected.push(given)) as buildConnector.Callback,
  );
const dialled = (socket: FakeSocket): void => fakes.dials.at(-1)!.done(null, socket as unknown as Socket);

/** An attempt whose connection is open. */
function carried(): { made: Attempt; socket: FakeSocket } {
  const made = attempt();
  const socket = new FakeSocket();
  connection.carry(made, '/');
  connect();
  dialled(socket);
  return { made, socket };
}
const answerWith = (made: Attempt, status: number): void => {
  made.onResponseStart({ rawHeaders: [] } as unknown as Dispatcher.DispatchController, status, {}, '');
};
/** A whole answer has come. */
async function answered(made: Attempt): Promise<void> {
  answerWith(made, 200);
  made.onResponseEnd();
  await time.settle();
}

describe('undici', () => {
  test('speaks HTTP/1.1, one request at a time, without its own limits', () => {
    const { connect: _, ...options } = client.options;
    expect([client.origin, connection.origin]).toEqual(['http://a.test', 'http://a.test']);
    expect(options).toEqual({
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: 16 * 1024,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 4_321,
      keepAliveMaxTimeout: 4_321,
      keepAliveTimeoutThreshold: 1_000,
    });
  });

  test('is given a POST with its body, its headers as a flat list', () => {
    const headers = [
      ['A', '1'],
      ['B', '2'],
    ] as const;
    connection.carry(attempt({ headers }), '/x?y=1');
    expect(client.dispatched).toEqual([
      { path: '/x?y=1', method: 'POST', headers: ['A', '1', 'B', '2'], body: Buffer.from('{}') },
    ]);
  });

  test('is given a GET without a body', () => {
    connection.carry(attempt({ method: 'GET' }), '/');
    expect(client.dispatched).toMatchObject([{ method: 'GET', body: null }]);
  });
});

describe('to connect', () => {
  test.each([
    ['http:', '', 80],
    ['https:', '', 443],
    ['http:', '8080', 8080],
    ['https:', '8443', 8443],
  ])('with %s and the port %j dials %d', (protocol, port, number) => {
    connection.carry(attempt(), '/');
    connect({ protocol, port });
    expect(fakes.dials).toMatchObject([{ target: { hostname: 'a.test', port: number } }]);
    expect(fakes.dials[0]!.context).toBe(context);
  });

  test('over http hands on the socket', () => {
    const { made, socket } = carried();
    expect([connected, made.socket, fakes.secures]).toEqual([[[null, socket]], socket, []]);
  });

  test('over https hands on the socket of TLS, and tells the certificate', () => {
    const made = attempt();
    connection.carry(made, '/');
    connect({ protocol: 'https:' });
    const raw = new FakeSocket();
    dialled(raw);
    expect([connected, fakes.secures]).toMatchObject([[], [{ hostname: 'a.test' }]]);
    expect([fakes.secures[0]!.raw, fakes.secures[0]!.trust]).toEqual([raw, TRUST]);
    const socket = new FakeSocket();
    fakes.secures[0]!.done(null, socket as never, CERTIFICATE);
    expect([connected, made.socket, made.certificate]).toEqual([[[null, socket]], socket, CERTIFICATE]);
  });

  test('that fails ends the attempt', async () => {
    const made = attempt();
    connection.carry(made, '/');
    connect();
    fakes.dials[0]!.done(noConnection('connection_refused', 'no'), null);
    expect([connected, await made.done]).toMatchObject([[], { reason: 'connection_refused' }]);
  });

  test('to a server that is refused ends the attempt, which knows the certificate', async () => {
    const made = attempt();
    connection.carry(made, '/');
    connect({ protocol: 'https:' });
    dialled(new FakeSocket());
    fakes.secures[0]!.done(REFUSED, null, CERTIFICATE);
    expect([connected, await made.done]).toMatchObject([[], { ...REFUSED, certificate: CERTIFICATE }]);
  });

  test('forgets the certificate of the connection before', async () => {
    const made = attempt();
    made.certificate = CERTIFICATE;
    connection.carry(made, '/');
    made.certificate = CERTIFICATE;
    connect();
    expect(made.certificate).toBeNull();
  });

  test('again once the request was written ends the attempt: nothing is sent twice', async () => {
    const { made, socket } = carried();
    socket.write(HEAD);
    connect();
    expect([fakes.dials.length, await made.done]).toMatchObject([1, CLOSED]);
  });

  test('for an attempt that is over does nothing', async () => {
    const made = attempt();
    connection.carry(made, '/');
    const { onEnd } = made;
    made.onEnd = () => {};
    made.interrupt();
    connect();
    expect([fakes.dials, (await made.done).outcome]).toEqual([[], 'interrupted']);
    onEnd(false);
    connect();
    expect([fakes.dials, connected]).toEqual([[], []]);
  });
});

describe('what is written', () => {
  test('is recorded up to the body, once', async () => {
    const { made, socket } = carried();
    expect(socket.write(HEAD, 'latin1')).toBe(true);
    expect([made.written, fakes.passed, socket.corks]).toEqual([true, ['request_half_sent'], ['uncork', 'cork']]);
    socket.write('{}');
    socket.write(Buffer.from('more'));
    expect(socket.wrote).toEqual([[HEAD, 'latin1'], ['{}'], [Buffer.from('more')]]);
    expect(fakes.passed).toHaveLength(1);
    await answered(made);
    expect((await made.done).requestHeaders).toEqual([['Host', 'a.test']]);
  });

  test('as bytes is no head', () => {
    const { made, socket } = carried();
    socket.write(Buffer.from(HEAD));
    expect([made.written, fakes.passed]).toEqual([false, []]);
  });

  test('while no attempt is carried passes untouched', async () => {
    const { made, socket } = carried();
    await answered(made);
    socket.write('later');
    expect([socket.wrote, fakes.passed]).toEqual([[['later']], []]);
  });
});

describe('what comes in', () => {
  const read = (socket: FakeSocket, ...chunks: string[]): string | null => {
    socket.incoming.push(...chunks.map((chunk) => Buffer.from(chunk)));
    return socket.read()?.toString() ?? null;
  };

  test('passes without its interim answers, as soon as there is something', () => {
    const { made, socket } = carried();
    socket.write(HEAD);
    made.phases.enter('wait');
    expect([read(socket, 'HTTP/1.1 102 P\r\n\r\n'), made.phases.open]).toEqual([null, 'wait']);
    expect(read(socket, 'HTTP/1.1 103 H\r\n\r\n', 'HTTP/1.1 2')).toBe('HTTP/1.1 2');
    expect(made.phases.open).toBe('read');
    expect(read(socket, '00 OK')).toBe('00 OK');
    socket.read(7);
    expect(socket.sizes.at(-1)).toBe(7);
  });

  test('that is no HTTP ends the attempt', async () => {
    const { made, socket } = carried();
    socket.write(HEAD);
    read(socket, 'SSH-2.0');
    expect(await made.done).toMatchObject({ reason: 'invalid_response' });
  });

  test('that switches protocols ends the attempt with that answer', async () => {
    const { made, socket } = carried();
    socket.write(HEAD);
    read(socket, 'HTTP/1.1 101 Switching\r\n\r\n');
    expect(await made.done).toMatchObject({ status: 101, outcome: 'declined' });
  });

  test.each([
    ['an answer', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['no HTTP', 'SSH-2.0'],
    ['more than is read', 'x'.repeat(MAX_ANSWER_BYTES + 1)],
  ])('after the end of the attempt changes nothing: %s', async (_, late) => {
    const { made, socket } = carried();
    socket.write(HEAD);
    made.interrupt();
    expect(() => read(socket, late)).not.toThrow();
    expect((await made.done).outcome).toBe('interrupted');
  });

  test('is read up to 256 KiB, counted anew for each answer', async () => {
    const { made, socket } = carried();
    socket.write(HEAD);
    const whole = `HTTP/1.1 200 OK\r\n${'x'.repeat(MAX_ANSWER_BYTES - 17)}`;
    expect(read(socket, whole)).toBe(whole);
    await answered(made);
    const next = attempt();
    connection.carry(next, '/');
    socket.write(HEAD);
    expect(read(socket, whole)).toBe(whole);
    expect(next.settled).toBe(false);
    expect(read(socket, 'x', 'y')).toBeNull();
    expect(await next.done).toMatchObject({ reason: 'headers_too_large' });
  });
});

describe('after an answer', () => {
  test('that was whole the connection is free, once undici has decided to keep it', async () => {
    const { made } = carried();
    answerWith(made, 200);
    made.onResponseEnd();
    expect(told).toEqual([]);
    await time.settle();
    expect([told, client.destroyed]).toEqual([['free'], 0]);
  });

  test('the next attempt knows socket and certificate', async () => {
    const first = attempt();
    connection.carry(first, '/');
    connect({ protocol: 'https:' });
    dialled(new FakeSocket());
    const socket = new FakeSocket();
    fakes.secures[0]!.done(null, socket as never, CERTIFICATE);
    await answered(first);
    const next = attempt();
    connection.carry(next, '/');
    expect([next.socket, next.certificate]).toEqual([socket, CERTIFICATE]);
  });

  test('that was cut the connection is closed', async () => {
    const { made } = carried();
    made.fail(noConnection('connection_reset', 'x'));
    await time.settle();
    expect([told, client.destroyed]).toEqual([['gone'], 1]);
  });

  test('a connection whose socket has closed is not free', async () => {
    const { made, socket } = carried();
    socket.destroyed = true;
    await answered(made);
    expect([told, client.destroyed]).toEqual([['gone'], 1]);
  });

  test('a connection that was lost meanwhile is not free', async () => {
    const { made } = carried();
    answerWith(made, 200);
    client.emit('disconnect');
    made.onResponseEnd();
    await time.settle();
    expect([told, client.destroyed]).toEqual([['gone'], 1]);
  });

  test('a connection that is being closed is not free', async () => {
    const { made } = carried();
    answerWith(made, 200);
    made.onResponseEnd();
    await connection.close();
    await time.settle();
    expect([told, client.destroyed]).toEqual([['gone'], 1]);
  });
});

describe('a lost connection', () => {
  test('that nobody uses is closed, and its certificate is forgotten', async () => {
    const { made } = carried();
    await answered(made);
    told.length = 0;
    client.emit('disconnect');
    await time.settle();
    expect([told, client.destroyed]).toEqual([['gone'], 1]);
  });

  test('that is in use is left to undici, which fails the attempt', async () => {
    const first = attempt();
    connection.carry(first, '/');
    connect({ protocol: 'https:' });
    dialled(new FakeSocket());
    fakes.secures[0]!.done(null, new FakeSocket() as never, CERTIFICATE);
    client.emit('disconnect');
    expect([told, client.destroyed]).toEqual([[], 0]);
    const next = attempt();
    connection.carry(next, '/');
    expect([next.socket, next.certificate]).toEqual([null, null]);
  });
});

describe('a close', () => {
  test('ends the dial, and is made once', async () => {
    connection.carry(attempt(), '/');
    connect();
    await Promise.all([connection.close(), connection.close()]);
    expect([fakes.dials[0]!.cancelled, told, client.destroyed]).toEqual([true, ['gone'], 1]);
  });

  test('ends the handshake', async () => {
    connection.carry(attempt(), '/');
    connect({ protocol: 'https:' });
    dialled(new FakeSocket());
    await connection.close();
    expect([fakes.dials[0]!.cancelled, fakes.secures[0]!.cancelled]).toEqual([false, true]);
  });

  test('ends nothing that is done', async () => {
    carried();
    await connection.close();
    expect(fakes.dials[0]!.cancelled).toBe(false);
  });
});
