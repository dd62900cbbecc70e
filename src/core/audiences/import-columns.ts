/** Which columns of an imported file hold the user id and a label. */
import { ID_NAMES, type MemberFile, plainName } from '../model/member-file.ts';
import type { ChosenColumns } from '../model/member-rows.ts';

const LABEL_NAMES = ['email', 'emailaddress', 'mail', 'name', 'fullname'];

/** By the names of the columns. Null when none looks like a user id. A list has its one column. */
export function columnsOf({ format, columns }: MemberFile): ChosenColumns | null {
  if (columns.length === 0) return null;
  if (format === 'list') return { userId: 0, label: null };
  const names = columns.map(plainName);
  const find = (wanted: readonly string[]): number =>
    names.indexOf(wanted.find((name) => names.includes(name)) ?? '\0');
  const userId = find(ID_NAMES);
  const label = find(LABEL_NAMES);
  return userId < 0 ? null : { userId, label: label < 0 || label === userId ? null : label };
}
