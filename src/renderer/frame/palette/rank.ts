/** Which entries of the palette a text finds, best first. Pure. */
import type { PaletteEntry } from './entry.ts';

/** Points of a word that begins the title, begins another word, or stands inside one. */
const BEGINS_TITLE = 8;
const BEGINS_WORD = 4;
const INSIDE = 1;
/** The same of the words beside the title. */
const BESIDE = 0.5;

/** Every word must be found. Entries with the same points keep their order. */
export function rankEntries(text: string, entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries
    .map((entry) => ({ entry, points: pointsOf(words, entry) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
}

function pointsOf(words: readonly string[], { title, detail = '', also = '' }: PaletteEntry): number {
  let sum = 0;
  for (const word of words) {
    const points = Math.max(pointsIn(title, word), BESIDE * pointsIn(`${detail} ${also}`, word));
    if (points === 0) return 0;
    sum += points;
  }
  return sum;
}

function pointsIn(text: string, word: string): number {
  const at = ` ${text.toLowerCase()}`.indexOf(` ${word}`);
  if (at === 0) return BEGINS_TITLE;
  if (at > 0) return BEGINS_WORD;
  return text.toLowerCase().includes(word) ? INSIDE : 0;
}
