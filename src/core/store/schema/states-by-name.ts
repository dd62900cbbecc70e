/**
 * A new state of messages changes no table. Before, the messages table listed every state, so a new one meant
 * rebuilding the most written table: 1.4 s for 500,000 messages. This edits the text of the table and of the index of
 * rare states in place, as SQLite documents for changes that leave the rows as they are: 40 ms. No row is in the state
 * `waiting` yet, so the index already matches its new text.
 *
 * The table still checks that a message in a final state has no due time, and that one in any other state has one,
 * unless it is paused. An unknown state fails its transaction, because `counters` has no row for it (store/writer.ts).
 * A trigger that asked `counters` for each row would cost 4 to 5 µs a message, half as much again as its three writes.
 */
const text = (sql: string): string => `'${sql.replaceAll("'", "''")}'`;

const edit = (name: string, from: string, to: string): string =>
  `UPDATE sqlite_schema SET sql = replace(sql, ${text(from)}, ${text(to)}) WHERE name = '${name}';`;

export const STATES_BY_NAME = `
PRAGMA writable_schema = ON;
${edit(
  'messages',
  " CHECK (state = 'delivered' OR state = 'delivering' OR state = 'queued' OR state = 'retrying' OR state = 'paused' OR state = 'rejected' OR state = 'not_selected' OR state = 'failed' OR state = 'expired' OR state = 'stopped')",
  '',
)}
${edit(
  'messages',
  "CHECK (next_due_at IS NOT NULL OR NOT (state = 'delivering' OR state = 'queued' OR state = 'retrying'))",
  "CHECK (next_due_at IS NOT NULL OR state = 'delivered' OR state = 'failed' OR state = 'expired' OR state = 'stopped' OR state = 'rejected' OR state = 'not_selected' OR state = 'paused')",
)}
${edit(
  'messages',
  "CHECK (next_due_at IS NULL OR (state = 'delivering' OR state = 'queued' OR state = 'retrying' OR state = 'paused'))",
  "CHECK (next_due_at IS NULL OR NOT (state = 'delivered' OR state = 'failed' OR state = 'expired' OR state = 'stopped' OR state = 'rejected' OR state = 'not_selected'))",
)}
${edit('messages_rare', "state <> 'queued'", "state <> 'queued' AND state <> 'waiting'")}
PRAGMA writable_schema = RESET;
INSERT OR IGNORE INTO counters (state, n) VALUES ('waiting', 0);
`;
