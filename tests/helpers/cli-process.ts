/** Runs the command line with the stand-in engine in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const fakeCli = join(import.meta.dirname, 'fake-cli.ts');
/** The command line with the real engine. */
export const sourceCli = join(import.meta.dirname, 'source-cli.ts');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliProcess {
  readonly child: ChildProcess;
  /** The first line of standard output; null when the process ended without one. */
  readonly firstLine: Promise<string | null>;
  readonly ended: Promise<CliResult>;
}

const read = (stream: NodeJS.ReadableStream, keep: (text: string) => void): void => {
  stream.setEncoding('utf8');
  stream.on('data', keep);
};

/** `env` replaces the environment, except for what Node needs. */
export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = fakeCli,
): CliProcess {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, TMPDIR, NODE_COMPILE_CACHE, HOME: '/nonexistent', ...env },
  });
  const out = { stdout: '', stderr: '' };
  read(child.stdout, (text) => {
    out.stdout += text;
  });
  read(child.stderr, (text) => {
    out.stderr += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...out }));
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text));
  return { child, ended, firstLine: Promise.race([line, ended.then(() => null)]) };
}

export const runCliProcess = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  program = fakeCli,
): Promise<CliResult> => startCli(args, env, program).ended;

export interface Ready {
  readonly ready: true;
  readonly ingest: string;
  readonly ui: string;
  readonly workspace: string;
  readonly pid: number;
}

/** Starts `serve --json` on free ports. When it does not become ready, rejects with its output. */
export async function startServe(
  workspace: string,
  more: readonly string[] = [],
  program = fakeCli,
): Promise<CliProcess & { ready: Ready }> {
  const ports = ['--ingest-port', '0', '--ui-port', '0'];
  const cli = startCli(['serve', '--json', '--no-open', '--workspace', workspace, ...ports, ...more], {}, program);
  const line = await cli.firstLine;
  if (line === null) throw new Error((await cli.ended).stderr);
  return { ...cli, ready: JSON.parse(line) as Ready };
}
