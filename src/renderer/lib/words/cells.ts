/** The cells of a row in words: what happened to a message at each webhook. */
import type { CellMark } from '../../components/cell-marks.tsx';

export const CELL_WORDS: Record<CellMark, string> = {
  a: 'accepted',
  s: 'sending',
  f: 'failed',
  t: 'timed out',
  n: 'no connection',
  r: 'refused',
  d: 'declined',
  m: 'redirect',
  l: 'throttled',
  i: 'interrupted',
  w: 'waiting',
  x: 'not needed',
  p: 'paused',
  '.': 'not tried',
};

/** The cell of a character. An unknown character reads as not tried. */
export const cellMark = (character: string): CellMark =>
  Object.hasOwn(CELL_WORDS, character) ? (character as CellMark) : '.';

/** `Webhooks: 1 failed 503, 2 timed out, 3 failed 500, 4 refused, 5 paused`. */
export function cellsSentence(cells: string, statuses: ReadonlyArray<number | null> = []): string {
  const words = [...cells].map((character, i) => {
    const status = statuses[i];
    return `${i + 1} ${CELL_WORDS[cellMark(character)]}${status === null || status === undefined ? '' : ` ${status}`}`;
  });
  return `Webhooks: ${words.join(', ')}`;
}
