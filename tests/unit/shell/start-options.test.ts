import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseServe } from '../../../src/headless/serve.ts';
import { UsageError } from '../../../src/shell/option-table.ts';
import { defaultWorkspace, desktopOptions, workspaceFolder } from '../../../src/shell/start-options.ts';

const cwd = process.cwd();
const usual = join(homedir(), '.hookbench', 'default');

test('the default workspace is one folder for a user', () => {
  expect(defaultWorkspace()).toBe(usual);
  expect(defaultWorkspace('/home/dev')).toBe(join('/home/dev', '.hookbench', 'default'));
});

describe('the workspace is the same in every shell', () => {
  const desktop = (args: string[], env: Record<string, string>) =>
    desktopOptions(['/opt/electron', '/opt/hookbench', '--no-sandbox', ...args], env).workspace;
  const headless = (args: string[], env: Record<string, string>) => parseServe(args, env).workspace;

  test.each<[string, string[], Record<string, string>, string]>([
    ['without a word', [], {}, usual],
    ['by --workspace', ['--workspace', '/w'], {}, '/w'],
    ['by --workspace=', ['--workspace=/w'], {}, '/w'],
    ['by HOOKBENCH_WORKSPACE', [], { HOOKBENCH_WORKSPACE: '/e' }, '/e'],
    ['by --workspace over HOOKBENCH_WORKSPACE', ['--workspace', '/w'], { HOOKBENCH_WORKSPACE: '/e' }, '/w'],
    ['without a word where HOOKBENCH_WORKSPACE is empty', [], { HOOKBENCH_WORKSPACE: '' }, usual],
    ['relative to the working folder', ['--workspace', 'here/w'], {}, join(cwd, 'here/w')],
    ['relative from the environment', [], { HOOKBENCH_WORKSPACE: '../w' }, join(cwd, '../w')],
  ])('%s', (_title, args, env, folder) => {
    expect([desktop(args, env), headless(args, env)]).toEqual([folder, folder]);
  });

  test.each([[['--workspace=']], [['--workspace']], [['--workspace', '--ingest-port=1']], [['--config=']]])(
    '%j is refused by both',
    (args) => {
      expect(() => desktop(args, {})).toThrow(UsageError);
      expect(() => headless(args, {})).toThrow(UsageError);
    },
  );
});

describe('the desktop', () => {
  const parse = (...args: string[]) => desktopOptions(['electron', '.', ...args], {}, '/home/dev');

  test('takes what hookbench serve takes', () => {
    const all = [
      '--config',
      'hookbench.json',
      '--ingest-port',
      '0',
      '--https-port=8443',
      '--accept-any-key',
      '--accept-store',
    ];
    expect(parse(...all, '--receivers-port', '1', '--receivers-https-port', '2', '--no-receivers')).toEqual({
      workspace: usual,
      configFile: '/home/dev/hookbench.json',
      ingestPort: 0,
      httpsPort: 8443,
      acceptAnyKey: true,
      acceptStore: true,
      receivers: false,
      receiversPort: 1,
      receiversHttpsPort: 2,
      keyFile: false,
    });
    expect(parse('--key-file').keyFile).toBe(true);
  });

  test('passes over what is for Electron and Chromium', () => {
    const theirs = ['--user-data-dir=/u', '--inspect=0', '--remote-debugging-port=0', '-r', 'x.cjs', '--__proto__=1'];
    expect(parse(...theirs, '--workspace', 'w', '--', '--constructor').workspace).toBe('/home/dev/w');
  });

  test.each(['--ingest-port=65536', '--ingest-port=-1', '--ingest-port=1e3', '--receivers-port=x', '--no-receivers=1'])(
    '%s is an error, not something else',
    (argument) => {
      expect(() => parse(argument)).toThrow(UsageError);
    },
  );
});

test('a folder to be relative to can be given', () => {
  expect(workspaceFolder('w', {}, '/home/dev')).toBe('/home/dev/w');
});
