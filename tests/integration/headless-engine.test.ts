/** The headless shell with the real engine: what ingest may and may not answer, and what a start leaves behind. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectContract } from '../../src/contract/channel.ts';
import { type HeadlessShell, startHeadless } from '../../src/headless/shell.ts';
import { rawRequest, rawUpgrade, sendRaw } from '../helpers/raw-http.ts';

const workerPath = new URL('../../src/core/engine/engine-worker.ts', import.meta.url);
let folder = '';
let shell: HeadlessShell;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hb-engine-'));
  const rendererFolder = join(folder, 'page');
  mkdirSync(rendererFolder);
  writeFileSync(join(rendererFolder, 'index.html'), 'page');
  shell = await startHeadless({
    workspace: join(folder, 'w'),
    workerPath,
    rendererFolder,
    ingestPort: 0,
    uiPort: 0,
    env: {},
  });
});
afterAll(async () => {
  await shell.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ingestPort = (): number => Number(new URL(shell.ingestUrl).port);

describe('ingest is write-only (C7)', () => {
  const own = (): readonly [string, string] => ['Host', `127.0.0.1:${ingestPort()}`];
  const token = () => new URL(shell.uiUrl).hash.replace('#token=', '');

  test.each([
    '/contract',
    '/',
    '/index.html',
    '/launch/x',
    '/assets/index.js',
    '/messages',
    '/api/messages',
    '/key',
    '/../key',
    '/control.sock',
  ])('%s of the interface is 404 there', async (target) => {
    const { status, text } = await sendRaw(ingestPort(), rawRequest('GET', target, [own()]));
    expect(status).toBe(404);
    expect(text).not.toContain('page');
  });

  test('an upgrade to the contract with the right token is not taken there', async () => {
    const host = own()[1];
    const headers = [
      own(),
      ['Origin', `http://${host}`],
      ['Sec-WebSocket-Protocol', `hookbench, hookbench.${token()}`],
    ] as const;
    const { status } = await sendRaw(ingestPort(), rawUpgrade('/contract', headers));
    expect(status).not.toBe(101);
  });

  const foreign = [
    'https://example.com',
    'http://evil.com',
    'http://localhost.evil.com',
    'http://127.0.0.1.evil.com',
    'http://evil-localhost',
    'http://169.254.169.254',
    'http://192.168.0.1:3000',
    'http://10.0.0.1',
    'http://0.0.0.0:3000',
    'http://localhost@evil.com',
    'http://evil.com:3000',
    'https://localhost.example',
    'http://127.0.0.1.nip.io',
    'http://127.1.evil.com',
    'null',
    '',
    '*',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    'moz-extension://abc',
    'data:text/html,x',
    'javascript:1',
    'app://hookbench',
    'ftp://localhost',
    'http://[::2]:3000',
    'http://[fe80::1]',
    'http://localhost:3000.evil.com',
    'http://2130706434',
    'http://xn--lcalhost-54a',
    'http://local.host',
  ];

  test('the list has 30 origins', () => expect(foreign.length).toBeGreaterThanOrEqual(30));

  test.each(foreign)('a preflight from %j is not allowed to send credentials, nor to read', async (origin) => {
    const headers = [
      own(),
      ['Origin', origin],
      ['Access-Control-Request-Method', 'POST'],
      ['Access-Control-Request-Headers', 'authorization'],
    ] as const;
    const { text } = await sendRaw(ingestPort(), rawRequest('OPTIONS', '/v1/track', headers));
    expect(text).not.toMatch(/access-control-allow-credentials/i);
    expect(text).not.toMatch(/access-control-allow-origin/i);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:5173', 'http://[::1]:8080'])(
    'a preflight from %s, a page on this machine, is allowed',
    async (origin) => {
      const headers = [own(), ['Origin', origin], ['Access-Control-Request-Method', 'POST']] as const;
      const { text } = await sendRaw(ingestPort(), rawRequest('OPTIONS', '/v1/track', headers));
      expect(text.toLowerCase()).toContain(`access-control-allow-origin: ${origin}\r\n`);
      expect(text).not.toMatch(/set-cookie/i);
    },
  );
});

test('a call that was received is listed over the contract', async () => {
  const { host, origin, hash } = new URL(shell.uiUrl);
  const socket = new WebSocket(`ws://${host}/contract`, ['hookbench', `hookbench.${hash.replace('#token=', '')}`], {
    origin,
  });
  await once(socket, 'open');
  const changed = Promise.withResolvers<void>();
  const client = connectContract(
    {
      post: (text) => socket.send(text),
      onText: (listener) => void socket.on('message', (data) => listener(String(data))),
      close: () => socket.close(),
    },
    (batch) => {
      if (batch.messages.length > 0 || batch.reset) changed.resolve();
    },
  );
  const { sources } = (await client.call('app.hello', {})).parts;
  const writeKey = sources[0]?.writeKey ?? '';
  const response = await fetch(`${shell.ingestUrl}/v1/track`, {
    method: 'POST',
    body: JSON.stringify({ writeKey, userId: 'u1', event: 'Ordered', messageId: 'm-1' }),
  });
  expect(response.status).toBe(200);
  await changed.promise;
  const { rows } = await client.call('messages.list', { filter: {}, limit: 10 });
  expect(rows).toEqual([expect.objectContaining({ messageId: 'm-1', name: 'Ordered' })]);
  socket.terminate();
});

test('a second shell on the same workspace does not start, and the first goes on', async () => {
  const rendererFolder = join(folder, 'page');
  const second = startHeadless({
    workspace: join(folder, 'w'),
    workerPath,
    rendererFolder,
    ingestPort: 0,
    uiPort: 0,
    env: {},
  });
  await expect(second).rejects.toMatchObject({ code: 'workspace_in_use' });
  expect((await fetch(`${shell.ingestUrl}/health`)).status).toBe(200);
});
