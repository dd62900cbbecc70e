/** `hookbench serve`: the headless shell with its options, its lines and its exit codes. */

import { deliveryText } from '../contract/not-sending.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import type { ListenerView } from '../contract/values.ts';
import { choicesOf } from '../core/engine/engine-options.ts';
import type { StopWait } from '../core/engine/engine-thread.ts';
import type { EngineSource } from '../core/engine/prepared-engine.ts';
import { readConfigFile } from '../shell/config-file.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { KnownWorkspaces, knownPlace } from '../shell/known-workspaces.ts';
import { hasDesktop, openBrowser } from '../shell/open-browser.ts';
import { type Options, parseOptions } from '../shell/option-table.ts';
import { type StartFailure, startFailure } from '../shell/start-failure.ts';
import {
  type Environment,
  portOption,
  type StartOptions,
  startOptions,
  startOptionTable,
} from '../shell/start-options.ts';
import { onStopRequest } from '../shell/stop-signals.ts';
import { DemoOpener } from './demo.ts';
import { type HeadlessOptions, type HeadlessShell, ShellPortError, startHeadless } from './shell.ts';

/** What the built program and the tests give differently. */
export interface ServeParts {
  readonly workerPath: EngineSource;
  readonly receiversWorker?: string;
  readonly peopleWorker?: string;
  readonly backgroundWorker?: string;
  readonly rendererFolder: string;
  /** False: only the interface shows a taken ingest port. */
  readonly requireIngest?: boolean;
}

export interface ServeOptions extends StartOptions {
  readonly uiPort: number | undefined;
  readonly open: boolean;
  readonly json: boolean;
}

export const serveOptionTable = {
  ...startOptionTable,
  'ui-port': { type: 'string', value: 'N', help: 'The port of the interface (8764); 0 takes any free one' },
  'no-open': { type: 'boolean', help: 'Do not open the browser' },
  json: { type: 'boolean', help: 'Print one JSON line when it is ready, with the addresses' },
} as const satisfies Options;

/** Throws a `UsageError`. */
export function parseServe(args: readonly string[], env: Environment): ServeOptions {
  const values = parseOptions(serveOptionTable, args);
  return {
    ...startOptions(values, env),
    uiPort: portOption(values['ui-port'], 'ui-port'),
    open: values['no-open'] !== true,
    json: values.json === true,
  };
}

/** What an error of the start means to the caller. */
export function failureOf(error: unknown): StartFailure {
  if (!(error instanceof ShellPortError)) return startFailure(error);
  const { code, message, port, purpose, holder, option } = error;
  return { exitCode: exitCodes.portInUse, code, message, details: { port, purpose, holder, option } };
}

/** Writes why it failed to standard error and gives the exit code. */
export function reportFailure(error: unknown, asJson: boolean): number {
  const failure = failureOf(error);
  const { code, message, details } = failure;
  process.stderr.write(
    asJson
      ? `${jsonText({ error: { code, message, ...details } })}\n`
      : `hookbench: ${code}: ${terminalText(message)}\n`,
  );
  return failure.exitCode;
}

/** Where Hookbench listens for calls, or why it does not and what to do. */
export function listeningText({ state, message }: ListenerView, ingestUrl: string): string {
  if (state === 'listening') return `Hookbench listens for calls on ${ingestUrl}.`;
  const why = message ?? `The listener is ${state}.`;
  return `Hookbench does not listen for calls yet. ${why} Choose another port in the interface, or start again with --ingest-port.`;
}

export function sayReady(shell: HeadlessShell, json: boolean): void {
  const { ingestUrl, httpsUrl, uiUrl, workspace, listener, notSending } = shell;
  if (json) {
    const { state, message } = listener;
    const isListening = state === 'listening';
    const line = {
      ready: isListening,
      ...(!isListening && { listener: { state, message } }),
      ingest: isListening ? ingestUrl : null,
      https: httpsUrl ?? undefined,
      ui: uiUrl,
      workspace,
      notSending,
      pid: process.pid,
    };
    process.stdout.write(`${jsonText(line)}\n`);
    return;
  }
  process.stdout.write(`${terminalText(listeningText(listener, ingestUrl))}\n`);
  if (httpsUrl !== null) process.stdout.write(`It listens for calls on ${httpsUrl} too; see hookbench certificate.\n`);
  if (notSending.length > 0) process.stdout.write(`${deliveryText(notSending)}\n`);
  process.stdout.write(`Open ${uiUrl}\n`);
  process.stdout.write(`The workspace is ${terminalText(workspace)}. Ctrl-C stops it.\n`);
}

