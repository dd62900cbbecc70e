/** The second store, plain TypeScript over maps. It separates what any store must do from what only SQLite does. */
import type { Sealer } from '../../../src/core/ports.ts';
import type { Writer } from '../../../src/core/store/ports/changes.ts';
import type { StorePorts } from '../../../src/core/store/ports/store.ts';
import { MemoryAudiences } from './audiences.ts';
import { MemoryDeletions } from './deletions.ts';
import { MemoryDetails } from './details.ts';
import { MemoryDue } from './due.ts';
import { MemoryErasure } from './erasure.ts';
import { MemoryHeld, MemoryIngest } from './ingest.ts';
import { MemoryLists } from './lists.ts';
import { MemoryMetrics } from './metrics.ts';
import { MemoryReceivers } from './receivers.ts';
import { MemoryRecovery } from './recovery.ts';
import { MemoryReplays } from './replays.ts';
import { MemoryRetention } from './retention.ts';
import { MemoryRounds } from './rounds.ts';
import { MemorySourceEvents } from './source-events.ts';
import { MemorySuppressions } from './suppressions.ts';
import { MemorySyncs } from './syncs.ts';
import type { Tables } from './tables.ts';
import { memoryWorkspace } from './workspace.ts';

export const memoryPorts = (tables: Tables, writer: Writer, sealer: Sealer): StorePorts => ({
  writer,
  ingest: new MemoryIngest(tables, writer),
  held: new MemoryHeld(tables),
  lists: new MemoryLists(tables),
  details: new MemoryDetails(tables),
  workspace: memoryWorkspace(tables, sealer),
  due: new MemoryDue(tables),
  rounds: new MemoryRounds(tables, writer),
  replays: new MemoryReplays(tables, writer),
  recovery: new MemoryRecovery(tables),
  retention: new MemoryRetention(tables),
  metrics: new MemoryMetrics(tables),
  receivers: new MemoryReceivers(tables),
  sourceEvents: new MemorySourceEvents(tables),
  audiences: new MemoryAudiences(tables),
  syncs: new MemorySyncs(tables),
  deletions: new MemoryDeletions(tables),
  erasure: new MemoryErasure(tables),
  suppressions: new MemorySuppressions(tables),
});
