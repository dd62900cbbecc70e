/** Logging, switched at run time (client specification, section 1). It never logs a payload or the write key. */
import { debugSetting } from './platform.ts';
import type { Logger } from './types.ts';

export interface Log {
  /** Calls `text` only while logging is on. */
  debug(text: () => string): void;
  warn(text: string): void;
}

export function createLog(logger: Logger, verbose: () => boolean): Log {
  const say: Logger = (level, text) => {
    try {
      logger(level, `analytics: ${text}`);
    } catch {
      // A logger that throws must not stop the sending.
    }
  };
  return {
    debug: (text) => {
      if (verbose() || namesAnalytics(debugSetting())) say('debug', text());
    },
    warn: (text) => say('warn', text),
  };
}

/** Whether DEBUG holds `analytics`, alone or in a list; `*` is everything. */
export function namesAnalytics(setting: string): boolean {
  const names = setting.split(/[\s,]/);
  return !names.includes('-analytics') && (names.includes('analytics') || names.includes('*'));
}
