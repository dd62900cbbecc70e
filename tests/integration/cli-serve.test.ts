import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Client, connectContract } from '../../src/contract/channel.ts';
import { TOKEN_FILE } from '../../src/headless/kept-token.ts';
import { type Ready, runCliProcess, startCli, startServe } from '../helpers/cli-process.ts';
import { processesWith } from '../helpers/processes.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hb-serve-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const openContract = async (ready: Ready): Promise<{ client: Client; socket: WebSocket }> => {
  const { host, origin, hash } = new URL(ready.ui);
  const protocols = ['hookbench', `hookbench.${hash.replace('#token=', '')}`];
  const socket = new WebSocket(`ws://${host}/contract`, protocols, { origin });
  await once(socket, 'open');
  const channel = {
    post: (text: string) => socket.send(text),
    onText: (listener: (text: string) => void) => void socket.on('message', (data) => listener(String(data))),
    close: () => socket.close(),
  };
  return { client: connectContract(channel, () => {}), socket };
};

test('the first line says where everything is, and everything is there', async () => {
  const workspace = join(folder, 'workspace');
  const { ready, child, ended } = await startServe(workspace);
  expect(ready).toEqual({
    ready: true,
    ingest: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    ui: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/),
    workspace,
    notSending: [],
    pid: child.pid,
  });
  expect(await (await fetch(`${ready.ingest}/v1/track`)).json()).toEqual({ success: true });
  expect((await fetch(new URL('/', ready.ui))).status).toBe(200);
  const { client, socket } = await openContract(ready);
  expect(await client.call('app.hello', {})).toMatchObject({ workspace: { folder: workspace, shell: 'headless' } });
  expect(await client.call('messages.reingestHeld', { writeKey: 'x'.repeat(500_000) })).toEqual({ calls: 500_000 });
  socket.terminate();
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

test('a workspace keeps its token over a restart for a day, and another has its own', async () => {
  const tokenOf = async (workspace: string): Promise<string> => {
    const { ready, child, ended } = await startServe(join(folder, workspace));
    child.kill('SIGTERM');
    await ended;
    return new URL(ready.ui).hash;
  };
  const first = await tokenOf('workspace');
  expect(await tokenOf('workspace')).toBe(first);
  expect(await tokenOf('another')).not.toBe(first);
  const file = join(folder, 'workspace', TOKEN_FILE);
  const { token, madeAt } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ token, madeAt: madeAt - 86_400_000 }));
  expect(await tokenOf('workspace')).not.toBe(first);
});

test('only this user can read the workspace, its key and its control socket, and the key stays', async () => {
  const workspace = join(folder, 'workspace');
  const modes = () => ['', 'key', 'control.sock'].map((name) => statSync(join(workspace, name)).mode & 0o777);
  const first = await startServe(workspace);
  expect(modes()).toEqual([0o700, 0o600, 0o600]);
  const key = readFileSync(join(workspace, 'key'), 'utf8');
  expect(Buffer.from(key, 'base64')).toHaveLength(32);
  first.child.kill('SIGTERM');
  await first.ended;
  const second = await startServe(workspace);
  expect(readFileSync(join(workspace, 'key'), 'utf8')).toBe(key);
  second.child.kill('SIGTERM');
  await second.ended;
});

describe('without --json', () => {
  test('three lines for a person say where to send calls and what to open', async () => {
    const cli = startCli(['serve', '--workspace', join(folder, 'w'), '--ingest-port', '0', '--ui-port', '0']);
    expect(await cli.firstLine).toMatch(/^Hookbench listens for calls on http:\/\/127\.0\.0\.1:\d+\.$/);
    cli.child.kill('SIGINT');
    const { code, stdout } = await cli.ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stdout).toMatch(/Open http:\/\/127\.0\.0\.1:\d+\/#token=/);
  });
});

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends it in order with exit code 0 and leaves nothing',
    async (signal) => {
      const { child, ended } = await startServe(join(folder, 'workspace'));
      child.kill(signal);
      expect((await ended).code).toBe(0);
      expect(existsSync(join(folder, 'workspace/control.sock'))).toBe(false);
      if (process.platform === 'linux') expect(processesWith(folder)).toEqual([]);
    },
  );

  test('a signal during the start ends it in order as soon as it has started', async () => {
    const workspace = join(folder, 'workspace');
    const ports = ['--ingest-port', '0', '--ui-port', '0'];
    const { child, ended } = startCli(['serve', '--json', '--workspace', workspace, ...ports]);
    // The key is written before the engine is started.
    await expect.poll(() => existsSync(join(workspace, 'key')), { interval: 1 }).toBe(true);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(existsSync(join(workspace, 'control.sock'))).toBe(false);
  });

  test('open connections do not hold it up', async () => {
    const { ready, child, ended } = await startServe(join(folder, 'workspace'));
    const { socket } = await openContract(ready);
    socket.pause();
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  test('the same signal twice in a moment, as a terminal and a launcher send it, is one request', async () => {
    const { child, ended } = await startServe(join(folder, 'workspace'));
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});

describe('a port that is taken', () => {
  test.each(['ui', 'ingest'] as const)('%s: exit code 3, which port and who holds it', async (purpose) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const ports = { ingest: '0', ui: '0', [purpose]: String(port) };
    const args = ['--workspace', join(folder, 'w'), '--ingest-port', ports.ingest, '--ui-port', ports.ui];
    const { code, stdout, stderr } = await runCliProcess(['serve', '--json', ...args]);
    expect([code, stdout]).toEqual([3, '']);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'port_in_use',
        message: expect.stringContaining(String(port)),
        port,
        purpose,
        holder: expect.any(String),
        option: `--${purpose}-port`,
      },
    });
    const plain = await runCliProcess(['serve', ...args]);
    expect(plain.code).toBe(3);
    expect(plain.stderr).toMatch(
      new RegExp(
        `^hookbench: port_in_use: Port ${port} .* is in use by .*\\(process \\d+\\)\\. ` +
          `End that program, or choose another port with --${purpose}-port\\.\n$`,
      ),
    );
    holder.close();
  });
});

