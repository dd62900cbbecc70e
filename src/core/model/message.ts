/**
 * The states of a message, as `vocabulary.ts` lists them, and the notes on it.
 *
 *   received -> rejected | not_selected | queued
 *   queued   -> delivering -> delivered | retrying | failed
 *   retrying -> delivering | expired
 *   queued, retrying -> paused -> queued, retrying      (no webhook is on)
 *   queued, retrying, paused -> stopped                 (by a person)
 */
import type { NoteCode } from './vocabulary.ts';

export * from './vocabulary.ts';

/** Something worth knowing about a call that was accepted. `field` is a path, `detail` free text. */
export interface Note {
  readonly code: NoteCode;
  readonly field?: string;
  readonly detail?: string;
}
