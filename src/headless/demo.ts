/**
 * Opens the demo beside a workspace, in an instance of its own: another engine and another server of the interface, on
 * free ports, in this same process. The page goes there with a one-time address.
 */
import type { DemoInput } from '../contract/demo.ts';
import { DEFAULT_DEMO } from '../contract/demo-limits.ts';
import { ContractError } from '../contract/errors.ts';
import type { DemoShell } from '../core/engine/engine-thread.ts';
import { demoFolder, emptyDemoFolder, openDemoFolder } from '../shell/demo-folder.ts';
import { addressOfRunning } from './running-demo.ts';
import { type HeadlessOptions, type HeadlessShell, startHeadless } from './shell.ts';

type Parts = Pick<
  HeadlessOptions,
  | 'workerPath'
  | 'rendererFolder'
  | 'receiversWorker'
  | 'peopleWorker'
  | 'backgroundWorker'
  | 'env'
  | 'uiPort'
  | 'ingestPort'
>;

/** A stop begins so much later than its answer, in milliseconds, so that the answer arrives. */
const ANSWER_MS = 100;

export interface DemoStart extends Parts {
  /** Absolute. */
  readonly workspace: string;
  readonly input: DemoInput;
  readonly reset?: boolean;
  /** The page from which it was opened, as a one-time address. */
  readonly opener?: () => string;
  /** Called when the user has ended the demo. */
  onEnd(): void;
}

/** Starts a demo on free ports, or on those given. Rejects as `startHeadless` does, or with a `ContractError`. */
export async function startDemo({
  workspace,
  input,
  reset,
  opener,
  onEnd,
  ...parts
}: DemoStart): Promise<HeadlessShell> {
  const { seed } = openDemoFolder(workspace, { seed: input.seed, reset });
  const rate = input.rate ?? DEFAULT_DEMO.rate;
  let shell: HeadlessShell | null = null;
  const own: DemoShell = {
    open: () => Promise.reject(new ContractError('demo_not_here', 'This is the demo.')),
    address: async () => ({ url: shell!.launchUrl() }),
    reset: async (next) => {
      const demo = { seed: next.seed ?? seed, rate: next.rate ?? rate };
      setTimeout(() => void shell?.renew(demo, () => emptyDemoFolder(workspace, demo.seed)), ANSWER_MS);
      return null;
    },
    end: async () => {
      setTimeout(onEnd, ANSWER_MS);
      return { url: opener?.() ?? null };
    },
  };
  shell = await startHeadless({
    uiPort: 0,
    ingestPort: 0,
    receiversPort: 0,
    receiversHttpsPort: 0,
    ...parts,
    workspace,
    demo: { seed, rate },
    demoShell: own,
  });
  return shell;
}

/** What a shell answers its own engine: it opens one demo, and knows the one that it opened. */
export class DemoOpener {
  readonly #parts: Parts;
  readonly #opener: () => string;
  #opened: Promise<HeadlessShell> | null = null;

  /** `opener` makes a one-time address of the page that asks. */
  constructor(parts: Parts, opener: () => string) {
    this.#parts = parts;
    this.#opener = opener;
  }

  readonly shell: DemoShell = {
    open: (input) => this.#open(input),
    address: () => Promise.reject(new ContractError('demo_not_running')),
    reset: () => Promise.reject(new ContractError('demo_not_running')),
    end: () => Promise.reject(new ContractError('demo_not_running')),
  };

  async #open(input: DemoInput): Promise<{ url: string; existing: boolean }> {
    if (this.#opened !== null) return { url: (await this.#opened).launchUrl(), existing: true };
    const workspace = demoFolder(undefined, this.#parts.env ?? process.env);
    const elsewhere = await addressOfRunning(workspace);
    if (elsewhere !== null) return { url: elsewhere, existing: true };
    const { uiPort: _ui, ingestPort: _ingest, ...parts } = this.#parts;
    this.#opened = startDemo({
      ...parts,
      workspace,
      input,
      opener: this.#opener,
      onEnd: () => void this.stop(),
    });
    try {
      return { url: (await this.#opened).launchUrl(), existing: false };
    } catch (error) {
      this.#opened = null;
      throw error;
    }
  }

  /** Ends the demo that it opened. Harmless when repeated. */
  async stop(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await (await opened?.catch(() => null))?.stop();
  }
}
