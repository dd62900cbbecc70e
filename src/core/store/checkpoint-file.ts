/** A second handle on the store's file, which only moves pages of the log into it. */
import Database from 'better-sqlite3';
import type { CheckpointPass } from './ports/store.ts';

export interface CheckpointFile {
  /** Moves what no reader holds, and waits for nobody. Null when it failed, as on a full disk. */
  pass(): CheckpointPass | null;
  close(): void;
}

/** `path` is the main file of an open store. Throws where it cannot be opened. */
export function openCheckpointFile(path: string): CheckpointFile {
  const db = new Database(path, { fileMustExist: true, timeout: 0 });
  db.pragma('synchronous = FULL');
  db.pragma('wal_autocheckpoint = 0');
  return {
    pass: () => {
      try {
        const [answer] = db.pragma('wal_checkpoint(PASSIVE)') as [{ log: number; checkpointed: number }];
        return { log: answer.log, moved: answer.checkpointed };
      } catch {
        return null;
      }
    },
    close: () => void db.close(),
  };
}
