/**
 * A computed trait makes one value of a person's stored calls (decisions, Audiences and deletions; interface, Traits).
 * Times are milliseconds of the retry clock, except `time`, which is the call's own wall time.
 */
import { whereSentence, withinSentence } from './audience-rule.ts';
import type { FieldTest, Scalar } from './comparison.ts';
import { formatTimestamp } from './timestamp.ts';
import type { ComputedKind } from './vocabulary.ts';

export interface TraitDefinition {
  readonly kind: ComputedKind;
  /** Name of the track calls that count; null for every call of the person. */
  readonly event: string | null;
  /** Path of the value in the call, `properties.total`. Null for the kinds that need none. */
  readonly path: string | null;
  readonly where: readonly FieldTest[];
  /** A call counts for this long; null for as long as it is stored. */
  readonly withinMs: number | null;
}

/** `count` and `first_seen` look at no value of the call. */
export const needsPath = (kind: ComputedKind): boolean => kind !== 'count' && kind !== 'first_seen';

/** A matching call. */
export interface TraitCall {
  /** Row id of the message. */
  readonly id: number;
  /** When it happened, on the retry clock. */
  readonly at: number;
  /** When it arrived, on the retry clock. */
  readonly arrivedAt: number;
  /** When it happened, wall time. */
  readonly time: number;
  /** What stands at the path; undefined for nothing. */
  readonly value: unknown;
}

export type TraitValue = Scalar | readonly Scalar[];

export interface TraitResult {
  /** Null when the person has none. */
  readonly value: TraitValue | null;
  /** Calls of which the value cannot be used, such as a text in a sum. Calls without a value are not counted. */
  readonly leftOut: number;
  /** Calls that made the value. */
  readonly calls: number;
}

/** By the time of happening, then by arrival. */
const inOrder = (a: TraitCall, b: TraitCall): number => a.at - b.at || a.id - b.id;

/** The value at time `at`. `calls` are all that match, in any order. */
export function computeTrait(definition: TraitDefinition, calls: readonly TraitCall[], at: number): TraitResult {
  const { kind, withinMs } = definition;
  const young = withinMs === null ? calls : calls.filter((call) => call.at + withinMs > at);
  return resultOf(kind, [...young].sort(inOrder));
}

function resultOf(kind: ComputedKind, calls: readonly TraitCall[]): TraitResult {
  if (kind === 'count') return all(calls, calls.length === 0 ? null : calls.length);
  if (kind === 'first_seen') return all(calls, firstSeen(calls));
  const given = calls.map(({ value }) => value).filter((value) => value !== undefined && value !== null);
  const values = given.filter(kind === 'sum' ? isNumber : isScalar);
  return { value: VALUES[kind](values), leftOut: given.length - values.length, calls: values.length };
}

const all = (calls: readonly TraitCall[], value: TraitValue | null): TraitResult => ({
  value,
  leftOut: 0,
  calls: calls.length,
});

function firstSeen(calls: readonly TraitCall[]): string | null {
  if (calls.length === 0) return null;
  let first = Number.POSITIVE_INFINITY;
  for (const { time } of calls) first = Math.min(first, time);
  return formatTimestamp(first);
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const VALUES: Readonly<
  Record<'sum' | 'last' | 'most_frequent' | 'unique_list', (values: Scalar[]) => TraitValue | null>
> = {
  sum: (values) => (values.length === 0 ? null : sumOf(values as number[])),
  last: (values) => values.at(-1) ?? null,
  most_frequent: mostFrequent,
  unique_list: (values) => (values.length === 0 ? null : [...new Set(values)]),
};

/**
 * Adds with the rounding error kept apart (Neumaier), then rounds to 15 digits, so that 0.1 + 0.2 is 0.3. Null where
 * the sum is beyond what JSON can say.
 */
function sumOf(values: readonly number[]): number | null {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  const rounded = Number((sum + lost).toPrecision(15));
  return Number.isFinite(rounded) ? rounded : null;
}

/** Of several that are equally frequent, the one that came last. */
function mostFrequent(values: readonly Scalar[]): Scalar | null {
  const counts = new Map<Scalar, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let most = 0;
  for (const count of counts.values()) most = Math.max(most, count);
  return values.findLast((value) => counts.get(value) === most) ?? null;
}

/** Whether two values are the same to a receiver. */
export const sameValue = (a: TraitValue | null, b: TraitValue | null): boolean =>
  a === b || (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => one === b[i]));

