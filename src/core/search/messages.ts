/** What passes between the engine and the index, which is in another thread: plain values only. */
import type { Found } from './finding.ts';
import type { Sought } from './search-index.ts';

/** What can be asked, each with its argument and answer. */
export interface Questions {
  /** Null when no text is long enough for the index. */
  find: [Sought, Found | null];
  /** Afterwards no file holds anything of messages that are gone. */
  forget: [null, null];
  /** Makes the index again from nothing. */
  rebuild: [null, null];
}
export type QuestionName = keyof Questions;

export type ToSearch =
  /** Messages up to this row id are stored. The engine had work for this share of the time since it said so last. */
  | { readonly type: 'stored'; readonly newest: number; readonly busyShare: number }
  /** They are gone, or hold nothing any more. */
  | { readonly type: 'removed'; readonly ids: readonly number[] }
  | { readonly type: 'ask'; readonly n: number; readonly name: QuestionName; readonly argument: unknown };

export interface IndexState {
  readonly state: 'building' | 'ready' | 'failed';
  /** Messages that are in the index, and all of them. */
  readonly indexed: number;
  readonly total: number;
  /** Of its file. */
  readonly bytes: number;
  /** Why it failed. */
  readonly message: string | null;
}

export type FromSearch =
  | { readonly type: 'answer'; readonly n: number; readonly value: unknown }
  | { readonly type: 'changed'; readonly state: IndexState };
