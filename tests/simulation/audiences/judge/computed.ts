/** Rules and computed traits follow the stored calls and the retry clock. A call that is removed is forgotten. */
import type { AudienceModel } from '../model.ts';
import type { MessageFact } from '../rows.ts';
import { computedValue, type KnownCall } from '../rules.ts';
import type { Facts } from './facts.ts';

/** A change by time is seen a moment early or late. */
const SOON_MS = 100;

export interface Lag {
  readonly lagMs: number;
  /** Of the retry clock. */
  readonly speed: number;
}

export class ComputedRules {
  readonly #facts: Facts;
  /** The stored calls of each user. */
  readonly #known = new Map<string, readonly KnownCall[]>();
  /** When a call of a user came or went last, in real milliseconds. */
  readonly #touched = new Map<string, number>();
  /** Users with a call of which nobody knows when it came: right before a kill. */
  readonly #untimed = new Set<string>();
  /** Users that were compared, over all looks. */
  checked = 0;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** A call of a client was stored. */
  stored({ id, messageId, received }: MessageFact, userId: string): void {
    const { clock, real } = this.#facts.now();
    this.#touched.set(userId, real);
    if (clock === null) this.#untimed.add(userId);
    else {
      const { agoMs, ...sent } = this.#facts.calls.get(messageId)!;
      const call: KnownCall = { ...sent, agoMs, id, at: clock - agoMs, wall: received - agoMs };
      this.#known.set(userId, [...(this.#known.get(userId) ?? []), call]);
    }
  }

  removed(id: number, userId: string): void {
    this.#touched.set(userId, this.#facts.now().real);
    this.#known.set(
      userId,
      (this.#known.get(userId) ?? []).filter((call) => call.id !== id),
    );
  }

  /**
   * Each user has what a naive look at the stored calls gives. Left out are users of whom a call came or went within
   * `lagMs`, and those who change by time just then.
   */
  check(lag: Lag): void {
    for (const audience of this.#facts.audiences.values()) {
      if (audience.rule === null || audience.rule.possible.length > 1) continue;
      const users = new Set([...this.#known.keys(), ...audience.members.keys()]);
      for (const userId of users) this.#checkUser(audience, userId, lag);
    }
  }

  #checkUser({ id, rule, members }: AudienceModel, userId: string, { lagMs, speed }: Lag): void {
    const { vague, now: read, violate } = this.#facts;
    const { clock, real } = read();
    if (clock === null || vague.has(userId) || this.#untimed.has(userId)) return;
    if ((this.#touched.get(userId) ?? Number.NEGATIVE_INFINITY) > real - lagMs) return;
    const calls = this.#known.get(userId) ?? [];
    const times = [clock - lagMs * speed, clock, clock + speed * SOON_MS];
    const [before, now, soon] = times.map((at) => computedValue(rule!.value, calls, at));
    this.checked += 1;
    if (before === now && now === soon && now !== members.get(userId))
      violate(
        'a rule has another member, or a trait another value',
        `audience ${id}, ${userId}: ${JSON.stringify({ now, has: members.get(userId), clock, calls })}`,
      );
  }
}
