/** Reads the table of policies: which policy is that of a client, and what it expects. */
import { type AnswerRange, POLICIES, type Policy } from './policies.ts';

/**
 * The policy of a client, or null: the one of the nearest version, or of the newest if the client names no version.
 * `exact` is false when the policy is about another version of the same library.
 */
export function policyFor(library: string, version: string): { policy: Policy; exact: boolean } | null {
  const number = /\d+(?:\.\d+)*/.exec(version)?.[0] ?? '';
  const wanted = number === '' ? Number.POSITIVE_INFINITY : placeOf(number);
  let nearest: Policy | null = null;
  for (const row of POLICIES.filter((one) => one.library === library))
    if (nearest === null || isNearer(placeOf(row.version), placeOf(nearest.version), wanted)) nearest = row;
  return nearest === null ? null : { policy: nearest, exact: nearest.version === number };
}

/** A version as a number, so that distances compare: `2.0.0` is nearer to `1.2.0` than `2.1.1` is. */
const placeOf = (version: string): number =>
  [0, 1, 2].reduce((place, i) => place * 10_000 + Math.min(Number(version.split('.')[i] ?? 0), 9_999), 0);

const isNearer = (a: number, b: number, wanted: number): boolean =>
  Number.isFinite(wanted) ? Math.abs(a - wanted) < Math.abs(b - wanted) : a > b;

export type Expected = 'success' | 'dropped' | 'retried' | 'unknown';

/** What the policy makes of a status; a null status means no answer at all. */
export function expectedOf(policy: Policy, status: number | null, readable: boolean): Expected {
  if (status === 200 && !readable) return policy.unreadable;
  let best: { expected: Expected; width: number } = { expected: 'unknown', width: Number.POSITIVE_INFINITY };
  for (const expected of ['success', 'dropped', 'retried'] as const)
    for (const range of policy[expected]) {
      const width = widthOf(range, status);
      if (width !== null && width < best.width) best = { expected, width };
    }
  return best.expected;
}

/** How many statuses a range has if this one is among them, else null. */
function widthOf(range: AnswerRange, status: number | null): number | null {
  if (range === 'network' || status === null) return range === 'network' && status === null ? 1 : null;
  const hundred = /^([1-5])xx$/.exec(range)?.[1];
  const [from, to] = hundred === undefined ? range.split('-').map(Number) : [+hundred * 100, +hundred * 100 + 99];
  const last = to ?? from;
  return from !== undefined && last !== undefined && status >= from && status <= last ? last - from + 1 : null;
}

/** Shortest and longest wait before retry `n` (from 1), in milliseconds; null when the policy says nothing. */
export function waitRange({ waits: rule }: Policy, n: number): readonly [lowMs: number, highMs: number] | null {
  if (rule === null) return null;
  const nominal = Math.min(rule.baseMs * rule.factor ** (n - 1), rule.capMs);
  return [nominal * rule.low, Math.max(nominal, Math.min(nominal * rule.high, rule.capMs))];
}
