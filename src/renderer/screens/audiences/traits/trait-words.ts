/** Texts of computed traits (design/ui, section 17). Pure. */
import type { ComputedKind, TraitView, ValueRangeView } from '../../../../contract/people.ts';
import {
  formatClock,
  formatCount,
  formatDateTime,
  formatDay,
  formatDuration,
  formatSpan,
  plural,
} from '../../../lib/format.ts';
import { windowText } from '../rule/words.ts';
import type { TraitDraft } from './trait-draft.ts';

export const KIND_WORDS: Readonly<Record<ComputedKind, string>> = {
  count: 'Count',
  sum: 'Sum',
  last: 'Last',
  most_frequent: 'Most frequent',
  first_seen: 'First seen',
  unique_list: 'Unique list',
};

const MINUS = '\u2212';
/** Values of a list that are shown. */
export const MOST_OF_LIST = 100;
const DAY = 86_400_000;

/** `1,248.60`: with two digits after the point where one of its column has any. Tiny and huge numbers stay as they are. */
export function numberText(value: number, hasFraction: boolean): string {
  const size = Math.abs(value);
  if (size >= 1e15 || (size > 0 && size < 0.005)) return String(value).replace('-', MINUS);
  if (!hasFraction) return formatCount(value);
  const [whole, fraction] = size.toFixed(2).split('.');
  return `${value < 0 ? MINUS : ''}${formatCount(Number(whole))}.${fraction}`;
}

export const hasFraction = (values: readonly unknown[]): boolean =>
  values.some((value) => typeof value === 'number' && !Number.isInteger(value));

/** A value in a row: `796.50`, `Acme, Braun`, `none`. Of a long list the first 100 values and the count. */
export function valueWords(value: unknown, fraction: boolean, kind: ComputedKind | null = null): string {
  if (value === null || value === undefined) return 'none';
  if (kind === 'first_seen' && typeof value === 'string')
    return formatDateTime(Date.parse(value)).replace(/\.\d{3}/, '');
  if (typeof value === 'number') return numberText(value, fraction);
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const shown = value.slice(0, MOST_OF_LIST).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return value.length > MOST_OF_LIST
    ? `${shown.join(', ')} and more, ${formatCount(value.length)} in all`
    : shown.join(', ');
}

/** Under a bar: `100 to 150`, `1,000 +`, `20 Nov 2026`, `12 others`. */
export function rangeText(range: ValueRangeView, kind: ComputedKind): string {
  if ('others' in range) return plural(range.others, 'other');
  if ('value' in range) return String(range.value) === '' ? '(empty)' : String(range.value);
  const { from, to } = range;
  if (kind === 'first_seen') return timeRange(from, to);
  const fraction = hasFraction([from, to]);
  if (to === null) return `${numberText(from, fraction)} +`;
  // Whole numbers in ranges of one.
  if (kind === 'count' && to - from === 1) return numberText(from, false);
  return `${numberText(from, fraction)} to ${numberText(to, fraction)}`;
}

/**
 * What stands under the bars, each at most `room` signs long. All ranges are written the same way: whole, else with a
 * dash, else by their beginnings.
 */
export function rangeLabels(ranges: readonly ValueRangeView[], kind: ComputedKind, room: number): string[] {
  const whole = ranges.map((range) => rangeText(range, kind));
  const dashed = whole.map((text, i) => ('from' in ranges[i]! ? text.replace(' to ', '\u2013') : text));
  const beginnings = whole.map((text, i) => ('from' in ranges[i]! ? text.replace(/ to .*$/, '') : text));
  const fits = (texts: readonly string[]): boolean =>
    texts.every((text, i) => !('from' in ranges[i]!) || text.length <= room);
  const chosen = [whole, dashed].find(fits) ?? beginnings;
  return chosen.map((text) => (text.length <= room ? text : `${text.slice(0, room - 1)}\u2026`));
}

function timeRange(from: number, to: number | null): string {
  if (to === null) return `${formatDay(from)} +`;
  return to - from >= DAY ? formatDay(from).replace(/ \d{4}$/, '') : formatClock(from).slice(0, 5);
}

