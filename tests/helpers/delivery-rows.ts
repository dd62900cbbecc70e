/** Delivery's stores over a new file, with helpers that insert rows directly. */
import { onTestFinished } from 'vitest';
import type { MessageState } from '../../src/core/model/vocabulary.ts';
import { type Damage, untold } from '../../src/core/store/damage.ts';
import { type Db, openStore } from '../../src/core/store/database.ts';
import { type DeliveryStores, deliveryStores } from '../../src/core/store/deliveries.ts';
import { Changes } from '../../src/core/store/ports/changes.ts';
import { writerOf } from './direct-writer.ts';
import { ALL_ATTEMPTS, putMessage } from './store-rows.ts';
import { tempWorkspace } from './temp-workspace.ts';

export class DeliveryRows {
  readonly db: Db;
  readonly damage: Damage;
  readonly stores: DeliveryStores;
  /** Changes since the start or since {@link forget}. */
  changes = new Changes();

  constructor(folder = tempWorkspace(), damage = untold()) {
    this.damage = damage;
    this.db = openStore(folder);
    onTestFinished(() => void this.db.close());
    this.db.pragma('synchronous = OFF');
    this.stores = deliveryStores(
      this.db,
      writerOf(async (job) => job(this.changes)),
      this.damage,
    );
  }

  forget(): void {
    this.changes = new Changes();
  }

  /** A message in `state`, with other columns. */
  put(state: MessageState, columns: Record<string, string | number | null> = {}): number {
    const { window_ends_at: windowEndsAt, ...others } = columns;
    const id = putMessage(this.db, { state });
    for (const [column, value] of Object.entries(others))
      this.db.prepare(`UPDATE messages SET ${column} = ? WHERE id = ?`).run(value, id);
    if (windowEndsAt !== undefined)
      this.db
        .prepare('UPDATE messages SET first_attempt_at = 1, window_ends_at = ? WHERE id = ?')
        .run(windowEndsAt, id);
    return id;
  }

  waiting(nextDueAt: number): number {
    return this.put('queued', { next_due_at: nextDueAt });
  }

  /** Of `attempts` also one that is open. */
  row(id: number, table = 'messages'): Record<string, unknown> {
    const rows = table === 'attempts' ? ALL_ATTEMPTS : table;
    return this.db.prepare(`SELECT * FROM ${rows} WHERE id = ?`).get(id) as Record<string, unknown>;
  }

  /** The changed messages, and the changes of the counts by state. */
  moved(): object {
    return { messages: [...this.changes.messages], counts: Object.fromEntries(this.changes.counts) };
  }
}
