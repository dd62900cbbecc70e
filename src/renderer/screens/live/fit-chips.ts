/**
 * Widths in px of a character of the chips' 12 px type, and of a chip without its text. The largest measured widths.
 */
const CHARACTER = 6.7;
const PADDING = 22;
const GLYPH = 19;
const GAP = 2;

const CHEVRON = 19;

/** Width of the button for the chips that do not fit, and of the one for saved filters with the divider before it. */
export const MORE_PX = 66 + CHEVRON;
export const SAVED_MORE_PX = MORE_PX + GLYPH + 15;

export const widthOfChip = (words: string, glyph: boolean): number =>
  words.length * CHARACTER + PADDING + (glyph ? GLYPH : 0) + GAP;

/** The chips that fit into `width` px, in order, and the rest. Keeps room for the button of the rest. */
export function fitChips<T extends { readonly words: string }>(
  chips: readonly T[],
  width: number,
  morePx: number,
): { fit: T[]; rest: T[] } {
  const widths = chips.map(({ words }) => widthOfChip(words, true));
  if (widths.reduce((sum, one) => sum + one, 0) <= width) return { fit: [...chips], rest: [] };
  let left = width - morePx;
  const cut = widths.findIndex((one) => {
    left -= one;
    return left < 0;
  });
  return { fit: chips.slice(0, cut), rest: chips.slice(cut) };
}
