/** The headless shell of any checkout, on ports that the pictures may show: the same for every build. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Config } from '../../../src/contract/config.ts';

const PORTS = { ingest: 18765, ui: 18766, receivers: 18767, 'receivers-https': 18768 };
export const INGEST_URL = `http://127.0.0.1:${PORTS.ingest}`;
export const RECEIVERS_URL = `http://127.0.0.1:${PORTS.receivers}`;

export interface Served {
  /** With the token in its fragment. */
  readonly uiUrl: string;
  stop(): Promise<void>;
}

const commandLine = (root: string): string => join(root, 'out/main/cli.js');

/** Runs a command of the checkout's command line on the instance of `workspace`; rejects when it fails. */
export async function hookbench(root: string, workspace: string, words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [commandLine(root), ...words, '--workspace', workspace]);
}

/** `now` (epoch milliseconds) stops the engine's wall clock there; left out, it runs. */
export async function serve(
  root: string,
  { workspace, config, now }: { workspace: string; config: Config; now?: number },
): Promise<Served> {
  const file = `${workspace}.json`;
  writeFileSync(file, JSON.stringify(config));
  const ports = Object.entries(PORTS).flatMap(([name, port]) => [`--${name}-port`, String(port)]);
  const frozen =
    now === undefined
      ? {}
      : {
          PICTURES_NOW: String(now),
          NODE_OPTIONS: `--import=${join(import.meta.dirname, 'frozen.mjs')}`,
        };
  const child: ChildProcess = spawn(
    process.execPath,
    [commandLine(root), 'serve', '--json', '--no-open', '--workspace', workspace, '--config', file, ...ports],
    { stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...frozen } },
  );
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface({ input: child.stdout! });
  const first = await Promise.race([once(lines, 'line').then(([line]) => String(line)), exited.then(() => null)]);
  if (first === null) throw new Error(`hookbench serve of ${root} did not start`);
  return {
    uiUrl: (JSON.parse(first) as { ui: string }).ui,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      process.off('exit', kill);
    },
  };
}
