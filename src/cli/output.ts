/** Writes rows to standard output, as NDJSON or as a table, and stops when the reader of a pipe has left. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { jsonText, terminalText } from '../contract/plain-text.ts';

/** The reader closed the other end of the pipe. That is not an error. */
export class PipeClosed extends Error {}

/** A writer that waits for a slow reader, and throws {@link PipeClosed} when the reader has left. */
export function pipeWriter(out: Writable): (text: string) => Promise<void> {
  let failure: Error | null = null;
  out.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code === 'EPIPE' ? new PipeClosed() : error;
  });
  const check = (): void => {
    if (failure !== null) throw failure;
  };
  return async (text) => {
    check();
    if (!out.write(text)) await once(out, 'drain').catch(() => {});
    check();
  };
}

export type Row<T> = AsyncIterable<T>;

export async function writeNdjson<T>(rows: AsyncIterable<T>, write: (text: string) => Promise<void>): Promise<void> {
  for await (const row of rows) await write(`${jsonText(row)}\n`);
}

export interface Column<T> {
  readonly title: string;
  readonly width: number;
  readonly text: (row: T) => string;
}

/** Cut with an ellipsis; `\u001b` of a terminal escape is shown, not obeyed. */
export function cell(text: string, width: number): string {
  const characters = [...terminalText(text)];
  const kept = characters.length > width ? [...characters.slice(0, width - 1), '…'] : characters;
  return kept.join('').padEnd(width);
}

const line = (cells: readonly string[]): string => `${cells.join('  ').trimEnd()}\n`;

/** A table with its head, one line a row. */
export const tableText = <T>(rows: readonly T[], columns: readonly Column<T>[]): string =>
  [
    columns.map(({ title, width }) => cell(title, width)),
    ...rows.map((row) => columns.map((column) => cell(column.text(row), column.width))),
  ]
    .map(line)
    .join('');

export async function writeTable<T>(
  rows: AsyncIterable<T>,
  columns: readonly Column<T>[],
  write: (text: string) => Promise<void>,
): Promise<void> {
  await write(line(columns.map((column) => cell(column.title, column.width))));
  for await (const row of rows) await write(line(columns.map((column) => cell(column.text(row), column.width))));
}
