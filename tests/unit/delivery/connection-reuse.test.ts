/** When a connection can be used again, and what becomes of one that was lost. The sockets are not real. */
import { describe, expect, test, vi } from 'vitest';
import type { WireRequest } from '../../../src/core/ports.ts';
import * as fakes from './connection-fakes.ts';
import {
  arrives,
  attempt,
  CERTIFICATE,
  carried,
  connection,
  dialled,
  FakeSocket,
  OK,
  open,
  resultOf,
  time,
  told,
} from './connection-stage.ts';

vi.mock('../../../src/core/delivery/transport/dial.ts', () => import('./connection-fakes.ts'));
vi.mock('../../../src/core/delivery/transport/secure.ts', () => import('./connection-fakes.ts'));

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
