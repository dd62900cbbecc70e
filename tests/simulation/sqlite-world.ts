/** A world's store in a SQLite file: the store of the product, with a guard around each statement. */
import { rmSync } from 'node:fs';
import { storePath } from '../../src/core/store/database.ts';
import { openStores } from '../../src/core/store/stores.ts';
import { filesWith, freshFolder } from './folder.ts';
import { SqliteRows } from './sqlite-rows.ts';
import { guarded, OpenDatabases, sqliteError } from './storage.ts';
import type { ProcessStore, StatementGuard, WorldStore } from './world-store.ts';

export class SqliteWorld implements WorldStore {
  readonly folder = freshFolder();
  readonly isLocked = true;
  readonly rows = new SqliteRows(storePath(this.folder));

  process(guard: StatementGuard): ProcessStore {
    const databases = new OpenDatabases();
    return {
      open: (needs) => guarded(guard, databases, () => openStores(needs)),
      kill: () => databases.closeAll(),
    };
  }

  failure(code: string): Error {
    return sqliteError(code);
  }

  placesOf(text: string): string[] {
    return filesWith(this.folder, text);
  }

  remove(): void {
    this.rows.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
