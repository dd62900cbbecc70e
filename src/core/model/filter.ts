/** A filter of the list: a value with one meaning, {@link matches}. Every reader is derived from it or tested against it. */
import type { AttemptRecord, MessageRecord } from './stored.ts';
import { LOUD_REASONS, type Mark } from './vocabulary.ts';

/** Empty texts and lists select everything, as absent ones do. */
export interface ListFilter {
  /** Part of the event, the ids or the delivered body; letters A to Z in either case. */
  readonly text?: string | undefined;
  readonly states?: readonly MessageRecord['state'][] | undefined;
  readonly types?: readonly MessageRecord['type'][] | undefined;
  /** Part of the user id or the anonymous id. */
  readonly user?: string | undefined;
  readonly sourceId?: number | undefined;
  /** Every one of these. */
  readonly is?: readonly Mark[] | undefined;
  /** Code of a note. */
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
  /** Status of an answer to any attempt, `503`, or a hundred of them, `5xx`. */
  readonly code?: string | undefined;
  /** A slot that was tried, replays apart; with `cell`, one whose last result is that. */
  readonly hook?: { readonly slot: number; readonly cell?: string | undefined } | undefined;
}

/** All that a filter can ask about a message. */
export interface FilterFacts {
  readonly message: MessageRecord;
  /** The delivered bytes, or null. */
  readonly wire: Uint8Array | null;
  readonly attempts: ReadonlyArray<Pick<AttemptRecord, 'slot' | 'replayId' | 'status'>>;
}

/** `5xx` is 500 to 599, `503` itself. */
export const statusRange = (code: string): readonly [from: number, to: number] =>
  code.endsWith('xx') ? [Number(code[0]) * 100, Number(code[0]) * 100 + 99] : [Number(code), Number(code)];

export function matches(filter: ListFilter, { message, wire, attempts }: FilterFacts): boolean {
  const { text, states, types, user, sourceId, is = [], note, reason, code, hook } = filter;
  if (states !== undefined && states.length > 0 && !states.includes(message.state)) return false;
  if (types !== undefined && types.length > 0 && !types.includes(message.type)) return false;
  if (sourceId !== undefined && message.sourceId !== sourceId) return false;
  if (!is.every((mark) => hasMark(mark, message))) return false;
  if (note && !message.notes.some((one) => one.code === note)) return false;
  if (reason && message.reason !== reason) return false;
  if (hook !== undefined && !wasAt(hook, message, attempts)) return false;
  if (code !== undefined && !attempts.some(({ status }) => isIn(statusRange(code), status))) return false;
  if (user && ![message.userId, message.anonymousId].some((id) => holds(id, user))) return false;
  return !text || textsOf(message, wire).some((one) => holds(one, text));
}

function hasMark(mark: Mark, { state, reason, notes, repeats, replays }: MessageRecord): boolean {
  switch (mark) {
    case 'dropped':
    case 'silent':
      return state === 'rejected' && reason !== null && !(LOUD_REASONS as readonly string[]).includes(reason);
    case 'noted':
      return notes.length > 0;
    case 'repeated':
      return repeats > 0;
    case 'replayed':
      return replays > 0;
  }
}

const wasAt = (
  { slot, cell }: NonNullable<ListFilter['hook']>,
  { cells }: MessageRecord,
  attempts: FilterFacts['attempts'],
): boolean =>
  cell === undefined
    ? attempts.some((attempt) => attempt.slot === slot && attempt.replayId === null)
    : cells[slot - 1] === cell;

const isIn = ([from, to]: readonly [number, number], status: number | null): boolean =>
  status !== null && status >= from && status <= to;

const textsOf = ({ name, userId, anonymousId, messageId }: MessageRecord, wire: Uint8Array | null) => [
  name,
  userId,
  anonymousId,
  messageId,
  wire === null ? null : new TextDecoder().decode(wire),
];

/** As SQLite's LIKE folds: letters A to Z only. */
const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const holds = (text: string | null, part: string): boolean => text !== null && folded(text).includes(folded(part));
