/** One thread for several parts of the engine that each have little to do, because every thread takes some 13 MB. */
import { MessageChannel, type MessagePort, parentPort } from 'node:worker_threads';
import { type Host, type Link, type OpenLink, type ThreadOptions, threadLink } from './thread-link.ts';

interface PartStart {
  readonly part: string;
  readonly data: object;
  readonly id: number;
  readonly port: MessagePort;
}

/** A part could not start; the others go on. An error later ends the thread, and so all of them. */
interface PartFailure {
  readonly id: number;
  readonly message: string;
}

/** The engine's side. The thread starts with the first part and ends with the last one. */
export class SharedThread {
  readonly #open: OpenLink<PartStart, PartFailure>;
  #thread: Link<PartStart> | null = null;
  /** What each part does when it ends, by its id. One that was asked to stop is not among them. */
  readonly #parts = new Map<number, (message: string) => void>();
  #lastId = 0;

  constructor(options: Omit<ThreadOptions, 'data'>) {
    this.#open = threadLink({ ...options, data: {} });
  }

  /** `part` is one that the worker serves. It gets `data` at its start: plain values. */
  part<To extends object, From>(part: string, data: object): OpenLink<To, From> {
    return ({ heard, ended }) => {
      this.#thread ??= this.#open({
        heard: ({ id, message }) => this.#partEnded(id, message),
        ended: (message) => this.#threadEnded(message),
      });
      const { port1: port, port2 } = new MessageChannel();
      const closed = new Promise<void>((resolve) => port.on('close', resolve));
      port.on('message', heard);
      this.#lastId += 1;
      const id = this.#lastId;
      this.#parts.set(id, ended);
      this.#thread.say({ part, data, id, port: port2 }, [port2]);
      return {
        say: (message) => port.postMessage(message),
        stop: async () => {
          this.#parts.delete(id);
          port.postMessage({ type: 'stop' });
          await closed;
          await this.#endUnused();
        },
      };
    };
  }

  async #endUnused(): Promise<void> {
    if (this.#parts.size > 0) return;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }

  #partEnded(id: number, message: string): void {
    const ended = this.#parts.get(id);
    this.#parts.delete(id);
    ended?.(message);
    void this.#endUnused();
  }

  #threadEnded(message: string): void {
    this.#thread = null;
    const parts = [...this.#parts.values()];
    this.#parts.clear();
    for (const ended of parts) ended(message);
  }
}

type MakePart = (data: never, say: (message: unknown) => void) => Host<never>;

/** The thread's side: makes the parts that are asked for. Each says what it has to say through the function that it gets. */
export function serveParts(parts: Readonly<Record<string, MakePart>>): void {
  const parent = parentPort!;
  parent.on('message', (message: PartStart | { readonly type: 'stop' }) => {
    if ('type' in message) return parent.close();
    const { part, data, id, port } = message;
    try {
      serve(
        parts[part]!(data as never, (said) => port.postMessage(said)),
        port,
      );
    } catch (error) {
      parent.postMessage({ id, message: (error as Error).message } satisfies PartFailure);
      port.close();
    }
  });
}

function serve(host: Host<never>, port: MessagePort): void {
  port.on('message', (message: { readonly type: string }) => {
    if (message.type !== 'stop') return host.receive(message as never);
    host.stop();
    port.close();
  });
  host.start();
}
