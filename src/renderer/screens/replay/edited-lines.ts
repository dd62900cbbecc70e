/** What a person changed in a body, line by line. Pure. */
import type { LineMark } from '../../components/json-editor.tsx';
import { headOf } from '../../lib/json.ts';
import { diffLines } from '../../message/line-diff.ts';

export interface EditedLines {
  readonly marks: readonly LineMark[];
  /** Changed, new and removed lines. */
  readonly count: number;
}

const LONGEST_NOTE = 60;
const KEY = /^\s*"(?:[^"\\]|\\.)*"\s*:\s*/;

/** A comma that comes or goes because another line follows is no edit of this line. */
const bare = (line: string): string => line.trim().replace(/,$/, '');

/** `was 184.5`: the value alone when the key is the same, else the whole line. */
function noteOf(before: string, now: string): string {
  const key = KEY.exec(before)?.[0] ?? '';
  const was = key !== '' && bare(key) === bare(KEY.exec(now)?.[0] ?? '') ? before.slice(key.length) : before;
  const text = bare(was);
  return `was ${text.length > LONGEST_NOTE ? `${headOf(text, LONGEST_NOTE)}\u2026` : text}`;
}

export function editedLines(before: string, now: string): EditedLines {
  if (before === now) return { marks: [], count: 0 };
  const rows = diffLines(before, now).filter(({ same, left, right }) => {
    return !same && (left === null || right === null || bare(left.text) !== bare(right.text));
  });
  const marks = rows.flatMap(({ left, right }): LineMark[] =>
    right === null
      ? []
      : [{ line: right.number, kind: 'edited', note: left === null ? 'new' : noteOf(left.text, right.text) }],
  );
  return { marks, count: rows.length };
}
