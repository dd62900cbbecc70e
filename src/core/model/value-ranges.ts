/** How the values of a computed trait are spread over people, for its chart. The counts add up to the people with a value. */

import type { Scalar } from './comparison.ts';
import type { TraitDefinition, TraitValue } from './computed-trait.ts';

export type ValueRange =
  /** Numbers, or for `first_seen` epoch milliseconds: from `from` up to but not including `to`; null without an end. */
  | { readonly from: number; readonly to: number | null; readonly people: number }
  /** A single value; in lists each value counts once, so that its counts may add up to more. */
  | { readonly value: Scalar; readonly people: number }
  /** Everything that is not listed. */
  | { readonly others: number; readonly people: number };

export interface Spread {
  readonly ranges: readonly ValueRange[];
  /** Of numbers only. */
  readonly median: number | null;
  readonly highest: number | null;
}

/** At most this many bars. */
const MAX_BARS = 8;
/** Of fewer values none is left out when the width is chosen. */
const FEW = 10;

export function spreadOf({ kind }: Pick<TraitDefinition, 'kind'>, values: readonly TraitValue[]): Spread {
  if (kind === 'first_seen')
    return {
      ranges: bars(
        values.map((value) => Date.parse(value as string)),
        calendarWidth,
      ),
      median: null,
      highest: null,
    };
  if (values.length > 0 && values.every((value) => typeof value === 'number')) return ofNumbers(values as number[]);
  return { ranges: mostFrequentFirst(values), median: null, highest: null };
}

function ofNumbers(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >>> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  const widthFor = values.every(Number.isInteger) ? wholeWidth : roundWidth;
  return { ranges: bars(sorted, widthFor), median, highest: sorted.at(-1)! };
}

/**
 * Ranges of one round width, begun at a multiple of it. The width is chosen for nine tenths of the values, or for all of
 * a few; the last range takes what is beyond.
 */
function bars(values: readonly number[], widthFor = roundWidth): ValueRange[] {
  if (values.length === 0) return [];
  const sorted = [...values].sort((a, b) => a - b);
  const low = sorted[0]!;
  const high = sorted.length < FEW ? sorted.at(-1)! : sorted[Math.floor((sorted.length - 1) * 0.9)]!;
  const width = widthFor((high - low) / (MAX_BARS - 1));
  const begin = Math.floor(low / width) * width;
  const people = new Array<number>(MAX_BARS).fill(0);
  for (const value of sorted) people[Math.min(MAX_BARS - 1, Math.max(0, Math.floor((value - begin) / width)))]! += 1;
  const last = people.findLastIndex((count) => count > 0);
  return people.slice(0, last + 1).map((count, i) => ({
    from: tidy(begin + i * width),
    to: i === MAX_BARS - 1 && sorted.at(-1)! >= begin + MAX_BARS * width ? null : tidy(begin + (i + 1) * width),
    people: count,
  }));
}

/** Without the rounding errors of binary fractions. */
const tidy = (value: number): number => Number(value.toPrecision(14));

/** Below this, a power of ten would be rounded to 0. */
const SMALLEST_WIDTH = 1e-300;

/** The smallest of 1, 2 and 5 times a power of ten that is not below `least`; 1 for next to no width, or one without end. */
function roundWidth(least: number): number {
  if (!(least > SMALLEST_WIDTH) || !Number.isFinite(least)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((width) => width >= least) ?? 10 * power;
}

/** The same for whole numbers. */
const wholeWidth = (least: number): number => Math.max(1, roundWidth(least));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CALENDAR = [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY, 90 * DAY];

/** The same for times, in minutes, hours and days. */
const calendarWidth = (least: number): number =>
  CALENDAR.find((width) => width >= least) ?? Math.ceil(least / (365 * DAY)) * 365 * DAY;

function mostFrequentFirst(values: readonly TraitValue[]): ValueRange[] {
  const counts = new Map<Scalar, number>();
  for (const value of values.flat() as Scalar[]) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  const listed: ValueRange[] = sorted.slice(0, MAX_BARS).map(([value, people]) => ({ value, people }));
  const rest = sorted.slice(MAX_BARS);
  if (rest.length > 0) listed.push({ others: rest.length, people: rest.reduce((sum, [, people]) => sum + people, 0) });
  return listed;
}
