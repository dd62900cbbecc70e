/** Control, zero-width and bidi characters, which a reader must see rather than suffer (design/ui, section 7). */

/** Ranges of code points that are invisible or reorder the text around them. */
const RANGES: ReadonlyArray<readonly [number, number]> = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
];
/** Joiners of emoji and of the letters of many scripts: U+200C, U+200D. */
const JOINERS = '\\u{200c}\\u{200d}';
const hex = (code: number): string => `\\u{${code.toString(16)}}`;
const classOf = (from: number): string =>
  RANGES.filter(([first]) => first >= from)
    .map(([first, last]) => `${hex(first)}-${hex(last)}`)
    .join('');

/** What a joiner may be next to: letters, marks (the emoji selector is one), pictographs, skin tones. */
const JOINABLE = '[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';
/** Between two of those a joiner does its proper work and is not boxed. Looks one character to each side. */
const STRAY_JOINER = `(?<!${JOINABLE})[${JOINERS}]|[${JOINERS}](?!${JOINABLE})`;
const marked = (from: number): RegExp => new RegExp(`[${classOf(from)}]|${STRAY_JOINER}`, 'gu');

const MARKED = marked(0);
/** Without the C0 controls and tab, which the editor shows in its own way. */
export const MARKED_IN_CODE = marked(0x7f);

export type TextPart = string | { code: string };

/** `U+202E`. */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Splits text into plain parts and characters to box, in linear time. */
export function splitMarks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push({ code: codePoint(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}
