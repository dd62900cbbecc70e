/** Control, zero-width and bidi characters, which a reader must see rather than suffer (design/ui, section 7). */

/** Ranges of code points that leave no mark of their own or reorder what stands around them. */
const RANGES: ReadonlyArray<readonly [number, number]> = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe007f],
];
const hex = (code: number): string => `\\u{${code.toString(16)}}`;
const classOf = (from: number): string =>
  RANGES.filter(([first]) => first >= from)
    .map(([first, last]) => `${hex(first)}-${hex(last)}`)
    .join('');

const MARKED = new RegExp(`[${classOf(0)}]`, 'gu');
/** Without the C0 controls and tab, which an editor shows in its own way. */
export const MARKED_IN_CODE = new RegExp(`[${classOf(0x7f)}]`, 'gu');
/** Joins emoji and letters of many scripts; harmless between them, so it is not boxed there. */
const JOINERS = new Set(['\u200c', '\u200d']);

export type TextPart = string | { code: string };

/** `U+202E`. */
export const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Splits text into plain parts and characters to be boxed. */
export function splitMarks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(MARKED)) {
    if (isJoint(text, match.index, match[0])) continue;
    if (match.index > from) parts.push(text.slice(from, match.index));
    parts.push({ code: codePoint(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

const JOINABLE = /^(?:[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)/u;

/** A joiner between two letters or pictographs does its proper work. */
function isJoint(text: string, at: number, character: string): boolean {
  if (!JOINERS.has(character)) return false;
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
  return JOINABLE.test(before) && JOINABLE.test(text.slice(at + 1, at + 3));
}
