/** The lines of the box for user ids. Pure. */
import { DELETION_LIMITS, type DeletionPreview } from '../../../contract/deletions.ts';
import { formatCount } from '../../lib/format.ts';
import { type LineMark, markOf } from './words.ts';

export interface DraftLine {
  /** From 1, empty lines included. */
  readonly number: number;
  /** Exactly as written; empty lines name nobody. */
  readonly userId: string;
  /** The line that names the same id first, or null. */
  readonly sameAs: number | null;
}

export interface DraftLines {
  readonly lines: readonly DraftLine[];
  /** One for each line that names somebody, duplicates included: what the engine is asked. */
  readonly userIds: readonly string[];
  /** Why the engine cannot be asked, or null. */
  readonly error: string | null;
}

/** The same line ends everywhere, without the mark at the start of a file. */
export const plainLines = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');

export function readDraft(text: string): DraftLines {
  const first = new Map<string, number>();
  const lines = text.split('\n').map((userId, index): DraftLine => {
    const number = index + 1;
    const sameAs = userId === '' ? null : (first.get(userId) ?? null);
    if (userId !== '' && sameAs === null) first.set(userId, number);
    return { number, userId, sameAs };
  });
  const userIds = lines.flatMap(({ userId }) => (userId === '' ? [] : [userId]));
  return { lines, userIds, error: errorOf(lines, userIds.length) };
}

function errorOf(lines: readonly DraftLine[], given: number): string | null {
  if (given > DELETION_LIMITS.userIds) {
    return `A request takes at most ${formatCount(DELETION_LIMITS.userIds)} lines. These are ${formatCount(given)}.`;
  }
  const long = lines.find(({ userId }) => userId.length > DELETION_LIMITS.userIdCharacters);
  return long === undefined
    ? null
    : `The id in line ${formatCount(long.number)} is longer than ${formatCount(DELETION_LIMITS.userIdCharacters)} characters.`;
}

/** What is known of each id. Of many ids a preview names 200 users, those without calls first. */
export function marksOf(preview: DeletionPreview | null): (line: DraftLine) => LineMark | null {
  const users = new Map(preview?.users.map((user) => [user.userId, user]));
  const restIsKnown =
    preview !== null && preview.ids > preview.users.length && preview.near + preview.unknown < preview.users.length;
  return ({ userId, sameAs }) => {
    if (userId === '') return null;
    if (sameAs !== null) return { kind: 'same', line: sameAs };
    const user = users.get(userId);
    if (user !== undefined) return markOf(user);
    return restIsKnown ? { kind: 'known', calls: null } : null;
  };
}

/** An id in the store that differs from a given one only in spaces or case, and is not given itself. */
export function nearToAdd(preview: DeletionPreview | null, userIds: readonly string[]): string | null {
  const given = new Set(userIds);
  for (const { near } of preview?.users ?? []) for (const { userId } of near) if (!given.has(userId)) return userId;
  return null;
}

/** `6 lines, 5 different ids: 3 known, 1 unknown, 1 differs only in case`, as numbers with words. */
export function sumParts(preview: DeletionPreview): string {
  const { lines, ids, known, near, unknown, users } = preview;
  const parts = [`${formatCount(known)} known`];
  if (unknown > 0) parts.push(`${formatCount(unknown)} unknown`);
  if (near > 0) parts.push(`${formatCount(near)} ${near === 1 ? 'differs' : 'differ'} only in ${difference(users)}`);
  const different = ids === 1 ? '1 id' : `${formatCount(ids)} different ids`;
  return `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}, ${different}: ${parts.join(', ')}`;
}

function difference(users: DeletionPreview['users']): string {
  const kinds = new Set(users.flatMap(({ calls, near: [first] }) => (calls === 0 && first ? [first.differsIn] : [])));
  if (kinds.size !== 1) return 'spaces or case';
  const [kind] = kinds;
  return kind === 'case' ? 'case' : kind === 'spaces' ? 'spaces' : 'spaces and case';
}
