/** The newest outcome at each webhook that a message was tried at. Replays and open attempts do not count. */
import type { Outcome } from '../model/vocabulary.ts';
import { type Damage, isDamage } from './damage.ts';
import type { ReadDb } from './prepared.ts';
import { Reads } from './statements.ts';

type OutcomesByWebhook = ReadonlyMap<number, Outcome>;

interface OutcomeRow {
  readonly messageId: number;
  readonly webhookId: number;
  readonly outcome: Outcome;
}

/** SQLite takes the bare columns beside `max(id)` from the row with that id. */
const NEWEST = (messages: string): string =>
  `SELECT message_id AS messageId, webhook_id AS webhookId, outcome, max(id) FROM attempts
   WHERE message_id ${messages} AND replay_id IS NULL GROUP BY message_id, webhook_id`;

export class Outcomes extends Reads {
  readonly #damage: Damage;

  constructor(db: ReadDb, damage: Damage) {
    super(db);
    this.#damage = damage;
  }

  /** Null when it cannot be read. */
  of(messageId: number): OutcomesByWebhook | null {
    const rows = this.#damage.around(() => this.#one.all({ messageId }), null);
    return rows && new Map(rows.map(({ webhookId, outcome }) => [webhookId, outcome]));
  }

  readonly #one = this.query<{ messageId: number }, OutcomeRow>(NEWEST('= @messageId'));

  /** By message, in one query. One by one only when a page is damaged. */
  ofAll(messageIds: readonly number[]): ReadonlyMap<number, OutcomesByWebhook | null> {
    try {
      return this.#together(messageIds);
    } catch (error) {
      if (!isDamage(error)) throw error;
      return new Map(messageIds.map((id) => [id, this.of(id)]));
    }
  }

  #together(messageIds: readonly number[]): ReadonlyMap<number, OutcomesByWebhook> {
    const found = new Map<number, Map<number, Outcome>>(messageIds.map((id) => [id, new Map()]));
    if (messageIds.length === 0) return found;
    for (const { messageId, webhookId, outcome } of this.#all.all({ ids: JSON.stringify(messageIds) }))
      found.get(messageId)!.set(webhookId, outcome);
    return found;
  }

  readonly #all = this.query<{ ids: string }, OutcomeRow>(NEWEST('IN (SELECT value FROM json_each(@ids))'));
}
