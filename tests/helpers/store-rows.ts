import type { MessageState } from '../../src/core/model/vocabulary.ts';
import { DUE_STATES } from '../../src/core/model/vocabulary.ts';
import type { Db } from '../../src/core/store/database.ts';

interface MessageRow {
  readonly id?: number;
  readonly messageId?: string;
  readonly sourceId?: number | null;
  readonly request?: number;
  readonly type?: string;
  readonly name?: string;
  readonly state?: MessageState;
  readonly reason?: string | null;
  readonly receivedAt?: number;
}

/** Inserts a message directly into its table and returns its id. */
export function putMessage(db: Db, row: MessageRow = {}): number {
  const { state = 'delivered' } = row;
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO messages (id, message_id, source_id, request_id, position, origin, type, name, state, reason,
         received_at, size, next_due_at) VALUES (?, ?, ?, ?, 0, 'sdk', ?, ?, ?, ?, ?, 1, ?)`,
    )
    .run(
      row.id ?? null,
      row.messageId ?? 'm',
      row.sourceId ?? null,
      row.request ?? 1,
      row.type ?? 'track',
      row.name ?? 'n',
      state,
      row.reason ?? null,
      row.receivedAt ?? 1,
      DUE_STATES.has(state) ? 1 : null,
    );
  const id = Number(lastInsertRowid);
  db.prepare('UPDATE counters SET n = n + 1 WHERE state = ?').run(state);
  return id;
}

export function putRequest(db: Db, id: number): void {
  db.prepare(
    `INSERT INTO requests (id, received_at, method, path, headers, body, decoded_bytes, status)
     VALUES (?, 1, 'POST', '/v1/track', '[]', x'7b7d', 2, 200)`,
  ).run(id);
}

const ATTEMPT = 'id, message_id, webhook_id, slot, webhook_name, url, round, started_at, clock_at';

/** An attempt, ended unless `outcome` is null. */
export function putAttempt(db: Db, id: number, messageId: number, outcome: string | null = 'accepted'): void {
  db.prepare(`INSERT INTO open_attempts (${ATTEMPT}) VALUES (?, ?, 1, 1, 'w', 'http://w/', 1, 1, 1)`).run(
    id,
    messageId,
  );
  if (outcome === null) return;
  endAttempt(db, id, outcome);
  db.prepare("INSERT INTO attempt_results (id, result) VALUES (?, '{}')").run(id);
}

/** All attempts, open or ended, in the columns of the table of those that have ended. */
export const ALL_ATTEMPTS = '(SELECT * FROM attempts UNION ALL SELECT *, NULL, NULL, NULL FROM open_attempts)';

/** Ends an open attempt without a result. */
export function endAttempt(db: Db, id: number, outcome: string): void {
  db.prepare(`INSERT INTO attempts (${ATTEMPT}, outcome) SELECT ${ATTEMPT}, ? FROM open_attempts WHERE id = ?`).run(
    outcome,
    id,
  );
  db.prepare('DELETE FROM open_attempts WHERE id = ?').run(id);
}

export function putReplay(db: Db, id: number, messageId: number): void {
  db.prepare("INSERT INTO replays (id, message_id, created_at, webhook_ids) VALUES (?, ?, 1, '[]')").run(id, messageId);
}