describe('a config file', () => {
  const serveWith = (text: string, env: Record<string, string> = {}) => {
    const file = join(folder, 'hookbench.json');
    writeFileSync(file, text);
    const args = [
      'serve',
      '--json',
      '--workspace',
      join(folder, 'w'),
      '--config',
      file,
      '--ui-port',
      '0',
      '--ingest-port',
      '0',
    ];
    return runCliProcess(args, env);
  };
  const entry = { name: 'Orders', url: 'http://127.0.0.1:1/' };

  test.each<[string, unknown, string, string]>([
    ['a bad URL', { webhooks: { entries: [{ ...entry, url: '' }] } }, 'config_invalid', 'webhooks.entries[0].url'],
    ['a bad port', { ingest: { port: 70_000 } }, 'config_invalid', 'ingest.port'],
    ['an unknown field', { ingest: { prot: 1 } }, 'config_invalid', 'ingest.prot'],
    ['an unknown field at the top', { sourcess: [] }, 'config_invalid', 'sourcess'],
    [
      'a secret that is not in the environment',
      { webhooks: { sharedSecret: { env: 'NOT_SET' } } },
      'config_env_missing',
      'webhooks.sharedSecret',
    ],
    [
      'a header that is not in the environment',
      { webhooks: { entries: [entry, { ...entry, headers: { Authorization: { env: 'NOT_SET' } } }] } },
      'config_env_missing',
      'webhooks.entries[1].headers.Authorization',
    ],
  ])('with %s: exit code 2, and the path of the field', async (_title, config, code, path) => {
    const result = await serveWith(JSON.stringify(config));
    expect([result.code, result.stdout]).toEqual([2, '']);
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { code, path, message: expect.stringContaining(path) } });
    expect(existsSync(join(folder, 'w'))).toBe(false);
  });

  test('that is no JSON: exit code 2', async () => {
    const result = await serveWith('{"sources": [');
    expect(result.code).toBe(2);
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { code: 'config_not_json' } });
  });

  test('that is not there: exit code 2, with its path', async () => {
    const { code, stderr } = await runCliProcess(['serve', '--config', join(folder, 'missing.json')]);
    expect(code).toBe(2);
    expect(stderr).toContain('missing.json');
  });
});

describe('other starts that fail', () => {
  test('a workspace that another instance has: exit code 4', async () => {
    const args = ['serve', '--json', '--workspace', join(folder, 'already-in-use'), '--ui-port', '0'];
    const { code, stderr } = await runCliProcess(args);
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'workspace_in_use' } });
  });

  test.each<[string[], string]>([
    [['--ui-port', '70000'], '--ui-port'],
    [['--ingest-port', '-1'], '--ingest-port'],
    [['--ingest-port', '1e3'], '--ingest-port'],
    [['--ui-port', ''], '--ui-port'],
    [['--port', '1'], '--port'],
    [['--workspace'], '--workspace'],
    [['--json=yes'], '--json'],
    [['extra'], 'extra'],
  ])('%j: exit code 2, and it says what is wrong', async (args, word) => {
    const { code, stderr, stdout } = await runCliProcess(['serve', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(word);
  });

  test('a key in the environment that is none: exit code 1, and its value is not shown', async () => {
    const args = ['serve', '--workspace', join(folder, 'w'), '--ui-port', '0', '--ingest-port', '0'];
    const { code, stderr } = await runCliProcess(args, { HOOKBENCH_KEY: 'hunter2-hunter2' });
    expect(code).toBe(1);
    expect(stderr).toContain('key_unreadable');
    expect(stderr).not.toContain('hunter2');
  });

  test('with a key in the environment no key file is made', async () => {
    const workspace = join(folder, 'w');
    const args = ['serve', '--json', '--workspace', workspace, '--ui-port', '0', '--ingest-port', '0'];
    const cli = startCli(args, { HOOKBENCH_KEY: Buffer.alloc(32, 5).toString('base64') });
    await cli.firstLine;
    expect(existsSync(join(workspace, 'key'))).toBe(false);
    cli.child.kill('SIGTERM');
    expect((await cli.ended).code).toBe(0);
  });
});

describe('an engine that ends by itself', () => {
  test('is started again on the same port, and connections are told to come again', async () => {
    const { ready, child, ended } = await startServe(join(folder, 'crash-on-status'));
    const first = await openContract(ready);
    const closed = once(first.socket, 'close');
    void first.client.call('app.status').catch(() => {});
    expect((await closed)[0]).toBe(1012);
    await expect
      .poll(() =>
        fetch(`${ready.ingest}/`)
          .then((r) => r.status)
          .catch(() => 0),
      )
      .toBe(200);
    const second = await openContract(ready);
    expect(await second.client.call('app.hello', {})).toMatchObject({ epoch: 'fake' });
    second.socket.terminate();
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain('it starts again');
  });
});
