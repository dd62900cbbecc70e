/** Files of user ids with good, repeated and bad rows, as text and as what must be found in them. */
import type { Dice } from '../dice.ts';

export interface ImportFile {
  readonly text: string;
  /** Each once, in the order of the file. */
  readonly good: readonly string[];
  readonly duplicates: number;
  readonly bad: number;
}

/** A row of some file, drawn when the world is planned. */
type Row = { readonly kind: 'id'; readonly place: number } | { readonly kind: 'bad'; readonly which: number };

export interface DrawnFile {
  readonly format: 'csv' | 'ndjson';
  readonly rows: readonly Row[];
  /** Characters of a piece. */
  readonly piece: number;
}

export function drawFile(dice: Dice): DrawnFile {
  const rows = Array.from({ length: dice.between(1, 12) }, (_, i): Row => {
    // The first row of a file of objects says which fields there are.
    if (i > 0 && dice.chance(0.2)) return { kind: 'bad', which: dice.below(BAD.csv.length) };
    return { kind: 'id', place: dice.next() };
  });
  return { format: dice.pick(['csv', 'ndjson'] as const), rows, piece: dice.pick([7, 40, 10_000]) };
}

const TOO_LONG = 'x'.repeat(1_001);
const BAD = {
  csv: ['"", empty', 'one, two, three', `${TOO_LONG},`, '"quote" and text,', '   ,spaces'],
  ndjson: ['{"userId":""}', '{"name":"nobody"}', `{"userId":"${TOO_LONG}"}`, 'no json', '{"userId":{"id":1}}', '[]'],
} as const;

/** `users` are those whom the places of rows mean. */
export function fileOf({ format, rows }: DrawnFile, users: readonly string[]): ImportFile {
  const ids = rows.flatMap((row) => (row.kind === 'id' ? [users[Math.floor(row.place * users.length)]!] : []));
  let next = 0;
  const lines = rows.map((row) => (row.kind === 'bad' ? BAD[format][row.which]! : lineOf(format, ids[next++]!)));
  const good = [...new Set(ids)];
  return { text: textOf(format, lines), good, duplicates: ids.length - good.length, bad: rows.length - ids.length };
}

/** Everyone, each once. */
export const fileOfAll = (users: readonly string[]): ImportFile => {
  const lines = users.map((userId) => lineOf('csv', userId));
  return { text: textOf('csv', lines), good: users, duplicates: 0, bad: 0 };
};

const lineOf = (format: 'csv' | 'ndjson', userId: string): string =>
  format === 'csv' ? `"${userId.replaceAll('"', '""')}",note` : JSON.stringify({ userId, note: 1 });

/** With blank lines, which are no rows. */
function textOf(format: 'csv' | 'ndjson', lines: readonly string[]): string {
  const body = `${lines.join('\n')}\n\n`;
  return format === 'csv' ? `userId,note\n\n${body}` : body;
}

export const piecesOf = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));
