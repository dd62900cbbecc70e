/**
 * Compares what is committed, shown and sent with the model. It sees every commit, every send, and looks at what clients
 * see between two of them. Each family of rules has a file of its own.
 */
import { FINAL_STATES } from '../../../../src/core/model/vocabulary.ts';
import type { Changes } from '../../../../src/core/store/ports/changes.ts';
import type { SourceModel } from '../model.ts';
import type { MessageFact } from '../rows.ts';
import { ComputedRules, type Lag } from './computed.ts';
import { DeletionRules } from './deletions.ts';
import type { Facts } from './facts.ts';
import { Ledgers } from './ledgers.ts';
import { MemberRules } from './members.ts';
import { MessageRules } from './messages.ts';
import { SyncRules } from './syncs.ts';

export class Judge {
  readonly #facts: Facts;
  readonly #ledgers: Ledgers;
  readonly #syncs: SyncRules;
  readonly messages: MessageRules;
  readonly members: MemberRules;
  readonly #deletions: DeletionRules;
  readonly #computed: ComputedRules;
  /** Who sent the calls that are stored. */
  readonly #callers = new Map<number, { readonly source: SourceModel; readonly userId: string }>();
  #newest = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#ledgers = new Ledgers(facts);
    this.#syncs = new SyncRules(facts, this.#ledgers);
    this.messages = new MessageRules(facts, this.#syncs);
    this.members = new MemberRules(facts);
    this.#deletions = new DeletionRules(facts, this.messages);
    this.#computed = new ComputedRules(facts);
  }

  /** Users of rules and traits that were compared, over all looks. */
  get rulesChecked(): number {
    return this.#computed.checked;
  }

  /** True when nothing is under way: every message is final, every sync and deletion is done, everybody was told. */
  get isQuiet(): boolean {
    const { states, syncs, audiences } = this.#facts;
    if ([...states.values()].some((state) => !FINAL_STATES.has(state))) return false;
    if ([...syncs.values()].some(({ fact }) => fact.state !== 'done')) return false;
    if ([...audiences.values()].some((audience) => this.members.untold(audience).length > 0)) return false;
    return this.#deletions.allDone;
  }

  // Commits

  committed({ messages, removed, emptied }: Pick<Changes, 'messages' | 'removed' | 'emptied'>, wall: number): void {
    this.#see(wall);
    for (const id of messages) this.messages.move(id);
    for (const id of removed) this.messages.removed(id);
    for (const id of [...removed, ...emptied]) this.#gone(id);
    this.#syncs.checkDone();
  }

  /** Between two lives: the last commit may not have been told. */
  catchUp(wall: number): void {
    this.#see(wall);
    const left = new Set(this.#facts.rows.messagesAfter(0).map(({ id, userId }) => (userId === null ? -id : id)));
    for (const id of this.#facts.states.keys()) if (left.has(id) || left.has(-id)) this.messages.move(id);
    for (const id of this.#callers.keys()) if (!left.has(id)) this.#gone(id);
    this.#syncs.checkDone();
  }

  #see(wall: number): void {
    const { rows, changing, sources } = this.#facts;
    const before = this.#facts.suppressed;
    const suppressed = new Set(rows.suppressed());
    this.#facts.unsure = new Set([...differing(suppressed, before), ...changing.keys()]);
    this.members.see();
    for (const fact of rows.syncs()) this.#syncs.see(fact);
    const sure = new Set([...suppressed].filter((userId) => before.has(userId)));
    const calls = new Map([...sources.values()].map((source) => [source.id, new Map(source.calls)]));
    for (const fact of rows.messagesAfter(this.#newest)) {
      this.#newest = fact.id;
      this.messages.see(fact, wall, sure);
      if (fact.origin === 'sdk' && fact.state !== 'rejected') this.#seeCall(fact);
    }
    for (const fact of rows.deletions()) this.#deletions.see(fact, calls);
    this.#facts.suppressed = suppressed;
  }

  #seeCall(fact: MessageFact): void {
    const { id, userId, sourceId } = fact;
    const source = this.#facts.sources.get(sourceId ?? 0);
    if (source === undefined || userId === null) return;
    source.add(userId, 1);
    this.#callers.set(id, { source, userId });
    this.#computed.stored(fact, userId);
  }

  #gone(id: number): void {
    const caller = this.#callers.get(id);
    if (caller === undefined) return;
    this.#callers.delete(id);
    caller.source.add(caller.userId, -1);
    this.#computed.removed(id, caller.userId);
  }

  // Looks

  look(seen: Parameters<Ledgers['look']>[0]): void {
    this.#ledgers.look(seen);
  }

  checkComputed(lag: Lag): void {
    this.#computed.check(lag);
  }

  /** A life begins. `byHand` are the audiences that a person syncs. */
  begun(byHand: ReadonlySet<number>): void {
    this.#syncs.begun(byHand);
    this.members.begun();
    this.#facts.changing.clear();
  }

  /** Nothing happens any more. */
  atEnd(): void {
    this.#syncs.atEnd();
    this.members.atEnd();
    this.#deletions.atEnd();
  }
}

const differing = (a: ReadonlySet<string>, b: ReadonlySet<string>): string[] =>
  [...a, ...b].filter((one) => a.has(one) !== b.has(one));
