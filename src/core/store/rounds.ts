/** What delivery writes of rounds, in SQLite. */
import type { Move } from '../model/moves.ts';
import { Attempts } from './attempts.ts';
import type { Db } from './database.ts';
import type { DueTimes } from './due-times.ts';
import { MessageMoves } from './message-moves.ts';
import type { Changes } from './ports/changes.ts';
import type { RoundStore, RoundWrite, RoundWritten, StoredStanding } from './ports/rounds.ts';
import { columns, Writes } from './statements.ts';
import type { GroupWriter, Together } from './writer.ts';

export type DeliveryWriter = Pick<GroupWriter, 'write' | 'writeTogether'>;

export class SqliteRounds extends Writes implements RoundStore {
  readonly #writer: DeliveryWriter;
  readonly #moves: MessageMoves;
  readonly #attempts: Attempts;

  constructor(db: Db, writer: DeliveryWriter, dueTimes: DueTimes) {
    super(db);
    this.#writer = writer;
    this.#moves = new MessageMoves(db, dueTimes);
    this.#attempts = new Attempts(db);
  }

  write(take: () => RoundWrite, rows: number): Promise<RoundWritten> {
    return this.#writer.writeTogether(this.#together, take, rows);
  }

  readonly #together: Together<RoundWrite, RoundWritten> = { run: (all, changes) => this.#writeAll(all, changes) };

  writeIn(write: RoundWrite, changes: Changes): RoundWritten {
    return this.#writeAll([write], changes)[0]!;
  }

  #writeAll(all: readonly RoundWrite[], changes: Changes): RoundWritten[] {
    const ended = all.flatMap(({ finished }) => finished);
    this.#attempts.finish(ended, changes);
    const moved = all.length === 1 ? [this.#move(all[0]!, changes)] : this.#moveAll(all, changes);
    const opening = moved.flatMap(({ opened }) => opened);
    const attemptIds = this.#attempts.open(opening, changes);
    return moved.map(({ lost, opened }) => ({ lost, attemptIds: attemptIds.splice(0, opened.length) }));
  }

  /** Throws when another had moved one of the messages. Then the writer writes each round by itself. */
  #moveAll(all: readonly RoundWrite[], changes: Changes) {
    const movesOnce = ({ moves }: RoundWrite): boolean => moves.length === 1;
    this.#moves.applyAll(
      all.filter(movesOnce).flatMap(({ moves }) => moves),
      changes,
    );
    return all.map((write) => (movesOnce(write) ? { ...write, lost: null } : this.#move(write, changes)));
  }

  #move({ moves, opened }: RoundWrite, changes: Changes): Pick<RoundWrite, 'opened'> & Pick<RoundWritten, 'lost'> {
    const lost = moves.find((move) => !this.#moves.apply(move, changes)) ?? null;
    return { lost, opened: lost === null ? opened : [] };
  }

  apply(moves: readonly Move[]): Promise<readonly boolean[]> {
    return this.#writer.write((changes) => moves.map((move) => this.#moves.apply(move, changes)), moves.length);
  }

  standing(messageId: number): StoredStanding | undefined {
    return this.#standing.get({ messageId });
  }

  readonly #standing = this.query<{ messageId: number }, StoredStanding>(
    `SELECT ${columns(['id', 'state', 'round', 'cells', 'nextDueAt', 'firstAttemptAt', 'windowEndsAt', 'receivedAt'])}
     FROM messages WHERE id = @messageId`,
  );

  async probe(now: number): Promise<void> {
    await this.#writer.write((changes) => this.#probe.run(changes, { now: String(now) }));
  }

  readonly #probe = this.command<{ now: string }>(
    `INSERT INTO settings (key, value) VALUES ('probed', @now)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
}
