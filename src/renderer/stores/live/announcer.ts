/** What a screen reader announces of new messages (design/ui, section 10). */
import type { MessageStateName } from '../../../contract/values.ts';

const ATTENTION = new Set<MessageStateName>(['rejected', 'failed', 'expired']);
export const needsAttention = (state: MessageStateName): boolean => ATTENTION.has(state);

export const ANNOUNCE_EVERY_MS = 10_000;

/** Gathers news into one sentence at most every ten seconds. */
export class Announcer {
  #arrived = 0;
  #attention = new Set<number>();
  #saidAt = Number.NEGATIVE_INFINITY;

  arrived(count: number): void {
    this.#arrived += count;
  }

  /** A message entered or left a state that needs attention. */
  state(id: number, state: MessageStateName): void {
    if (needsAttention(state)) this.#attention.add(id);
    else this.#attention.delete(id);
  }

  /** The sentence that is due, or null. */
  take(now: number): string | null {
    if (now - this.#saidAt < ANNOUNCE_EVERY_MS) return null;
    const parts = [];
    if (this.#arrived > 0) parts.push(`${this.#arrived} new ${this.#arrived === 1 ? 'message' : 'messages'}`);
    if (this.#attention.size > 0)
      parts.push(`${this.#attention.size} ${this.#attention.size === 1 ? 'needs' : 'need'} attention`);
    if (parts.length === 0) return null;
    this.#saidAt = now;
    this.#arrived = 0;
    this.#attention.clear();
    return `${parts.join(', ')}.`;
  }
}
