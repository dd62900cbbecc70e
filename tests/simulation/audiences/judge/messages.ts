/** Messages: their bytes, their moves, their sends, and who may be told anything. */
import { FINAL_STATES } from '../../../../src/core/model/vocabulary.ts';
import type { MessageFact } from '../rows.ts';
import type { Facts } from './facts.ts';
import type { SyncRules } from './syncs.ts';

export class MessageRules {
  readonly #facts: Facts;
  readonly #syncs: SyncRules;
  readonly #bodies = new Map<string, { readonly messages: number[]; accepted: number }>();
  readonly #bodyOf = new Map<number, string>();
  /** Bodies that a person sends again. */
  readonly #replayed = new Set<string>();
  /** Messages that a person asked to stop. */
  readonly stopping = new Set<number>();
  sends = 0;
  /** Rows that are gone. */
  gone = 0;

  constructor(facts: Facts, syncs: SyncRules) {
    this.#facts = facts;
    this.#syncs = syncs;
  }

  /** A new message, at wall time `wall`. `suppressed` were so before this commit and are so after it. */
  see(fact: MessageFact, wall: number, suppressed: ReadonlySet<string>): void {
    const { id, origin, userId, state } = fact;
    const { rows, states, violate } = this.#facts;
    states.set(id, state);
    const wire = rows.wire(id);
    if (wire !== null) this.#remember(id, wire);
    if (origin === 'audience') this.#seeAudienceCall(fact, wire, wall);
    if (origin !== 'deletion' && userId !== null && suppressed.has(userId) && state !== 'rejected')
      violate('a call of a suppressed user', `message ${id} of ${userId} is ${state}`);
    if ((state === 'rejected') !== (wire === null)) violate('rejected and stored', `message ${id} is ${state}`);
  }

  #remember(id: number, wire: string): void {
    const body = this.#bodies.get(wire);
    if (body === undefined) this.#bodies.set(wire, { messages: [id], accepted: 0 });
    else body.messages.push(id);
    this.#bodyOf.set(id, wire);
  }

  /** The next call of a running sync, and its exact bytes. */
  #seeAudienceCall(fact: MessageFact, wire: string | null, wall: number): void {
    const { audiences, shape, violate } = this.#facts;
    const { messageId, received, userId } = fact;
    const taken = this.#syncs.takeCall(fact);
    if (taken === null) return;
    const { sync, tell } = taken;
    if (received !== wall) violate('a call with another time', `${messageId}: ${received}, not ${wall}`);
    if (wire === null) return this.#checkRejected(fact);
    const audience = audiences.get(sync.fact.audienceId)!;
    const allowed = shape.possible.map((one) => audience.body(tell, messageId, received, one));
    if (userId !== tell.userId || !allowed.includes(wire))
      violate('a call with other bytes', `${wire}, not ${allowed.join(' or ')}`);
    this.checkSelected(fact, [true]);
  }

  #checkRejected({ id, userId, reason }: MessageFact): void {
    const mayBe = this.#facts.suppressed.has(userId ?? '') || this.#facts.unsure.has(userId ?? '');
    if (reason !== 'user_suppressed' || !mayBe)
      this.#facts.violate('a call was rejected', `message ${id} of ${userId}: ${reason}`);
  }

  /** Selected as long as the destination is on, and the source of a notice. */
  checkSelected({ id, state }: MessageFact, webhooks: readonly boolean[]): void {
    const { destination, violate } = this.#facts;
    const isOn = (on: boolean): boolean => destination.possible.includes(on) && (!on || webhooks.includes(true));
    const may = state === 'not_selected' ? isOn(false) || webhooks.includes(false) : isOn(true);
    if (!may) violate('sent with the destination off, or not sent with it on', `message ${id} is ${state}`);
  }

  /** It may have another state. */
  move(id: number): void {
    const { rows, states, violate } = this.#facts;
    const state = rows.message(id)?.state;
    const before = states.get(id);
    if (state === undefined || before === undefined || state === before) return;
    if (FINAL_STATES.has(before)) violate('a final message moved', `${id}: ${before} to ${state}`);
    states.set(id, state);
    if (state !== 'delivered') return;
    const body = this.#bodies.get(this.#bodyOf.get(id)!);
    const delivered = body?.messages.filter((one) => states.get(one) === 'delivered').length ?? 1;
    if (delivered > (body?.accepted ?? 0)) violate('delivered and no receiver has its bytes', String(id));
  }

  /** Its row is gone. */
  removed(id: number): void {
    this.gone += 1;
    const state = this.#facts.states.get(id);
    if (state !== undefined && !FINAL_STATES.has(state))
      this.#facts.violate('a message was removed before its end', `${id} is ${state}`);
  }

  // Sends

  sent(body: string): void {
    this.sends += 1;
    const { states, violate } = this.#facts;
    const known = this.#bodies.get(body);
    if (known === undefined) return violate('bytes that no message has', body);
    if (known.messages.every((id) => FINAL_STATES.has(states.get(id)!)) && !this.#replayed.has(body))
      violate('sent when it was final', body);
  }

  accepted(body: string): void {
    const known = this.#bodies.get(body);
    if (known !== undefined) known.accepted += 1;
  }

  /** Only a person's stop may cross with a move of the engine. What was erased has no moves any more. */
  lostMove(id: number): void {
    const { rows, violate } = this.#facts;
    const message = rows.message(id);
    const isGone = message === undefined || message.messageId === `erased-${id}`;
    if (isGone) violate('a move of an erased message was lost', String(id));
    else if (!this.stopping.has(id)) violate('a move was lost', `${id} is ${message.state}`);
  }

  /** A person sends this message again. */
  replays(id: number): void {
    const body = this.#bodyOf.get(id);
    if (body !== undefined) this.#replayed.add(body);
  }
}