/** When a call stops to count next, after `at`; null for never. */
export function nextExpiry({ withinMs }: TraitDefinition, calls: readonly TraitCall[], at: number): number | null {
  if (withinMs === null) return null;
  let next = Number.POSITIVE_INFINITY;
  for (const call of calls) if (call.at + withinMs > at) next = Math.min(next, call.at + withinMs);
  return Number.isFinite(next) ? next : null;
}

/** Why a value is what it is: the call that changed it last, or how many calls grew too old at once. */
export type TraitCause = { readonly messageId: number } | { readonly agedOut: number };

export interface TraitChange {
  /** Retry-clock time. */
  readonly at: number;
  readonly cause: TraitCause;
}

/** So many moments are looked at for the last change of a value. */
const MAX_MOMENTS = 50;

/**
 * The last change of the value up to `at`, found by playing the newest moments again. Null when there was none, or none
 * within {@link MAX_MOMENTS}.
 */
export function lastChange(definition: TraitDefinition, calls: readonly TraitCall[], at: number): TraitChange | null {
  const moments = momentsOf(definition, calls, at);
  const now = computeTrait(definition, calls, at).value;
  for (const [i, moment] of moments.slice(0, MAX_MOMENTS).entries()) {
    const earlier = moments[i + 1];
    const before = earlier === undefined ? null : valueAt(definition, calls, earlier);
    if (!sameValue(now, before)) return { at: moment.at, cause: causeOf(definition, calls, moment) };
  }
  return null;
}

/** A time at which the value may have changed: an arrival, or (with id 0) calls that grew too old. */
interface Moment {
  readonly at: number;
  readonly id: number;
}

/** Newest first. At one time, ages come before arrivals. */
function momentsOf({ withinMs }: TraitDefinition, calls: readonly TraitCall[], until: number): Moment[] {
  const moments = new Map<string, Moment>();
  const add = (at: number, id: number): void => {
    if (at <= until) moments.set(`${at} ${id}`, { at, id });
  };
  for (const call of calls) {
    add(call.arrivedAt, call.id);
    if (withinMs !== null && call.at + withinMs > call.arrivedAt) add(call.at + withinMs, 0);
  }
  return [...moments.values()].sort((a, b) => b.at - a.at || b.id - a.id);
}

const valueAt = (definition: TraitDefinition, calls: readonly TraitCall[], { at, id }: Moment): TraitValue | null =>
  computeTrait(
    definition,
    calls.filter((call) => call.arrivedAt < at || (call.arrivedAt === at && call.id <= id)),
    at,
  ).value;

function causeOf({ withinMs }: TraitDefinition, calls: readonly TraitCall[], { at, id }: Moment): TraitCause {
  if (id !== 0) return { messageId: id };
  return {
    agedOut: calls.filter((call) => withinMs !== null && call.at + withinMs === at && call.arrivedAt < at).length,
  };
}

const KIND_WORDS: Readonly<Record<ComputedKind, string>> = {
  count: 'Count',
  sum: 'Sum',
  last: 'Last',
  most_frequent: 'Most frequent',
  first_seen: 'First seen',
  unique_list: 'Unique list',
};

/** `Sum of properties.total over Order Completed where properties.currency is EUR in the last 90 days`. */
export function traitSentence({ kind, event, path, where, withinMs }: TraitDefinition): string {
  const of = needsPath(kind) ? ` of ${path}` : '';
  return `${KIND_WORDS[kind]}${of} over ${event ?? 'every call'}${whereSentence(where)}${withinSentence(withinMs)}`;
}
