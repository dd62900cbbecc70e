/** What replays write, in SQLite. */
import { Attempts } from './attempts.ts';
import type { Db } from './database.ts';
import type { Writer } from './ports/changes.ts';
import type { NewReplay, OpenReplay, ReplayStore } from './ports/replays.ts';
import type { FinishedAttempt } from './ports/rounds.ts';
import { Writes } from './statements.ts';

export class SqliteReplays extends Writes implements ReplayStore {
  readonly #write: Writer['write'];
  readonly #attempts: Attempts;

  constructor(db: Db, write: Writer['write']) {
    super(db);
    this.#write = write;
    this.#attempts = new Attempts(db);
  }

  open({ messageId, createdAt, attempts }: NewReplay): Promise<OpenReplay | null> {
    const webhookIds = JSON.stringify(attempts.map(({ webhookId }) => webhookId));
    return this.#write((changes) => {
      if (this.#count.run(changes, { messageId }).changes === 0) return null;
      const replayId = Number(this.#insert.run(changes, { messageId, createdAt, webhookIds }).lastInsertRowid);
      changes.messages.add(messageId);
      const attemptIds = attempts.map((attempt) => this.#attempts.open({ ...attempt, messageId, replayId }, changes));
      return { replayId, attemptIds };
    }, 2 + attempts.length);
  }

  readonly #insert = this.command<{ messageId: number; createdAt: number; webhookIds: string }>(
    'INSERT INTO replays (message_id, created_at, webhook_ids) VALUES (@messageId, @createdAt, @webhookIds)',
  );

  /** An erased message that stays as a row has no size. */
  readonly #count = this.command<{ messageId: number }>(
    'UPDATE messages SET replays = replays + 1 WHERE id = @messageId AND size > 0',
  );

  finishAttempt(messageId: number, attempt: FinishedAttempt): Promise<void> {
    return this.#write((changes) => {
      this.#attempts.finish(attempt, changes);
      changes.messages.add(messageId);
    }, 2);
  }

  finish({ replayId, messageId, finishedAt }: Parameters<ReplayStore['finish']>[0]): Promise<void> {
    return this.#write((changes) => {
      this.#finish.run(changes, { replayId, finishedAt });
      changes.messages.add(messageId);
    });
  }

  readonly #finish = this.command<{ replayId: number; finishedAt: number }>(
    'UPDATE replays SET finished_at = @finishedAt WHERE id = @replayId',
  );
}
