/** Sums over the counts by state. Each names the states that it adds up, so that a new state must join one of them. */
import { FINAL_STATES, type MessageState, OPEN_STATES } from '../core/model/vocabulary.ts';

/** States at 0 may be left out. */
type Counts = Readonly<Partial<Record<MessageState, number>>>;

const sumOf = (counts: Counts, states: Iterable<MessageState>): number =>
  [...states].reduce((sum, state) => sum + (counts[state] ?? 0), 0);

const IDLE_STATES = OPEN_STATES.filter((state) => state !== 'delivering');

/** Messages that are not final. */
export const openOf = (counts: Counts): number => sumOf(counts, OPEN_STATES);

/** Open messages of which nothing is on the wire. */
export const idleOf = (counts: Counts): number => sumOf(counts, IDLE_STATES);

/** Messages that are final. */
export const finishedOf = (counts: Counts): number => sumOf(counts, FINAL_STATES);