/** The chart in words. */
export function spreadSentence(name: string, { withValue, ranges, median }: TraitView, kind: ComputedKind): string {
  const most = ranges.reduce<ValueRangeView | null>((a, b) => (a === null || b.people > a.people ? b : a), null);
  if (most === null) return `${name}: nobody has a value.`;
  const middle = median === null ? '' : ` The median is ${numberText(median, hasFraction([median]))}.`;
  return `${name} of ${plural(withValue, 'person', 'people')}: most, ${formatCount(most.people)}, have ${rangeText(most, kind)}.${middle}`;
}

/** Over the chart: `people per range, EUR`. */
export function perText(kind: ComputedKind, ranges: readonly ValueRangeView[], unit: string | null): string {
  const per = perWord(kind, ranges[0]);
  return unit === null ? per : `${per}, ${unit}`;
}

function perWord(kind: ComputedKind, first: ValueRangeView | undefined): string {
  if (first === undefined) return 'people per range';
  if (!('from' in first)) return 'people per value';
  if (kind === 'count' && first.to === first.from + 1) return 'people per value';
  if (kind !== 'first_seen') return 'people per range';
  return first.to !== null && first.to - first.from >= DAY ? 'people by day' : 'people by time';
}

/** Why a sum has no value although there are calls; null when it has, or there are none. */
export function noSumText({ withValue, leftOut, leftOutExample }: TraitView, path: string): string | null {
  if (withValue > 0 || leftOut === 0) return null;
  const is =
    typeof leftOutExample === 'string'
      ? 'a string'
      : typeof leftOutExample === 'boolean'
        ? 'true or false'
        : 'no number';
  const calls = leftOut === 1 ? 'the one call' : `all ${formatCount(leftOut)} calls`;
  return `${path} is ${is} in ${calls}, so there is no sum.`;
}

const LOST = 'No value any more: nothing is sent, as a trait cannot be taken back.';

/** What its values follow. */
export function ruleTexts({ kind, event, withinMs }: TraitDraft, view: TraitView | null): string[] {
  const texts: string[] = [];
  if (kind === 'sum') {
    texts.push(`Only numbers are added. ${leftOutText(view)}`.trim());
    if (event !== '') texts.push('A refund does not lower the sum. It is another event.');
  }
  if (kind === 'count') texts.push('Each stored call counts once.');
  if (kind === 'last') texts.push('The newest call by its own time counts, not the one that arrived last.');
  if (kind === 'most_frequent') texts.push('Of several that are equally frequent, the one that came last counts.');
  if (kind === 'first_seen') texts.push('The time of the oldest stored call. Removing that call changes the value.');
  if (kind === 'unique_list') texts.push('Each value once, in the order in which it first came.');
  if (kind !== 'sum' && needsText(kind) && view !== null && view.leftOut > 0)
    texts.push(
      `${plural(view.leftOut, 'call')} with an object or a list ${view.leftOut === 1 ? 'was' : 'were'} left out.`,
    );
  if (withinMs !== null)
    texts.push(
      `A call counts for ${windowText(withinMs)} of the retry clock. Getting older changes a value like any call.`,
    );
  texts.push(LOST);
  return texts;
}

const needsText = (kind: ComputedKind): boolean =>
  kind === 'last' || kind === 'most_frequent' || kind === 'unique_list';

function leftOutText(view: TraitView | null): string {
  if (view === null) return '';
  const { leftOut, leftOutExample } = view;
  if (leftOut === 0) return 'None was left out.';
  const example =
    leftOutExample === null
      ? ''
      : ` with ${typeof leftOutExample === 'string' ? 'a string' : 'another value'}, such as ${JSON.stringify(leftOutExample)},`;
  return `${plural(leftOut, 'call')}${example} ${leftOut === 1 ? 'was' : 'were'} left out.`;
}

/** `90 days pass in 36 h.`; nothing at normal speed or without a window. */
export function windowNote(withinMs: number | null, speed: number): string | undefined {
  if (withinMs === null || speed === 1) return undefined;
  const real = withinMs / speed;
  return `${windowText(withinMs)} pass in ${real < 60_000 ? formatDuration(real) : formatSpan(real)}.`;
}
