/** `hookbench serve` in a kill run, in its own process group, so that a kill hits all of it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LIFE_HEADER, PATHS, REPLAY_PATH, SECRETS, WRITE_KEY } from './messages.ts';

export interface ServeSetup {
  /** Path of the built command line. */
  readonly cli: string;
  readonly folder: string;
  readonly ingestPort: number;
  readonly receiverPort: number;
  /** Also a webhook that is off, for replays. */
  readonly withReplays: boolean;
}

export interface Life {
  /** From 1. */
  readonly number: number;
  /** `name:n`: the failpoint at which it kills itself. */
  readonly failpoint?: string;
  /** Whether the config has the shared secret. */
  readonly givesSecret: boolean;
}

export interface Serve {
  /** Milliseconds from the start to the ready line; null when it ended before. */
  readonly ready: Promise<number | null>;
  /** Exit code and signal. */
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
  errors(): string;
  kill(signal: 'SIGKILL' | 'SIGTERM'): void;
}

/** Retries last long enough that no message expires during repeated kills. */
const RETRY = { baseMs: 10_000, factor: 2, maxMs: 1_200_000, windowMs: 7 * 86_400_000, jitter: 0.2, seed: 1 };

/** Storage limits so high that nothing of a run is removed. */
const STORAGE = { maxMessages: 10_000_000, maxBytes: 64 * 1024 ** 3 };

function writeConfig(setup: ServeSetup, life: Life): string {
  const { folder, receiverPort, withReplays } = setup;
  const file = join(folder, 'hookbench.json');
  const paths = withReplays ? [...PATHS, REPLAY_PATH] : PATHS;
  const config = {
    sources: [{ name: 'kill', writeKey: WRITE_KEY }],
    webhooks: {
      sharedSecret: life.givesSecret ? SECRETS[0] : undefined,
      retry: RETRY,
      entries: paths.map((path) => ({
        name: path.slice(1),
        url: `http://127.0.0.1:${receiverPort}${path}`,
        headers: { [LIFE_HEADER]: String(life.number) },
        enabled: path !== REPLAY_PATH,
      })),
    },
    clock: { speed: 240 },
    storage: STORAGE,
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

export const workspaceOf = (folder: string): string => join(folder, 'workspace');

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-child.pid!, signal);
  } catch {
    // It has ended already.
  }
}

export function startServe(setup: ServeSetup, life: Life): Serve {
  const options = ['--workspace', workspaceOf(setup.folder), '--config', writeConfig(setup, life)];
  const ports = ['--ingest-port', String(setup.ingestPort), '--ui-port', '0', '--no-receivers'];
  const { HOOKBENCH_FAILPOINT: _, ...env } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [setup.cli, 'serve', ...options, ...ports, '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: life.failpoint === undefined ? env : { ...env, HOOKBENCH_FAILPOINT: life.failpoint },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const line = once(createInterface({ input: child.stdout }), 'line').then(() => performance.now() - startedAt);
  return {
    ready: Promise.race([line, ended.then(() => null)]),
    ended,
    errors: () => errors,
    kill: (signal) => signalGroup(child, signal),
  };
}
