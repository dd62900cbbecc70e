/** A part of a text and where it begins, which no other part shares. */
export interface Placed {
  readonly at: number;
  readonly text: string;
}

/** The lines of a text. */
export function linesOf(text: string): Placed[] {
  let at = 0;
  return text.split('\n').map((line) => {
    const placed = { at, text: line };
    at += line.length + 1;
    return placed;
  });
}
