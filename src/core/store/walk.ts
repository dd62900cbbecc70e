/**
 * Reads a table by id, around damaged pages. When the next rows cannot be read, it looks ahead, id by id and then in
 * growing steps, until reading works again. Then it searches back for the first readable id. A hole of 100,000 rows
 * costs 8,000 failed reads, about 0.1 s. An id that is far off is a damaged one.
 */
import { isDamage } from './damage.ts';

const STEP = 2_000;
/** Ids are nearly dense, so a value further ahead is not an id. */
const FAR = 10_000_000;

/**
 * Starts at an id and includes it. A search for ids after the last one of a damaged page would start inside that page.
 */
type Read<T> = (fromId: number, limit: number) => T[];

/** Ascending by id. */
export function* walk<T extends { readonly id: number }>(
  read: Read<T>,
  damaged: () => void,
  after = 0,
): Generator<T[]> {
  const tryRead = (from: number, limit: number): T[] | null => {
    try {
      return read(from + 1, limit);
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged();
      return null;
    }
  };
  let at: number | null = after;
  while (at !== null) {
    const [rows, limit]: [T[] | null, number] = readSome(tryRead, at);
    const good: T[] = rows === null ? [] : inOrder(rows, at);
    if (good.length > 0) yield good;
    const last: number = good.at(-1)?.id ?? at;
    if (rows !== null && rows.length < limit) return;
    at = good.length > 0 ? last : nextReadable(tryRead, at);
  }
}

/** The next rows, as many as can be read at once. Null when the very next one cannot be read. */
function readSome<T>(read: (from: number, limit: number) => T[] | null, at: number): [T[] | null, number] {
  for (let limit = STEP; limit >= 1; limit = Math.floor(limit / 4)) {
    const rows = read(at, limit);
    if (rows !== null) return [rows, limit];
  }
  return [null, 1];
}

function inOrder<T extends { readonly id: number }>(rows: readonly T[], after: number): T[] {
  let last = after;
  return rows.filter(({ id }) => {
    const isGood = Number.isSafeInteger(id) && id > last && id <= last + FAR;
    if (isGood) last = id;
    return isGood;
  });
}

/** The smallest id from which reading works again, or null when there is none ahead. */
function nextReadable<T extends { readonly id: number }>(
  read: (from: number, limit: number) => T[] | null,
  at: number,
): number | null {
  const works = (from: number): boolean => {
    const rows = read(from, 1);
    return rows !== null && (rows.length === 0 || inOrder(rows, from).length > 0);
  };
  let low = at;
  for (let ahead = 1; ahead <= FAR; ahead = further(ahead)) {
    if (works(at + ahead)) return firstAfter(low, at + ahead, works);
    low = at + ahead;
  }
  return null;
}

/** Tries every id at first, so that it does not skip a sound page between two damaged ones. Then grows the steps. */
const further = (ahead: number): number =>
  ahead < 2_000 ? ahead + 1 : ahead < 50_000 ? ahead + 8 : Math.floor(ahead * 1.5);

/** The first readable id, between an unreadable and a readable one. */
function firstAfter(fails: number, works: number, test: (id: number) => boolean): number {
  let low = fails;
  let high = works;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (test(middle)) high = middle;
    else low = middle;
  }
  return high;
}
