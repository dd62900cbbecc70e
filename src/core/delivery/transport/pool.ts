import { Connection, type ConnectionContext } from './connection.ts';

/** Unused connections kept for one origin, and for all together. */
export const MAX_IDLE_PER_ORIGIN = 32;
export const MAX_IDLE = 256;

/**
 * Connections by origin. A free connection serves one attempt at a time. The one used last is taken first, so that
 * connections no longer needed age and close.
 */
export class ConnectionPool {
  readonly #context: ConnectionContext;
  readonly #open = new Set<Connection>();
  readonly #idle = new Map<string, Connection[]>();
  #idleCount = 0;

  constructor(context: ConnectionContext) {
    this.#context = context;
  }

  /** A free connection, or a new one that is not connected yet. */
  take(origin: string): Connection {
    const free = this.#idle.get(origin)?.pop();
    if (free) {
      this.#idleCount -= 1;
      return free;
    }
    const connection = new Connection(origin, this.#context, {
      free: (freed) => this.#keep(freed),
      gone: (lost) => this.#forget(lost),
    });
    this.#open.add(connection);
    return connection;
  }

  /** Open connections, busy and free. */
  get size(): number {
    return this.#open.size;
  }

  get idle(): number {
    return this.#idleCount;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.close()));
  }

  #keep(connection: Connection): void {
    const list = this.#idle.get(connection.origin) ?? [];
    if (list.length >= MAX_IDLE_PER_ORIGIN || this.#idleCount >= MAX_IDLE) {
      void connection.close();
      return;
    }
    this.#idle.set(connection.origin, list);
    list.push(connection);
    this.#idleCount += 1;
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection);
    const list = this.#idle.get(connection.origin);
    if (!list?.includes(connection)) return;
    list.splice(list.indexOf(connection), 1);
    this.#idleCount -= 1;
    if (list.length === 0) this.#idle.delete(connection.origin);
  }
}
