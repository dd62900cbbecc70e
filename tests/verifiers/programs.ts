/** Runs the programs of broken verifiers in the languages that are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, questionsIn } from './verifiers.ts';

const programs = join(import.meta.dirname, 'programs');

interface Runtime {
  /** Answers without an error where the language is installed. */
  readonly probe: readonly [string, ...string[]];
  /** Prints the path of the program itself, where the command may be a script that looks for it at each start. */
  readonly locate?: readonly [string, ...string[]];
  /** What must be compiled, into a folder of the run. */
  readonly compile?: (folder: string) => readonly [string, ...string[]];
  readonly run: (folder: string) => readonly [string, ...string[]];
}

const RUNTIMES: Readonly<Record<Language, Runtime>> = {
  node: { probe: ['node', '--version'], run: () => ['node', join(programs, 'verify.mjs')] },
  python: {
    probe: ['python3', '--version'],
    locate: ['python3', '-c', 'import sys; print(sys.executable)'],
    // Without the packages of the machine, it starts in a fifth of the time.
    run: () => ['python3', '-S', join(programs, 'verify.py')],
  },
  ruby: { probe: ['ruby', '-ropenssl', '-e', ''], run: () => ['ruby', join(programs, 'verify.rb')] },
  php: { probe: ['php', '--version'], run: () => ['php', join(programs, 'verify.php')] },
  shell: { probe: ['openssl', 'version'], run: () => ['bash', join(programs, 'verify.sh')] },
  go: {
    probe: ['go', 'version'],
    compile: (folder) => ['go', 'build', '-o', join(folder, 'verify-go'), join(programs, 'verify.go')],
    run: (folder) => [join(folder, 'verify-go')],
  },
  java: {
    probe: ['javac', '-version'],
    compile: (folder) => ['javac', '-d', folder, join(programs, 'Verify.java')],
    run: (folder) => ['java', '-cp', folder, 'Verify'],
  },
  csharp: {
    probe: ['mcs', '--version'],
    compile: (folder) => ['mcs', `-out:${join(folder, 'verify.exe')}`, join(programs, 'Verify.cs')],
    run: (folder) => ['mono', join(folder, 'verify.exe')],
  },
};

/**
 * The digests of a language's verifiers, by mistake and body; null when it is not installed. One process computes them
 * all, because most of these languages take longer to start than to sign.
 */
export function verifierIn(language: Language, folder: string): ((mistake: string, body: string) => string) | null {
  const { probe, locate, compile, run } = RUNTIMES[language];
  if (spawnSync(probe[0], probe.slice(1), { stdio: 'ignore' }).status !== 0) return null;
  if (compile !== undefined) {
    mkdirSync(folder, { recursive: true });
    const [command, ...args] = compile(folder);
    execFileSync(command, args, { env: { ...process.env, GOCACHE: join(folder, 'go'), GOFLAGS: '-mod=mod' } });
  }
  const [name, ...args] = run(folder);
  const command = locate === undefined ? name : execFileSync(locate[0], locate.slice(1)).toString().trim();
  const lines = questionsIn(language).map(({ mistake, body }) => lineOf(mistake, body));
  const digests = answers(command, args, lines);
  return (mistake, body) => digests.get(lineOf(mistake, body))!;
}

const lineOf = (mistake: string, body: string): string => `${mistake} ${Buffer.from(body).toString('base64')}`;

function answers(command: string, args: readonly string[], lines: readonly string[]): ReadonlyMap<string, string> {
  const output = execFileSync(command, args, {
    input: lines.map((line) => `${line}\n`).join(''),
    env: { ...process.env, SECRET, PYTHONUTF8: '1' },
  });
  const digests = output.toString().trim().split(/\r?\n/);
  if (digests.length !== lines.length) throw new Error(`${command} answered ${digests.length} of ${lines.length}.`);
  return new Map(lines.map((line, i) => [line, digests[i]!]));
}

/** Signs the bodies of these runs. */
export const SECRET = 'whsec_dGVzdCBrZXk';
