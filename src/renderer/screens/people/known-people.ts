/** What is known of the list of everyone: the newest numbers, and the rows around those in sight. */
import type { EveryoneView, PersonRow } from '../../../contract/persons.ts';

/** Rows of one question. */
export const WINDOW = 150;
/** Windows begin at multiples of this, so that a small scroll asks for nothing new. */
const STEP = 50;
/** Rows at so great a distance from the newest window are forgotten. */
const KEPT = 500;

export type Numbers = Omit<EveryoneView, 'rows'>;

/** An answer about the rows from `from` on. */
export interface PeopleWindow extends EveryoneView {
  /** Search and order; rows of another one have other places. */
  readonly question: string;
  readonly from: number;
}

export interface KnownPeople {
  readonly question: string;
  readonly numbers: Numbers;
  readonly rows: ReadonlyMap<number, PersonRow>;
}

/** Where the window begins whose rows are around this one. */
export const windowAt = (first: number): number => Math.max(0, Math.floor(first / STEP) * STEP - STEP);

const keyOf = ({ key: { kind, id } }: PersonRow): string => `${kind} ${id}`;

/** With the rows of a new answer. Nobody stands at two places: the newest answer is right. */
export function withWindow(before: KnownPeople | null, answer: PeopleWindow): KnownPeople {
  const { question, from, rows, ...numbers } = answer;
  const to = from + rows.length;
  const fresh = new Set(rows.map(keyOf));
  const old = before?.question === question ? [...before.rows] : [];
  const kept = old.filter(
    ([at, row]) =>
      (at < from || at >= Math.max(to, from + WINDOW)) &&
      at < numbers.matching &&
      at >= from - KEPT &&
      at < from + WINDOW + KEPT &&
      !fresh.has(keyOf(row)),
  );
  return { question, numbers, rows: new Map([...kept, ...rows.map((row, i) => [from + i, row] as const)]) };
}

/** The place of a person by this id; undefined when it is not known. */
export function placeOf({ rows }: KnownPeople, id: string | null): number | undefined {
  if (id === null) return undefined;
  for (const [at, { key }] of rows) if (key.id === id) return at;
  return undefined;
}
