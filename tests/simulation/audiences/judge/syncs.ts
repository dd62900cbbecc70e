/** Syncs: one at a time, a plan of the differences and nothing else, every call once and in order. */

import type { PlannedTell } from '../model.ts';
import type { CallFact, MessageFact, SyncFact } from '../rows.ts';
import type { Facts, FollowedSync } from './facts.ts';
import type { Ledgers } from './ledgers.ts';
import { textOf, textsOf } from './tells.ts';

export class SyncRules {
  readonly #facts: Facts;
  readonly #ledgers: Ledgers;

  constructor(facts: Facts, ledgers: Ledgers) {
    this.#facts = facts;
    this.#ledgers = ledgers;
  }

  /** At each commit. */
  see(fact: SyncFact): void {
    const { rows, syncs } = this.#facts;
    const known = syncs.get(fact.id);
    if (known === undefined) this.#checkFirst(fact);
    else this.#checkResumed(known.fact, fact);
    const sync = known ?? { fact, plan: null, messages: [] };
    syncs.set(fact.id, sync);
    this.#ledgers.frozen(sync, fact);
    sync.fact = fact;
    if (fact.expected === null || fact.expected === sync.plan?.length) return;
    const plan = rows.calls(fact.id);
    if (sync.plan === null) this.#checkPlan(fact, plan);
    else this.#checkLeftOut(sync, sync.plan, plan);
    sync.plan = plan;
    this.#checkPositions(fact, plan);
  }

  #checkFirst({ id, audienceId, n }: SyncFact): void {
    const others = [...this.#facts.syncs.values()]
      .map(({ fact }) => fact)
      .filter((one) => one.audienceId === audienceId);
    const open = others.find(({ state }) => state !== 'done');
    if (open !== undefined) this.#facts.violate('two syncs of one audience at once', `${id} beside ${open.id}`);
    if (n !== others.length + 1) this.#facts.violate('a sync with another number', `${n}, not ${others.length + 1}`);
  }

  #checkResumed(before: SyncFact, { id, state }: SyncFact): void {
    if (before.state !== 'stopped' || state === 'stopped' || state === 'done') return;
    if (!this.#facts.resumed.delete(id)) this.#facts.violate('a stopped sync goes on by itself', `sync ${id}`);
  }

  /** The differences between the members and what was told last. */
  #checkPlan({ id, audienceId }: SyncFact, plan: readonly CallFact[]): void {
    const { audiences, vague, unsure, suppressed, violate } = this.#facts;
    const audience = audiences.get(audienceId)!;
    const isClear = ({ userId }: { readonly userId: string }): boolean => !vague.has(userId) && !unsure.has(userId);
    const planned = textOf(plan.filter(isClear));
    const allowed = audience.possible.map((members) =>
      textOf(audience.plan(members).filter((tell) => isClear(tell) && !suppressed.has(tell.userId))),
    );
    if (!allowed.includes(planned))
      violate('a sync plans other calls', `sync ${id}: ${planned}; not ${allowed.join(' or ')}`);
  }

  #checkPositions({ id, expected }: SyncFact, plan: readonly CallFact[]): void {
    if (expected !== plan.length || plan.some(({ position }, i) => position !== i + 1))
      this.#facts.violate(
        'the positions of a plan have gaps',
        `sync ${id}: ${expected} expected, ${plan.length} calls`,
      );
  }

  /** Only calls of suppressed and erased users that were not sent may be taken out. */
  #checkLeftOut({ fact, messages }: FollowedSync, before: readonly CallFact[], after: readonly CallFact[]): void {
    const { vague, unsure, suppressed, violate } = this.#facts;
    const isOut = ({ userId }: CallFact): boolean => vague.has(userId) || suppressed.has(userId) || unsure.has(userId);
    const left = before.slice(messages.length).filter((call) => !isOut(call));
    const kept = after.slice(messages.length).filter((call) => !isOut(call));
    const sent = [before, after].map((plan) => textOf(plan.slice(0, messages.length)));
    if (sent[0] !== sent[1] || [...textsOf(left)].sort().join() !== [...textsOf(kept)].sort().join())
      violate('a plan changed', `sync ${fact.id}: ${textOf(before)} to ${textOf(after)}`);
  }

  /** A message of a sync was stored: the next call of its plan, while it runs. Returns that call. */
  takeCall({ id, messageId }: MessageFact): { readonly sync: FollowedSync; readonly tell: PlannedTell } | null {
    const { syncs, audiences, violate } = this.#facts;
    const [, token, position] = /^aud_([0-9a-f]+)_(\d+)$/.exec(messageId) ?? [];
    const sync = [...syncs.values()].find(({ fact }) => fact.token === token);
    const call = sync?.plan?.[Number(position) - 1];
    if (sync === undefined || call === undefined) {
      violate('a call of no sync', `message ${id}: ${messageId}`);
      return null;
    }
    if (call.position !== sync.messages.length + 1)
      violate('a call is sent twice or left out', `${messageId} after ${sync.messages.length} of its sync`);
    sync.messages.push(id);
    const { state, audienceId } = sync.fact;
    if (state !== 'running') violate('a sync sends and does not run', `${messageId}: ${state}`);
    if (call.type === 'identify') audiences.get(audienceId)!.told.set(call.userId, call.value);
    return { sync, tell: call };
  }

  /** At the end of a commit. */
  checkDone(): void {
    for (const sync of this.#facts.syncs.values()) this.#ledgers.checkDone(sync);
  }

  /** A life begins: a sync by hand waits for a person, unless it has sent everything. */
  begun(byHand: ReadonlySet<number>): void {
    for (const { fact, plan, messages } of this.#facts.syncs.values())
      if (byHand.has(fact.audienceId) && /preparing|running/.test(fact.state) && messages.length !== plan?.length)
        this.#facts.violate('a sync by hand goes on after a restart', `sync ${fact.id} is ${fact.state}`);
  }

  atEnd(): void {
    for (const { fact, plan, messages } of this.#facts.syncs.values())
      if (plan === null || messages.length !== plan.length)
        this.#facts.violate('a gap in a sync', `sync ${fact.id}: ${messages.length} of ${plan?.length}`);
  }
}
