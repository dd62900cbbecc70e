import type { AttemptRecord, LineUpRecord, ReplayRecord, RequestRecord } from '../../../src/core/model/stored.ts';
import type { DetailStore, ListedAttempt } from '../../../src/core/store/ports/details.ts';
import type { StoredAttempt, StoredReplay, StoredRequest, Tables } from './tables.ts';

export const requestOf = ({ fingerprint, ...request }: StoredRequest): RequestRecord => request;

export class MemoryDetails implements DetailStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  request(id: number): RequestRecord | undefined {
    const request = this.#tables.requests.get(id);
    return request && requestOf(request);
  }

  idsOf(messageId: string): number[] {
    return this.#tables.messages.where((message) => message.messageId === messageId).map(({ id }) => id);
  }

  wire(messageId: number): Uint8Array | null {
    return this.#tables.bodies.get(messageId)?.wire ?? null;
  }

  attemptsOf(messageId: number): AttemptRecord[] {
    return this.#tables.attempts
      .where((attempt) => attempt.messageId === messageId)
      .map((attempt) => this.#shown(attempt));
  }

  attempt(id: number): AttemptRecord | undefined {
    const attempt = this.#tables.attempts.get(id);
    return attempt && this.#shown(attempt);
  }

  responseBody(attemptId: number): Uint8Array | null {
    return this.#tables.attempts.get(attemptId)?.responseBody ?? null;
  }

  replaysOf(messageId: number): ReplayRecord[] {
    return this.#tables.replays.where((replay) => replay.messageId === messageId).map(replayOf);
  }

  replay(id: number): ReplayRecord | undefined {
    const replay = this.#tables.replays.get(id);
    return replay && replayOf(replay);
  }

  lineUps(first: number, last: number): LineUpRecord[] {
    const before = this.#tables.lineUps.where(({ afterAttempt }) => afterAttempt < last);
    const from = before.findLast(({ afterAttempt }) => afterAttempt < first)?.afterAttempt ?? 0;
    return before.filter(({ afterAttempt }) => afterAttempt >= from);
  }

  attemptsAfter(page: Parameters<DetailStore['attemptsAfter']>[0]): ListedAttempt[] {
    return this.#tables.attempts
      .where(({ id }) => id > page.after)
      .map((attempt) => ({
        ...this.#shown(attempt),
        message: this.#tables.messages.get(attempt.messageId)?.messageId ?? '',
      }))
      .filter(({ message }) => page.messageId === undefined || message === page.messageId)
      .slice(0, page.limit);
  }

  recentAttempts(limit: number): AttemptRecord[] {
    return this.#tables.attempts
      .where(({ outcome }) => outcome !== null)
      .reverse()
      .slice(0, limit)
      .map((attempt) => this.#shown(attempt));
  }

  #shown({ responseBody, ...attempt }: StoredAttempt): AttemptRecord {
    return { ...attempt, outcome: attempt.outcome ?? (this.#isOver(attempt) ? 'interrupted' : null) };
  }

  /** No attempt is under way once its replay has ended, or the cell of its message shows something else. */
  #isOver({ replayId, messageId, round, slot }: AttemptRecord): boolean {
    if (replayId !== null) return (this.#tables.replays.get(replayId)?.finishedAt ?? null) !== null;
    const message = this.#tables.messages.get(messageId);
    return message !== undefined && (message.round > round || message.cells[slot - 1] !== 's');
  }
}
const replayOf = ({ body: _, ...replay }: StoredReplay): ReplayRecord => replay;
