/**
 * Parses the storage limits that the user types. Each function returns the value or throws the error for the field.
 * Pure.
 */
import { ContractError } from '../../../contract/errors.ts';
import { formatCount, formatSize } from '../../lib/format.ts';
import { editableSpan, parseSpan } from '../../lib/span.ts';

const KB = 1024;
const MB = KB * KB;
const DAY = 86_400_000;

/** The bounds that the engine enforces. */
export const STORAGE_BOUNDS = {
  maxMessages: [100, 100_000_000],
  maxBytes: [10 * MB, MB * MB],
  maxAgeDays: [0.01, 36_500],
} as const satisfies Record<string, readonly [min: number, max: number]>;

export function refuse(message: string): never {
  throw new ContractError('invalid_argument', message);
}

/** `100000`, `100,000`, `100 000`. */
export function messagesWithin(text: string): number {
  const [min, max] = STORAGE_BOUNDS.maxMessages;
  const value = /^(\d+|\d{1,3}([,. ]\d{3})+)$/.test(text) ? Number(text.replace(/\D/g, '')) : Number.NaN;
  return value >= min && value <= max
    ? value
    : refuse(`Enter a number from ${formatCount(min)} to ${formatCount(max)}.`);
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: KB, mb: MB, gb: KB * MB, tb: MB * MB };

/** `1 GB`, `512 MB`, `1.5 GB`; a bare number is MB. Whole bytes. */
export function sizeWithin(text: string): number {
  const [min, max] = STORAGE_BOUNDS.maxBytes;
  const [, digits = '', unit = ''] = /^(\d+(?:[.,]\d+)?)\s*([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const name = unit === '' ? 'mb' : unit.length === 1 && unit !== 'b' ? `${unit}b` : unit;
  const size = Object.hasOwn(UNITS, name) ? UNITS[name] : undefined;
  if (digits === '' || size === undefined) return refuse(`"${text.slice(0, 40)}" is not a size. Write 512 MB or 1 GB.`);
  const bytes = Math.round(Number(digits.replace(',', '.')) * size);
  return bytes >= min && bytes <= max ? bytes : refuse(`Enter a size from ${formatSize(min)} to ${formatSize(max)}.`);
}

/** Formatted so that {@link sizeWithin} returns the same number: `1 GB`, `1.5 GB`, `1000 MB`. */
export function editableSize(bytes: number): string {
  for (const unit of ['tb', 'gb', 'mb', 'kb'] as const) {
    const value = bytes / UNITS[unit]!;
    if (value >= 1 && Number.isInteger(value * 4)) return `${value} ${unit.toUpperCase()}`;
  }
  return `${bytes} B`;
}

/** `30`, `30 days`, `12 h`; a bare number is days. */
export function ageWithin(text: string): number {
  const [min, max] = STORAGE_BOUNDS.maxAgeDays;
  const bare = /^\d+([.,]\d+)?$/.test(text);
  const ms = parseSpan(bare ? `${text} days` : text);
  if (ms === null) return refuse(`"${text.slice(0, 40)}" is not a time. Write 30 days or 12 h.`);
  const days = ms / DAY;
  return days >= min && days <= max
    ? days
    : refuse(`Enter a time from ${editableSpan(min * DAY)} to ${formatCount(max)} days.`);
}

/** `30 days`, `1 day`, `12 h`. */
export function editableAge(days: number): string {
  if (Number.isInteger(days)) return days === 1 ? '1 day' : `${days} days`;
  return editableSpan(Math.round(days * DAY));
}
