/**
 * Makes foreign text safe for a terminal: control, format and bidirectional characters become code units
 * (reliability, U7).
 */
export const terminalText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    // Characters above U+FFFF have two.
    Array.from({ length: character.length }, (_, i) => {
      const unit = character.charCodeAt(i).toString(16).padStart(4, '0');
      return `\\u${unit}`;
    }).join(''),
  );

/** JSON for standard output: a parser reads the same value, and a terminal obeys nothing in it. */
export const jsonText = (value: unknown): string => terminalText(JSON.stringify(value));
