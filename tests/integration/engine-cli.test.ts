/** The built command line with the real engine in its worker: exit codes, errors that name their cause, lists. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { MessageRow } from '../../src/contract/values.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { builtCli } from '../kill/built-cli.ts';

let cli = '';
beforeAll(async () => {
  cli = await builtCli();
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { child: ChildProcess; line: Promise<string>; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    out.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    out.stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...out }));
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
  return { child, line: Promise.race([line, ended.then(({ stderr }) => stderr)]), ended };
}

const serve = (workspace: string, config: object, port = 0): ReturnType<typeof start> => {
  const file = join(workspace, 'hookbench.json');
  writeFileSync(file, JSON.stringify(config));
  const ports = ['--ingest-port', String(port), '--ui-port', '0', '--no-receivers'];
  return start(['serve', '--workspace', workspace, '--config', file, ...ports, '--no-open', '--json']);
};

const list = async (workspace: string): Promise<MessageRow[]> => {
  const { code, stdout } = await start(['messages', '--workspace', workspace, '--json']).ended;
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as MessageRow);
};

/** The last line of standard error; the engine's log may come before it. */
const errorOf = ({ stderr }: Ended): unknown =>
  (JSON.parse(stderr.trim().split('\n').at(-1)!) as { error: unknown }).error;

const configTo = (...urls: string[]): object => ({
  sources: [{ name: 'cli', writeKey: 'wk_cli' }],
  webhooks: { entries: urls.map((url, i) => ({ name: `w${i}`, url })) },
});

test.each([
  [{ webhooks: { entries: [{ name: 'w', url: 'http://127.0.0.1:1/', heads: {} }] } }, 'webhooks.entries[0].heads'],
  [{ sources: [{ name: 's', writeKey: 'k', kind: 'fridge' }] }, 'sources[0].kind'],
  [configTo('http://127.0.0.1:1/', 'ftp://127.0.0.1/'), 'webhooks.entries[1].url'],
])('a config value that cannot be taken ends the start with code 2 and its path', async (config, path) => {
  const ended = await serve(tempWorkspace(), config).ended;
  expect(ended.code).toBe(2);
  expect(errorOf(ended)).toMatchObject({ code: 'config_invalid', message: expect.stringContaining(`${path}: `) });
});

test('a taken ingest port ends the start with code 3 and names the holder', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const ended = await serve(tempWorkspace(), configTo(), port).ended;
  expect(ended.code).toBe(3);
  expect(errorOf(ended)).toMatchObject({
    code: 'port_in_use',
    port,
    purpose: 'ingest',
    option: '--ingest-port',
    message: expect.stringMatching(/End that program, or choose another port with --ingest-port\.$/),
    holder: process.platform === 'linux' ? expect.stringContaining(`(process ${process.pid})`) : null,
  });
});

test('a second start on a workspace ends with code 4; lists are the same while it runs and after', async () => {
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  const workspace = tempWorkspace();
  const first = serve(workspace, configTo(hook.url));
  const { ingest } = JSON.parse(await first.line) as { ingest: string };
  const second = await serve(workspace, configTo(hook.url)).ended;
  expect(second.code).toBe(4);
  expect(errorOf(second)).toMatchObject({ code: 'workspace_in_use' });

  const batch = Array.from({ length: 3 }, (_, n) => ({
    type: 'track',
    userId: 'u',
    event: `E${n}`,
    messageId: `c${n}`,
  }));
  const answer = await fetch(`${ingest}/v1/batch`, {
    method: 'POST',
    body: JSON.stringify({ writeKey: 'wk_cli', batch }),
  });
  expect(answer.status).toBe(200);
  await hook.waitFor(3);
  let running = await list(workspace);
  while (running.some(({ state }) => state !== 'delivered')) running = await list(workspace);
  expect(running.map(({ messageId }) => messageId)).toEqual(['c2', 'c1', 'c0']);

  first.child.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
  expect(await list(workspace)).toEqual(running);
});

test('clock and delivery steer the running instance, and say so when none runs', async () => {
  const workspace = tempWorkspace();
  const config = { webhooks: { entries: [] } };
  const { child, line, ended } = serve(workspace, config);
  expect(JSON.parse(await line)).toMatchObject({ ready: true, notSending: ['no_webhook'] });
  const run = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await start([...args, '--workspace', workspace, '--json']).ended;
    return code === 0 ? JSON.parse(stdout) : [code, (JSON.parse(stderr) as { error: { code: string } }).error.code];
  };
  expect(await run('clock', '60')).toMatchObject({ speed: 60, paused: false });
  expect(await run('clock', 'pause')).toMatchObject({ speed: 60, paused: true });
  expect(await run('clock')).toMatchObject({ speed: 60, paused: true });
  expect(await run('clock', 'step')).toEqual([1, 'nothing_waiting']);
  expect(await run('clock', 'resume')).toMatchObject({ speed: 60, paused: false });
  expect(await run('clock', '7')).toEqual([2, 'usage']);
  expect(await run('delivery', 'pause')).toEqual({ paused: true, notSending: ['no_webhook', 'by_person'] });
  expect(await run('delivery')).toEqual({ paused: true, notSending: ['no_webhook', 'by_person'] });
  expect(await run('delivery', 'resume')).toEqual({ paused: false, notSending: ['no_webhook'] });
  child.kill('SIGTERM');
  await ended;
  expect(await run('clock', '60')).toEqual([1, 'not_running']);
});

test('every reason why nothing is sent is said at the start and by `delivery`, not only a pause', async () => {
  const workspace = tempWorkspace();
  const webhooks = { entries: [{ name: 'w', url: 'http://127.0.0.1:1/', enabled: false }], sharedSecret: 'sealed' };
  const first = serve(workspace, { webhooks });
  expect(JSON.parse(await first.line)).toMatchObject({ notSending: ['webhooks_off'] });
  first.child.kill('SIGTERM');
  await first.ended;

  const ports = ['--ingest-port', '0', '--ui-port', '0', '--no-receivers', '--no-open'];
  const another = { HOOKBENCH_KEY: Buffer.alloc(32, 7).toString('base64') };
  const second = start(['serve', '--workspace', workspace, ...ports], another);
  await second.line;
  const told = async (...args: string[]): Promise<string> =>
    (await start(['delivery', ...args, '--workspace', workspace]).ended).stdout;
  const why = 'the shared secret cannot be read; the static headers of a webhook cannot be read; every webhook is off';
  expect(await told('pause')).toContain(`Nothing is sent: ${why}; delivery is paused by a person.\n`);
  expect(await told('resume')).toContain(`Nothing is sent: ${why}.\n`);
  expect(await told()).toContain('set the secret again, or turn signing off');
  second.child.kill('SIGTERM');
  expect((await second.ended).stdout.split('\n')[1]).toBe(`Nothing is sent: ${why}.`);
});
