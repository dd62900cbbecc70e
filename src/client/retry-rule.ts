/** Decides what follows the end of one try (decisions, Client library). Pure. */

export interface RetryRules {
  readonly maxTries: number;
  readonly backoffMs: number;
  readonly backoffCapMs: number;
  readonly retryAfterCapMs: number;
}

/** How one request ended. A null `status` means that there was no answer. */
export interface TryResult {
  readonly status: number | null;
  /** The Retry-After header as received. */
  readonly retryAfter: string | null;
}

export type NextStep = 'sent' | 'rejected' | 'retries_exhausted' | { readonly waitMs: number };

/** Server errors that a retry cannot change. */
const LASTING: ReadonlySet<number> = new Set([501, 505, 511]);
const PASSING: ReadonlySet<number> = new Set([408, 410, 429, 460]);

/**
 * 408, 410, 429, 460 and server errors but 501, 505 and 511: where the newest clients of the family agree.
 * Version 2 itself repeats everything from 400 on; a refused batch would block the ones behind it for half a minute.
 */
export function isRetried(status: number): boolean {
  return PASSING.has(status) || (status >= 500 && !LASTING.has(status));
}

/** `tries` are those made so far, the one that just ended included. `now`: epoch milliseconds. */
export function afterTry({ status, retryAfter }: TryResult, tries: number, rules: RetryRules, now: number): NextStep {
  if (status !== null && status >= 200 && status < 300) return 'sent';
  if (status !== null && !isRetried(status)) return 'rejected';
  if (tries >= rules.maxTries) return 'retries_exhausted';
  const asked = Math.min(retryAfterMs(retryAfter, now) ?? 0, rules.retryAfterCapMs);
  return { waitMs: Math.max(asked, backoffMs(tries, rules)) };
}

/** Milliseconds after try n: 100, 200, 400, … 6,400, then 10,000, by the defaults. */
export function backoffMs(tries: number, rules: Pick<RetryRules, 'backoffMs' | 'backoffCapMs'>): number {
  return Math.min(rules.backoffCapMs, rules.backoffMs * 2 ** (tries - 1));
}

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/** Milliseconds that a Retry-After asks for, whole seconds or an HTTP date; null when it says nothing usable. */
export function retryAfterMs(value: string | null, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
