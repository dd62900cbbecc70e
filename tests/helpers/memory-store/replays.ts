import type { Writer } from '../../../src/core/store/ports/changes.ts';
import type { NewReplay, OpenReplay, ReplayStore } from '../../../src/core/store/ports/replays.ts';
import type { FinishedAttempt } from '../../../src/core/store/ports/rounds.ts';
import { finishAttempt, openAttempt } from './moves.ts';
import type { Tables } from './tables.ts';

export class MemoryReplays implements ReplayStore {
  readonly #tables: Tables;
  readonly #writer: Writer;

  constructor(tables: Tables, writer: Writer) {
    this.#tables = tables;
    this.#writer = writer;
  }

  open({ messageId, createdAt, attempts }: NewReplay): Promise<OpenReplay | null> {
    const { messages, replays } = this.#tables;
    return this.#writer.write((changes) => {
      const message = messages.get(messageId);
      if (message === undefined || message.size === 0) return null;
      const replayId = replays.nextId();
      const webhookIds = attempts.map(({ webhookId }) => webhookId);
      replays.set(replayId, { id: replayId, messageId, createdAt, finishedAt: null, webhookIds });
      messages.update(messageId, { replays: message.replays + 1 });
      changes.messages.add(messageId);
      const attemptIds = attempts.map((attempt) => openAttempt(this.#tables, { ...attempt, messageId, replayId }));
      return { replayId, attemptIds };
    });
  }

  finishAttempt(messageId: number, attempt: FinishedAttempt): Promise<void> {
    return this.#writer.write((changes) => {
      finishAttempt(this.#tables, attempt);
      changes.messages.add(messageId);
    });
  }

  finish({ replayId, messageId, finishedAt }: Parameters<ReplayStore['finish']>[0]): Promise<void> {
    return this.#writer.write((changes) => {
      this.#tables.replays.update(replayId, { finishedAt });
      changes.messages.add(messageId);
    });
  }
}