function sayStopping({ attempts, limitMs }: StopWait, json: boolean): void {
  if (json) process.stdout.write(`${jsonText({ stopping: true, attempts, limitMs })}\n`);
  else
    process.stdout.write(
      `Stopping: waits for ${attempts} open ${attempts === 1 ? 'attempt' : 'attempts'}, at most ${limitMs / 1000} s. A second signal ends it at once.\n`,
    );
}

/** How long a forgotten handle may keep the process alive after its engine has stopped. */
const LINGER_MS = 2_000;

/**
 * Resolves when the process is first asked to end. It listens from now on, so that a signal during the start counts.
 */
export const stopRequested = (): Promise<string> =>
  new Promise((asked) => onStopRequest(async (reason) => asked(reason)));

/** Resolves with the exit code when the shell was stopped or its engine gave up. */
export function untilEnd(
  shell: Pick<HeadlessShell, 'engine' | 'stop'>,
  asked: Promise<string>,
  json: boolean,
): Promise<number> {
  return new Promise((resolveEnd) => {
    const end = async (exitCode: number): Promise<void> => {
      await shell.stop();
      setTimeout(() => process.exit(exitCode), LINGER_MS).unref();
      resolveEnd(exitCode);
    };
    void asked.then(() => end(exitCodes.ok));
    shell.engine.onState((state) => {
      if (state.state === 'stopping') sayStopping(state, json);
      if (state.state === 'restarting' && state.message !== '')
        process.stderr.write(`hookbench: the engine ended (${terminalText(state.message)}); it starts again.\n`);
      if (state.state !== 'stopped' || state.message === null) return;
      process.stderr.write(`hookbench: engine_failed: ${terminalText(state.message)} It ended 5 times in a minute.\n`);
      void end(exitCodes.failed);
    });
  });
}

/**
 * Whether a taken ingest port ends the start. It does if the port was asked for, or if a script reads the output. Any
 * other person gets the interface, which says who holds the port and offers another one.
 */
export const needsIngest = (
  { ingestPort, json }: Pick<ServeOptions, 'ingestPort' | 'json'>,
  { requireIngest }: Pick<ServeParts, 'requireIngest'>,
): boolean => requireIngest ?? (ingestPort !== undefined || json);

const headlessOptions = (options: ServeOptions, parts: ServeParts, env: Environment): HeadlessOptions => ({
  ...parts,
  requireIngest: needsIngest(options, parts),
  workspace: options.workspace,
  config: options.configFile === null ? undefined : readConfigFile(options.configFile, env),
  ...choicesOf(options),
  uiPort: options.uiPort,
  receiversWorker: options.receivers ? parts.receiversWorker : undefined,
  env,
});

/** Only where a person is at a desktop. */
export function openInBrowser(url: string, env: Environment): void {
  if (hasDesktop(env, process.stdout.isTTY, process.platform)) openBrowser(url);
}

/** Runs until it is asked to stop; gives the exit code. */
export async function serve(
  args: readonly string[],
  parts: ServeParts,
  env: Environment = process.env,
): Promise<number> {
  const asked = stopRequested();
  process.stdout.on('error', () => {});
  const asJson = args.includes('--json');
  try {
    const options = parseServe(args, env);
    const given = headlessOptions(options, parts, env);
    const demo = new DemoOpener(given, () => shell.launchUrl());
    const known = new KnownWorkspaces(knownPlace(env));
    const workspaces = async () => known.others(options.workspace);
    const shell = await startHeadless({ ...given, demoShell: { ...demo.shell, workspaces } });
    // What a script starts is not what a person goes back to.
    if (!options.json) known.remember(options.workspace);
    const stop = async (): Promise<void> => void (await Promise.all([demo.stop(), shell.stop()]));
    const ended = untilEnd({ engine: shell.engine, stop }, asked, options.json);
    sayReady(shell, options.json);
    if (options.open) openInBrowser(shell.launchUrl(), env);
    return await ended;
  } catch (error) {
    return reportFailure(error, asJson);
  }
}
