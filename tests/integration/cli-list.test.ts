import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessageRow } from '../../src/contract/values.ts';
import { type CliProcess, runCliProcess, startServe } from '../helpers/cli-process.ts';
import { fakeMessageCount } from '../helpers/fake-values.ts';

let folder = '';
let running: CliProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hb-list-'));
  running = await startServe(join(folder, 'running'));
});
afterAll(async () => {
  running.child.kill('SIGTERM');
  await running.ended;
  rmSync(folder, { recursive: true, force: true });
});

const rowsOf = (stdout: string): MessageRow[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as MessageRow);

describe.each(['running', 'stored'])('from a %s workspace', (name) => {
  const run = (...args: string[]) => runCliProcess([...args, '--workspace', join(folder, name)]);

  test('messages --json gives every message once, newest first, over all pages', async () => {
    const { code, stdout, stderr } = await run('messages', '--json');
    expect([code, stderr]).toEqual([0, '']);
    const ids = rowsOf(stdout).map((row) => row.id);
    expect(ids).toEqual(Array.from({ length: fakeMessageCount }, (_unused, n) => fakeMessageCount - n));
  });

  test('the filters go along', async () => {
    const { stdout } = await run(
      'messages',
      '--json',
      '--state',
      'failed',
      '--type',
      'track',
      '--user',
      'user-6',
      '--limit',
      '1200',
    );
    const rows = rowsOf(stdout);
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) expect(row).toMatchObject({ state: 'failed', type: 'track', userId: 'user-6' });
  });

  test('--filter takes the language of the live stream, beside the other options', async () => {
    const { stdout } = await run(
      ...['messages', '--json', '--filter', 'status:failed -type:page', '--user', 'user-6', '--limit', '900'],
    );
    const rows = rowsOf(stdout);
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows) expect(row).toMatchObject({ state: 'failed', userId: 'user-6' });
    expect(rows.some(({ type }) => type === 'page')).toBe(false);
  });

  test('a filter that cannot be read ends with 2 and says why', async () => {
    const { code, stdout, stderr } = await run('messages', '--filter', 'hok:3');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--filter: There is no filter hok:. Did you mean hook:?');
  });

  test('--limit bounds the list, also over a page', async () => {
    expect(rowsOf((await run('messages', '--json', '--limit', '3')).stdout)).toHaveLength(3);
    expect(rowsOf((await run('messages', '--json', '--limit', '1001')).stdout)).toHaveLength(1_001);
  });

  test('attempts --json gives all attempts oldest first, or those of one message', async () => {
    const all = (await run('attempts', '--json')).stdout.trimEnd().split('\n');
    expect(all.map((line) => JSON.parse(line).id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const one = (await run('attempts', '--json', '--message', 'message-7')).stdout.trimEnd().split('\n');
    expect(one.map((line) => JSON.parse(line).message)).toEqual(['message-7']);
  });
});

test('the table is for reading: 50 rows, and no byte of a payload acts on the terminal (U7)', async () => {
  const { stdout } = await runCliProcess(['messages', '--workspace', join(folder, 'running')]);
  expect(stdout.trimEnd().split('\n')).toHaveLength(51);
  expect(stdout).toMatch(/^RECEIVED +STATE +TYPE +NAME +USER +MESSAGE ID\n/);
  const all = await runCliProcess(['messages', '--workspace', join(folder, 'running'), '--limit', '3000']);
  expect(all.stdout).toContain('Order \\u001b[31mplaced');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(all.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

describe('mistakes', () => {
  test('a workspace without a store and without an instance: exit code 1, and what is missing', async () => {
    const { code, stdout, stderr } = await runCliProcess(['messages', '--json', '--workspace', join(folder, 'none')]);
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'no_store', message: expect.stringContaining(join(folder, 'none')) },
    });
  });

  test.each<[string[], string]>([
    [['messages', '--state', 'deliverd'], 'deliverd'],
    [['messages', '--type', 'click'], 'click'],
    [['messages', '--limit', '0'], '--limit'],
    [['messages', '--limit', 'x'], '--limit'],
    [['messages', '--stat', 'failed'], '--stat'],
    [['attempts', 'message-1'], 'message-1'],
    [['attempts', '--limit', '3'], '--limit'],
    [['list'], 'list'],
  ])('%j: exit code 2, and it says what is wrong', async (args, word) => {
    const { code, stdout, stderr } = await runCliProcess(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(word);
  });

  test('no command: the help on standard error and exit code 2', async () => {
    const { code, stderr } = await runCliProcess([]);
    expect(code).toBe(2);
    expect(stderr).toContain('hookbench serve');
  });
});

test.each([['help'], ['--help'], ['-h'], ['help', 'nothing']])(
  '%j gives the help on every command',
  async (...args) => {
    const { code, stdout } = await runCliProcess(args);
    expect(code).toBe(0);
    expect(stdout).toContain('--accept-any-key');
    expect(stdout).toContain('--message ID');
  },
);

test.each([
  ['serve', '--help'],
  ['serve', '--json', '-h'],
  ['help', 'serve'],
])('%j gives the help on that command', async (...args) => {
  const { code, stdout } = await runCliProcess(args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^hookbench serve .*\n(?: .*\n)+$/);
  expect(stdout).toContain('--accept-any-key');
});

test('--version gives the version alone', async () => {
  expect(await runCliProcess(['--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
});

test('the workspace comes from the environment when no option names it', async () => {
  const { code, stdout } = await runCliProcess(['messages', '--json', '--limit', '1'], {
    HOOKBENCH_WORKSPACE: join(folder, 'running'),
  });
  expect([code, rowsOf(stdout)]).toEqual([0, [expect.objectContaining({ id: fakeMessageCount })]]);
});

test('a reader that goes away early, as head does, is no error', async () => {
  const cli = join(import.meta.dirname, '../helpers/fake-cli.ts');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
  const script = '"$0" "$1" messages --json --workspace "$2" | head -n 1; echo "${PIPESTATUS[0]}"';
  const child = spawn('bash', ['-c', script, process.execPath, cli, join(folder, 'running')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  await once(child, 'close');
  const [first, code] = stdout.trimEnd().split('\n');
  expect(JSON.parse(first ?? '')).toMatchObject({ id: fakeMessageCount });
  expect([code, stderr]).toEqual(['0', '']);
});
