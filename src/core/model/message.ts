import type { NoteCode } from './vocabulary.ts';

/** Something worth knowing about a call that was accepted. `field` is a path, `detail` free text. */
export interface Note {
  readonly code: NoteCode;
  readonly field?: string;
  readonly detail?: string;
}
