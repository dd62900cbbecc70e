/** The words of messages, as `vocabulary.ts` lists them, and the notes on one. The moves between states are in `moves.ts`. */
import type { NoteCode } from './vocabulary.ts';

export * from './vocabulary.ts';

/** Something worth knowing about a call that was accepted. `field` is a path, `detail` free text. */
export interface Note {
  readonly code: NoteCode;
  readonly field?: string;
  readonly detail?: string;
}
