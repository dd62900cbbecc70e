/** Parses what the user types for a rule. Each function returns the value or throws the error for the field. Pure. */
import { ContractError } from '../../../../contract/errors.ts';
import { formatCount } from '../../../lib/format.ts';
import { editableSpan, parseSpan, parseSpanList } from '../../../lib/span.ts';

const DAY = 86_400_000;

/** The bounds that the engine enforces, in milliseconds. */
export const BOUNDS = {
  timeoutMs: [1_000, 30_000],
  waitMs: [1, DAY],
  windowMs: [0, 7 * DAY],
  listedWaitMs: [0, DAY],
} as const satisfies Record<string, readonly [min: number, max: number]>;
const MOST_WAITS = 100;

const refuse = (message: string): never => {
  throw new ContractError('invalid_argument', message);
};

export function spanWithin(text: string, [min, max]: readonly [number, number]): number {
  const ms = parseSpan(text);
  if (ms === null) return refuse(`"${text.slice(0, 40)}" is not a time. Write 10 s, 1 min 30 s or 4 h.`);
  if (ms < min || ms > max) return refuse(`Enter a time from ${editableSpan(min)} to ${editableSpan(max)}.`);
  return ms;
}

export function numberWithin(text: string, [min, max]: readonly [number, number], whole = false): number {
  const value = /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  const fits = value >= min && value <= max && (!whole || Number.isInteger(value));
  return fits
    ? value
    : refuse(`Enter a ${whole ? 'whole ' : ''}number from ${formatCount(min)} to ${formatCount(max)}.`);
}

/** `20` or `20%` as 0.2. */
export const percentWithin = (text: string): number => numberWithin(text.replace(/\s*%$/, ''), [0, 100]) / 100;

export function waitList(text: string): number[] {
  const parsed = parseSpanList(text);
  if ('wrong' in parsed) return refuse(`"${parsed.wrong.slice(0, 40)}" is not a time. Write 5 s, 5 min, 30 min.`);
  const { spans } = parsed;
  if (spans.length > MOST_WAITS) return refuse(`At most ${MOST_WAITS} waits can be listed.`);
  const [min, max] = BOUNDS.listedWaitMs;
  if (spans.some((ms) => ms < min || ms > max)) return refuse(`No wait is longer than ${editableSpan(max)}.`);
  return spans;
}

export function agentText(text: string): string {
  if (text === '') return refuse('Enter a name, such as Hookbench/1.0.');
  return /^[\x20-\x7e]+$/.test(text) ? text : refuse('This header can only hold ASCII letters, digits and symbols.');
}
