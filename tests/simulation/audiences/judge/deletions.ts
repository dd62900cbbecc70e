/** Deletions: whom they notify, what the notices say, and what an erase leaves. */
import { noticeBody, type SourceModel } from '../model.ts';
import type { DeletionFact } from '../rows.ts';
import type { Facts } from './facts.ts';
import type { MessageRules } from './messages.ts';

/** Calls by user, by source. */
export type CallsBefore = ReadonlyMap<number, ReadonlyMap<string, number>>;

export class DeletionRules {
  readonly #facts: Facts;
  readonly #messages: MessageRules;
  readonly #deletions = new Map<number, DeletionFact>();
  readonly #madeAt = new Map<number, number>();
  readonly #noticeMessages = new Set<number>();

  constructor(facts: Facts, messages: MessageRules) {
    this.#facts = facts;
    this.#messages = messages;
  }

  get allDone(): boolean {
    return [...this.#deletions.values()].every(({ finished }) => finished);
  }

  /** At each commit. `before` has the counts of calls that held until then. */
  see(fact: DeletionFact, before: CallsBefore): void {
    const known = this.#deletions.get(fact.id);
    if (known === undefined) {
      this.#madeAt.set(fact.id, this.#facts.now().real);
      this.#checkNotices(fact, before);
    }
    this.#deletions.set(fact.id, fact);
    if (known?.finished) return;
    for (const { messageId, userId, sourceId } of this.#facts.rows.notices(fact.id)) {
      if (messageId === null || this.#noticeMessages.has(messageId)) continue;
      this.#noticeMessages.add(messageId);
      this.#checkNotice(fact, messageId, userId, sourceId);
    }
    if (fact.finished && fact.erase) this.#checkErased(fact);
  }

  /** One for each source that knows a user; with a reason where the destination is off. */
  #checkNotices({ id }: DeletionFact, before: CallsBefore): void {
    const { rows, sources, violate } = this.#facts;
    const notices = new Map(rows.notices(id).map((one) => [`${one.userId} ${one.sourceId}`, one]));
    for (const userId of rows.deletionUsers(id))
      for (const source of sources.values()) {
        const key = `${userId} ${source.id}`;
        const notice = notices.get(key);
        notices.delete(key);
        const counts = [before.get(source.id)?.get(userId) ?? 0, source.callsOf(userId)];
        const calls = notice?.calls ?? 0;
        if (!this.#isBeingErased(userId) && (calls < Math.min(...counts) || calls > Math.max(...counts)))
          violate('a deletion counts other calls', `${key}: ${calls}, not ${counts.join(' to ')}`);
        if (notice !== undefined && !this.#reasons(source).includes(notice.reason))
          violate('a notice for another reason', `${key}: ${notice.reason}`);
      }
    for (const key of notices.keys()) violate('a notice that nobody asked for', key);
  }

  #reasons({ webhooks }: SourceModel): Array<string | null> {
    const both = this.#facts.destination.possible.flatMap((on) => webhooks.possible.map((own) => on && own));
    return both.map((isOn) => (isOn ? null : 'destination_off'));
  }

  #isBeingErased(userId: string): boolean {
    return [...this.#deletions.values()].some(
      ({ id, erase, finished }) => erase && !finished && this.#facts.rows.deletionUsers(id).includes(userId),
    );
  }

  #checkNotice({ createdAt }: DeletionFact, messageId: number, userId: string, sourceId: number): void {
    const { rows, sources, violate } = this.#facts;
    const message = rows.message(messageId);
    const wire = rows.wire(messageId);
    if (message === undefined) return violate('a notice without its message', String(messageId));
    const body = noticeBody(userId, createdAt);
    if (message.origin !== 'deletion' || message.sourceId !== sourceId || wire !== body)
      violate('a notice with other bytes', `${wire}, not ${body}`);
    this.#messages.checkSelected(message, sources.get(sourceId)!.webhooks.possible);
  }

  #checkErased({ id, upTo }: DeletionFact): void {
    const { rows, added, audiences, violate } = this.#facts;
    const users = new Set(rows.deletionUsers(id));
    for (const { id: message, userId, origin } of rows.messagesAfter(0))
      if (message <= upTo && origin !== 'deletion' && userId !== null && users.has(userId))
        violate('an erased user is still stored', `message ${message} of ${userId}`);
    const isGone = ({ userId }: { readonly userId: string }): boolean =>
      users.has(userId) && (added.get(userId) ?? -1) < this.#madeAt.get(id)!;
    // New calls may have brought the user into a rule again.
    for (const { id: audienceId, rule } of audiences.values()) if (rule === null) this.#checkGone(audienceId, isGone);
  }

  #checkGone(audienceId: number, isGone: (row: { readonly userId: string }) => boolean): void {
    const { rows, syncs, violate } = this.#facts;
    const left = rows.users(audienceId).find(isGone);
    if (left !== undefined) violate('an erased user is still in an audience', `${audienceId}: ${left.userId}`);
    for (const { fact } of syncs.values()) {
      const call = fact.audienceId === audienceId ? rows.calls(fact.id).find(isGone) : undefined;
      if (call !== undefined) violate('an erased user is still in a sync', `${fact.id}: ${call.userId}`);
    }
  }

  atEnd(): void {
    const { rows, states, violate } = this.#facts;
    for (const { reason, messageId, outcome, userId } of [...this.#deletions.keys()].flatMap((id) =>
      rows.notices(id),
    )) {
      if (reason !== null) continue;
      const state = states.get(messageId ?? 0);
      if (state === undefined || outcome !== state)
        violate('a notice without its end', `${userId}: ${outcome}, message ${messageId} is ${state}`);
    }
  }
}
