/** What a connection asks of the dial and of TLS, what it writes and reads, and how it is closed. The sockets are not real. */
import { describe, expect, test, vi } from 'vitest';
import { noConnection } from '../../../src/core/delivery/transport/failures.ts';
import { MAX_ANSWER_BYTES } from '../../../src/core/model/attempt.ts';
import type { WireRequest } from '../../../src/core/ports.ts';
import * as fakes from './connection-fakes.ts';
import {
  arrives,
  attempt,
  CERTIFICATE,
  carried,
  carriedNext,
  connection,
  context,
  dialled,
  FakeSocket,
  OK,
  open,
  resultOf,
  TRUST,
  time,
  told,
} from './connection-stage.ts';

vi.mock('../../../src/core/delivery/transport/dial.ts', () => import('./connection-fakes.ts'));
vi.mock('../../../src/core/delivery/transport/secure.ts', () => import('./connection-fakes.ts'));

const REFUSED = { outcome: 'refused_certificate', reason: 'self_signed', detail: 'x' } as const;
const WRITTEN = 'POST / HTTP/1.1\r\nhost: a.test\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n{}';

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
