/** What delivery asks of the store, one part for each of its concerns. */
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { SqliteDueStore } from './due.ts';
import { DueTimes } from './due-times.ts';
import type { Writer } from './ports/changes.ts';
import type { DueStore } from './ports/due.ts';
import type { ReplayStore } from './ports/replays.ts';
import type { RoundStore } from './ports/rounds.ts';
import { RecoveryStore } from './recovery.ts';
import { SqliteReplayStore } from './replays.ts';
import { SqliteRoundStore } from './rounds.ts';

export interface DeliveryStores {
  readonly due: DueStore;
  readonly rounds: RoundStore;
  readonly replays: ReplayStore;
  readonly recovery: RecoveryStore;
}

export function deliveryStores(db: Db, write: Writer['write'], damage: Damage = untold()): DeliveryStores {
  const dueTimes = new DueTimes();
  return {
    due: new SqliteDueStore(db, damage, dueTimes),
    rounds: new SqliteRoundStore(db, write, dueTimes),
    replays: new SqliteReplayStore(db, write),
    recovery: new RecoveryStore(db, damage, dueTimes),
  };
}
