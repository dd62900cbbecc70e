/**
 * Follows the notices that are on their way. When a notice's message is final, its state is kept with the notice,
 * because storage limits may remove the message.
 */
import { FINAL_STATES, type MessageState } from '../model/vocabulary.ts';
import type { Logger } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { DeletionStore, NoticeTally } from '../store/ports/deletions.ts';

interface Open {
  readonly requestId: number;
  readonly sourceId: number;
  state: MessageState;
  nextDueAt: number | null;
}

export interface OutcomesDeps {
  readonly store: Pick<DeletionStore, 'open' | 'standings' | 'end' | 'tally'>;
  /** Retried while the store cannot be written. */
  write<T>(job: (changes: Changes) => T): Promise<T>;
  readonly logger: Logger;
  /** A notice of this request has moved; `ended` when it was the last open one. */
  moved(requestId: number, ended: boolean): void;
}

/** A notice that cannot be found any more counts as failed: nobody saw its delivery. */
const LOST: MessageState = 'failed';

export class Outcomes {
  readonly #deps: OutcomesDeps;
  /** By row id of the message. */
  readonly #open = new Map<number, Open>();
  /** How many are open, by request. */
  readonly #openOf = new Map<number, number>();
  /** By request, once it was asked for. Kept up to date with every move. */
  readonly #tallies = new Map<number, NoticeTally[]>();

  constructor(deps: OutcomesDeps) {
    this.#deps = deps;
  }

  /** At start: finds the open notices, and keeps the state of those that ended before a crash could be recorded. */
  load(): void {
    const open = this.#deps.store.open();
    const standings = new Map(
      this.#deps.store.standings(open.map(({ messageId }) => messageId)).map((one) => [one.id, one]),
    );
    for (const { messageId, ...notice } of open) {
      const { state, nextDueAt } = standings.get(messageId) ?? { state: LOST, nextDueAt: null };
      this.#add(messageId, { ...notice, state, nextDueAt });
      if (FINAL_STATES.has(state)) this.#end(messageId, state);
    }
  }

  /** A notice was stored with this message, in the same turn as its commit. */
  stored(messageId: number, requestId: number, sourceId: number, state: MessageState): void {
    this.#add(messageId, { requestId, sourceId, state, nextDueAt: null });
    // Somebody may have counted between the commit and now, so only the store knows.
    this.#tallies.delete(requestId);
    if (FINAL_STATES.has(state)) this.#end(messageId, state);
  }

  #add(messageId: number, notice: Open): void {
    this.#open.set(messageId, notice);
    this.#openOf.set(notice.requestId, (this.#openOf.get(notice.requestId) ?? 0) + 1);
  }

  #shift({ requestId, sourceId }: Open, from: MessageState, to: MessageState): void {
    const tally = this.#tallies.get(requestId);
    if (tally === undefined) return;
    const others = tally.filter((one) => one.sourceId !== sourceId || one.reason !== null);
    const ofSource = tally.filter((one) => one.sourceId === sourceId && one.reason === null);
    const counts = new Map(ofSource.map(({ state, n }) => [state, n]));
    counts.set(from, (counts.get(from) ?? 0) - 1);
    counts.set(to, (counts.get(to) ?? 0) + 1);
    const moved = [...counts].flatMap(([state, n]) => (n > 0 ? [{ sourceId, reason: null, state, n }] : []));
    this.#tallies.set(requestId, [...others, ...moved]);
  }

  /** Runs after each commit. */
  committed({ messages }: Changes): void {
    if (this.#open.size === 0) return;
    const ids = [...messages].filter((id) => this.#open.has(id));
    if (ids.length === 0) return;
    for (const { id, state, nextDueAt } of this.#deps.store.standings(ids)) this.#move(id, state, nextDueAt);
  }

  #move(messageId: number, state: MessageState, nextDueAt: number | null): void {
    const notice = this.#open.get(messageId);
    if (notice === undefined) return;
    notice.nextDueAt = nextDueAt;
    if (notice.state === state) return;
    this.#shift(notice, notice.state, state);
    notice.state = state;
    if (FINAL_STATES.has(state)) this.#end(messageId, state);
    else this.#deps.moved(notice.requestId, false);
  }

  #end(messageId: number, state: MessageState): void {
    const { store, write, logger, moved } = this.#deps;
    const { requestId } = this.#open.get(messageId)!;
    this.#open.delete(messageId);
    this.#openOf.set(requestId, this.#openOf.get(requestId)! - 1);
    write((changes) => store.end(messageId, state, changes)).then(
      () => moved(requestId, !this.hasOpen(requestId)),
      // The message keeps its state, and the next start reads it from there.
      (error: unknown) => logger.log('warn', 'notice_not_recorded', { message: (error as Error).message }),
    );
  }

  /** Whether a notice of the request is still on its way. */
  hasOpen(requestId: number): boolean {
    return (this.#openOf.get(requestId) ?? 0) > 0;
  }

  /** How many notices of a request stand where. */
  tally(requestId: number): NoticeTally[] {
    const known = this.#tallies.get(requestId);
    if (known !== undefined) return known;
    const tally = this.#deps.store.tally(requestId);
    this.#tallies.set(requestId, tally);
    return tally;
  }

  /** The earliest retry-clock time at which a retrying notice of the request is due, or null. */
  nextDueAt(requestId: number): number | null {
    let next: number | null = null;
    for (const notice of this.#open.values())
      if (notice.requestId === requestId && notice.state === 'retrying' && notice.nextDueAt !== null)
        next = Math.min(next ?? notice.nextDueAt, notice.nextDueAt);
    return next;
  }
}
