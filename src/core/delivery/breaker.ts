/**
 * Which webhooks are left out because they kept failing. Used only under rules with a breaker, and kept only in memory.
 */

import type { BreakerRules } from '../model/rules.ts';
import type { Outcome } from '../model/vocabulary.ts';

interface Failing {
  errors: number;
  /** Retry-clock time of the last one. */
  lastAt: number;
}

export class Breaker {
  readonly #failing = new Map<number, Failing>();

  /** Whether the webhook may be tried at `now`, retry-clock time. */
  allows(rules: BreakerRules | null, webhookId: number, now: number): boolean {
    const failing = this.#failing.get(webhookId);
    if (rules === null || failing === undefined) return true;
    if (now - failing.lastAt >= rules.forgetMs) {
      this.#failing.delete(webhookId);
      return true;
    }
    return failing.errors < rules.errors;
  }

  /** Counts a finished attempt. A success does not erase earlier errors; only time does. */
  record(rules: BreakerRules, webhookId: number, outcome: Outcome, now: number): void {
    if (outcome === 'accepted' || outcome === 'interrupted') return;
    const failing = this.#failing.get(webhookId);
    const isFresh = failing !== undefined && now - failing.lastAt < rules.forgetMs;
    this.#failing.set(webhookId, { errors: isFresh ? failing.errors + 1 : 1, lastAt: now });
  }
}
