/** A row for each message, for spreadsheets (RFC 4180). No cell begins as a formula. */

import type { Exported } from '../exported.ts';
import { visibleText } from '../visible-text.ts';
import type { Format } from './format.ts';

const COLUMNS: ReadonlyArray<readonly [title: string, text: (message: Exported) => string]> = [
  ['receivedAt', ({ receivedAt }) => receivedAt],
  ['messageId', ({ messageId }) => messageId],
  ['type', ({ type }) => type],
  ['name', ({ name }) => name],
  ['userId', ({ userId }) => userId ?? ''],
  ['anonymousId', ({ anonymousId }) => anonymousId ?? ''],
  ['source', ({ source }) => source ?? ''],
  ['origin', ({ origin }) => origin],
  ['state', ({ state }) => state],
  ['reason', ({ reason }) => reason ?? ''],
  ['reasonDetail', ({ reasonDetail }) => reasonDetail ?? ''],
  ['size', ({ size }) => String(size)],
  ['repeats', ({ repeats }) => String(repeats)],
  ['notes', ({ notes }) => notes.map(({ code }) => code).join(' ')],
  ['attempts', ({ attempts, attemptsLeftOut }) => String(attempts.length + attemptsLeftOut)],
  ['lastOutcome', ({ attempts }) => attempts.at(-1)?.outcome ?? ''],
  ['lastStatus', ({ attempts }) => String(attempts.at(-1)?.status ?? '')],
  ['delivered', ({ delivered }) => delivered ?? ''],
];

export const csv: Format = {
  // The byte order mark tells Excel that the file is UTF-8.
  head: () => `\ufeff${row(COLUMNS.map(([title]) => title))}`,
  message: (message) => row(COLUMNS.map(([, text]) => text(message))),
  tail: () => '',
};

const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;

/**
 * What makes a spreadsheet take a cell for a formula, also behind blanks and in the wide forms of East Asia. The
 * apostrophe before it makes the cell a text.
 */
const FORMULA = /^\s*[=+\-@|%\uff1d\uff0b\uff0d\uff20]/;

function cell(text: string): string {
  const shown = visibleText(text);
  return `"${(FORMULA.test(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`;
}
