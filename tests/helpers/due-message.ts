import type { DueMessage } from '../../src/core/store/ports/due.ts';

/** A due message as the table returns it. */
export const dueMessage = (id: number, over: Partial<DueMessage> = {}): DueMessage => ({
  id,
  receivedAt: 1,
  state: 'queued',
  round: 0,
  nextDueAt: 1,
  firstAttemptAt: null,
  windowEndsAt: null,
  cells: '.....',
  wire: new Uint8Array([1]),
  outcomes: new Map(),
  ...over,
});
