/** The part of a store that the user sets. */
import type { Sealer } from '../ports.ts';
import type { Db } from './database.ts';
import type { WorkspaceStore } from './ports/workspace.ts';
import { SqliteSecrets, SqliteSettings } from './settings.ts';
import { SqliteSources } from './sources.ts';
import { SqliteWebhooks } from './webhooks.ts';

export class SqliteWorkspace implements WorkspaceStore {
  readonly sources: SqliteSources;
  readonly webhooks: SqliteWebhooks;
  readonly settings: SqliteSettings;
  readonly secrets: SqliteSecrets;

  constructor(db: Db, sealer: Sealer) {
    this.sources = new SqliteSources(db);
    this.webhooks = new SqliteWebhooks(db, sealer);
    this.settings = new SqliteSettings(db);
    this.secrets = new SqliteSecrets(db, sealer);
  }

  /** Throws where a setting or a secret cannot be read. */
  check(): void {
    this.settings.check();
    this.secrets.check();
  }
}
