/** The side of a test or script that drives the engine's process, and reads what it has stored. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { KEYS } from './build.ts';
import type { Mode } from './case.ts';

export interface EngineFacts {
  /** Longest time that the event loop stood still since it was last asked, in milliseconds: by the wall clock … */
  readonly longestMs: number;
  /** … and in processor time of its thread, which a busy machine lengthens less. */
  readonly longestCpuMs: number;
  readonly rssMb: number;
  /** Highest resident memory since the last reset. */
  readonly peakMb: number;
  readonly builtInsUntouched: boolean;
  /** Errors that it has logged. */
  readonly errors: number;
}

export type ToEngine = 'facts' | 'reset' | 'stop';
export type FromEngine =
  | { readonly type: 'ready'; readonly port: number }
  | { readonly type: 'facts'; readonly facts: EngineFacts };

export interface StoredRow {
  readonly id: number;
  readonly messageId: string;
  readonly type: string;
  readonly userId: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly repeats: number;
  readonly notes: string | null;
  readonly wire: Buffer | null;
}

/** Delivery is paused, so that what is queued stays so; the webhook is never asked. */
const configFor = (mode: Mode) => ({
  sources: [
    { name: 'corpus', writeKey: KEYS.main, kind: 'server', enabled: true, webhooks: true },
    { name: 'switched off', writeKey: KEYS.off, kind: 'server', enabled: false, webhooks: true },
    { name: 'without webhooks', writeKey: KEYS.unused, kind: 'server', enabled: true, webhooks: false },
  ],
  webhooks: {
    paused: true,
    body: mode === 'strict' ? 'pass-through' : 'documented',
    entries: [{ name: 'never asked', url: 'http://127.0.0.1:9/hook', headers: {}, enabled: true }],
  },
  ingest: { mode },
});

/** As the shells start it: a small young generation (core/engine/engine-thread.ts). */
const EXEC = ['--expose-gc', '--max-semi-space-size=10'];

export class CorpusEngine {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #db: Database.Database;
  readonly #rows: Database.Statement<[number], StoredRow>;

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.port = port;
    this.#db = new Database(join(folder, 'store.sqlite'), { readonly: true });
    this.#rows = this.#db.prepare<[number], StoredRow>(
      `SELECT m.id, m.message_id AS messageId, m.type, m.user_id AS userId, m.state, m.reason,
         m.reason_detail AS detail, m.repeats, m.notes, b.wire
       FROM messages m LEFT JOIN message_bodies b ON b.id = m.id WHERE m.id > ? ORDER BY m.id`,
    );
  }

  /** In strict mode bodies are passed through, so that both shapes see every case. */
  static async start(folder: string, mode: Mode): Promise<CorpusEngine> {
    const file = fileURLToPath(new URL('./engine-process.ts', import.meta.url));
    const child = fork(file, [folder, JSON.stringify(configFor(mode))], { execArgv: EXEC });
    const ended = once(child, 'exit').then(() => {
      throw new Error('The engine ended before it was ready.');
    });
    const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
    ended.catch(() => {});
    return new CorpusEngine(child, port, folder);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  facts(): Promise<EngineFacts> {
    return this.#ask('facts');
  }

  /** Collects garbage, and peaks count anew. */
  reset(): Promise<EngineFacts> {
    return this.#ask('reset');
  }

  async #ask(message: ToEngine): Promise<EngineFacts> {
    const answered = once(this.#child, 'message') as Promise<[{ facts: EngineFacts }]>;
    this.#child.send(message);
    return (await answered)[0].facts;
  }

  /** Messages stored after this id. */
  rowsAfter(id: number): readonly StoredRow[] {
    return this.#rows.all(id);
  }

  /** Counts as the engine keeps them, and as its rows say. */
  counts(): { readonly kept: Record<string, number>; readonly counted: Record<string, number> } {
    const read = (sql: string): Record<string, number> =>
      Object.fromEntries((this.#db.prepare(sql).raw().all() as [string, number][]).filter(([, n]) => n > 0));
    return {
      kept: read('SELECT state, n FROM counters ORDER BY state'),
      counted: read('SELECT state, count(*) FROM messages GROUP BY state ORDER BY state'),
    };
  }

  async stop(): Promise<void> {
    this.#db.close();
    if (!this.isAlive) return;
    const ended = once(this.#child, 'exit');
    this.#child.send('stop' satisfies ToEngine);
    await ended;
  }
}
