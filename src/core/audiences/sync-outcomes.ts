/** What became of the calls of one sync: those whose messages are not settled yet, and the outcomes of the others. */
import { failpoint } from '../failpoint.ts';
import { FINAL_STATES, type MessageState } from '../model/vocabulary.ts';
import type { SettledCall } from '../store/ports/syncs.ts';
import type { AudiencesDeps } from './deps.ts';
import { failureReason } from './failure-reason.ts';
import type { OpenCall } from './ledger.ts';

export class SyncOutcomes {
  readonly #deps: Pick<AudiencesDeps, 'syncs' | 'details' | 'write' | 'persist'>;
  readonly #syncId: number;
  readonly #open = new Map<number, OpenCall>();
  #delivered = 0;
  #failed = 0;
  /** Outcomes that are not written yet. */
  #unwritten: SettledCall[] = [];

  constructor(deps: Pick<AudiencesDeps, 'syncs' | 'details' | 'write' | 'persist'>, syncId: number) {
    this.#deps = deps;
    this.#syncId = syncId;
  }

  get delivered(): number {
    return this.#delivered;
  }

  get failed(): number {
    return this.#failed;
  }

  get settled(): number {
    return this.#delivered + this.#failed;
  }

  /** Calls whose messages are not settled. */
  get openCalls(): Iterable<OpenCall> {
    return this.#open.values();
  }

  get open(): number {
    return this.#open.size;
  }

  get allWritten(): boolean {
    return this.#unwritten.length === 0;
  }

  /** Takes over what the store has. Settles what ended meanwhile; a message that was removed counts as failed. */
  restore(): void {
    const { syncs } = this.#deps;
    const { delivered, failed } = syncs.outcomes(this.#syncId);
    this.#delivered = delivered;
    this.#failed = failed;
    const calls = syncs.openCalls(this.#syncId);
    const states = syncs.statesOf(calls.map(({ messageId }) => messageId));
    for (const { position, messageId } of calls) this.add(messageId, position, states.get(messageId) ?? 'failed');
    this.settleFinal(calls.map(({ messageId }) => messageId));
  }

  add(messageId: number, position: number, state: MessageState): void {
    this.#open.set(messageId, { position, state });
  }

  /** These messages may have moved. Does nothing for those of others. */
  moved(messageIds: ReadonlySet<number>): void {
    if (this.#open.size === 0) return;
    const own: number[] = [];
    for (const id of messageIds) if (this.#open.has(id)) own.push(id);
    if (own.length === 0) return;
    for (const [id, state] of this.#deps.syncs.statesOf(own)) this.#open.get(id)!.state = state;
    this.settleFinal(own);
  }

  /** Settles the calls of these messages where the messages are final. */
  settleFinal(messageIds: readonly number[]): void {
    const { details } = this.#deps;
    for (const id of messageIds) {
      const call = this.#open.get(id);
      if (call === undefined || !FINAL_STATES.has(call.state)) continue;
      this.#open.delete(id);
      const isDelivered = call.state === 'delivered';
      if (isDelivered) this.#delivered += 1;
      else this.#failed += 1;
      const reason = isDelivered ? null : failureReason(call.state as MessageState, details.attemptsOf(id));
      const outcome = isDelivered ? 'delivered' : 'failed';
      this.#unwritten.push({ syncId: this.#syncId, position: call.position, outcome, reason });
    }
  }

  /** Writes until nothing is left, also what comes meanwhile. */
  async write(): Promise<void> {
    const { syncs, write, persist } = this.#deps;
    while (this.#unwritten.length > 0) {
      const outcomes = this.#unwritten;
      this.#unwritten = [];
      await persist(() =>
        write((changes) => {
          for (const outcome of outcomes) syncs.settle(outcome, changes);
        }, outcomes.length),
      );
      failpoint('sync_outcomes_written');
    }
  }
}
