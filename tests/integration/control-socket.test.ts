import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { controlSocketPath } from '../../src/core/serving/control-path.ts';
import {
  type ControlChannel,
  ControlSocketInUseError,
  connectControlSocket,
  MAX_REQUEST_BYTES,
  serveControlSocket,
} from '../../src/core/serving/control-socket.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-ctl-'));
  path = join(folder, 'control.sock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const echo = (channel: ControlChannel): void => channel.onText((text) => channel.post(`echo:${text}`));
const answer = (channel: ControlChannel): Promise<string> => new Promise((resolve) => channel.onText(resolve));
const ended = (channel: ControlChannel): Promise<void> => new Promise((resolve) => channel.onClose(resolve));

/** As a process that was killed leaves it: the file is there and nothing listens. */
async function leaveStaleSocket(at: string): Promise<void> {
  const other = join(folder, 'other.sock');
  const server = createServer();
  server.listen(other);
  await once(server, 'listening');
  const { renameSync } = await import('node:fs');
  renameSync(other, at);
  server.close();
  await once(server, 'close');
}

test('only this user can open it: mode 0600, and nothing else is left in the folder', async () => {
  const server = await serveControlSocket(path, echo);
  expect(statSync(path).isSocket()).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['control.sock']);
  await server.close();
});

test('texts pass both ways whole, however long and wherever they are cut', async () => {
  const server = await serveControlSocket(path, echo);
  const channel = await connectControlSocket(path);
  const text = JSON.stringify({ name: 'ä€😀'.repeat(50_000) });
  channel.post(text);
  expect(await answer(channel)).toBe(`echo:${text}`);
  channel.close();
  await server.close();
});

test('several texts in one packet and one text in several packets come one by one', async () => {
  const heard: string[] = [];
  const done = Promise.withResolvers<void>();
  const server = await serveControlSocket(path, (channel) =>
    channel.onText((text) => {
      heard.push(text);
      if (heard.length === 4) done.resolve();
    }),
  );
  const socket = connect(path);
  await once(socket, 'connect');
  socket.write('"a"\n"b"\n\n"c');
  await new Promise((resolve) => setImmediate(resolve));
  socket.write('c"\n"d"\n');
  await done.promise;
  expect(heard).toEqual(['"a"', '"b"', '"cc"', '"d"']);
  socket.destroy();
  await server.close();
});

test('texts that came before anybody listened are kept', async () => {
  const server = await serveControlSocket(path, (channel) => channel.post('"first"'));
  const channel = await connectControlSocket(path);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await answer(channel)).toBe('"first"');
  channel.close();
  await server.close();
});

describe('a line over 1 MiB', () => {
  test('ends its connection, unheard, and no other', async () => {
    const heard: string[] = [];
    const server = await serveControlSocket(path, (channel) => {
      channel.onText((text) => {
        heard.push(text);
        channel.post(text);
      });
    });
    const [rude, kind] = [await connectControlSocket(path), await connectControlSocket(path)];
    const gone = ended(rude);
    rude.post('x'.repeat(MAX_REQUEST_BYTES + 1));
    await gone;
    kind.post('"hello"');
    expect(await answer(kind)).toBe('"hello"');
    expect(heard).toEqual(['"hello"']);
    kind.close();
    await server.close();
  });

  test('and one of just 1 MiB is heard', async () => {
    const server = await serveControlSocket(path, echo);
    const channel = await connectControlSocket(path);
    channel.post('x'.repeat(MAX_REQUEST_BYTES));
    expect(await answer(channel)).toHaveLength(MAX_REQUEST_BYTES + 5);
    channel.close();
    await server.close();
  });
});

describe('a socket file that is there already', () => {
  test('is replaced when nothing answers on it', async () => {
    await leaveStaleSocket(path);
    const server = await serveControlSocket(path, echo);
    const channel = await connectControlSocket(path);
    channel.post('1');
    expect(await answer(channel)).toBe('echo:1');
    channel.close();
    await server.close();
  });

  test('stays when something answers', async () => {
    const first = await serveControlSocket(path, echo);
    await expect(serveControlSocket(path, () => {})).rejects.toThrow(ControlSocketInUseError);
    const channel = await connectControlSocket(path);
    channel.post('1');
    expect(await answer(channel)).toBe('echo:1');
    channel.close();
    await first.close();
  });

  test('is left alone when it is no socket', async () => {
    writeFileSync(path, 'precious');
    await expect(serveControlSocket(path, () => {})).rejects.toThrow('is not a socket');
    rmSync(path);
    mkdirSync(path);
    await expect(serveControlSocket(path, () => {})).rejects.toThrow('is not a socket');
  });
});

describe('closing', () => {
  test('removes the file, ends connections, and is harmless when repeated', async () => {
    const server = await serveControlSocket(path, echo);
    const channel = await connectControlSocket(path);
    const gone = ended(channel);
    await server.close();
    await gone;
    await server.close();
    expect(existsSync(path)).toBe(false);
  });

  test('does not remove the socket of a later instance', async () => {
    const first = await serveControlSocket(path, echo);
    rmSync(path);
    const second = await serveControlSocket(path, echo);
    await first.close();
    const channel = await connectControlSocket(path);
    channel.close();
    await second.close();
  });
});

test('connecting where nothing listens rejects', async () => {
  await expect(connectControlSocket(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('the longest path that a workspace can have still works', async () => {
  const deep = join(folder, 'x'.repeat(100 - folder.length - '/control.sock'.length - 1));
  mkdirSync(deep);
  const at = controlSocketPath(deep);
  expect(at).toBe(join(deep, 'control.sock'));
  const server = await serveControlSocket(at, echo);
  (await connectControlSocket(at)).close();
  await server.close();
});
