/** The sums of syncs and deletions, as clients see them and as they are kept, against the states of their messages. */
import type { AudienceRow, SyncLedger } from '../../../../src/contract/audiences.ts';
import type { DeletionsView } from '../../../../src/contract/deletions.ts';
import { FINAL_STATES } from '../../../../src/core/model/vocabulary.ts';
import type { SyncFact, UserFact } from '../rows.ts';
import type { Facts, FollowedSync } from './facts.ts';

export interface Seen {
  readonly audiences: readonly AudienceRow[];
  readonly deletions: DeletionsView;
}

export class Ledgers {
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** What the ledger must be, by the messages. */
  #truth({ fact, messages }: FollowedSync): SyncLedger {
    const { expected } = fact;
    const truth = { delivered: 0, failed: 0, retrying: 0, open: 0 };
    for (const id of messages) {
      const state = this.#facts.states.get(id)!;
      if (state === 'delivered') truth.delivered += 1;
      else if (FINAL_STATES.has(state)) truth.failed += 1;
      else if (state === 'retrying' || state === 'paused') truth.retrying += 1;
      else truth.open += 1;
    }
    const unsent = expected === null ? 0 : expected - messages.length;
    return { expected, ...truth, unsent, waiting: unsent + truth.retrying + truth.open };
  }

  look({ audiences, deletions }: Seen): void {
    for (const row of audiences) {
      const users = this.#facts.rows.users(row.id);
      this.#checkCounts(row, users);
      this.#checkUsers(row, users);
      const sync = row.lastSync === null ? undefined : this.#facts.syncs.get(row.lastSync.id);
      if (sync !== undefined) this.#compare(sync, row.lastSync!.ledger);
    }
    for (const { id, notices } of deletions.requests) this.#checkNotices(id, notices);
  }

  #compare(sync: FollowedSync, shown: SyncLedger): void {
    const { delivered, failed, waiting, unsent, retrying, open, expected } = shown;
    if (expected !== null && expected !== delivered + failed + waiting)
      this.#facts.violate('a ledger that does not add up', `sync ${sync.fact.id}: ${JSON.stringify(shown)}`);
    if (waiting !== unsent + retrying + open)
      this.#facts.violate('a ledger that does not add up', `sync ${sync.fact.id}: ${JSON.stringify(shown)}`);
    const truth = this.#truth(sync);
    for (const key of ['expected', 'delivered', 'failed', 'waiting', 'unsent', 'retrying', 'open'] as const)
      if (shown[key] !== truth[key])
        this.#facts.violate(
          'a ledger that is not true',
          `sync ${sync.fact.id}: ${JSON.stringify(shown)}, not ${JSON.stringify(truth)}`,
        );
  }

  #checkCounts({ id, kind, counts }: AudienceRow, users: readonly UserFact[]): void {
    const fresh = { members: 0, toAdd: 0, toRemove: 0, toChange: 0 };
    for (const { value, sent } of users) {
      if (value === null) continue;
      const isOut = kind === 'audience' && value === 'false';
      if (!isOut) fresh.members += 1;
      if (value === sent) continue;
      if (isOut) fresh.toRemove += 1;
      else if (kind === 'audience' || sent === null) fresh.toAdd += 1;
      else fresh.toChange += 1;
    }
    if (JSON.stringify(fresh) !== JSON.stringify(counts))
      this.#facts.violate('counts of an audience', `${id}: ${JSON.stringify(counts)}, not ${JSON.stringify(fresh)}`);
  }

  /** Each stored user is in as the model says, and was told what the model says. */
  #checkUsers({ id }: AudienceRow, users: readonly UserFact[]): void {
    const audience = this.#facts.audiences.get(id)!;
    const { possible, told, kind } = audience;
    const stored = new Map(users.map((user) => [user.userId, user]));
    const everyone = new Set([...stored.keys(), ...told.keys(), ...possible.flatMap((values) => [...values.keys()])]);
    const given = (value: string | null | undefined): string | undefined =>
      value == null || (kind === 'audience' && value === 'false') ? undefined : value;
    for (const userId of everyone) {
      if (this.#facts.vague.has(userId)) continue;
      const row = stored.get(userId);
      if (!possible.some((members) => members.get(userId) === given(row?.value)))
        this.#facts.violate('another member', `audience ${id}, ${userId}: ${row?.value}`);
      if (given(row?.sent) !== given(told.get(userId)))
        this.#facts.violate('told something else', `audience ${id}, ${userId}: ${row?.sent}, not ${told.get(userId)}`);
    }
  }

  #checkNotices(id: number, shown: DeletionsView['requests'][number]['notices']): void {
    const truth = { total: 0, delivered: 0, failed: 0, waiting: 0 };
    for (const { reason, messageId } of this.#facts.rows.notices(id)) {
      if (reason !== null) continue;
      truth.total += 1;
      const state = messageId === null ? undefined : this.#facts.states.get(messageId);
      if (state === 'delivered') truth.delivered += 1;
      else if (state !== undefined && FINAL_STATES.has(state)) truth.failed += 1;
      else truth.waiting += 1;
    }
    if (JSON.stringify(truth) !== JSON.stringify(shown))
      this.#facts.violate(
        'a deletion that does not add up',
        `${id}: ${JSON.stringify(shown)}, not ${JSON.stringify(truth)}`,
      );
  }

  /** Once a sync is done, its ledger stays as it is. */
  frozen({ fact: before }: FollowedSync, { id, delivered, failed }: SyncFact): void {
    if (before.state === 'done' && (before.delivered !== delivered || before.failed !== failed))
      this.#facts.violate('the ledger of a sync changed after its end', `sync ${id}: ${delivered} and ${failed}`);
  }

  readonly #checked = new Set<number>();

  checkDone(sync: FollowedSync): void {
    const { id, state, delivered, failed } = sync.fact;
    if (state !== 'done' || this.#checked.has(id)) return;
    this.#checked.add(id);
    const truth = this.#truth(sync);
    if (truth.waiting !== 0 || delivered !== truth.delivered || failed !== truth.failed)
      this.#facts.violate(
        'a sync is done with another ledger',
        `${id}: ${delivered} and ${failed}, ${JSON.stringify(truth)}`,
      );
  }
}
