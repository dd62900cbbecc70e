/** `hookbench serve --https-port` and `hookbench certificate`, with the real engine in its worker. */
import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const cli = join(import.meta.dirname, '../helpers/source-cli.ts');

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(...args: string[]): { child: ChildProcess; line: Promise<string>; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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

const serve = (workspace: string, ...more: string[]) =>
  start('serve', '--workspace', workspace, '--ingest-port', '0', '--ui-port', '0', '--no-open', '--json', ...more);

const statusOver = (url: string, ca: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on('error', reject);
  });

test('the start says where https is, and the certificate that it gives is the one to trust', async () => {
  const workspace = tempWorkspace();
  const file = join(workspace, 'given.pem');
  const server = serve(workspace, '--https-port', '0');
  const { https } = JSON.parse(await server.line) as { https: string };
  expect(https).toMatch(/^https:\/\/localhost:\d+$/);
  const written = await start('certificate', '--workspace', workspace, '--out', file).ended;
  const ca = readFileSync(file, 'utf8');
  const { fingerprint256 } = new X509Certificate(ca);
  expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining(`SHA-256 ${fingerprint256}, valid to 20`) });
  expect(await statusOver(`${https}/health`, ca)).toBe(200);

  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  // It is there without an instance too, since it is a file.
  const printed = await start('certificate', '--workspace', workspace).ended;
  expect([printed.code, printed.stdout]).toEqual([0, ca]);
  const asJson = JSON.parse((await start('certificate', '--workspace', workspace, '--json').ended).stdout);
  expect(asJson).toEqual({ fingerprint256, validTo: expect.stringMatching(/Z$/), pem: ca.trim() });
});

test('a port given for one start is not kept, and the certificate is made when it is asked for', async () => {
  const workspace = tempWorkspace();
  const server = serve(workspace);
  expect(JSON.parse(await server.line)).not.toHaveProperty('https');
  const { code, stdout } = await start('certificate', '--workspace', workspace).ended;
  expect([code, stdout.startsWith('-----BEGIN CERTIFICATE-----\n')]).toEqual([0, true]);
  server.child.kill('SIGTERM');
  await server.ended;
});

test('a taken https port that was asked for ends the start with code 3', async () => {
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void squatter.close());
  const { port } = squatter.address() as { port: number };
  const { code, stderr } = await serve(tempWorkspace(), '--https-port', String(port)).ended;
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  expect([code, error]).toEqual([3, expect.objectContaining({ code: 'port_in_use', purpose: 'https', port })]);
});

test.each([
  [['certificate', '--workspace'], 2, 'usage'],
  [['certificate', '--nothing'], 2, 'usage'],
  [['serve', '--https-port', '65536'], 2, 'usage'],
])('%j ends with code %i', async (args, code, word) => {
  const ended = await start(...args).ended;
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(`hookbench: ${word}:`)]);
});

test('without an instance and without a certificate it says what to do', async () => {
  const ended = await start('certificate', '--workspace', tempWorkspace()).ended;
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('hookbench: no_authority:')]);
});
