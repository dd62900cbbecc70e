/** {@link matches} says what a filter means. Every reader calls it or is tested against it. */
import { inEitherReading } from './filter-escapes.ts';
import { fieldTest } from './filter-field.ts';
import { folded, patternTest } from './filter-pattern.ts';
import type { HookTried, ListFilter, Term } from './filter-terms.ts';
import type { AttemptRecord, MessageRecord } from './stored.ts';
import { LOUD_REASONS, type Mark } from './vocabulary.ts';

export type { ListFilter, Term } from './filter-terms.ts';

/** The facts of a message that its row in the list has. */
export type FilterRow = Pick<
  MessageRecord,
  | 'messageId'
  | 'sourceId'
  | 'type'
  | 'name'
  | 'userId'
  | 'anonymousId'
  | 'state'
  | 'reason'
  | 'receivedAt'
  | 'cells'
  | 'repeats'
  | 'replays'
> & { readonly notes: ReadonlyArray<{ readonly code: string }> };

/** All that a filter can ask about a message. */
export interface FilterFacts {
  readonly message: FilterRow;
  /** The delivered bytes, or null. */
  readonly wire: Uint8Array | null;
  readonly attempts: ReadonlyArray<Pick<AttemptRecord, 'slot' | 'replayId' | 'status' | 'durationMs'>>;
  /** The call as its client wrote it (see ReceivedCalls), or null. */
  readonly received: Uint8Array | null;
  /** Stored bodies of responses, to attempts of replays too. */
  readonly responses: readonly Uint8Array[];
}

export const termsOf = ({ terms = [] }: ListFilter): readonly Term[] => terms;

export const matches = (filter: ListFilter, facts: FilterFacts): boolean =>
  termsOf(filter).every((term) => matchesTerm(term, facts));

/** What must be read of a message to decide a term. */
export function readsOf(term: Term): 'row' | 'body' | 'attempts' | 'texts' {
  if (term.key === 'text') return 'texts';
  if (term.key === 'field') return 'body';
  if (
    term.key === 'code' ||
    term.key === 'took' ||
    (term.key === 'hook' && term.values.some(({ cell }) => cell === undefined))
  )
    return 'attempts';
  return 'row';
}

/** Decides by the row alone: false as soon as one term excludes it, null when the rest needs its body or attempts. */
export function rowMatches(filter: ListFilter, message: FilterRow): boolean | null {
  const facts = { message, wire: null, attempts: [], received: null, responses: [] };
  const terms = termsOf(filter);
  if (terms.some((term) => readsOf(term) === 'row' && !matchesTerm(term, facts))) return false;
  return terms.every((term) => readsOf(term) === 'row') ? true : null;
}

const matchesTerm = (term: Term, facts: FilterFacts): boolean => isAny(term, facts) !== (term.not === true);

function isAny(term: Term, facts: FilterFacts): boolean {
  const { message, wire, attempts } = facts;
  switch (term.key) {
    case 'text':
      return term.values.some((text) => isInTexts(text, facts));
    case 'type':
      return term.values.includes(message.type);
    case 'status':
      return term.values.includes(message.state);
    case 'source':
      return message.sourceId !== null && term.values.includes(message.sourceId);
    case 'user':
      return term.values.some((value) =>
        typeof value === 'string'
          ? anyFits([message.userId, message.anonymousId], `*${value}*`)
          : message.userId === value.id || message.anonymousId === value.id,
      );
    case 'event':
      return term.values.some((pattern) => anyFits([message.name], pattern));
    case 'hook':
      return term.values.some((tried) => wasAt(tried, message, attempts));
    case 'code':
      return term.values.some((code) => attempts.some(({ status }) => isIn(statusRange(code), status)));
    case 'took':
      return term.values.some((ms) => attempts.some((attempt) => wasAnswerAfter(ms, attempt)));
    case 'is':
      return term.values.some((mark) => hasMark(mark, message));
    case 'note':
      return term.values.some((note) => message.notes.some(({ code }) => code === note));
    case 'reason':
      return message.reason !== null && term.values.includes(message.reason);
    case 'after':
      return term.values.some((at) => message.receivedAt >= at);
    case 'before':
      return term.values.some((at) => message.receivedAt < at);
    case 'field':
      return wire !== null && fieldTest(term)(wire);
  }
}

/** `5xx` is 500 to 599, `503` itself. */
export const statusRange = (code: string): readonly [from: number, to: number] =>
  code.endsWith('xx') ? [Number(code[0]) * 100, Number(code[0]) * 100 + 99] : [Number(code), Number(code)];

export function hasMark(
  mark: Mark,
  { state, reason, notes, repeats, replays }: Pick<FilterRow, 'state' | 'reason' | 'notes' | 'repeats' | 'replays'>,
): boolean {
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

const wasAt = ({ slot, cell }: HookTried, { cells }: FilterRow, attempts: FilterFacts['attempts']): boolean =>
  cell === undefined
    ? attempts.some((attempt) => attempt.slot === slot && attempt.replayId === null)
    : cells[slot - 1] === cell;

/** What timed out or was not sent has no answer. */
const wasAnswerAfter = (ms: number, { status, durationMs }: FilterFacts['attempts'][number]): boolean =>
  status !== null && durationMs !== null && durationMs >= ms;

const isIn = ([from, to]: readonly [number, number], status: number | null): boolean =>
  status !== null && status >= from && status <= to;

/** Bytes that are not UTF-8 have a replacement character in their place. */
export const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

function isInTexts(part: string, { message, wire, received, responses }: FilterFacts): boolean {
  const wanted = folded(part);
  const holds = (text: string): boolean => folded(text).includes(wanted);
  const bodyHolds = inEitherReading(part, holds);
  const names = [message.name, message.userId, message.anonymousId, message.messageId];
  return (
    names.some((name) => name !== null && holds(name)) ||
    [wire, received, ...responses].some((bytes) => bytes !== null && bodyHolds(textOf(bytes)))
  );
}

function anyFits(texts: ReadonlyArray<string | null>, pattern: string): boolean {
  const fits = patternTest(pattern);
  return texts.some((text) => text !== null && fits(text));
}
