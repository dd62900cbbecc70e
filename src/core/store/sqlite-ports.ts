/** The ports of a SQLite store over its open database. */
import type { Sealer } from '../ports.ts';
import { SqliteAudiences } from './audiences.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import { SqliteDeletions } from './deletions.ts';
import { deliveryStores } from './deliveries.ts';
import { SqliteDetails } from './details.ts';
import { SqliteErasure } from './erasure.ts';
import { SqliteHeld } from './held.ts';
import { SqliteIngest } from './ingest.ts';
import { SqliteLists } from './lists.ts';
import { SqliteMetrics } from './metrics.ts';
import type { Writer } from './ports/changes.ts';
import type { ReceivedCalls } from './ports/lists.ts';
import type { StorePorts } from './ports/store.ts';
import { SqliteReceivers } from './receivers.ts';
import { SqliteRetention } from './retention.ts';
import type { DeliveryWriter } from './rounds.ts';
import { SqliteSourceEvents } from './source-events.ts';
import { SqliteSuppressions } from './suppressions.ts';
import { SqliteSyncs } from './syncs.ts';
import { SqliteWorkspace } from './workspace.ts';

export interface SqliteNeeds {
  readonly writer: Writer & DeliveryWriter;
  readonly sealer: Sealer;
  readonly receivedCalls: ReceivedCalls;
  readonly damage?: Damage;
}

export const sqlitePorts = (db: Db, { writer, sealer, receivedCalls, damage = untold() }: SqliteNeeds) =>
  ({
    writer,
    ingest: new SqliteIngest(db, writer, damage),
    held: new SqliteHeld(db, damage),
    lists: new SqliteLists(db, receivedCalls, damage),
    details: new SqliteDetails(db, damage),
    workspace: new SqliteWorkspace(db, sealer),
    ...deliveryStores(db, writer, damage),
    retention: new SqliteRetention(db),
    metrics: new SqliteMetrics(db, damage),
    receivers: new SqliteReceivers(db, damage),
    sourceEvents: new SqliteSourceEvents(db),
    audiences: new SqliteAudiences(db, damage),
    syncs: new SqliteSyncs(db, damage),
    deletions: new SqliteDeletions(db, damage),
    erasure: new SqliteErasure(db),
    suppressions: new SqliteSuppressions(db, damage),
  }) satisfies StorePorts;
