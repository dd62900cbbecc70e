/** Sources, webhooks, settings and secrets. Reads are few and small: the engine keeps them in memory. */
import type { Source, SourceKind, Webhook } from '../model/records.ts';
import { tailOf } from '../model/secret-tail.ts';
import type { StaticHeader } from '../model/static-headers.ts';
import type { Sealer } from '../ports.ts';
import type { Db } from './database.ts';

interface SourceRow {
  id: number;
  name: string;
  write_key: string;
  kind: SourceKind;
  enabled: number;
  webhooks: number;
  made_by_key: number;
  created_at: number;
  events_off: string;
}

interface WebhookRow {
  id: number;
  slot: number;
  name: string;
  url: string;
  sealed_headers: Uint8Array;
  enabled: number;
  created_at: number;
}

/** Each edit makes one, so this is more than a person makes while a message waits. */
const KEPT_LINE_UPS = 1_000;

/** The shared secret's row. */
export const SECRET_NAME = 'shared_secret';

export type SecretState =
  | { readonly state: 'none' }
  | { readonly state: 'set'; readonly value: string }
  | { readonly state: 'unreadable' };

/** A webhook whose static headers could not be unsealed is `readable: false` and must not be sent to. */
export type StoredWebhook = Webhook & { readonly readable: boolean };

const toSource = (row: SourceRow): Source => ({
  id: row.id,
  name: row.name,
  writeKey: row.write_key,
  kind: row.kind,
  enabled: row.enabled === 1,
  webhooks: row.webhooks === 1,
  eventsOff: new Set(JSON.parse(row.events_off) as string[]),
  createdAt: row.created_at,
});

