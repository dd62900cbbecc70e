/** The demo of the desktop app: another engine and another window in this same process, beside the workspace. */
import { app, safeStorage } from 'electron';
import type { DemoInput } from '../contract/demo.ts';
import { DEFAULT_DEMO } from '../contract/demo-limits.ts';
import { ContractError } from '../contract/errors.ts';
import type { DemoShell, EngineStartOptions } from '../core/engine/engine-thread.ts';
import { demoFolder, emptyDemoFolder, openDemoFolder } from '../shell/demo-folder.ts';
import { engineStarts } from '../shell/engine-starts.ts';
import { type EngineSupervisor, superviseEngine } from '../shell/engine-supervisor.ts';
import { watchEngine } from './failures.ts';
import { type WorkspaceKey, workspaceKey } from './sealed-key.ts';
import type { WorkspaceWindow } from './workspace-window.ts';

/** A stop begins so much later than its answer, in milliseconds, so that the answer arrives. */
const ANSWER_MS = 100;

export interface DemoParts {
  readonly workerPath: string;
  readonly receiversWorker: string;
  readonly peopleWorker: string;
  readonly backgroundWorker: string;
  /** Makes the window of the demo, closed; `onClosed` is called when it was open and is closed. */
  windowOf(engine: EngineSupervisor, keyStorage: WorkspaceKey['storage'], onClosed: () => void): WorkspaceWindow;
  /** The demo in this folder has started. */
  opened(workspace: string): void;
  /** Shows the workspace that the demo was opened from. */
  leadBack(): void;
}

interface Running {
  readonly engine: EngineSupervisor;
  readonly window: WorkspaceWindow;
}

/** Opens one demo, and knows the one that it opened. */
export class DesktopDemo {
  readonly #parts: DemoParts;
  #opened: Promise<Running> | null = null;
  /** The end of the one before: two engines cannot have the folder. */
  #ended: Promise<void> = Promise.resolve();

  constructor(parts: DemoParts) {
    this.#parts = parts;
  }

  /** What the workspace's engine is answered. */
  readonly shell: DemoShell = {
    open: (input) => this.#open(input),
    address: () => Promise.reject(new ContractError('demo_not_running')),
    reset: () => Promise.reject(new ContractError('demo_not_running')),
    end: () => Promise.reject(new ContractError('demo_not_running')),
  };

  /** Closes its window and stops its engine. Harmless when repeated. */
  stop(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened !== null) this.#ended = stopRunning(opened);
    return this.#ended;
  }

  async #open(input: DemoInput): Promise<{ url: null; existing: boolean }> {
    const existing = this.#opened !== null;
    this.#opened ??= this.#start(input);
    try {
      (await this.#opened).window.show();
    } catch (error) {
      this.#opened = null;
      throw error;
    }
    return { url: null, existing };
  }

  async #start(input: DemoInput): Promise<Running> {
    await this.#ended;
    const workspace = demoFolder(undefined, process.env);
    const { seed } = openDemoFolder(workspace, { seed: input.seed });
    const first = { seed, rate: input.rate ?? DEFAULT_DEMO.rate };
    // The command line opens the same demo, and cannot read a key that the system seals.
    const key = await workspaceKey(workspace, safeStorage, { keyFile: true });
    const starts = (demo: EngineStartOptions['demo']) =>
      engineStarts(this.#parts.workerPath, this.#options(workspace, key, demo), own);
    const own: DemoShell = {
      open: () => Promise.reject(new ContractError('demo_not_here', 'This is the demo.')),
      address: async () => {
        running.window.show();
        throw new ContractError('demo_not_here', 'The demo runs in the desktop app. Its window is in front now.');
      },
      reset: async (next) => {
        const demo = { seed: next.seed ?? seed, rate: next.rate ?? first.rate };
        const empty = () => emptyDemoFolder(workspace, demo.seed);
        setTimeout(() => void running.engine.renew(starts(demo), empty), ANSWER_MS);
        return null;
      },
      end: async () => {
        setTimeout(() => this.#end(), ANSWER_MS);
        return { url: null };
      },
    };
    const engine = await superviseEngine({ start: starts(first) });
    this.#parts.opened(workspace);
    const window = this.#parts.windowOf(engine, key.storage, () => void this.stop());
    const running: Running = { engine, window };
    watchEngine(engine, () => window.current());
    return running;
  }

  /** The other window comes first: an app without windows quits. */
  #end(): void {
    this.#parts.leadBack();
    void this.stop();
  }

  #options(workspace: string, key: WorkspaceKey, demo: EngineStartOptions['demo']): EngineStartOptions {
    const { receiversWorker, peopleWorker, backgroundWorker } = this.#parts;
    return {
      workspace,
      version: app.getVersion(),
      shell: 'electron',
      secretKeyBase64: key.key.toString('base64'),
      keyStorage: key.storage,
      ingestPort: 0,
      receiversPort: 0,
      receiversHttpsPort: 0,
      receiversWorker,
      peopleWorker,
      backgroundWorker,
      demo,
    };
  }
}

async function stopRunning(opened: Promise<Running>): Promise<void> {
  // A start that failed was told to the one who asked.
  const running = await opened.catch(() => null);
  running?.window.close();
  await running?.engine.stop();
}
