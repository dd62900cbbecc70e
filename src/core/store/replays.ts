/** What replays write, in SQLite. */
import type { ReplayJobRecord } from '../model/stored.ts';
import type { ReplayEnd, SentBody } from '../model/vocabulary.ts';
import { Attempts } from './attempts.ts';
import { type Damage, untold } from './damage.ts';
import type { Db } from './database.ts';
import type { Writer } from './ports/changes.ts';
import type { EndedReplayJob, NewReplay, NewReplayJob, OpenReplay, ReplayKey, ReplayStore } from './ports/replays.ts';
import type { FinishedAttempt } from './ports/rounds.ts';
import { columns, insertInto, Writes } from './statements.ts';

const NEW_REPLAY = ['messageId', 'createdAt', 'webhookIds', 'sent', 'signed', 'body', 'retryUntil'] as const;

interface ReplayRow {
  readonly messageId: number;
  readonly createdAt: number;
  readonly webhookIds: string;
  readonly sent: SentBody;
  readonly signed: 0 | 1;
  readonly body: Uint8Array | null;
  readonly retryUntil: number | null;
}

interface Id {
  readonly id: number;
}

const JOB = [
  'id',
  'createdAt',
  'finishedAt',
  'state',
  'problem',
  'total',
  'targets',
  'rate',
  'begun',
  'removed',
  'damaged',
] as const satisfies ReadonlyArray<keyof ReplayJobRecord>;

/** Jobs that are kept. */
const KEPT_JOBS = 20;

export class SqliteReplays extends Writes implements ReplayStore {
  readonly #writer: Pick<Writer, 'write'>;
  readonly #attempts: Attempts;
  readonly #damage: Damage;

  constructor(db: Db, writer: Pick<Writer, 'write'>, damage: Damage = untold()) {
    super(db);
    this.#writer = writer;
    this.#damage = damage;
    this.#attempts = new Attempts(db);
  }

  open(replay: NewReplay): Promise<OpenReplay | null> {
    const { messageId, attempts, jobId } = replay;
    return this.#writer.write(
      (changes) => {
        if (this.#count.run(changes, { messageId }).changes === 0) return null;
        const replayId = Number(this.#insert.run(changes, rowOf(replay)).lastInsertRowid);
        if (jobId != null) this.#begun.run(changes, { id: jobId });
        changes.messages.add(messageId);
        const opened = attempts.map((attempt) => ({ ...attempt, messageId, replayId }));
        return { replayId, attemptIds: this.#attempts.open(opened, changes) };
      },
      (jobId == null ? 2 : 3) + attempts.length,
    );
  }

  readonly #insert = this.command<ReplayRow>(insertInto('replays', NEW_REPLAY));

  /** An erased message that stays as a row has no size. */
  readonly #count = this.command<{ messageId: number }>(
    'UPDATE messages SET replays = replays + 1 WHERE id = @messageId AND size > 0',
  );

  finishAttempt(messageId: number, attempt: FinishedAttempt): Promise<void> {
    return this.#writer.write((changes) => {
      this.#attempts.finish([attempt], changes);
      changes.messages.add(messageId);
    }, 2);
  }

  wait({ replayId, messageId, nextAt }: Parameters<ReplayStore['wait']>[0]): Promise<void> {
    return this.#writer.write((changes) => {
      this.#wait.run(changes, { replayId, nextAt });
      changes.messages.add(messageId);
    });
  }

  readonly #wait = this.command<{ replayId: number; nextAt: number }>(
    'UPDATE replays SET next_at = @nextAt WHERE id = @replayId AND finished_at IS NULL',
  );

  goOn({ replayId, messageId, attempts }: Parameters<ReplayStore['goOn']>[0]): Promise<readonly number[] | null> {
    return this.#writer.write((changes) => {
      if (this.#goOn.run(changes, { replayId, messageId }).changes === 0) return null;
      changes.messages.add(messageId);
      const opened = attempts.map((attempt) => ({ ...attempt, messageId, replayId }));
      return this.#attempts.open(opened, changes);
    }, 1 + attempts.length);
  }

  readonly #goOn = this.command<ReplayKey>(
    `UPDATE replays SET next_at = NULL WHERE id = @replayId AND finished_at IS NULL
     AND EXISTS (SELECT 1 FROM messages WHERE id = @messageId AND size > 0)`,
  );

  finish({ replayId, messageId, finishedAt, ended }: Parameters<ReplayStore['finish']>[0]): Promise<void> {
    return this.#writer.write((changes) => {
      this.#finish.run(changes, { replayId, finishedAt, ended });
      changes.messages.add(messageId);
    });
  }

  readonly #finish = this.command<{ replayId: number; finishedAt: number; ended: ReplayEnd }>(
    `UPDATE replays SET finished_at = @finishedAt, next_at = NULL, ended = @ended
     WHERE id = @replayId AND finished_at IS NULL`,
  );

  readonly #body = this.column<Id, Uint8Array | null>('SELECT body FROM replays WHERE id = @id');

  bodyOf(replayId: number): Uint8Array | null {
    return this.#damage.around(() => this.#body.get({ id: replayId }), null) ?? null;
  }

  // Jobs

  openJob(job: NewReplayJob): Promise<number> {
    return this.#writer.write((changes) => {
      const id = Number(this.#openJob.run(changes, job).lastInsertRowid);
      this.#forget.run(changes, { upTo: id - KEPT_JOBS });
      return id;
    }, 2);
  }

  readonly #openJob = this.command<NewReplayJob>(
    `INSERT INTO replay_jobs (created_at, state, total, targets, rate)
     VALUES (@createdAt, 'running', @total, @targets, @rate)`,
  );
  readonly #forget = this.command<{ upTo: number }>(
    'DELETE FROM replay_jobs WHERE id <= @upTo AND finished_at IS NOT NULL',
  );
  readonly #begun = this.command<Id>('UPDATE replay_jobs SET begun = begun + 1 WHERE id = @id');

  skip(jobId: number, why: 'removed' | 'damaged'): Promise<void> {
    return this.#writer.write((changes) => void this.#skipped[why].run(changes, { id: jobId }));
  }

  readonly #skipped = {
    removed: this.command<Id>('UPDATE replay_jobs SET removed = removed + 1 WHERE id = @id'),
    damaged: this.command<Id>('UPDATE replay_jobs SET damaged = damaged + 1 WHERE id = @id'),
  };

  endJob(job: EndedReplayJob): Promise<void> {
    return this.#writer.write((changes) => void this.#endJob.run(changes, job));
  }

  readonly #endJob = this.command<EndedReplayJob>(
    `UPDATE replay_jobs SET state = @state, problem = @problem, finished_at = @finishedAt
     WHERE id = @id AND finished_at IS NULL`,
  );

  readonly #newestJob = this.query<undefined, ReplayJobRecord>(
    `SELECT ${columns(JOB)} FROM replay_jobs ORDER BY id DESC LIMIT 1`,
  );

  newestJob(): ReplayJobRecord | null {
    return this.#damage.around(() => this.#newestJob.get(), undefined) ?? null;
  }
}

const rowOf = (replay: NewReplay): ReplayRow => ({
  messageId: replay.messageId,
  createdAt: replay.createdAt,
  webhookIds: JSON.stringify(replay.targets ?? replay.attempts.map(({ webhookId }) => webhookId)),
  sent: replay.sent ?? 'delivered',
  signed: replay.signed === false ? 0 : 1,
  body: replay.body ?? null,
  retryUntil: replay.retryUntil ?? null,
});
