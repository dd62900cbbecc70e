/**
 * Reads a file of user ids piece by piece: CSV, NDJSON, or one id a line. Ids stay as they are found, white space
 * included. A bad row never stops the rows after it.
 */
import type { FileProblem, FileRow } from './member-rows.ts';

export type FileFormat = 'csv' | 'ndjson' | 'list';
export type Separator = ',' | ';' | '\t';

/** A quoted field may go on over this many lines. Beyond it the quote counts as never closed. */
const MAX_ROW_LINES = 20;

const SEPARATORS: readonly Separator[] = [',', ';', '\t'];

/** A single column with one of these names, without signs and in lower case, has a heading. */
export const ID_NAMES = [
  'userid',
  'customerid',
  'externalid',
  'memberid',
  'contactid',
  'uid',
  'id',
  'user',
  'customer',
] as const;

export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const isIdName = (name: string): boolean => (ID_NAMES as readonly string[]).includes(plainName(name));

interface Line {
  readonly number: number;
  readonly text: string;
}

/** What the first line says about the file. */
interface Shape {
  readonly format: FileFormat;
  readonly separator: Separator | null;
  /** Of a file with a heading, or the fields of the first NDJSON object. One unnamed column of a list. */
  readonly columns: readonly string[];
  readonly hasHeading: boolean;
}

export class MemberFile {
  #shape: Shape | null = null;
  #rest = '';
  #lines: Line[] = [];
  #lineNumber = 0;
  #isFirst = true;
  #firstCells: readonly string[] = [];

  get format(): FileFormat {
    return this.#shape?.format ?? 'list';
  }

  get separator(): Separator | null {
    return this.#shape?.separator ?? null;
  }

  get columns(): readonly string[] {
    return this.#shape?.columns ?? [];
  }

  /** The cells of the first row with a cell. */
  get firstCells(): readonly string[] {
    return this.#firstCells;
  }

  /** The rows that are complete with this piece, in order. */
  read(piece: string, isLast: boolean): FileRow[] {
    const text = this.#rest + (this.#isFirst ? piece.replace(/^\uFEFF/, '') : piece);
    if (piece !== '') this.#isFirst = false;
    const parts = text.split('\n');
    this.#rest = parts.pop()!;
    if (isLast) {
      parts.push(this.#rest);
      this.#rest = '';
    }
    for (const part of parts) {
      this.#lineNumber += 1;
      const line = part.endsWith('\r') ? part.slice(0, -1) : part;
      this.#lines.push({ number: this.#lineNumber, text: line });
    }
    return this.#take(isLast);
  }

  #take(isLast: boolean): FileRow[] {
    const rows: FileRow[] = [];
    let at = 0;
    while (at < this.#lines.length) {
      const line = this.#lines[at]!;
      if (line.text === '') {
        at += 1;
        continue;
      }
      if (this.#shape === null) {
        this.#shape = shapeOf(line.text);
        if (this.#shape.hasHeading) {
          at += 1;
          continue;
        }
      }
      const taken = this.#row(at, isLast);
      if (taken === null) break;
      if (this.#firstCells.length === 0) this.#firstCells = taken.row.cells.map((cell) => cell ?? '');
      rows.push(taken.row);
      at += taken.lines;
    }
    this.#lines = this.#lines.slice(at);
    return rows;
  }

  /** Null when the row may go on in a line that is still to come. */
  #row(at: number, isLast: boolean): { row: FileRow; lines: number } | null {
    const { number, text } = this.#lines[at]!;
    const { format, separator, columns } = this.#shape!;
    if (format === 'list') return { row: { line: number, cells: [text], problem: null, text }, lines: 1 };
    if (format === 'ndjson') return { row: jsonRow(number, text, columns), lines: 1 };
    let joined = text;
    for (let lines = 1; lines <= MAX_ROW_LINES; lines++) {
      const { cells, problem } = splitRow(joined, separator!);
      const isOpen = problem === 'quote_not_closed';
      const fits = lines === 1 || cells.length === columns.length;
      if (!isOpen && fits) return { row: csvRow(number, joined, cells, problem, columns.length), lines };
      if (!isOpen) break;
      const next = this.#lines[at + lines];
      if (next === undefined) {
        if (!isLast && lines < MAX_ROW_LINES) return null;
        break;
      }
      joined += `\n${next.text}`;
    }
    const { cells } = splitRow(text, separator!);
    return { row: csvRow(number, text, cells, 'quote_not_closed', columns.length), lines: 1 };
  }
}

function shapeOf(first: string): Shape {
  if (first.trimStart().startsWith('{')) {
    const value = parsed(first);
    const columns = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    return { format: 'ndjson', separator: null, columns, hasHeading: false };
  }
  const cellsBy = SEPARATORS.map((separator) => ({ separator, cells: splitRow(first, separator).cells }));
  const widest = cellsBy.reduce((best, one) => (one.cells.length > best.cells.length ? one : best));
  if (widest.cells.length > 1)
    return { format: 'csv', separator: widest.separator, columns: widest.cells, hasHeading: true };
  const only = widest.cells[0] ?? '';
  if (isIdName(only)) return { format: 'csv', separator: ',', columns: [only], hasHeading: true };
  return { format: 'list', separator: null, columns: [''], hasHeading: false };
}

function csvRow(
  line: number,
  text: string,
  cells: readonly string[],
  problem: FileProblem | null,
  columns: number,
): FileRow {
  if (problem !== null) return { line, cells, problem, text };
  return { line, cells, problem: cells.length === columns ? null : 'wrong_columns', text };
}

/** The cells of a row. A quote opens a cell only at its beginning; two quotes in a quoted cell are one. */
function splitRow(text: string, separator: Separator): { cells: string[]; problem: FileProblem | null } {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (text[at] === '"') {
      const quoted = quotedCell(text, at);
      if (quoted === null) {
        const [cell = ''] = text.slice(at).split(separator);
        cells.push(cell);
        return { cells, problem: 'quote_not_closed' };
      }
      cells.push(quoted.cell);
      at = quoted.end;
      if (at < text.length && text[at] !== separator) return { cells, problem: 'text_after_quote' };
    } else {
      const end = text.indexOf(separator, at);
      cells.push(end < 0 ? text.slice(at) : text.slice(at, end));
      at = end < 0 ? text.length : end;
    }
    if (at >= text.length) return { cells, problem: null };
    at += 1;
  }
}

/** `end` is the place behind the closing quote. */
function quotedCell(text: string, start: number): { cell: string; end: number } | null {
  let cell = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    at = quote + 2;
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

function jsonRow(line: number, text: string, columns: readonly string[]): FileRow {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { line, cells: [], problem: 'not_json', text };
  const fields = value as Readonly<Record<string, unknown>>;
  const cells = columns.map((name) => (Object.hasOwn(fields, name) ? cellOf(fields[name]) : undefined));
  return { line, cells, problem: null, text };
}

/** A whole number counts as its digits, as in a call. Null: it can be no id. */
function cellOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : null;
}
