/** The client as a program gets it: built, packed and installed, in plain Node 20 and for TypeScript. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildClient } from '../../tools/build-client.mjs';
import { startReceiver } from '../helpers/receivers.ts';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;

let folder = '';
/** Where the package is installed. */
const installed = (): string => join(folder, 'node_modules', 'hookbench');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hb-client-'));
  mkdirSync(installed(), { recursive: true });
  writeFileSync(join(installed(), 'package.json'), JSON.stringify(manifest));
  await buildClient(join(installed(), 'out', 'client'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string): string => readFileSync(join(installed(), 'out', 'client', name), 'utf8');

/** The Node of major version 20 on PATH, or null. */
function node20(): string | null {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const path of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(path, name);
    if (!existsSync(candidate)) continue;
    const { stdout } = spawnSync(candidate, ['--version'], { encoding: 'utf8' });
    if (stdout.startsWith('v20.')) return candidate;
  }
  return null;
}

const PROGRAM = `
import { Client } from 'hookbench/client';
const client = new Client('wk_packed', { endpoint: process.argv[2] });
client.identify({ userId: 'user-42', traits: { plan: 'pro' } });
const error = client.track({ userId: 'user-42', event: '' });
client.track({ userId: 'user-42', event: 'Signed Up' });
const { sent, lost } = await client.close();
console.log(JSON.stringify({ refused: error.code, sent, lost }));
`;

async function run(node: string): Promise<{ said: Record<string, unknown>; bodies: string[]; headers: unknown[] }> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  const child = spawn(node, [join(folder, 'program.mjs'), `http://127.0.0.1:${receiver.port}`], { cwd: folder });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
  return {
    said: JSON.parse(output) as Record<string, unknown>,
    bodies: receiver.requests.map(({ body }) => body.toString()),
    headers: receiver.requests.map((request) => request.headers.authorization),
  };
}

describe('the built client', () => {
  const old = node20();

  async function sendsAndEnds(node: string): Promise<void> {
    const { said, bodies, headers } = await run(node);
    expect(said).toEqual({ refused: 'event_not_defined', sent: 2, lost: 0 });
    expect(bodies).toHaveLength(1);
    expect((JSON.parse(bodies[0]!) as { batch: unknown[] }).batch).toMatchObject([
      { type: 'identify', userId: 'user-42', traits: { plan: 'pro' } },
      { type: 'track', userId: 'user-42', event: 'Signed Up' },
    ]);
    expect(headers).toEqual([`Basic ${Buffer.from('wk_packed:').toString('base64')}`]);
  }

  test('sends from one import, and the program ends by itself', () => sendsAndEnds(process.execPath));

  // Skipped where PATH has no Node 20.
  test.skipIf(old === null)('does so in plain Node 20', () => sendsAndEnds(old!));

  test('is one module that imports nothing', () => {
    expect(readdirSync(join(installed(), 'out', 'client')).filter((name) => name.endsWith('.js'))).toEqual([
      'index.js',
    ]);
    expect(read('index.js')).not.toMatch(/\bimport\b\s*[({'"*\w]|\brequire\(/);
  });

  test('has types that a strict program needs nothing else for, and that refuse what the client would', () => {
    writeFileSync(
      join(folder, 'program.ts'),
      `import { type CallError, Client, type LossError } from 'hookbench/client';
const losses: LossError[] = [];
const client = new Client('wk', { size: 1, fetch, onError: (loss) => void losses.push(loss) });
const error: CallError | null = client.page({ userId: 'u', traits: { url: 'http://x/' }, timestamp: new Date() });
client.identify({ anonymousId: 'a', integrations: { All: false, Webhooks: true } });
// @ts-expect-error neither userId nor anonymousId
client.track({ event: 'E' });
// @ts-expect-error no event
client.track({ userId: 'u' });
// @ts-expect-error misspelt
client.group({ userId: 'u', groupID: 'g' });
// @ts-expect-error no such option
new Client('wk', { flushEvery: 1 });
export const told: Promise<{ sent: number; lost: number }> = client.close({ timeoutMs: 10 });
console.log(error?.code === 'call_too_large', losses[0]?.messages[0]?.messageId);
`,
    );
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const flags = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
    const args = [tsc, 'program.ts', '--ignoreConfig', '--module', 'nodenext', '--skipLibCheck', 'false', ...flags];
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  test('is in what npm packs, where the package says that it is', () => {
    const copy = join(folder, 'packed');
    cpSync(installed(), copy, { recursive: true });
    const env = { ...process.env, npm_config_offline: 'true', npm_config_cache: join(folder, 'cache') };
    const options = { cwd: copy, encoding: 'utf8', env, shell: process.platform === 'win32' } as const;
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options);
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const packed = files.map(({ path }) => `./${path}`);
    const { './client': client } = manifest.exports as Record<string, Record<string, string>>;
    expect(Object.keys(client!)).toEqual(['types', 'default']);
    for (const path of Object.values(client!)) expect(packed).toContain(path);
  });
});
