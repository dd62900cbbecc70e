/**
 * Keeps the engine's thread running for a shell: it restarts the thread within a second of a crash, but not after the
 * fifth crash within a minute.
 *
 * States: `running`, `restarting` (ports are closed, clients connect again), `stopping` (asked to, and attempts are
 * open), `stopped` (asked to, or given up).
 */
import type { EngineInfo, EngineThread, StopWait, TextPort } from '../core/engine/engine-thread.ts';
import { CrashCount } from './crash-count.ts';

const RESTART_DELAY_MS = 250;
const CRASH_LIMIT = 5;

export type EngineState =
  | { readonly state: 'running'; readonly info: EngineInfo }
  | { readonly state: 'restarting'; readonly message: string }
  | ({ readonly state: 'stopping' } & StopWait)
  | { readonly state: 'stopped'; readonly message: string | null };

export interface SupervisorPorts {
  readonly start: () => Promise<EngineThread>;
  /** Milliseconds that never run backwards. */
  readonly now?: () => number;
  readonly after?: (delayMs: number, run: () => void) => () => void;
}

const afterReal = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

/** Starts the engine; the first start's failure rejects with its `EngineStartError`. */
export async function superviseEngine(ports: SupervisorPorts): Promise<EngineSupervisor> {
  const { start, now = () => performance.now(), after = afterReal } = ports;
  return new EngineSupervisor({ start, now, after }, await start());
}

export class EngineSupervisor {
  readonly #ports: Required<SupervisorPorts>;
  #start: SupervisorPorts['start'];
  readonly #crashes: CrashCount;
  readonly #listeners: Array<(state: EngineState) => void> = [];
  #state: EngineState;
  /** Null while no engine runs. */
  #thread: EngineThread | null = null;
  #cancelRestart: (() => void) | null = null;
  /** A start that is under way. */
  #starting: Promise<void> | null = null;
  #stopping: Promise<void> | null = null;

  /** Takes over the thread of the first start. */
  constructor(ports: Required<SupervisorPorts>, first: EngineThread) {
    this.#ports = ports;
    this.#start = ports.start;
    this.#crashes = new CrashCount(CRASH_LIMIT, ports.now);
    this.#state = this.#adopt(first);
  }

  state(): EngineState {
    return this.#state;
  }

  /** A new contract connection; null while no engine runs. */
  connect(): TextPort | null {
    return this.#thread?.connect() ?? null;
  }

  onState(listener: (state: EngineState) => void): void {
    this.#listeners.push(listener);
  }

  /** Starts the engine again after the supervisor gave up. */
  retry(): void {
    if (this.#stopping !== null || this.#state.state !== 'stopped') return;
    this.#crashes.forget();
    this.#enter({ state: 'restarting', message: '' });
    this.#restart();
  }

  /** Stops the engine, does what must happen while none runs, and starts it again, from now on as `start` does. */
  async renew(start: SupervisorPorts['start'], meanwhile: () => void): Promise<void> {
    const thread = this.#thread;
    if (thread === null || this.#stopping !== null) return;
    this.#thread = null;
    this.#start = start;
    this.#enter({ state: 'restarting', message: '' });
    this.#starting = thread.stop().then(meanwhile);
    await this.#starting;
    if (this.#stopping === null) this.#restart();
  }

  /** Stops the engine for good, in bounded time. Harmless when repeated. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#cancelRestart?.();
    await this.#starting;
    await this.#thread?.stop((waiting) => this.#enter({ state: 'stopping', ...waiting }));
    this.#enter({ state: 'stopped', message: null });
  }

  #enter(next: EngineState): void {
    this.#state = next;
    for (const listener of this.#listeners) listener(next);
  }

  /** Watches a thread until it ends. */
  #adopt(started: EngineThread): EngineState {
    this.#thread = started;
    void started.exited.then((error) => {
      if (this.#thread !== started) return;
      this.#thread = null;
      this.#crashed(error?.message ?? 'The engine ended without being asked to.');
    });
    return { state: 'running', info: started.info };
  }

  #crashed(message: string): void {
    if (this.#stopping !== null) return;
    if (this.#crashes.add()) {
      this.#enter({ state: 'stopped', message });
      return;
    }
    this.#enter({ state: 'restarting', message });
    this.#cancelRestart = this.#ports.after(RESTART_DELAY_MS, () => this.#restart());
  }

  #restart(): void {
    this.#cancelRestart = null;
    this.#starting = this.#start()
      .then(
        (started) => this.#started(started),
        (error: unknown) => this.#crashed(error instanceof Error ? error.message : String(error)),
      )
      .finally(() => {
        this.#starting = null;
      });
  }

  async #started(thread: EngineThread): Promise<void> {
    if (this.#stopping === null) this.#enter(this.#adopt(thread));
    else await thread.stop();
  }
}
