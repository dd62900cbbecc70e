/** What must be true after a kill run, from the logs of the two processes that were never killed and from the store. */
import type { AttemptView, MessageRow } from '../../src/contract/values.ts';
import { type Arrival, REPLAY_SLOT } from './messages.ts';
import type { StoredReplay } from './store-reader.ts';

export interface Evidence {
  /** Ids of calls that were answered 200, from the producer's log. */
  readonly acknowledged: readonly string[];
  readonly arrivals: readonly Arrival[];
  /** From `hookbench messages --json` and `hookbench attempts --json`. */
  readonly rows: ReadonlyArray<Pick<MessageRow, 'messageId' | 'state'>>;
  readonly attempts: ReadonlyArray<Pick<AttemptView, 'slot' | 'outcome'> & { readonly message: string }>;
  /** Messages that were final in the store before this life of `serve` began, with their state. */
  readonly finalBeforeLife: ReadonlyMap<string, { readonly life: number; readonly state: string }>;
  /** By `MESSAGE SLOT`: how many kills found that attempt open. */
  readonly openAtKills: ReadonlyMap<string, number>;
  readonly replays: {
    /** Ids that the command line returned. */
    readonly acknowledged: readonly number[];
    readonly stored: readonly StoredReplay[];
  };
}

/** Rules that the report counts by name. */
export const LOST = 'a call answered 200 is not stored';
export const FINAL_RESENT = 'a message was sent again after its final state was committed';

export interface Violation {
  readonly rule: string;
  readonly count: number;
  readonly examples: readonly string[];
}

const count = (keys: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const keyOf = (messageId: string, slot: number): string => `${messageId} ${slot}`;

/** Arrivals by delivery. Replays are not counted, because the user may send anything again. */
const delivered = (arrivals: readonly Arrival[]): Arrival[] => arrivals.filter(({ slot }) => slot !== REPLAY_SLOT);

/** Repeated arrivals after a 200, by message and webhook. */
export function duplicates(arrivals: readonly Arrival[]): Map<string, number> {
  const accepted = count(
    delivered(arrivals)
      .filter(({ status }) => status === 200)
      .map((one) => keyOf(one.messageId, one.slot)),
  );
  return new Map([...accepted].filter(([, n]) => n > 1).map(([key, n]) => [key, n - 1]));
}

type Rule = (evidence: Evidence) => Iterable<string>;

const rules: Readonly<Record<string, Rule>> = {
  [LOST]: ({ acknowledged, rows }) => {
    const stored = new Set(rows.map(({ messageId }) => messageId));
    return acknowledged.filter((id) => !stored.has(id));
  },

  'a messageId is stored twice': ({ rows }) =>
    [...count(rows.map(({ messageId }) => messageId))].filter(([, n]) => n > 1).map(([id, n]) => `${id} ${n} times`),

  'a message did not end delivered': ({ rows }) =>
    rows.filter(({ state }) => state !== 'delivered').map(({ messageId, state }) => `${messageId} is ${state}`),

  'a delivered message was never accepted by a receiver': ({ rows, arrivals }) => {
    const accepted = new Set(
      delivered(arrivals)
        .filter(({ status }) => status === 200)
        .map(({ messageId }) => messageId),
    );
    return rows
      .filter(({ state, messageId }) => state === 'delivered' && !accepted.has(messageId))
      .map(({ messageId }) => messageId);
  },

  [FINAL_RESENT]: ({ arrivals, finalBeforeLife }) =>
    delivered(arrivals)
      .filter(({ messageId, life }) => (finalBeforeLife.get(messageId)?.life ?? Number.POSITIVE_INFINITY) <= life)
      .map(({ messageId, life }) => `${messageId} in life ${life}`),

  'a final state changed': ({ rows, finalBeforeLife }) =>
    rows
      .filter(({ messageId, state }) => (finalBeforeLife.get(messageId)?.state ?? state) !== state)
      .map(({ messageId, state }) => `${messageId}: ${finalBeforeLife.get(messageId)!.state} became ${state}`),

  'a duplicate was not in flight at a kill': ({ arrivals, attempts, openAtKills }) => {
    // A machine that stands still for longer than the limit of an attempt makes duplicates as well, and shows it here.
    const outcomes = (key: string): string =>
      attempts
        .filter(({ message, slot }) => keyOf(message, slot) === key)
        .map(({ outcome }) => outcome ?? 'open')
        .join(', ');
    return [...duplicates(arrivals)]
      .filter(([key, n]) => n > (openAtKills.get(key) ?? 0))
      .map(([key, n]) => `${key}: ${n} more, open at ${openAtKills.get(key) ?? 0} kills, ended as ${outcomes(key)}`);
  },

  'an arrival has no attempt that was written before it': ({ arrivals, attempts }) => {
    const written = count(attempts.map(({ message, slot }) => keyOf(message, slot)));
    return [...count(arrivals.map((one) => keyOf(one.messageId, one.slot)))]
      .filter(([key, n]) => n > (written.get(key) ?? 0))
      .map(([key, n]) => `${key}: ${n} arrivals, ${written.get(key) ?? 0} attempts`);
  },

  'an attempt was left open': ({ attempts }) =>
    attempts.filter(({ outcome }) => outcome === null).map(({ message, slot }) => keyOf(message, slot)),

  'an acknowledged replay is not stored': ({ replays }) => {
    const stored = new Set(replays.stored.map(({ id }) => id));
    return replays.acknowledged.filter((id) => !stored.has(id)).map((id) => `replay ${id}`);
  },

  'a replay was left open': ({ replays }) =>
    replays.stored.filter(({ finished }) => !finished).map(({ id }) => `replay ${id}`),

  'the bytes of a message changed between attempts': ({ arrivals }) => {
    const bytes = new Map<string, Set<number>>();
    for (const one of arrivals) {
      const seen = bytes.get(one.messageId);
      if (seen === undefined) bytes.set(one.messageId, new Set([one.bytes]));
      else seen.add(one.bytes);
    }
    return [...bytes].filter(([, seen]) => seen.size > 1).map(([id]) => id);
  },
};

export const ruleNames: readonly string[] = Object.keys(rules);

/** Every broken rule, with up to five examples. */
export function judge(evidence: Evidence): Violation[] {
  const found: Violation[] = [];
  for (const [rule, broken] of Object.entries(rules)) {
    const all = [...broken(evidence)];
    if (all.length > 0) found.push({ rule, count: all.length, examples: all.slice(0, 5) });
  }
  return found;
}
