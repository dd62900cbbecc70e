/** A filter as a value. Text becomes one in `filter-reader.ts`, `filter-printer.ts` writes it, `filter.ts` says what it means. */
import type { Cell, Mark, MessageState, MessageType } from './vocabulary.ts';

/** A message matches when it matches every term. No term selects everything. */
export interface ListFilter {
  readonly terms?: readonly Term[] | undefined;
}

/** Any of the values is enough; with `not`, none may be there. */
interface TermOf<K extends string, V> {
  readonly key: K;
  readonly values: readonly V[];
  readonly not?: boolean | undefined;
}

/** A slot that was tried, replays apart; with `cell`, one whose last result is that. */
export interface HookTried {
  readonly slot: number;
  readonly cell?: Cell | undefined;
}

/** Exactly this user id or anonymous id, letter by letter. */
export interface WholeId {
  readonly id: string;
}

export const FIELD_OPS = ['=', '!=', '>', '<', '>=', '<='] as const;
export type FieldOp = (typeof FIELD_OPS)[number];

/** A field of the delivered body: `properties.total>100`. */
export interface FieldTerm extends TermOf<'field', string> {
  readonly path: string;
  readonly op: FieldOp;
}

export type Term =
  /** Part of the event, an id, the received call, the delivered body or a response. */
  | TermOf<'text', string>
  | TermOf<'type', MessageType>
  | TermOf<'status', MessageState>
  /** Id of a source. */
  | TermOf<'source', number>
  /** Pattern of a part of the user id or the anonymous id, or the whole of one. */
  | TermOf<'user', string | WholeId>
  /** Pattern of the whole name. */
  | TermOf<'event', string>
  | TermOf<'hook', HookTried>
  /** Status of an answer to any attempt, `503`, or a hundred of them, `5xx`. */
  | TermOf<'code', string>
  /** An answer to any attempt took at least so many milliseconds. */
  | TermOf<'took', number>
  | TermOf<'is', Mark>
  /** Code of a note. */
  | TermOf<'note', string>
  | TermOf<'reason', string>
  /** Received at this time or later, epoch milliseconds. */
  | TermOf<'after', number>
  /** Received before this time. */
  | TermOf<'before', number>
  | FieldTerm;

/** Limits of a filter. */
export const FILTER_LIMITS = {
  terms: 50,
  values: 100,
  characters: 500,
  /** Characters of a {@link WholeId}. */
  id: 1_000,
  path: 200,
  /** `*` in one pattern: each one multiplies the places that SQLite's LIKE tries. */
  stars: 4,
} as const;
