/**
 * The headless shell: the engine's thread and one HTTP server that shows the same interface in a browser.
 * Everything is an argument, so that tests can start it with a worker of their own.
 */
import { mkdirSync } from 'node:fs';
import type { Config } from '../contract/config.ts';
import type { NotSendingReasonName } from '../contract/not-sending.ts';
import type { ListenerView } from '../contract/values.ts';
import { choicesOf, type StartChoices } from '../core/engine/engine-options.ts';
import type { EngineShell, EngineStartOptions, TextPort } from '../core/engine/engine-thread.ts';
import type { EngineSource } from '../core/engine/prepared-engine.ts';
import { findPortHolder } from '../core/ingest/port-holder.ts';
import { engineStarts } from '../shell/engine-starts.ts';
import { type EngineSupervisor, superviseEngine } from '../shell/engine-supervisor.ts';
import { keyWithoutSystem } from '../shell/key-file.ts';
import { readRendererFiles } from '../shell/renderer-files.ts';
import { version } from '../shell/version.ts';
import { interfaceToken } from './kept-token.ts';
import { PortInUseError } from './listen.ts';
import { serveUi, type UiServer } from './server.ts';

export const DEFAULT_UI_PORT = 8764;

export interface HeadlessOptions extends StartChoices {
  /** Absolute; made with mode 0700 when absent. */
  readonly workspace: string;
  /** Built or source path of the engine's worker, or a thread that was prepared. */
  readonly workerPath: EngineSource;
  /** The built interface. */
  readonly rendererFolder: string;
  readonly config?: Config | undefined;
  readonly uiPort?: number | undefined;
  /** Built or source path of the receivers' worker; without it receivers are off. */
  readonly receiversWorker?: string | undefined;
  /** Built or source path of the worker of people. */
  readonly peopleWorker?: string | undefined;
  /** Built or source path of the background thread's worker. */
  readonly backgroundWorker?: string | undefined;
  /** False: a taken ingest port is shown in the interface and does not end the start. */
  readonly requireIngest?: boolean;
  /** Makes the workspace a demo. */
  readonly demo?: EngineStartOptions['demo'];
  /** Answers what the engine asks. Without it no demo can be opened. */
  readonly demoShell?: EngineShell;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface HeadlessShell {
  readonly ingestUrl: string;
  /** Null while https is off or comes up beside the engine. */
  readonly httpsUrl: string | null;
  /** Holds the token in its fragment, so it must not be logged. */
  readonly uiUrl: string;
  readonly workspace: string;
  readonly listener: ListenerView;
  /** Every reason why nothing, or not everything, was sent right after the start. */
  readonly notSending: readonly NotSendingReasonName[];
  readonly engine: EngineSupervisor;
  launchUrl(): string;
  /** Starts the engine of a demo anew on the same ports; `meanwhile` runs while there is none. */
  renew(demo: EngineStartOptions['demo'], meanwhile: () => void): Promise<void>;
  /** Ends connections, and the engine in order. Harmless when repeated. */
  stop(): Promise<void>;
}

/** What a port is for, and the option that takes another. */
const PORT_PURPOSES = {
  ingest: ['for calls', '--ingest-port'],
  https: ['for calls over https', '--https-port'],
  ui: ['of the interface', '--ui-port'],
  receivers: ['of the receivers', '--port'],
} as const;

/** A port that the shell needs is taken. The message says what to do. */
export class ShellPortError extends Error {
  readonly code = 'port_in_use';
  readonly port: number;
  readonly purpose: keyof typeof PORT_PURPOSES;
  readonly holder: string | null;
  /** Of the command line. */
  readonly option: string;
  constructor(purpose: keyof typeof PORT_PURPOSES, port: number, holder: string | null, givenOption?: string) {
    const [use, usualOption] = PORT_PURPOSES[purpose];
    const option = givenOption ?? usualOption;
    const who = holder === null ? '' : ` by ${holder}`;
    super(`Port ${port} ${use} is in use${who}. End that program, or choose another port with ${option}.`);
    this.option = option;
    this.name = 'ShellPortError';
    this.purpose = purpose;
    this.port = port;
    this.holder = holder;
  }
}

const serveUiOrName = (options: Parameters<typeof serveUi>[0]): Promise<UiServer> =>
  serveUi(options).catch(async (error: unknown) => {
    if (!(error instanceof PortInUseError)) throw error;
    const holder = await findPortHolder(error.port);
    throw new ShellPortError('ui', error.port, holder === null ? null : `${holder.name} (process ${holder.pid})`);
  });

function checkIngest(listener: ListenerView): void {
  if (listener.state === 'listening') return;
  if (listener.state === 'port_in_use') throw new ShellPortError('ingest', listener.port, listener.holder);
  throw new Error(listener.message ?? `The ingest does not listen: ${listener.state}.`);
}

/** Fails when a port from the command line is taken. A taken port from the settings is only a state. */
function checkHttps(https: ListenerView | undefined): void {
  if (https === undefined || https.state === 'listening') return;
  if (https.state === 'port_in_use') throw new ShellPortError('https', https.port, https.holder);
  throw new Error(https.message ?? `The https listener does not listen: ${https.state}.`);
}

type WorkspaceKey = ReturnType<typeof keyWithoutSystem>;

const engineOptions = (
  options: HeadlessOptions,
  { key, storage }: WorkspaceKey,
  uiPort: number,
): EngineStartOptions => ({
  workspace: options.workspace,
  version,
  shell: 'headless',
  secretKeyBase64: key.toString('base64'),
  keyStorage: storage,
  config: options.config,
  ...choicesOf(options),
  receiversWorker: options.receiversWorker,
  peopleWorker: options.peopleWorker,
  backgroundWorker: options.backgroundWorker,
  uiPort,
  demo: options.demo,
});

/** Rejects with a {@link ShellPortError}, an `EngineStartError` or a `KeyError`; then nothing is left running. */
export async function startHeadless(options: HeadlessOptions): Promise<HeadlessShell> {
  const files = readRendererFiles(options.rendererFolder);
  mkdirSync(options.workspace, { recursive: true, mode: 0o700 });
  const token = interfaceToken(options.workspace);
  let engine: EngineSupervisor | null = null;
  const connect = (): TextPort | null => engine?.connect() ?? null;
  const ui = await serveUiOrName({ files, port: options.uiPort ?? DEFAULT_UI_PORT, token, connect });
  try {
    const key = keyWithoutSystem(options.workspace, (options.env ?? process.env).HOOKBENCH_KEY);
    const starts = (more: Partial<HeadlessOptions> = {}) =>
      engineStarts(options.workerPath, engineOptions({ ...options, ...more }, key, ui.port), options.demoShell);
    const started = await superviseEngine({ start: starts() });
    engine = started;
    return headlessShell(options, { ui, engine: started, token, starts });
  } catch (error) {
    await engine?.stop();
    await ui.close();
    throw error;
  }
}

interface Started {
  readonly ui: UiServer;
  readonly engine: EngineSupervisor;
  readonly token: string;
  readonly starts: (more: Partial<HeadlessOptions>) => ReturnType<typeof engineStarts>;
}

function headlessShell(options: HeadlessOptions, { ui, engine, token, starts }: Started): HeadlessShell {
  const state = engine.state();
  if (state.state !== 'running') throw new Error('The engine ended during its start.');
  const { listener, https, notSending } = state.info;
  if (options.requireIngest !== false) checkIngest(listener);
  if (options.requireIngest !== false && options.httpsPort !== undefined) checkHttps(https);
  return {
    ingestUrl: `http://127.0.0.1:${listener.port}`,
    httpsUrl: https?.state === 'listening' ? `https://localhost:${https.port}` : null,
    uiUrl: `http://127.0.0.1:${ui.port}/#token=${token}`,
    workspace: options.workspace,
    listener,
    notSending,
    engine,
    launchUrl: () => ui.launchUrl(),
    renew: (demo, meanwhile) => engine.renew(starts({ demo, config: undefined, ingestPort: listener.port }), meanwhile),
    stop: async () => {
      await Promise.all([engine.stop(), ui.close()]);
    },
  };
}
