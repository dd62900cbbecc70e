/** Times to jump to: those of the filter, and `yesterday 9:00`. */
import { readTime } from '../../contract/filter.ts';

const NAMED = /^(today|yesterday)(?:[ ,T]+(\S+))?$/i;

/** Epoch milliseconds of `14:32`, `yesterday 9:00`, `2026-01-31 14:32`, `2026-01-31T14:32Z` or `10m` ago; null when it is no time. */
export function jumpTime(text: string, now: number): number | null {
  const trimmed = text.trim();
  const [, day, clock = '0:00'] = NAMED.exec(trimmed) ?? [];
  const at = readTime(
    day === undefined ? trimmed.replace(/^(\d{4}-\d\d-\d\d),? +/, '$1T') : onDay(day, clock, now),
    now,
  );
  return at === 'begun' ? null : at;
}

const two = (n: number): string => String(n).padStart(2, '0');

function onDay(name: string, clock: string, now: number): string {
  const day = new Date(now);
  if (name.toLowerCase() === 'yesterday') day.setDate(day.getDate() - 1);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T${clock}`;
}
