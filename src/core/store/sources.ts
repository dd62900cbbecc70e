/** The sources of a workspace. */
import type { Source } from '../model/records.ts';
import type { Changes } from './ports/changes.ts';
import type { SourceStore } from './ports/workspace.ts';
import { columns, insertInto, Writes } from './statements.ts';

const COLUMNS = ['name', 'writeKey', 'kind', 'enabled', 'webhooks', 'eventsOff', 'createdAt'];

interface Row extends Pick<Source, 'name' | 'writeKey' | 'kind' | 'createdAt'> {
  readonly enabled: number;
  readonly webhooks: number;
  readonly eventsOff: string;
}
interface Id {
  readonly id: number;
}

export class SqliteSources extends Writes implements SourceStore {
  readonly #all = this.query<undefined, Row & Id>(`SELECT id, ${columns(COLUMNS)} FROM sources ORDER BY id`);

  all(): Source[] {
    return this.#all.all().map((row) => ({
      ...row,
      enabled: row.enabled === 1,
      webhooks: row.webhooks === 1,
      eventsOff: new Set(JSON.parse(row.eventsOff) as string[]),
    }));
  }

  readonly #madeByKey = this.column<undefined, number>('SELECT count(*) FROM sources WHERE made_by_key = 1');

  madeByKey(): number {
    return this.#madeByKey.get()!;
  }

  readonly #insert = this.command<Row & { madeByKey: number }>(insertInto('sources', [...COLUMNS, 'madeByKey']));
  readonly #update = this.command<Row & Id>(
    `UPDATE sources SET name = @name, write_key = @writeKey, kind = @kind, enabled = @enabled, webhooks = @webhooks,
       events_off = @eventsOff
     WHERE id = @id`,
  );

  save({ id, madeByKey = false, ...source }: Parameters<SourceStore['save']>[0], changes: Changes): number {
    const row: Row = {
      ...source,
      enabled: Number(source.enabled),
      webhooks: Number(source.webhooks),
      eventsOff: JSON.stringify([...source.eventsOff].sort()),
    };
    if (id === undefined)
      return Number(this.#insert.run(changes, { ...row, madeByKey: Number(madeByKey) }).lastInsertRowid);
    this.#update.run(changes, { ...row, id });
    return id;
  }

  readonly #remove = this.command<Id>('DELETE FROM sources WHERE id = @id');

  remove(id: number, changes: Changes): boolean {
    return this.#remove.run(changes, { id }).changes === 1;
  }
}
