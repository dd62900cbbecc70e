/** The way to a part of the engine that works in a thread of its own. */
import { type Transferable, Worker } from 'node:worker_threads';

export interface LinkEvents<From> {
  heard(message: From): void;
  /** It ended unasked. */
  ended(message: string): void;
}

export interface Link<To> {
  /** Moves what is in `transfer` to the other side. Everything else is copied. */
  say(message: To, transfer?: readonly Transferable[]): void;
  /** Resolves when the thread has closed what it had open. Harmless when repeated. */
  stop(): Promise<void>;
}

export type OpenLink<To, From> = (events: LinkEvents<From>) => Link<To>;

export interface ThreadOptions {
  /** Built or source path of the worker. */
  readonly path: string | URL;
  /** The worker gets it at its start. Plain values. */
  readonly data: object;
  /** Megabytes of objects that live long. */
  readonly oldMb: number;
  /** Megabytes of objects that live short. The thread fills them before it collects any. */
  readonly youngMb: number;
  /** The message of a thread that ends without an error. */
  readonly ended: string;
}

/** Works in slices, and says what it has to say through a function that it got. */
export interface Host<To> {
  start(): void;
  receive(message: To): void;
  stop(): void;
}

/** For tests: the host works in this thread. Opening throws where the host cannot be made. */
export const ownThreadLink =
  <To, From>(make: (say: (message: From) => void) => Host<To>): OpenLink<To, From> =>
  ({ heard }) => {
    const host = make(heard);
    host.start();
    return {
      say: (message) => host.receive(message),
      stop: () => {
        host.stop();
        return Promise.resolve();
      },
    };
  };

/** The worker ends when it hears `{ type: 'stop' }`. */
export const threadLink =
  <To extends object, From>({ path, data, oldMb, youngMb, ended: endedText }: ThreadOptions): OpenLink<To, From> =>
  ({ heard, ended }) => {
    const worker = new Worker(path, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: oldMb, maxYoungGenerationSizeMb: youngMb },
    });
    let stopping = false;
    let failure = endedText;
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
      say: (message, transfer) => worker.postMessage(message, transfer),
      stop: () => {
        stopping = true;
        worker.postMessage({ type: 'stop' });
        return exited;
      },
    };
  };
