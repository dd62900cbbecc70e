/** How a format writes a file: what stands before the messages, each message, and what follows the last one. */
import type { Exported } from '../exported.ts';

export interface FileFacts {
  /** Version of Hookbench. */
  readonly version: string;
  /** When the export began, as ISO 8601. */
  readonly at: string;
  /** Port on which calls arrive. */
  readonly port: number;
  /** Paths of the fields that are masked. */
  readonly mask: readonly string[];
}

export interface Format {
  readonly head: (facts: FileFacts) => string;
  /** `index` counts the messages of the file from 0. */
  readonly message: (message: Exported, index: number, facts: FileFacts) => string;
  readonly tail: (written: number) => string;
}
