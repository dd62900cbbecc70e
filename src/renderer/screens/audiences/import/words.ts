/** Texts of the import of members (design/ui, section 17). Pure. */
import type { AudienceRow, ImportColumn, ImportRow, ImportView } from '../../../../contract/audiences.ts';
import { formatCount, formatSize, plural } from '../../../lib/format.ts';
import { quoted } from '../../../lib/shell-word.ts';

const SEPARATORS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' } as const;

/** `52.6 KB, 1,214 rows, UTF-8, comma`. */
export function fileText({ bytes, rows, format, separator }: ImportView): string {
  const parts = [formatSize(bytes), plural(rows, 'row'), 'UTF-8'];
  if (format === 'ndjson') parts.push('NDJSON');
  if (separator !== null) parts.push(SEPARATORS[separator]);
  return parts.join(', ');
}

/** What a row comes to. */
export function resultText({ result, text, calls }: ImportRow): string {
  if (result !== 'good' || text !== '') return text;
  if (calls === null) return '';
  return calls === 0 ? 'never seen by a source' : plural(calls, 'call');
}

/** `2 ids begin or end with a space. …` */
export function spacedText(spaced: number): string {
  const one = spaced === 1;
  const ids = one ? '1 id begins or ends' : `${formatCount(spaced)} ids begin or end`;
  return `${ids} with a space. ${one ? 'It is another user than the one' : 'They are other users than those'} without it and ${one ? 'is' : 'are'} kept as found.`;
}

export type ImportMode = 'add' | 'replace';

/** How many members there are then, and who comes and goes. */
export function outcomeOf(
  { members, good, add, replace }: ImportView,
  mode: ImportMode,
): { after: number; joins: number; leaves: number } {
  if (mode === 'add') return { after: members + add.joins, joins: add.joins, leaves: 0 };
  return { after: good, joins: replace.joins, leaves: replace.leaves };
}

export const importVerb = (good: number, mode: ImportMode): string =>
  `${mode === 'add' ? 'Import' : 'Replace by'} ${plural(good, 'member')}`;

/** `Importing: 23,000 of 100,003 added.` */
export const importingText = ({ members: before, add }: ImportView, members: number): string =>
  `Importing: ${formatCount(Math.max(0, Math.min(add.joins, members - before)))} of ${formatCount(add.joins)} added.`;

/** When the receivers hear of it. */
export function sentText({ lastSync, sync }: AudienceRow): string {
  if (sync.when === 'change') return 'Members after the import. A sync follows at once.';
  return lastSync === null
    ? 'Members after the import. Nothing is sent before the first sync.'
    : 'Members after the import. The next sync sends who came and went.';
}

/** The same import in a shell; null for what the command cannot do. */
export const commandText = (audience: string, fileName: string): string =>
  `hookbench audiences members ${quoted(audience)} --file ${quoted(fileName)}`;

const cell = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The bad rows as they stand in the file, with its heading, so that they can be mended and imported. */
export function badRowsText(
  { format, separator, columns }: Pick<ImportView, 'format' | 'separator' | 'columns'>,
  rows: readonly ImportRow[],
): string {
  const heading = format === 'csv' ? [columns.map(({ name }) => cell(name)).join(separator ?? ',')] : [];
  return `${[...heading, ...rows.map(({ raw }) => raw ?? '')].join('\n')}\n`;
}

/** `beta-testers.bad.csv` */
export function badFileName(fileName: string | null, format: ImportView['format']): string {
  const ending = { csv: 'csv', ndjson: 'ndjson', list: 'txt' }[format];
  const [, base = 'members', own = ending] = /^(.+?)(?:\.([^.]+))?$/.exec(fileName ?? '') ?? [];
  return `${base}.bad.${own}`;
}

export const USES: ReadonlyArray<{ value: ImportColumn['use']; label: string }> = [
  { value: 'userId', label: 'User id' },
  { value: 'label', label: 'Shown here only' },
  { value: 'unused', label: 'Not used' },
];

/** The columns after one of them is used otherwise, by their places. */
export function columnsWith(
  columns: readonly ImportColumn[],
  index: number,
  use: ImportColumn['use'],
): { userId: number; label: number | null } {
  const userId = columns.findIndex((column) => column.use === 'userId');
  const label = columns.findIndex((column) => column.use === 'label');
  const keptLabel = label < 0 || label === index ? null : label;
  if (use === 'userId') return { userId: index, label: keptLabel };
  return { userId, label: use === 'label' ? index : keptLabel };
}

/** The file that a person chooses. */
export const MEMBER_FILE = {
  label: 'File of user ids',
  accept: '.csv,.tsv,.txt,.ndjson,.jsonl,.json,text/*',
} as const;