export class WorkspaceStore {
  readonly #sealer: Sealer;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(db: Db, sealer: Sealer) {
    this.#sealer = sealer;
    this.#statements = prepare(db);
  }

  sources(): Source[] {
    return (this.#statements.sources.all() as SourceRow[]).map(toSource);
  }

  sourcesMadeByKey(): number {
    return this.#statements.madeByKey.get() as number;
  }

  /** Inserts without `id`, else updates. Throws on a taken write key. */
  saveSource(source: Omit<Source, 'id'> & { id?: number }, madeByKey: boolean): number {
    const values = [
      source.name,
      source.writeKey,
      source.kind,
      Number(source.enabled),
      Number(source.webhooks),
      JSON.stringify([...source.eventsOff].sort()),
    ] as const;
    if (source.id !== undefined) {
      this.#statements.updateSource.run(...values, source.id);
      return source.id;
    }
    return Number(this.#statements.insertSource.run(...values, Number(madeByKey), source.createdAt).lastInsertRowid);
  }

  removeSource(id: number): boolean {
    return this.#statements.removeSource.run(id).changes === 1;
  }

  webhooks(): StoredWebhook[] {
    return (this.#statements.webhooks.all() as WebhookRow[]).map((row) => {
      const headers = this.#openHeaders(row.sealed_headers);
      return {
        id: row.id,
        slot: row.slot,
        name: row.name,
        url: row.url,
        headers: headers ?? [],
        enabled: row.enabled === 1,
        createdAt: row.created_at,
        readable: headers !== null,
      };
    });
  }

  #openHeaders(sealed: Uint8Array): StaticHeader[] | null {
    try {
      return JSON.parse(this.#sealer.open(sealed)) as StaticHeader[];
    } catch {
      return null;
    }
  }

  saveWebhook(webhook: Omit<Webhook, 'id'> & { id?: number }): number {
    const sealed = this.#sealer.seal(JSON.stringify(webhook.headers));
    if (webhook.id !== undefined) {
      this.#statements.updateWebhook.run(
        webhook.slot,
        webhook.name,
        webhook.url,
        sealed,
        Number(webhook.enabled),
        webhook.id,
      );
      this.#keepLineUp();
      return webhook.id;
    }
    const { lastInsertRowid } = this.#statements.insertWebhook.run(
      webhook.slot,
      webhook.name,
      webhook.url,
      sealed,
      Number(webhook.enabled),
      webhook.createdAt,
    );
    this.#keepLineUp();
    return Number(lastInsertRowid);
  }

  removeWebhook(id: number): boolean {
    const removed = this.#statements.removeWebhook.run(id).changes === 1;
    this.#keepLineUp();
    return removed;
  }

  /** Attempts from now on are made with the webhooks as they are. */
  #keepLineUp(): void {
    this.#statements.keepLineUp.run();
    this.#statements.dropLineUps.run(KEPT_LINE_UPS);
  }

  setting<T>(key: string): T | undefined {
    const text = this.#statements.setting.get(key) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  /** Throws where one cannot be read. */
  checkSettings(): void {
    for (const text of this.#statements.settings.all() as string[]) JSON.parse(text);
    this.#statements.secrets.all();
  }

  saveSetting(key: string, value: unknown): void {
    this.#statements.saveSetting.run(key, JSON.stringify(value));
  }

  secret(name: string): SecretState {
    const row = this.#statements.secret.get(name) as { sealed: Uint8Array } | undefined;
    if (row === undefined) return { state: 'none' };
    try {
      return { state: 'set', value: this.#sealer.open(row.sealed) };
    } catch {
      return { state: 'unreadable' };
    }
  }

  saveSecret(name: string, value: string | null): void {
    if (value === null) this.#statements.removeSecret.run(name);
    else this.#statements.saveSecret.run(name, this.#sealer.seal(value), tailOf(value), value.length);
  }
}

function prepare(db: Db) {
  return {
    sources: db.prepare('SELECT * FROM sources ORDER BY id'),
    madeByKey: db.prepare('SELECT count(*) FROM sources WHERE made_by_key = 1').pluck(),
    insertSource: db.prepare(
      'INSERT INTO sources (name, write_key, kind, enabled, webhooks, events_off, made_by_key, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    ),
    updateSource: db.prepare(
      'UPDATE sources SET name = ?, write_key = ?, kind = ?, enabled = ?, webhooks = ?, events_off = ? WHERE id = ?',
    ),
    removeSource: db.prepare('DELETE FROM sources WHERE id = ?'),
    webhooks: db.prepare('SELECT * FROM webhooks ORDER BY slot'),
    insertWebhook: db.prepare(
      'INSERT INTO webhooks (slot, name, url, sealed_headers, enabled, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    updateWebhook: db.prepare(
      'UPDATE webhooks SET slot = ?, name = ?, url = ?, sealed_headers = ?, enabled = ? WHERE id = ?',
    ),
    removeWebhook: db.prepare('DELETE FROM webhooks WHERE id = ?'),
    keepLineUp: db.prepare(
      `INSERT INTO line_ups (after_attempt, webhooks)
       SELECT coalesce((SELECT max(id) FROM attempts), 0), json_group_array(json_array(id, slot, name, enabled))
       FROM (SELECT * FROM webhooks ORDER BY slot) WHERE true
       ON CONFLICT (after_attempt) DO UPDATE SET webhooks = excluded.webhooks`,
    ),
    dropLineUps: db.prepare(
      `DELETE FROM line_ups WHERE after_attempt <=
         (SELECT after_attempt FROM line_ups ORDER BY after_attempt DESC LIMIT 1 OFFSET ?)`,
    ),
    setting: db.prepare('SELECT value FROM settings WHERE key = ?').pluck(),
    settings: db.prepare('SELECT value FROM settings').pluck(),
    secrets: db.prepare('SELECT * FROM secrets'),
    saveSetting: db.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    ),
    secret: db.prepare('SELECT sealed FROM secrets WHERE name = ?'),
    saveSecret: db.prepare(
      `INSERT INTO secrets (name, sealed, last2, length) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, last2 = excluded.last2, length = excluded.length`,
    ),
    removeSecret: db.prepare('DELETE FROM secrets WHERE name = ?'),
  };
}
