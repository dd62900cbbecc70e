/** What both shells take from their command line, and where the workspace lies: decided here for both. */

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StartChoices } from '../core/engine/engine-options.ts';
import { type Options, parseOptions, UsageError, type Values } from './option-table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder that every shell of this user opens by default. */
export const defaultWorkspace = (home = homedir()): string => join(home, '.hookbench', 'default');

/** `--workspace`, else `HOOKBENCH_WORKSPACE`, else the default; a relative path lies in the working folder. */
export function workspaceFolder(given: string | undefined, env: Environment, folder = process.cwd()): string {
  if (given !== undefined) return fileOption(given, 'workspace', folder);
  return resolve(folder, env.HOOKBENCH_WORKSPACE || defaultWorkspace());
}

/** Refuses an empty path: it would mean the working folder, which nobody means by it. */
function fileOption(given: string, name: string, folder: string): string {
  if (given === '') throw new UsageError(`--${name} takes a path, not an empty text.`);
  return resolve(folder, given);
}

export function portOption(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--${name} takes a port from 0 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

export const workspaceOption = {
  type: 'string',
  value: 'DIR',
  help: 'The workspace folder (HOOKBENCH_WORKSPACE, or ~/.hookbench/default)',
} as const;

export const startOptionTable = {
  workspace: workspaceOption,
  config: { type: 'string', value: 'FILE', help: 'Sources, webhooks and rules from a hookbench.json' },
  'ingest-port': { type: 'string', value: 'N', help: 'The port for calls (8765); 0 takes any free one' },
  'https-port': {
    type: 'string',
    value: 'N',
    help: 'Also listen for calls over https on this port; 0 takes any free one',
  },
  'accept-any-key': { type: 'boolean', help: 'Make a source for each unknown write key' },
  'accept-store': { type: 'boolean', help: 'Open the store even though it is not the one that was here before' },
  'receivers-port': { type: 'string', value: 'N', help: 'The port of the receivers (8766); 0 takes any free one' },
  'receivers-https-port': {
    type: 'string',
    value: 'N',
    help: 'The port of receivers over https (8767); 0 takes any free one',
  },
  'no-receivers': { type: 'boolean', help: 'Start without the receivers' },
} as const satisfies Options;

export interface StartOptions extends StartChoices {
  /** Absolute. */
  readonly workspace: string;
  /** Absolute; null without a config file. */
  readonly configFile: string | null;
  readonly acceptStore: boolean;
  /** False: no receivers for this start. */
  readonly receivers: boolean;
}

/** Throws a {@link UsageError}. */
export const startOptions = (
  values: Values<typeof startOptionTable>,
  env: Environment,
  folder = process.cwd(),
): StartOptions => ({
  workspace: workspaceFolder(values.workspace, env, folder),
  configFile: values.config === undefined ? null : fileOption(values.config, 'config', folder),
  ingestPort: portOption(values['ingest-port'], 'ingest-port'),
  httpsPort: portOption(values['https-port'], 'https-port'),
  acceptAnyKey: values['accept-any-key'],
  acceptStore: values['accept-store'] === true,
  receivers: values['no-receivers'] !== true,
  receiversPort: portOption(values['receivers-port'], 'receivers-port'),
  receiversHttpsPort: portOption(values['receivers-https-port'], 'receivers-https-port'),
});

export const desktopOptionTable = {
  ...startOptionTable,
  'key-file': {
    type: 'boolean',
    help: 'Keep the key of the secrets in a file, so that serve can open the workspace too',
  },
} as const satisfies Options;

export interface DesktopOptions extends StartOptions {
  /** True: the key of the secrets is written to a file, so that the command line can open the workspace too. */
  readonly keyFile: boolean;
}

/** Options that belong to the workspace of a start. */
const OF_WORKSPACE = ['workspace', 'config', 'accept-store', 'key-file'] as const;

/** The arguments of a start with another workspace: all that do not belong to the one before. */
export function withWorkspace(args: readonly string[], folder: string): string[] {
  const kept: string[] = [];
  for (let n = 0; n < args.length; n++) {
    const argument = args[n] ?? '';
    const name = OF_WORKSPACE.find((one) => argument === `--${one}` || argument.startsWith(`--${one}=`));
    if (name === undefined) kept.push(argument);
    else if (argument === `--${name}` && desktopOptionTable[name].type === 'string') n += 1;
  }
  return [...kept, `--workspace=${folder}`];
}

/** The desktop's options among those of Electron and Chromium, which are passed over. */
function ownArguments(argv: readonly string[]): string[] {
  const own: string[] = [];
  for (let n = 0; n < argv.length; n++) {
    const argument = argv[n] ?? '';
    const name = /^--([^=]+)/.exec(argument)?.[1] ?? '';
    if (!Object.hasOwn(desktopOptionTable, name)) continue;
    own.push(argument);
    const takesNext =
      desktopOptionTable[name as keyof typeof desktopOptionTable].type === 'string' && !argument.includes('=');
    const value = argv[n + 1];
    if (takesNext && value !== undefined) {
      own.push(value);
      n += 1;
    }
  }
  return own;
}

/** Throws a {@link UsageError}. `argv` is that of the process. */
export function desktopOptions(argv: readonly string[], env: Environment, folder = process.cwd()): DesktopOptions {
  const values = parseOptions(desktopOptionTable, ownArguments(argv));
  return { ...startOptions(values, env, folder), keyFile: values['key-file'] === true };
}
