/** Text of a file for the engine. Pure. */
import { AUDIENCE_LIMITS } from '../../../../contract/audiences.ts';

/** Cuts a text into pieces that one command may have. No piece ends within a character. */
export function* piecesOf(text: string, most: number = AUDIENCE_LIMITS.pieceText): Generator<string> {
  let from = 0;
  while (text.length - from > most) {
    const end = isHighSurrogate(text.charCodeAt(from + most - 1)) ? from + most - 1 : from + most;
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The text of a file of UTF-8; null when it is something else. */
export function textOf(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
