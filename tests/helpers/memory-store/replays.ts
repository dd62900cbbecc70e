import type { ReplayJobRecord } from '../../../src/core/model/stored.ts';
import type { Writer } from '../../../src/core/store/ports/changes.ts';
import type {
  EndedReplayJob,
  NewReplay,
  NewReplayJob,
  OpenReplay,
  ReplayStore,
} from '../../../src/core/store/ports/replays.ts';
import type { FinishedAttempt } from '../../../src/core/store/ports/rounds.ts';
import { finishAttempt, openAttempt } from './moves.ts';
import type { Tables } from './tables.ts';

const KEPT_JOBS = 20;

export class MemoryReplays implements ReplayStore {
  readonly #tables: Tables;
  readonly #writer: Writer;

  constructor(tables: Tables, writer: Writer) {
    this.#tables = tables;
    this.#writer = writer;
  }

  open(replay: NewReplay): Promise<OpenReplay | null> {
    const { messageId, createdAt, attempts, targets, jobId = null } = replay;
    const { sent = 'delivered', signed = true, body = null, retryUntil = null } = replay;
    const { messages, replays, replayJobs } = this.#tables;
    return this.#writer.write((changes) => {
      const message = messages.get(messageId);
      if (message === undefined || message.size === 0) return null;
      const id = replays.nextId();
      const webhookIds = targets ?? attempts.map(({ webhookId }) => webhookId);
      const begin = { finishedAt: null, nextAt: null, ended: null };
      replays.set(id, { id, messageId, createdAt, webhookIds, sent, signed, body, retryUntil, ...begin });
      messages.update(messageId, { replays: message.replays + 1 });
      if (jobId !== null) replayJobs.update(jobId, { begun: replayJobs.get(jobId)!.begun + 1 });
      changes.messages.add(messageId);
      const attemptIds = attempts.map((attempt) => openAttempt(this.#tables, { ...attempt, messageId, replayId: id }));
      return { replayId: id, attemptIds };
    });
  }

  finishAttempt(messageId: number, attempt: FinishedAttempt): Promise<void> {
    return this.#writer.write((changes) => {
      finishAttempt(this.#tables, attempt);
      changes.messages.add(messageId);
    });
  }

  wait({ replayId, messageId, nextAt }: Parameters<ReplayStore['wait']>[0]): Promise<void> {
    return this.#writer.write((changes) => {
      if (this.#isOpen(replayId)) this.#tables.replays.update(replayId, { nextAt });
      changes.messages.add(messageId);
    });
  }

  goOn({ replayId, messageId, attempts }: Parameters<ReplayStore['goOn']>[0]): Promise<readonly number[] | null> {
    const { messages, replays } = this.#tables;
    return this.#writer.write((changes) => {
      if (!this.#isOpen(replayId) || (messages.get(messageId)?.size ?? 0) === 0) return null;
      replays.update(replayId, { nextAt: null });
      changes.messages.add(messageId);
      return attempts.map((attempt) => openAttempt(this.#tables, { ...attempt, messageId, replayId }));
    });
  }

  finish({ replayId, messageId, finishedAt, ended }: Parameters<ReplayStore['finish']>[0]): Promise<void> {
    return this.#writer.write((changes) => {
      if (this.#isOpen(replayId)) this.#tables.replays.update(replayId, { finishedAt, nextAt: null, ended });
      changes.messages.add(messageId);
    });
  }

  #isOpen(replayId: number): boolean {
    return this.#tables.replays.get(replayId)?.finishedAt === null;
  }

  bodyOf(replayId: number): Uint8Array | null {
    return this.#tables.replays.get(replayId)?.body ?? null;
  }

  openJob(job: NewReplayJob): Promise<number> {
    const { replayJobs } = this.#tables;
    const begin = { finishedAt: null, state: 'running', problem: null, begun: 0, removed: 0, damaged: 0 } as const;
    return this.#writer.write(() => {
      const id = replayJobs.nextId();
      replayJobs.set(id, { id, ...job, ...begin });
      for (const old of replayJobs.where((one) => one.id <= id - KEPT_JOBS && one.finishedAt !== null))
        replayJobs.delete(old.id);
      return id;
    });
  }

  skip(jobId: number, why: 'removed' | 'damaged'): Promise<void> {
    const { replayJobs } = this.#tables;
    return this.#writer.write(() => void replayJobs.update(jobId, { [why]: replayJobs.get(jobId)![why] + 1 }));
  }

  endJob({ id, ...end }: EndedReplayJob): Promise<void> {
    const { replayJobs } = this.#tables;
    return this.#writer.write(() => {
      if (replayJobs.get(id)?.finishedAt === null) replayJobs.update(id, end);
    });
  }

  newestJob(): ReplayJobRecord | null {
    return this.#tables.replayJobs.all().at(-1) ?? null;
  }
}
