/** Finds the row that a call repeats. */
import type { NewMessage, NewRequest } from '../model/records.ts';
import type { Changes } from './ports/changes.ts';
import { DEDUPE_MS, MAX_CALLS } from './ports/ingest.ts';
import { Writes } from './statements.ts';

interface RejectedRow {
  readonly id: number;
  readonly position: number;
  readonly reason: string;
}

/** The rejected rows of an earlier refused request, by their place in it. */
export type RefusedBefore = ReadonlyMap<number, RejectedRow>;

interface Within {
  readonly sourceId: number | null;
  readonly since: number;
}

const WITHIN = `AND source_id IS @sourceId AND received_at > @since AND state <> 'rejected' LIMIT 1`;

const within = ({ sourceId, receivedAt }: NewRequest): Within => ({ sourceId, since: receivedAt - DEDUPE_MS });

/** The store keeps half of a surrogate pair as U+FFFD, JSON as an escape. */
export const asStored = (messageId: string): string => messageId.toWellFormed();

export class Repeats extends Writes {
  readonly #before = this.query<{ fingerprint: Uint8Array; since: number }, { request: number; first: number }>(
    `SELECT id AS request, first_message AS first FROM requests
     WHERE fingerprint = @fingerprint AND fingerprint IS NOT NULL AND received_at > @since ORDER BY id DESC LIMIT 1`,
  );
  readonly #rejectedOf = this.query<{ request: number; first: number; last: number }, RejectedRow>(
    `SELECT id, position, reason FROM messages
     WHERE id BETWEEN @first AND @last AND request_id = @request AND state = 'rejected'`,
  );

  /** Null when the request was not refused before. */
  refusedBefore({ fingerprint = null, receivedAt }: NewRequest): RefusedBefore | null {
    if (fingerprint === null) return null;
    const before = this.#before.get({ fingerprint, since: receivedAt - DEDUPE_MS });
    if (before === undefined) return null;
    const rows = this.#rejectedOf.all({ ...before, last: before.first + MAX_CALLS });
    return new Map(rows.map((row) => [row.position, row]));
  }

  readonly #markRefused = this.command<{ request: number; fingerprint: Uint8Array; first: number | null }>(
    'UPDATE requests SET fingerprint = @fingerprint, first_message = @first WHERE id = @request',
  );

  /** Marks a refused request, so that its next try finds it. `first` is its first message. */
  markRefused(request: number, { fingerprint = null }: NewRequest, first: number | null, changes: Changes): void {
    if (fingerprint !== null) this.#markRefused.run(changes, { request, fingerprint, first });
  }

  // The index orders the rows of a messageId by id, so the first is the oldest. An ORDER BY costs six times as much.
  readonly #first = this.column<{ messageId: string } & Within, number>(
    `SELECT id FROM messages INDEXED BY messages_message_id WHERE message_id = @messageId ${WITHIN}`,
  );

  /** The id of the message with the same messageId from the same source within {@link DEDUPE_MS}. */
  firstOf({ messageId }: NewMessage, request: NewRequest): number | undefined {
    return this.#first.get({ messageId, ...within(request) });
  }

  readonly #any = this.column<{ messageIds: string } & Within, 1>(
    `SELECT 1 FROM messages INDEXED BY messages_message_id
     WHERE message_id IN (SELECT value FROM json_each(@messageIds)) ${WITHIN}`,
  );

  /** Whether {@link firstOf} finds any of them. One look for 20 takes 1 µs a message, and one for each 5. */
  hasAny(messages: readonly NewMessage[], request: NewRequest): boolean {
    const messageIds = JSON.stringify(messages.map(({ messageId }) => asStored(messageId)));
    return this.#any.get({ messageIds, ...within(request) }) !== undefined;
  }

  readonly #count = this.command<{ id: number }>('UPDATE messages SET repeats = repeats + 1 WHERE id = @id');

  /** Counts one more repeat of the message `id`. */
  count(id: number, changes: Changes): void {
    this.#count.run(changes, { id });
    changes.messages.add(id);
  }
}
