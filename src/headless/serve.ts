/** `hookbench serve`: the headless shell with its options, its lines and its exit codes. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { EngineStartError, type EngineStartErrorCode } from '../core/engine-thread.ts';
import { ConfigFileError, readConfigFile } from '../shell/config-file.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { hasDesktop, openBrowser } from '../shell/open-browser.ts';
import { onStopRequest } from '../shell/stop-signals.ts';
import { terminalText } from '../shell/terminal.ts';
import { type HeadlessOptions, type HeadlessShell, ShellPortError, startHeadless } from './shell.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the built program and the tests give differently. */
export interface ServeParts {
  readonly workerPath: string | URL;
  readonly receiversWorker?: string;
  readonly rendererFolder: string;
  /** False: a taken ingest port is shown in the interface only. */
  readonly requireIngest?: boolean;
}

export interface ServeOptions {
  readonly workspace: string;
  readonly configFile: string | null;
  readonly ingestPort: number | undefined;
  readonly httpsPort: number | undefined;
  readonly uiPort: number | undefined;
  readonly acceptAnyKey: boolean | undefined;
  /** False: no receivers for this start. */
  readonly receivers: boolean;
  readonly receiversPort: number | undefined;
  readonly receiversHttpsPort: number | undefined;
  readonly open: boolean;
  readonly json: boolean;
}

/** The command line is wrong; exit code 2. */
export class UsageError extends Error {
  readonly code = 'usage';
}

/** Where a workspace is when no option says so. */
export const defaultWorkspace = (env: Environment): string =>
  resolve(env.HOOKBENCH_WORKSPACE || join(homedir(), '.hookbench', 'default'));

export function portOption(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new UsageError(`--${name} takes a port from 0 to 65535, not ${JSON.stringify(text)}.`);
  return port;
}

