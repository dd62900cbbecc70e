/** The way to the keeper of people: a thread of its own, or for tests the engine's own thread. */
import { Worker } from 'node:worker_threads';
import type { Clock, Timers } from '../ports.ts';
import type { UserCallStore } from '../store/ports/user-calls.ts';
import type { FromPeople, ToPeople } from './messages.ts';
import { PeopleHost } from './people-host.ts';

export interface LinkEvents {
  heard(message: FromPeople): void;
  /** It ended unasked. */
  ended(message: string): void;
}

export interface PeopleLink {
  say(message: ToPeople): void;
  /** Resolves when its handle on the store is closed. Harmless when repeated. */
  stop(): Promise<void>;
}

export type OpenLink = (events: LinkEvents) => PeopleLink;

/** A million people with a dozen traits each need about this much. */
const OLD_MB = 2_048;
const YOUNG_MB = 16;

/** `workerPath` is the built or source path of `people-worker.ts`, `workspace` the folder of the open store. */
export const threadLink =
  (workerPath: string | URL, workspace: string): OpenLink =>
  ({ heard, ended }) => {
    const worker = new Worker(workerPath, {
      workerData: { workspace },
      resourceLimits: { maxOldGenerationSizeMb: OLD_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    });
    let stopping = false;
    let failure = 'The thread of people ended.';
    worker.on('error', (error) => {
      failure = error instanceof Error ? error.message : String(error);
    });
    worker.on('message', heard);
    const exited = new Promise<void>((resolve) => {
      worker.on('exit', () => {
        resolve();
        if (!stopping) ended(failure);
      });
    });
    return {
      say: (message) => worker.postMessage(message),
      stop: () => {
        stopping = true;
        worker.postMessage({ type: 'stop' });
        return exited;
      },
    };
  };

/** For tests: the work is done in this thread, in slices. Opening throws where the store cannot be opened. */
export const ownThreadLink =
  (open: () => UserCallStore, clock: Pick<Clock, 'mono'>, timers: Timers): OpenLink =>
  ({ heard }) => {
    const host = new PeopleHost({ store: open(), clock, timers, say: heard });
    host.start();
    return {
      say: (message) => host.receive(message),
      stop: () => {
        host.stop();
        return Promise.resolve();
      },
    };
  };
