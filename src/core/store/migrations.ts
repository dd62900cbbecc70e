/**
 * Numbered migrations. A released migration is literal SQL and never changes; a test checks its hash. The first n
 * migrations make version n of the store; `PRAGMA user_version` holds n.
 */
import type { Database } from 'better-sqlite3';
import { AUDIENCES_SCHEMA } from './schema/audiences.ts';
import { DELETIONS_SCHEMA } from './schema/deletions.ts';
import { EDITED_REPLAYS } from './schema/edited-replays.ts';
import { INITIAL } from './schema/initial.ts';
import { COUNT_REPEATS, METRICS_SCHEMA } from './schema/metrics.ts';
import { NAMES_AT_THE_TIME } from './schema/names-at-the-time.ts';
import { OPEN_ATTEMPTS } from './schema/open-attempts.ts';
import { RECEIVERS_SCHEMA } from './schema/receivers.ts';
import { EVENTS_OFF, REFUSED_REQUESTS } from './schema/refused-requests.ts';
import { ROOM_IN_MESSAGES } from './schema/room-in-messages.ts';
import { SEAL_ATTEMPT_HEADERS } from './schema/seal-attempt-headers.ts';
import { STATES_BY_NAME } from './schema/states-by-name.ts';

/** The states that most messages are in. */
export const DENSE_STATES: readonly string[] = ['delivered', 'delivering', 'queued', 'waiting'];

/** The condition of the index of all other states. SQLite uses the index only for a query with exactly this text. */
export const RARE_STATE = DENSE_STATES.map((state) => `state <> '${state}'`).join(' AND ');

/** From so many milliseconds on an attempt is in the index of slow ones, whose condition is this. */
export const SLOW_MS = 1_000;
export const SLOW = `duration_ms >= ${SLOW_MS}`;

export const migrations: readonly string[] = [
  INITIAL,
  `${RECEIVERS_SCHEMA}\n${METRICS_SCHEMA}`,
  NAMES_AT_THE_TIME,
  SEAL_ATTEMPT_HEADERS,
  `${REFUSED_REQUESTS}\n${EVENTS_OFF}`,
  COUNT_REPEATS,
  STATES_BY_NAME,
  AUDIENCES_SCHEMA,
  DELETIONS_SCHEMA,
  EDITED_REPLAYS,
  OPEN_ATTEMPTS,
  ROOM_IN_MESSAGES,
];

/** From this version on, no attempt holds the value of a hidden static header. */
export const SEALED_SINCE = migrations.indexOf(SEAL_ATTEMPT_HEADERS) + 1;

/** From this version on, a replay says what it sent. */
export const EDITED_SINCE = migrations.indexOf(EDITED_REPLAYS) + 1;

/** From this version on, open attempts are apart from those that have ended. */
export const OPEN_APART_SINCE = migrations.indexOf(OPEN_ATTEMPTS) + 1;

/** Brings a store from one version to another; `applied` is called after each step. */
export function applyMigrations(db: Database, from: number, to = migrations.length, applied = (): void => {}): void {
  // Without this SQLite refuses the migration that edits the text of a table.
  db.unsafeMode(true);
  try {
    for (const sql of migrations.slice(from, to)) {
      db.exec(sql);
      applied();
    }
  } finally {
    db.unsafeMode(false);
  }
}
