/** What delivery needs from the store, one part per concern. */
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { SqliteDue } from './due.ts';
import { DueTimes } from './due-times.ts';
import type { Writer } from './ports/changes.ts';
import type { DueStore } from './ports/due.ts';
import type { RecoveryStore } from './ports/recovery.ts';
import type { ReplayStore } from './ports/replays.ts';
import type { RoundStore } from './ports/rounds.ts';
import { SqliteRecovery } from './recovery.ts';
import { SqliteReplays } from './replays.ts';
import { SqliteRounds } from './rounds.ts';

export interface DeliveryStores {
  readonly due: DueStore;
  readonly rounds: RoundStore;
  readonly replays: ReplayStore;
  readonly recovery: RecoveryStore;
}

export function deliveryStores(db: Db, write: Writer['write'], damage: Damage = untold()): DeliveryStores {
  const dueTimes = new DueTimes();
  return {
    due: new SqliteDue(db, damage, dueTimes),
    rounds: new SqliteRounds(db, write, dueTimes),
    replays: new SqliteReplays(db, write),
    recovery: new SqliteRecovery(db, damage, dueTimes),
  };
}
