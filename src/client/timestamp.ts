/** Times as they are written on the wire (client specification, section 4.3). */

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

const EARLIEST = yearZero();
/** The last minute; seconds do not lead out of theirs. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59);

/** Whether text is ISO 8601 as the server reads it: a date, or a date and a time with or without a zone. */
export function isTimestamp(text: string): boolean {
  const parts = ISO.exec(text);
  if (parts === null) return false;
  const number = (at: number): number => Number(parts[at] ?? 0);
  const [year, month, day] = [number(1), number(2), number(3)];
  if (number(4) > 23 || number(5) > 59 || number(6) > 59 || number(8) > 23 || number(9) > 59) return false;
  const date = dateOf(year, month, day);
  // A day that the month does not have leads into another one.
  if (date.getUTCMonth() !== month - 1) return false;
  const minutesAhead = (number(8) * 60 + number(9)) * (parts[7] === '-' ? -1 : 1);
  const at = date.getTime() + (number(4) * 60 + number(5) - minutesAhead) * 60_000;
  return at >= EARLIEST && at <= LATEST;
}

/** Date.UTC takes the years 0 to 99 for 1900 to 1999. */
function dateOf(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

function yearZero(): number {
  return dateOf(0, 1, 1).getTime();
}

let lastMs = Number.NaN;
let lastText = '';

/** `2026-11-20T17:31:04.089Z`. Calls come many to a millisecond, so the last text is kept. */
export function timestampOf(epochMs: number): string {
  if (epochMs !== lastMs) {
    lastText = new Date(epochMs).toISOString();
    lastMs = epochMs;
  }
  return lastText;
}
