/** `hookbench receive` as a process of its own. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { HitView } from '../../src/contract/receivers.ts';
import { type CliProcess, runCliProcess, startCli } from '../helpers/cli-process.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const file = (content: unknown): string => {
  const path = join(tempWorkspace(), 'program.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const status = (code: number) => ({ response: { kind: 'status', status: code } });

function start(args: readonly string[], env: Record<string, string> = {}): CliProcess {
  const cli = startCli(['receive', '--port', '0', ...args], env);
  onTestFinished(async () => {
    cli.child.kill('SIGKILL');
    await cli.ended;
  });
  return cli;
}
async function stop(cli: CliProcess): Promise<string> {
  cli.child.kill('SIGTERM');
  const { code, stdout } = await cli.ended;
  expect(code).toBe(0);
  return stdout;
}
const post = async (url: string, body: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { method: 'POST', body, headers })).status;

it('answers by its program, checks the signature and prints a JSON line for each request', async () => {
  const program = file({ id: 'mine', steps: [{ ...status(503), times: 2 }, status(200)] });
  const cli = start(['--program', program, '--secret-env', 'SHARED', '--json'], { SHARED: 's3cret' });
  const ready = JSON.parse((await cli.firstLine)!) as { ready: boolean; receivers: Array<{ id: string; url: string }> };
  const { url } = ready.receivers[0]!;
  const body = '{"type":"track","event":"a\u202eb\u009b"}';
  const signed = { 'X-Signature': createHmac('sha1', 's3cret').update(body).digest('hex') };
  expect([
    await post(url, body, signed),
    await post(url, body),
    await post(url, body, signed),
    await post(url, body, signed),
  ]).toEqual([503, 401, 503, 200]);
  const stdout = await stop(cli);
  expect(stdout).not.toContain('s3cret');
  expect(stdout).not.toMatch(/[\u202e\u009b]/);
  const lines = stdout.trim().split('\n').slice(1);
  const hits = lines.map((line) => JSON.parse(line) as HitView);
  expect(hits.map(({ status: answered, verdict }) => [answered, verdict])).toEqual([
    [503, 'verified'],
    [401, 'unsigned'],
    [503, 'verified'],
    [200, 'verified'],
  ]);
  expect(hits[0]?.name).toBe('a\u202eb\u009b');
});

it('prints a line a person can read, with control characters of others shown as code points', async () => {
  const cli = start(['--program', file([{ id: 'a', steps: [status(200)] }])]);
  const url = (await cli.firstLine)!.split(' ').at(-1)!;
  await post(url, '{"type":"track","event":"red\\u001b[31m\\nnext line"}');
  const stdout = await stop(cli);
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(3);
  expect(lines[2]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} {2}a +200 +track red\\u001b\[31m\\u000anext line +no secret +\d+ ms$/,
  );
});

it.each<[what: string, program: unknown, more: string[], code: string]>([
  ['no program', undefined, [], 'usage'],
  ['no JSON', '{', [], 'config_not_json'],
  ['a bad field', [{ id: 'a', steps: [status(99)] }], [], 'config_invalid'],
  ['an empty list', [], [], 'config_invalid'],
  ['two of one id', [1, 2].map(() => ({ id: 'a', steps: [status(200)] })), [], 'config_invalid'],
  ['HTTPS without a port', { id: 'a', tls: true, steps: [status(200)] }, [], 'usage'],
  ['a secret that is not set', { id: 'a', steps: [status(200)] }, ['--secret-env', 'NOPE'], 'usage'],
  ['a file that is not there', undefined, ['--program', '/nonexistent/x.json'], 'config_unreadable'],
])('ends with 2 for %s', async (_what, program, more, code) => {
  const given = program === undefined ? [] : ['--program', file(program)];
  const { code: exit, stderr } = await runCliProcess(['receive', ...given, ...more, '--json']);
  expect([exit, (JSON.parse(stderr) as { error: { code: string } }).error.code]).toEqual([2, code]);
});

it('names the bad field by its path', async () => {
  const program = file([{ id: 'a', steps: [{ response: { kind: 'hang', holdMs: 60_001 } }] }]);
  const { stderr } = await runCliProcess(['receive', '--program', program]);
  expect(stderr).toContain('[0].steps[0].response.holdMs: ');
});

it('ends with 3 when the port is in use', async () => {
  const holder = createServer();
  await once(holder.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void holder.close());
  const { port } = holder.address() as AddressInfo;
  const program = file({ id: 'a', steps: [status(200)] });
  const { code, stderr } = await runCliProcess(['receive', '--port', String(port), '--program', program]);
  expect(code).toBe(3);
  expect(stderr).toContain(`port_in_use: Port ${port} of the receivers is in use`);
  expect(stderr).toContain('choose another port with --port.');
});
