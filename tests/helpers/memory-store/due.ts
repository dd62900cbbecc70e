import { isResting, type Resting } from '../../../src/core/model/moves.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import type { Outcome } from '../../../src/core/model/vocabulary.ts';
import type { Claim, Claimed, DueMessage, DuePlace, DueStore } from '../../../src/core/store/ports/due.ts';
import type { Tables } from './tables.ts';

type Waiting = MessageRecord & { readonly state: Resting; readonly nextDueAt: number };
const isWaiting = (message: MessageRecord): message is Waiting =>
  isResting(message.state) && message.nextDueAt !== null;
const isBehind = ({ nextDueAt, id }: Waiting, { dueAt, id: after }: DuePlace): boolean =>
  nextDueAt > dueAt || (nextDueAt === dueAt && id > after);
/** How many of the newest messages {@link DueStore.newestReading} looks at. */
const NEWEST = 1_000;

export class MemoryDue implements DueStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  async claim({ until, after, limit }: Claim): Promise<Claimed> {
    const waiting = this.#waiting();
    const due = waiting.filter((row) => row.nextDueAt <= until && isBehind(row, after)).slice(0, limit);
    const later = waiting.find((row) => row.nextDueAt > until)?.nextDueAt ?? null;
    return {
      messages: due.map((row) => this.#dueMessage(row, this.wire(row.id))),
      nextDueAt: due.length < limit ? later : null,
    };
  }

  async waiting(after: DuePlace, limit: number): Promise<readonly DueMessage[]> {
    return this.#waiting()
      .filter((row) => isBehind(row, after))
      .slice(0, limit)
      .map((row) => this.#dueMessage(row, null));
  }

  #waiting(): Waiting[] {
    return this.#tables.messages
      .all()
      .filter(isWaiting)
      .sort((a, b) => a.nextDueAt - b.nextDueAt || a.id - b.id);
  }

  #dueMessage(row: Waiting, wire: Uint8Array | null): DueMessage {
    const { id, receivedAt, state, round, nextDueAt, firstAttemptAt, windowEndsAt, cells } = row;
    const outcomes = this.lastOutcomes(id);
    return { id, receivedAt, state, round, nextDueAt, firstAttemptAt, windowEndsAt, cells, wire, outcomes };
  }

  wire(messageId: number): Uint8Array | null {
    const body = this.#tables.bodies.get(messageId);
    return body?.isSound ? body.wire : null;
  }

  wireToSend(messageId: number): Uint8Array | null {
    return this.wire(messageId);
  }

  lastOutcomes(messageId: number): ReadonlyMap<number, Outcome> {
    const ended = this.#tables.attempts.where(
      (attempt) => attempt.messageId === messageId && attempt.replayId === null && attempt.outcome !== null,
    );
    return new Map(ended.map(({ webhookId, outcome }) => [webhookId, outcome!]));
  }

  nextRoundAfter(now: number): number | null {
    const planned = this.#waiting().filter(({ state, nextDueAt }) => state === 'retrying' && nextDueAt > now);
    return planned[0]?.nextDueAt ?? null;
  }

  newestReading(): number | null {
    const { attempts, messages } = this.#tables;
    const queued = messages
      .all()
      .slice(-NEWEST)
      .filter(({ state }) => state === 'queued');
    const readings = [attempts.all().at(-1)?.clockAt ?? null, ...queued.map(({ nextDueAt }) => nextDueAt)];
    const known = readings.filter((reading) => reading !== null);
    return known.length === 0 ? null : Math.max(...known);
  }
}
