/** What delivery writes of rounds, in SQLite. */
import type { Move } from '../model/moves.ts';
import { Attempts } from './attempts.ts';
import type { Db } from './database.ts';
import type { DueTimes } from './due-times.ts';
import { MessageMoves } from './message-moves.ts';
import type { Changes, Writer } from './ports/changes.ts';
import type { RoundStore, RoundWrite, RoundWritten, StoredStanding } from './ports/rounds.ts';
import { columns, Writes } from './statements.ts';

export class SqliteRounds extends Writes implements RoundStore {
  readonly #write: Writer['write'];
  readonly #moves: MessageMoves;
  readonly #attempts: Attempts;

  constructor(db: Db, write: Writer['write'], dueTimes: DueTimes) {
    super(db);
    this.#write = write;
    this.#moves = new MessageMoves(db, dueTimes);
    this.#attempts = new Attempts(db);
  }

  write(take: () => RoundWrite, rows: number): Promise<RoundWritten> {
    return this.#write((changes) => this.writeIn(take(), changes), rows);
  }

  writeIn({ finished, moves, opened }: RoundWrite, changes: Changes): RoundWritten {
    for (const attempt of finished) this.#attempts.finish(attempt, changes);
    const lost = moves.find((move) => !this.#moves.apply(move, changes)) ?? null;
    const attemptIds = lost === null ? opened.map((attempt) => this.#attempts.open(attempt, changes)) : [];
    return { lost, attemptIds };
  }

  apply(moves: readonly Move[]): Promise<readonly boolean[]> {
    return this.#write((changes) => moves.map((move) => this.#moves.apply(move, changes)), moves.length);
  }

  standing(messageId: number): StoredStanding | undefined {
    return this.#standing.get({ messageId });
  }

  readonly #standing = this.query<{ messageId: number }, StoredStanding>(
    `SELECT ${columns(['id', 'state', 'round', 'cells', 'nextDueAt', 'firstAttemptAt', 'windowEndsAt', 'receivedAt'])}
     FROM messages WHERE id = @messageId`,
  );

  async probe(now: number): Promise<void> {
    await this.#write((changes) => this.#probe.run(changes, { now: String(now) }));
  }

  readonly #probe = this.command<{ now: string }>(
    `INSERT INTO settings (key, value) VALUES ('probed', @now)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
}
