/** What delivery needs from the store, one part per concern. */
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { SqliteDue } from './due.ts';
import { DueTimes } from './due-times.ts';
import type { StorePorts } from './ports/store.ts';
import { SqliteRecovery } from './recovery.ts';
import { SqliteReplays } from './replays.ts';
import { type DeliveryWriter, SqliteRounds } from './rounds.ts';

export type DeliveryStores = Pick<StorePorts, 'due' | 'rounds' | 'replays' | 'recovery'>;

export function deliveryStores(db: Db, writer: DeliveryWriter, damage: Damage = untold()): DeliveryStores {
  const dueTimes = new DueTimes();
  const replays = new SqliteReplays(db, writer, damage);
  return {
    due: new SqliteDue(db, damage, dueTimes),
    rounds: new SqliteRounds(db, writer, dueTimes),
    replays,
    recovery: new SqliteRecovery(db, damage, dueTimes),
  };
}
