/** An import of audience members from a text or a file, as clients see it (docs/behaviour.md, Audiences). */

export const IMPORT_RESULTS = ['good', 'duplicate', 'bad'] as const;
export type ImportResult = (typeof IMPORT_RESULTS)[number];

/** Why a row is bad, in the order in which rows are checked. */
export const IMPORT_PROBLEMS = [
  'not_json',
  'quote_not_closed',
  'text_after_quote',
  'wrong_columns',
  'no_field',
  'not_an_id',
  'empty',
  'too_long',
  'not_text',
] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];

export interface ImportColumn {
  name: string;
  /** Its value in the first row. */
  sample: string;
  use: 'userId' | 'label' | 'unused';
}

export interface ImportView {
  import: string;
  audienceId: number;
  fileName: string | null;
  /** `list`: one id a line, as pasted. */
  format: 'csv' | 'ndjson' | 'list';
  /** Of a CSV file; null otherwise. */
  separator: ',' | ';' | '\t' | null;
  bytes: number;
  /** `no_column`: no column looks like a user id, so one must be chosen. */
  state: 'reading' | 'ready' | 'no_column' | 'running';
  columns: ImportColumn[];
  /** `rows` = `good` + `duplicates` + `bad`. */
  rows: number;
  good: number;
  duplicates: number;
  bad: number;
  /** Good ids that begin or end with white space. They are kept as they are. */
  spaced: number;
  /** How many good ids stored calls know. Grows until `done`. */
  known: { ids: number; done: boolean };
  /** Members now, and what an import would change. */
  members: number;
  add: { joins: number };
  replace: { joins: number; leaves: number };
}

export interface ImportRow {
  /** Line in the file, from 1. */
  line: number;
  /** Null when the row has none. */
  userId: string | null;
  label: string | null;
  result: ImportResult;
  problem: ImportProblem | null;
  /** Words for the problem: `2 columns, 3 expected`. */
  text: string;
  /** Of a bad row: its text in the file. */
  raw: string | null;
  /** Of a duplicate: the line with the same id that is kept. */
  sameAs: number | null;
  /** Stored calls of this user as far as they are counted. */
  calls: number | null;
}
