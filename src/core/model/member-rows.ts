/** Tells good rows of a file of user ids from duplicates and bad ones: good + duplicates + bad = rows. */

/** Characters of one user id. */
export const MAX_USER_ID = 1_000;

export type FileProblem = 'not_json' | 'quote_not_closed' | 'text_after_quote' | 'wrong_columns';
export type RowProblem = FileProblem | 'no_field' | 'not_an_id' | 'empty' | 'too_long' | 'not_text';

/** A row as it was read. A cell is null when its value can be no id, and undefined when there is none. */
export interface FileRow {
  /** From 1. */
  readonly line: number;
  readonly cells: ReadonlyArray<string | null | undefined>;
  readonly problem: FileProblem | null;
  /** Its text in the file. */
  readonly text: string;
}

/** Columns by their place. */
export interface ChosenColumns {
  readonly userId: number;
  readonly label: number | null;
}

export interface JudgedRow {
  readonly line: number;
  readonly userId: string | null;
  readonly label: string | null;
  readonly result: 'good' | 'duplicate' | 'bad';
  readonly problem: RowProblem | null;
  /** The first line with the same id. */
  readonly sameAs: number | null;
  /** Of a bad row: its text in the file; empty for others. */
  readonly text: string;
}

/** `firstLines` has the line of each good id so far, and takes up this one. */
export function judgeRow(row: FileRow, columns: ChosenColumns, firstLines: Map<string, number>): JudgedRow {
  const cell = row.cells[columns.userId];
  const label = columns.label === null ? null : (row.cells[columns.label] ?? null);
  const seen = { line: row.line, userId: cell || null, label: label || null };
  const problem = row.problem ?? idProblem(cell);
  if (problem !== null) return { ...seen, result: 'bad', problem, sameAs: null, text: row.text };
  const userId = cell as string;
  const first = firstLines.get(userId);
  if (first !== undefined) return { ...seen, result: 'duplicate', problem: null, sameAs: first, text: '' };
  firstLines.set(userId, row.line);
  return { ...seen, result: 'good', problem: null, sameAs: null, text: '' };
}

/** Why a text can be no user id, or null. */
export function idProblem(id: string | null | undefined): RowProblem | null {
  if (id === undefined) return 'no_field';
  if (id === null) return 'not_an_id';
  if (id.trim() === '') return 'empty';
  if (id.length > MAX_USER_ID) return 'too_long';
  // Half of a surrogate pair has no UTF-8, so two such ids would become one in the store.
  return id.isWellFormed() ? null : 'not_text';
}

/** White space at its ends is kept, and worth a word. */
export const isSpaced = (id: string): boolean => id !== id.trim();

/** Words for a row. `column` is the name of the id's column, and `expected` the number of columns. */
export function rowText(
  { userId, problem, sameAs, text }: JudgedRow,
  column: string,
  expected: number,
  found: number,
): string {
  if (problem !== null) return PROBLEM_TEXT[problem]({ column: column || 'The id', expected, found, userId, text });
  if (sameAs !== null) return `same as line ${sameAs}, kept once`;
  if (userId === null || !isSpaced(userId)) return '';
  const starts = userId !== userId.trimStart();
  const ends = userId !== userId.trimEnd();
  return `${starts && ends ? 'begins and ends' : starts ? 'begins' : 'ends'} with a space, kept as found`;
}

interface Problem {
  readonly column: string;
  readonly expected: number;
  readonly found: number;
  readonly userId: string | null;
  readonly text: string;
}

const columnsText = (n: number): string => (n === 1 ? '1 column' : `${n} columns`);

const PROBLEM_TEXT: Record<RowProblem, (problem: Problem) => string> = {
  not_json: () => 'is not a JSON object',
  quote_not_closed: () => 'a quote is opened and never closed',
  text_after_quote: () => 'text follows a closing quote',
  wrong_columns: ({ found, expected }) => `${columnsText(found)}, ${expected} expected`,
  no_field: ({ column }) => `${column} is missing`,
  not_an_id: ({ column }) => `${column} is not a text or a whole number`,
  empty: ({ column }) => `${column} is empty`,
  too_long: ({ userId }) => `${userId?.length ?? 0} characters, at most ${MAX_USER_ID}`,
  not_text: ({ column }) => `${column} has half a character`,
};
