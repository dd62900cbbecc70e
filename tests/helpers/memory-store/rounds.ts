import type { Move } from '../../../src/core/model/moves.ts';
import type { Changes, Writer } from '../../../src/core/store/ports/changes.ts';
import type { RoundStore, RoundWrite, RoundWritten, StoredStanding } from '../../../src/core/store/ports/rounds.ts';
import { applyMove, finishAttempt, openAttempt, standingOf } from './moves.ts';
import type { Tables } from './tables.ts';

export class MemoryRounds implements RoundStore {
  readonly #tables: Tables;
  readonly #writer: Writer;

  constructor(tables: Tables, writer: Writer) {
    this.#tables = tables;
    this.#writer = writer;
  }

  write(take: () => RoundWrite): Promise<RoundWritten> {
    return this.#writer.write((changes) => this.writeIn(take(), changes));
  }

  writeIn({ finished, moves, opened }: RoundWrite, changes: Changes): RoundWritten {
    for (const attempt of finished) finishAttempt(this.#tables, attempt);
    const lost = moves.find((move) => !applyMove(this.#tables, move, changes)) ?? null;
    const attemptIds = lost === null ? opened.map((attempt) => openAttempt(this.#tables, attempt)) : [];
    return { lost, attemptIds };
  }

  apply(moves: readonly Move[]): Promise<readonly boolean[]> {
    return this.#writer.write((changes) => moves.map((move) => applyMove(this.#tables, move, changes)));
  }

  standing(messageId: number): StoredStanding | undefined {
    const row = this.#tables.messages.get(messageId);
    return row && { ...standingOf(row), receivedAt: row.receivedAt };
  }

  async probe(): Promise<void> {
    await this.#writer.write(() => {});
  }
}
