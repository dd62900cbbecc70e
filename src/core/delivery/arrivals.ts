/**
 * Stores what ingest receives. A message that need not wait begins its first round in the same transaction: one commit
 * less before it is sent.
 */
import type { StoredMessage } from '../model/records.ts';
import { StoreDamagedError } from '../ports.ts';
import type { Changes } from '../store/ports/changes.ts';
import type { Arrived, IngestStore } from '../store/ports/ingest.ts';
import type { Dispatcher } from './dispatcher.ts';
import { freshlyDue } from './freshly-due.ts';
import type { FirstRound } from './rounds.ts';

export interface ArrivalsDeps {
  readonly store: Pick<IngestStore, 'storeRequest'>;
  readonly dispatcher: Pick<Dispatcher, 'beginIn' | 'mayBeginNow'>;
  /** False in a damaged store, where a round that cannot be written must not keep its message from being stored. */
  mayBegin(): boolean;
}

export class Arrivals {
  readonly #deps: ArrivalsDeps;

  constructor(deps: ArrivalsDeps) {
    this.#deps = deps;
  }

  /** As `IngestStore.storeRequest`. */
  async storeRequest(arrived: Arrived): Promise<readonly StoredMessage[]> {
    try {
      return await this.#storeAndBegin(arrived);
    } catch (error) {
      if (!(error instanceof StoreDamagedError)) throw error;
      // The damaged page may be one that only a round needs.
      return this.#deps.store.storeRequest(arrived);
    }
  }

  #storeAndBegin(arrived: Arrived): Promise<readonly StoredMessage[]> {
    let rounds: readonly FirstRound[] = [];
    const undo = (): void => {
      for (const round of rounds) round.undone();
      rounds = [];
    };
    const stored = this.#deps.store.storeRequest(arrived, (messages, changes) => {
      undo();
      rounds = this.#begin(arrived, messages, changes);
    });
    stored.then(() => {
      for (const round of rounds) round.committed();
    }, undo);
    return stored;
  }

  #begin(
    { request, messages, dueAt }: Arrived,
    stored: readonly StoredMessage[],
    changes: Changes,
  ): readonly FirstRound[] {
    const { dispatcher, mayBegin } = this.#deps;
    if (!mayBegin() || !dispatcher.mayBeginNow) return [];
    return dispatcher.beginIn(freshlyDue(messages, stored, request.receivedAt, dueAt), changes);
  }
}
