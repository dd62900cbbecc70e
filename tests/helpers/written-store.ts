/** A store with its group writer on simulated time, and what that writer tells. */
import { onTestFinished } from 'vitest';
import { type Db, openStore } from '../../src/core/store/database.ts';
import type { Changes } from '../../src/core/store/ports/changes.ts';
import { GroupWriter } from '../../src/core/store/writer.ts';
import { SimTime } from './sim-ports.ts';
import { tempWorkspace } from './temp-workspace.ts';

export class WrittenStore {
  readonly folder = tempWorkspace();
  readonly db: Db = openStore(this.folder);
  readonly time = new SimTime();
  readonly commits: Changes[] = [];
  readonly writable: boolean[] = [];
  readonly damaged: string[] = [];
  readonly writer: GroupWriter;
  /** Hears of each commit. */
  onCommit: () => void = () => {};

  constructor() {
    onTestFinished(() => void this.db.close());
    this.db.pragma('synchronous = OFF');
    this.writer = new GroupWriter(this.db, this.time, {
      committed: (changes) => {
        this.commits.push(changes);
        this.onCommit();
      },
      writable: (now) => this.writable.push(now),
      damaged: (what) => this.damaged.push(what),
    });
  }

  /** A job that stores a row under this key. */
  put(key: string): () => string {
    return () => {
      this.db.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run(key, 'x');
      return key;
    };
  }

  /** Keys of the rows that are stored, in order. */
  keys(from: Db = this.db): string[] {
    return from.prepare("SELECT key FROM settings WHERE key LIKE 'k%' ORDER BY rowid").pluck().all() as string[];
  }
}
