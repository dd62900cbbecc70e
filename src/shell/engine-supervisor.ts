/**
 * Keeps the engine's thread running for a shell: it restarts the thread within a second of a crash, but not after the
 * fifth crash within a minute.
 *
 * States: `running`, `restarting` (ports are closed, clients connect again), `stopping` (asked to, and attempts are
 * open), `stopped` (asked to, or given up).
 */
import type { EngineInfo, EngineThread, StopWait, TextPort } from '../core/engine/engine-thread.ts';
import { crashCount } from './crash-count.ts';

const RESTART_DELAY_MS = 250;
const CRASH_LIMIT = 5;

export type EngineState =
  | { readonly state: 'running'; readonly info: EngineInfo }
  | { readonly state: 'restarting'; readonly message: string }
  | ({ readonly state: 'stopping' } & StopWait)
  | { readonly state: 'stopped'; readonly message: string | null };

export interface EngineSupervisor {
  state(): EngineState;
  /** A new contract connection; null while no engine runs. */
  connect(): TextPort | null;
  onState(listener: (state: EngineState) => void): void;
  /** Starts the engine again after the supervisor gave up. */
  retry(): void;
  /** Stops the engine for good, in bounded time. Harmless when repeated. */
  stop(): Promise<void>;
}

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
  const now = ports.now ?? (() => performance.now());
  const after = ports.after ?? afterReal;
  const listeners: Array<(state: EngineState) => void> = [];
  const crashes = crashCount(CRASH_LIMIT, now);
  let thread: EngineThread | null = null;
  let cancelRestart: (() => void) | null = null;
  let starting: Promise<void> | null = null;
  let stopping: Promise<void> | null = null;
  let current: EngineState = { state: 'stopped', message: null };

  const enter = (next: EngineState): void => {
    current = next;
    for (const listener of listeners) listener(next);
  };
  const adopt = (started: EngineThread): void => {
    thread = started;
    enter({ state: 'running', info: started.info });
    void started.exited.then((error) => {
      thread = null;
      if (stopping === null) crashed(error?.message ?? 'The engine ended without being asked to.');
    });
  };
  const crashed = (message: string): void => {
    if (crashes.add()) {
      enter({ state: 'stopped', message });
      return;
    }
    enter({ state: 'restarting', message });
    cancelRestart = after(RESTART_DELAY_MS, () => void restart());
  };
  const restart = (): void => {
    cancelRestart = null;
    starting = ports
      .start()
      .then(
        async (started) => {
          if (stopping === null) adopt(started);
          else await started.stop();
        },
        (error: unknown) => {
          if (stopping === null) crashed(error instanceof Error ? error.message : String(error));
        },
      )
      .finally(() => {
        starting = null;
      });
  };
  const stop = async (): Promise<void> => {
    cancelRestart?.();
    await starting;
    await thread?.stop((waiting) => enter({ state: 'stopping', ...waiting }));
    enter({ state: 'stopped', message: null });
  };

  adopt(await ports.start());
  return {
    state: () => current,
    connect: () => thread?.connect() ?? null,
    onState: (listener) => void listeners.push(listener),
    retry: () => {
      if (stopping !== null || current.state !== 'stopped') return;
      crashes.forget();
      enter({ state: 'restarting', message: '' });
      restart();
    },
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
