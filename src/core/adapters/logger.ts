import type { Clock, Logger, LogLevel } from '../ports.ts';

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * Characters that JSON.stringify keeps although a terminal acts on them: DEL, the 8-bit control codes (0x9b starts a
 * sequence like ESC [), line separators, zero-width characters and bidirectional overrides.
 */
const ACTIVE_CHARACTERS = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

export interface JsonLoggerOptions {
  readonly clock: Pick<Clock, 'wall'>;
  /** The lowest level that is written; `info` by default. */
  readonly level?: LogLevel;
  /** Takes one line with its newline; standard error by default. */
  readonly write?: (line: string) => void;
}

/**
 * Writes one JSON object a line: `time` (ISO 8601), `level`, `event`, then the fields. No byte below 0x20 but the
 * newline at the end of each line reaches the terminal, so that no received text can move the cursor, colour the screen
 * or forge a line.
 */
export function createJsonLogger({ clock, level: lowest = 'info', write = writeToStderr }: JsonLoggerOptions): Logger {
  return {
    log(level, event, fields) {
      if (RANK[level] < RANK[lowest]) return;
      const line = JSON.stringify({ time: new Date(clock.wall()).toISOString(), level, event, ...fields });
      write(`${line.replace(ACTIVE_CHARACTERS, escapeCharacter)}\n`);
    },
  };
}

function writeToStderr(line: string): void {
  process.stderr.write(line);
}
