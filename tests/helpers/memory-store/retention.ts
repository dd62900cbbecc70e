import { PURGE_STEP } from '../../../src/core/model/retention.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { FINAL_STATES } from '../../../src/core/model/vocabulary.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import type { Purged, PurgeStep, RetentionStore } from '../../../src/core/store/ports/retention.ts';
import type { Tables } from './tables.ts';

export class MemoryRetention implements RetentionStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  newestId(): number {
    return this.#tables.messages.all().at(-1)?.id ?? 0;
  }

  oldestReceivedAt(): number | null {
    return this.#tables.messages.all()[0]?.receivedAt ?? null;
  }

  bytes(): number {
    return this.#tables.bodies.all().reduce((sum, { wire }) => sum + wire.length, 0);
  }

  purge(step: PurgeStep, changes: Changes): Purged {
    const { after, limit, receivedBefore, upTo = Number.MAX_SAFE_INTEGER } = step;
    const newest = this.newestId();
    let removed = 0;
    let lookedAt = after;
    for (const message of this.#tables.messages.where(({ id }) => id > after && id <= upTo && id < newest)) {
      if (removed >= PURGE_STEP) return { removed, lookedAt };
      if (removed >= limit && message.receivedAt >= receivedBefore) return { removed, lookedAt };
      lookedAt = message.id;
      if (this.#stays(message, changes)) continue;
      this.#remove(message, changes);
      removed += 1;
    }
    return { removed, lookedAt: null };
  }

  #stays({ id, state }: MessageRecord, changes: Changes): boolean {
    const { attempts, replays } = this.#tables;
    if (!FINAL_STATES.has(state) || changes.messages.has(id)) return true;
    if (attempts.all().at(-1)?.messageId === id || replays.all().at(-1)?.messageId === id) return true;
    return attempts.where((attempt) => attempt.messageId === id && attempt.outcome === null).length > 0;
  }

  #remove({ id, state, requestId }: MessageRecord, changes: Changes): void {
    const { attempts, replays, bodies, messages, requests } = this.#tables;
    for (const attempt of attempts.where(({ messageId }) => messageId === id)) attempts.delete(attempt.id);
    for (const replay of replays.where(({ messageId }) => messageId === id)) replays.delete(replay.id);
    bodies.delete(id);
    messages.delete(id);
    changes.removedMessage(id, state);
    if (messages.where((message) => message.requestId === requestId).length === 0) requests.delete(requestId);
  }
}
