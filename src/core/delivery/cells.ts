/** How a cell of a message's row shows the last attempt at its webhook. */
import { CELL_LETTERS, CELLS, type Cell, type Outcome } from '../model/vocabulary.ts';

/** A redirect has a letter of its own. */
const REDIRECT: Cell = 'm';

const MEANINGS: Readonly<Record<Cell, { readonly means: string; readonly outcome?: Outcome }>> = CELLS;
const outcomeIn = (cell: Cell): Outcome | undefined => MEANINGS[cell].outcome;

const LETTERS = new Map(
  CELL_LETTERS.filter((cell) => cell !== REDIRECT).map((cell) => [outcomeIn(cell), cell] as const),
);

export const cellOf = (outcome: Outcome, status: number | null): string =>
  outcome === 'declined' && status !== null && status >= 300 && status <= 399 ? REDIRECT : LETTERS.get(outcome)!;

/** The outcome that a cell shows, or undefined when it shows none. */
export const outcomeOf = (cell: string | undefined): Outcome | undefined =>
  cell !== undefined && cell in CELLS ? outcomeIn(cell as Cell) : undefined;
