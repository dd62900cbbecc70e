/**
 * How the app ends: first the windows, then the engine, which waits a bounded time for its open attempts. Quitting
 * again ends it at once, because everything acknowledged is on disk.
 */
import { app } from 'electron';
import type { EngineState, EngineSupervisor } from '../shell/engine-supervisor.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { isAskedAgain } from '../shell/stop-signals.ts';
import { log } from './log.ts';

export interface Quit {
  /** True from the first request to quit. The app then opens nothing more. */
  isUnderWay(): boolean;
  /** Somebody started the app again while it ends, so it starts again once it has ended. */
  comeBack(): void;
  /** Ends the app in order, and starts it again with these arguments. */
  startAgain(args: readonly string[]): void;
}

function sayStopping(state: EngineState): void {
  if (state.state !== 'stopping') return;
  const attempts = `${state.attempts} open ${state.attempts === 1 ? 'attempt' : 'attempts'}`;
  log(`quitting: waits for ${attempts}, at most ${state.limitMs / 1000} s. Quitting once more ends it at once`);
}

async function stop(starting: Promise<EngineSupervisor>, beside: () => Promise<void>): Promise<void> {
  // A start that failed has already reported it.
  const engine = await starting.catch(() => null);
  engine?.onState(sayStopping);
  await Promise.all([engine?.stop(), beside()]);
}

/** `beside` stops what runs beside the workspace. */
export function quitInOrder(
  starting: Promise<EngineSupervisor>,
  beside: () => Promise<void> = async () => {},
  now = () => performance.now(),
): Quit {
  let askedAt: number | null = null;
  let isStopped = false;
  let isWanted = false;
  let nextArgs: readonly string[] | null = null;
  app.on('will-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    if (askedAt !== null) {
      if (isAskedAgain(askedAt, now())) app.exit(exitCodes.failed);
      return;
    }
    askedAt = now();
    void stop(starting, beside).then(() => {
      isStopped = true;
      if (nextArgs !== null) app.relaunch({ args: [...nextArgs] });
      else if (isWanted) app.relaunch();
      app.exit(exitCodes.ok);
    });
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  return {
    isUnderWay: () => askedAt !== null,
    startAgain: (args) => {
      nextArgs = args;
      app.quit();
    },
    comeBack: () => {
      isWanted = true;
      log('started again while quitting: it comes back once it has ended');
    },
  };
}
