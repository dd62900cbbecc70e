/** The connections of the headless server: the contract over WebSocket, and those that do nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { rawRequest, rawUpgrade, sendRaw } from '../helpers/raw-http.ts';
import { engine, good, host, server, start, token } from './headless-stage.ts';

beforeEach(start);
afterEach(() => server.close());

const open = (protocols = ['hookbench', `hookbench.${token}`]): WebSocket =>
  new WebSocket(`ws://${host()}/contract`, protocols, { origin: `http://${host()}`, perMessageDeflate: true });
const closeCode = async (socket: WebSocket): Promise<number> => {
  const [code] = await once(socket, 'close');
  return code as number;
};

describe('the contract over WebSocket (C6)', () => {
  test('texts pass both ways, and the protocol is answered without the token', async () => {
    const socket = open();
    await once(socket, 'open');
    expect(socket.protocol).toBe('hookbench');
    expect(socket.extensions).toBe('');
    socket.send('{"hello":1}');
    const [text] = await once(socket, 'message');
    expect(String(text)).toBe('echo:{"hello":1}');
    socket.close();
    await once(socket, 'close');
  });

  test('closing the socket closes the engine connection', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.terminate();
    await expect.poll(() => engine.ports[0]?.closed).toBe(true);
  });

  test('the end of the engine closes the socket with 1012: come again', async () => {
    const socket = open();
    await once(socket, 'open');
    engine.ports[0]?.end();
    expect(await closeCode(socket)).toBe(1012);
  });

  test('a text over 1 MiB closes with 1009 and does not reach the engine', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send('x'.repeat(1024 * 1024 + 1));
    expect(await closeCode(socket)).toBe(1009);
    expect(engine.ports[0]?.posted).toEqual([]);
  });

  test('a text of 1 MiB passes', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send('x'.repeat(1024 * 1024));
    await once(socket, 'message');
    expect(engine.ports[0]?.posted[0]).toHaveLength(1024 * 1024);
    socket.terminate();
  });

  test('bytes that are no text close with 1003', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send(Buffer.from('{}'));
    expect(await closeCode(socket)).toBe(1003);
    expect(engine.ports[0]?.posted).toEqual([]);
  });

  test('a text that is no UTF-8 closes with 1007', async () => {
    const socket = open();
    await once(socket, 'open');
    socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await closeCode(socket)).toBe(1007);
  });

  test('32 sockets are served and one more is refused until one has gone', async () => {
    const sockets = Array.from({ length: 32 }, () => open());
    await Promise.all(sockets.map((socket) => once(socket, 'open')));
    expect((await sendRaw(server.port, rawUpgrade('/contract', good()))).status).toBe(503);
    sockets[0]?.close();
    await once(sockets[0]!, 'close');
    const next = open();
    await once(next, 'open');
    for (const socket of [...sockets, next]) socket.terminate();
  });

  test('a reader that stands still is cut off after 8 MiB, and the others go on', async () => {
    const slow = open();
    await once(slow, 'open');
    slow.pause();
    const quick = open();
    await once(quick, 'open');
    const [slowPort, quickPort] = [engine.ports[0]!, engine.ports[1]!];
    const text = 'x'.repeat(256 * 1024);
    let sent = 0;
    while (!slowPort.closed && sent < 400) {
      slowPort.say(text);
      sent += 1;
      if (sent % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(slowPort.closed).toBe(true);
    // The system's own buffers take some MiB more.
    expect(sent * 0.25).toBeLessThan(40);
    quickPort.say('still here');
    const [heard] = await once(quick, 'message');
    expect(String(heard)).toBe('still here');
    slow.terminate();
    quick.terminate();
  });

  test('while no engine runs an upgrade is 503', async () => {
    engine.runs = false;
    expect((await sendRaw(server.port, rawUpgrade('/contract', good()))).status).toBe(503);
  });

  test('stopping closes sockets with 1001, and stopping again is harmless', async () => {
    const socket = open();
    await once(socket, 'open');
    const [code] = await Promise.all([closeCode(socket), server.close()]);
    expect(code).toBe(1001);
    await server.close();
  });
});

describe('connections that do nothing', () => {
  const silent = async (first: string): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (first !== '') socket.write(first);
    return socket;
  };
  const answered = (socket: Socket) => once(socket, 'data');

  test.each([
    ['silent ones', ''],
    ['ones with half a head', 'GET / HTTP/1.1\r\nHost: '],
  ])('600 %s leave the page and the contract within reach', async (_title, first) => {
    const before = open();
    await once(before, 'open');
    const sockets = await Promise.all(Array.from({ length: 600 }, () => silent(first)));
    expect((await sendRaw(server.port, rawRequest('GET', '/', [['Host', host()]]))).status).toBe(200);
    const socket = open();
    await once(socket, 'open');
    // Nor was the connection that works let go.
    before.send('1');
    expect(String((await once(before, 'message'))[0])).toBe('echo:1');
    const left = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open');
    expect(left.length).toBeLessThanOrEqual(256);
    for (const one of [...sockets, before, socket]) 'terminate' in one ? one.terminate() : one.destroy();
  });

  test('the oldest goes first, and one that is answered again and again counts as young', async () => {
    const ask = `GET /assets/index.js HTTP/1.1\r\nHost: ${host()}\r\n\r\n`;
    const [old, kept] = [await silent(''), await silent('')];
    const gone = once(old, 'close');
    for (let n = 2; n < 256; n++) await silent('');
    kept.write(ask);
    await answered(kept);
    await silent('');
    await gone;
    kept.write(ask);
    await answered(kept);
    kept.destroy();
  });
});
