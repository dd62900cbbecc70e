/** Lists read from a store while no engine runs, for the command line. */
import type { CommandInput, CommandOutput } from '../../contract/commands.ts';
import { receivedCalls } from '../ingest/received-call.ts';
import { attemptView, messageRow } from '../serving/views.ts';
import { openStoreReadOnly } from '../store/database.ts';
import { SqliteDetails } from '../store/details.ts';
import { SqliteLists } from '../store/lists.ts';
import { SqliteSources } from '../store/sources.ts';

export interface OfflineStore {
  listMessages(input: CommandInput<'messages.list'>): CommandOutput<'messages.list'>;
  listAttempts(input: CommandInput<'attempts.list'>): CommandOutput<'attempts.list'>;
  listSources(): ReadonlyArray<{ readonly id: number; readonly name: string }>;
  close(): void;
}

/** Opens for reading only. Throws a StoreOpenError, with code `no_store` when the folder has none. */
export function openOffline(workspace: string): OfflineStore {
  const db = openStoreReadOnly(workspace);
  const lists = new SqliteLists(db, receivedCalls);
  const details = new SqliteDetails(db);
  return {
    listMessages: ({ filter, before, limit }) => {
      const top = before ?? (lists.idRange()?.last ?? 0) + 1;
      const page = lists.ids({ filter, before: top, after: 0, limit, keepGoing: () => true });
      return { rows: lists.messages(page.ids).map(messageRow), nextBefore: page.more ? page.scannedTo : null };
    },
    listAttempts: ({ messageId, after, limit }) => {
      const rows = details
        .attemptsAfter({ after: after ?? 0, messageId, limit })
        .map((row) => ({ ...attemptView(row), message: row.message }));
      return { rows, nextAfter: rows.length === limit ? rows[rows.length - 1]!.id : null };
    },
    // Made when asked: the sources of an older store may lack columns.
    listSources: () => new SqliteSources(db).all(),
    close: () => db.close(),
  };
}
