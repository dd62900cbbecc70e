/** User ids pasted as text: one a line, each byte for byte as it stands. Pure. */
import { AUDIENCE_LIMITS } from '../../../contract/audiences.ts';

export interface ReadIds {
  readonly ids: readonly string[];
  /** Lines whose id stands further up too. */
  readonly duplicates: number;
  /** Ids that begin or end with white space. They are kept so. */
  readonly spaced: number;
  /** The first line, from 1, whose id is too long; null when none is. */
  readonly tooLongAt: number | null;
}

/** Empty lines are left out; nothing else is changed. */
export function readIds(text: string): ReadIds {
  const ids = new Set<string>();
  let duplicates = 0;
  let spaced = 0;
  let tooLongAt: number | null = null;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line === '') continue;
    if (line.length > AUDIENCE_LIMITS.userId) {
      tooLongAt ??= index + 1;
      continue;
    }
    if (ids.has(line)) duplicates += 1;
    else {
      ids.add(line);
      if (line !== line.trim()) spaced += 1;
    }
  }
  return { ids: [...ids], duplicates, spaced, tooLongAt };
}