/** Throws a {@link UsageError}. */
export function parseServe(args: readonly string[], env: Environment): ServeOptions {
  const { values } = parseArguments(args);
  return {
    workspace: values.workspace === undefined ? defaultWorkspace(env) : resolve(values.workspace),
    configFile: values.config === undefined ? null : resolve(values.config),
    ingestPort: portOption(values['ingest-port'], 'ingest-port'),
    httpsPort: portOption(values['https-port'], 'https-port'),
    uiPort: portOption(values['ui-port'], 'ui-port'),
    acceptAnyKey: values['accept-any-key'],
    receivers: values['no-receivers'] !== true,
    receiversPort: portOption(values['receivers-port'], 'receivers-port'),
    receiversHttpsPort: portOption(values['receivers-https-port'], 'receivers-https-port'),
    open: values['no-open'] !== true,
    json: values.json === true,
  };
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: false,
      options: {
        workspace: { type: 'string' },
        config: { type: 'string' },
        'ingest-port': { type: 'string' },
        'https-port': { type: 'string' },
        'ui-port': { type: 'string' },
        'accept-any-key': { type: 'boolean' },
        'receivers-port': { type: 'string' },
        'receivers-https-port': { type: 'string' },
        'no-receivers': { type: 'boolean' },
        'no-open': { type: 'boolean' },
        json: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, string | number | null>>;
}

/** `config_invalid`: the file is well formed and the engine refused a value; its message starts with the path. */
const engineExitCodes: Partial<Record<EngineStartErrorCode, number>> = {
  workspace_in_use: exitCodes.workspaceInUse,
  config_invalid: exitCodes.usage,
};

/** What a start's error means to the caller. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ShellPortError) {
    const details = { port: error.port, purpose: error.purpose, holder: error.holder };
    return { exitCode: exitCodes.portInUse, code: error.code, message, details };
  }
  if (error instanceof ConfigFileError) {
    const where = error.path === '' ? '' : `${error.path}: `;
    return {
      exitCode: exitCodes.usage,
      code: error.code,
      message: `${where}${message}`,
      details: { path: error.path },
    };
  }
  if (error instanceof EngineStartError) {
    return { exitCode: engineExitCodes[error.code] ?? exitCodes.failed, code: error.code, message, details: {} };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  return { exitCode: error instanceof UsageError ? exitCodes.usage : exitCodes.failed, code, message, details: {} };
}

/** Writes why it failed to standard error and gives the exit code. */
export function reportFailure(error: unknown, asJson: boolean): number {
  const failure = failureOf(error);
  const { code, message, details } = failure;
  process.stderr.write(
    asJson
      ? `${JSON.stringify({ error: { code, message, ...details } })}\n`
      : `hookbench: ${code}: ${terminalText(message)}\n`,
  );
  return failure.exitCode;
}

function sayReady(shell: HeadlessShell, json: boolean): void {
  const { ingestUrl, httpsUrl, uiUrl, workspace, listener } = shell;
  if (json) {
    const line = {
      ready: true,
      ingest: ingestUrl,
      https: httpsUrl ?? undefined,
      ui: uiUrl,
      workspace,
      pid: process.pid,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const ingest = listener.state === 'listening' ? `listens for calls on ${ingestUrl}` : 'does not listen for calls yet';
  const why = listener.state === 'listening' ? '' : ` (${listener.message ?? listener.state})`;
  process.stdout.write(`Hookbench ${terminalText(`${ingest}${why}`)}.\n`);
  if (httpsUrl !== null) process.stdout.write(`It listens for calls on ${httpsUrl} too; see hookbench certificate.\n`);
  process.stdout.write(`Open ${uiUrl}\n`);
  process.stdout.write(`The workspace is ${terminalText(workspace)}. Ctrl-C stops it.\n`);
}

/** How long stopping may take before the process ends anyway: what SIGKILL survives, this does too. */
const stopLimitMs = 15_000;

/** Resolves with the exit code when the shell was stopped or its engine gave up. */
function untilEnd(shell: HeadlessShell): Promise<number> {
  return new Promise((resolveEnd) => {
    const end = async (exitCode: number): Promise<void> => {
      setTimeout(() => process.exit(exitCodes.failed), stopLimitMs).unref();
      await shell.stop();
      resolveEnd(exitCode);
    };
    onStopRequest(() => end(exitCodes.ok));
    shell.engine.onState((state) => {
      if (state.state === 'restarting')
        process.stderr.write(`hookbench: the engine ended (${terminalText(state.message)}); it starts again.\n`);
      if (state.state !== 'stopped' || state.message === null) return;
      process.stderr.write(`hookbench: engine_failed: ${terminalText(state.message)} It ended 5 times in a minute.\n`);
      void end(exitCodes.failed);
    });
  });
}

const headlessOptions = (options: ServeOptions, parts: ServeParts, env: Environment): HeadlessOptions => ({
  ...parts,
  workspace: options.workspace,
  config: options.configFile === null ? undefined : readConfigFile(options.configFile, env),
  ingestPort: options.ingestPort,
  httpsPort: options.httpsPort,
  uiPort: options.uiPort,
  acceptAnyKey: options.acceptAnyKey,
  receiversWorker: options.receivers ? parts.receiversWorker : undefined,
  receiversPort: options.receiversPort,
  receiversHttpsPort: options.receiversHttpsPort,
  env,
});

/** Runs until it is asked to stop; gives the exit code. */
export async function serve(
  args: readonly string[],
  parts: ServeParts,
  env: Environment = process.env,
): Promise<number> {
  process.stdout.on('error', () => {});
  const asJson = args.includes('--json');
  try {
    const options = parseServe(args, env);
    const shell = await startHeadless(headlessOptions(options, parts, env));
    const ended = untilEnd(shell);
    sayReady(shell, options.json);
    if (options.open && hasDesktop(env, process.stdout.isTTY, process.platform)) openBrowser(shell.launchUrl());
    return await ended;
  } catch (error) {
    return reportFailure(error, asJson);
  }
}
