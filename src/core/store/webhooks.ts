/** The webhooks of a workspace, and the line-ups of webhooks over time. */
import type { Webhook } from '../model/records.ts';
import type { StaticHeader } from '../model/static-headers.ts';
import type { Sealer } from '../ports.ts';
import type { Db } from './database.ts';
import { NEWEST_ATTEMPT } from './newest-attempt.ts';
import type { Changes } from './ports/changes.ts';
import type { StoredWebhook, WebhookStore } from './ports/workspace.ts';
import { columns, insertInto, Writes } from './statements.ts';

/** Each edit makes one. Nobody makes this many while a message waits. */
const KEPT_LINE_UPS = 1_000;

const COLUMNS = ['slot', 'name', 'url', 'sealedHeaders', 'enabled', 'createdAt'];

interface Row extends Pick<Webhook, 'slot' | 'name' | 'url' | 'createdAt'> {
  readonly sealedHeaders: Uint8Array;
  readonly enabled: number;
}
interface Id {
  readonly id: number;
}

export class SqliteWebhooks extends Writes implements WebhookStore {
  readonly #sealer: Sealer;

  constructor(db: Db, sealer: Sealer) {
    super(db);
    this.#sealer = sealer;
  }

  readonly #all = this.query<undefined, Row & Id>(`SELECT id, ${columns(COLUMNS)} FROM webhooks ORDER BY slot`);

  all(): StoredWebhook[] {
    return this.#all.all().map(({ sealedHeaders, enabled, ...row }) => {
      const headers = this.#openHeaders(sealedHeaders);
      return { ...row, enabled: enabled === 1, headers: headers ?? [], readable: headers !== null };
    });
  }

  #openHeaders(sealed: Uint8Array): StaticHeader[] | null {
    try {
      return JSON.parse(this.#sealer.open(sealed)) as StaticHeader[];
    } catch {
      return null;
    }
  }

  readonly #insert = this.command<Row>(insertInto('webhooks', COLUMNS));
  readonly #update = this.command<Row & Id>(
    `UPDATE webhooks SET slot = @slot, name = @name, url = @url, sealed_headers = @sealedHeaders, enabled = @enabled
     WHERE id = @id`,
  );

  save({ id, headers, ...webhook }: Parameters<WebhookStore['save']>[0], changes: Changes): number {
    const sealedHeaders = this.#sealer.seal(JSON.stringify(headers));
    const row: Row = { ...webhook, sealedHeaders, enabled: Number(webhook.enabled) };
    const saved = id ?? Number(this.#insert.run(changes, row).lastInsertRowid);
    if (id !== undefined) this.#update.run(changes, { ...row, id });
    this.#keepLineUp(changes);
    return saved;
  }

  readonly #remove = this.command<Id>('DELETE FROM webhooks WHERE id = @id');

  remove(id: number, changes: Changes): boolean {
    const removed = this.#remove.run(changes, { id }).changes === 1;
    this.#keepLineUp(changes);
    return removed;
  }

  readonly #addLineUp = this.command<undefined>(
    `INSERT INTO line_ups (after_attempt, webhooks)
     SELECT ${NEWEST_ATTEMPT}, json_group_array(json_array(id, slot, name, enabled))
     FROM (SELECT * FROM webhooks ORDER BY slot) WHERE true
     ON CONFLICT (after_attempt) DO UPDATE SET webhooks = excluded.webhooks`,
  );
  readonly #dropLineUps = this.command<{ kept: number }>(
    `DELETE FROM line_ups WHERE after_attempt <=
       (SELECT after_attempt FROM line_ups ORDER BY after_attempt DESC LIMIT 1 OFFSET @kept)`,
  );

  /** Records the current webhooks as the line-up of all later attempts. */
  #keepLineUp(changes: Changes): void {
    this.#addLineUp.run(changes);
    this.#dropLineUps.run(changes, { kept: KEPT_LINE_UPS });
  }
}
