import { interruptedCells } from '../../../src/core/model/moves.ts';
import { wordsOf } from '../../../src/core/model/result-words.ts';
import type { MessageRecord } from '../../../src/core/model/stored.ts';
import { FINAL_STATES } from '../../../src/core/model/vocabulary.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import type {
  CutRequest,
  ErasedMessage,
  ErasureStore,
  SearchedMessage,
  SearchedReplay,
  SearchedResult,
  StoredRequestBytes,
  Stretch,
  UserCall,
} from '../../../src/core/store/ports/erasure.ts';
import type { StoredRequest, Tables } from './tables.ts';

const EMPTY = new Uint8Array();
const last = <R extends { readonly id: number }>(rows: readonly R[]): R | undefined => rows.at(-1);

/** There are no files, so nothing has to be overwritten or cleared. */
export class MemoryErasure implements ErasureStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  newest(): { message: number; request: number } {
    const { messages, requests } = this.#tables;
    return { message: last(messages.all())?.id ?? 0, request: last(requests.all())?.id ?? 0 };
  }

  newestAttempt(): number {
    return last(this.#tables.attempts.all())?.id ?? 0;
  }

  calls({ after, upTo, limit }: Stretch): UserCall[] {
    return this.#tables.messages
      .where(({ id, userId }) => id > after && id <= upTo && userId !== null)
      .slice(0, limit)
      .map(({ id, userId, sourceId, requestId, origin, type, state, reason, replays }) => {
        return { id, userId: userId!, sourceId, requestId, origin, type, state, reason, replays };
      });
  }

  attemptsOf(messageIds: readonly number[]): number {
    return this.#tables.attempts.where(({ messageId }) => messageIds.includes(messageId)).length;
  }

  erase(messageIds: readonly number[], changes: Changes): ErasedMessage[] {
    const { messages, attempts, replays } = this.#tables;
    const newest = {
      message: last(messages.all())?.id,
      attempt: last(attempts.all()),
      replay: last(replays.all()),
      request: last(this.#tables.requests.all())?.id,
    };
    const doomed = messageIds.flatMap((id) => messages.get(id) ?? []).filter(({ state }) => FINAL_STATES.has(state));
    const erased = doomed.map((message) => this.#eraseOne(message, newest, changes));
    for (const request of new Set(doomed.map(({ requestId }) => requestId)))
      this.#eraseRequest(request, newest.request);
    return erased;
  }

  #eraseOne(
    message: MessageRecord,
    newest: {
      message?: number;
      attempt?: { id: number; messageId: number };
      replay?: { id: number; messageId: number };
    },
    changes: Changes,
  ): ErasedMessage {
    const { messages, bodies, attempts, replays } = this.#tables;
    const { id, userId, requestId, state, reason } = message;
    const ownAttempts = attempts.where(({ messageId }) => messageId === id);
    const ownReplays = replays.where(({ messageId }) => messageId === id);
    for (const attempt of ownAttempts) {
      const kept = { outcome: attempt.outcome ?? 'interrupted', result: null, responseBody: null };
      if (attempt.id === newest.attempt?.id) attempts.update(attempt.id, kept);
      else attempts.delete(attempt.id);
    }
    for (const replay of ownReplays) {
      if (replay.id === newest.replay?.id) replays.update(replay.id, { body: null });
      else replays.delete(replay.id);
    }
    bodies.delete(id);
    if (id === newest.message || id === newest.attempt?.messageId || id === newest.replay?.messageId) {
      const nobody = { name: '', userId: null, anonymousId: null, reasonDetail: null, size: 0, notes: [] };
      messages.update(id, { messageId: `erased-${id}`, ...nobody, cells: interruptedCells(message.cells, null) });
      changes.emptiedMessage(id);
    } else {
      messages.delete(id);
      changes.removedMessage(id, state);
    }
    const isHeld = state === 'rejected' && reason === 'unknown_source';
    return { id, userId, requestId, isHeld, attempts: ownAttempts.length, replays: ownReplays.length };
  }

  #eraseRequest(id: number, newest: number | undefined): void {
    const { messages, requests } = this.#tables;
    const left = messages.where(({ requestId }) => requestId === id);
    if (left.some(({ size }) => size > 0)) return;
    const path = requests.get(id)?.path.split('?')[0];
    if (left.length === 0 && id !== newest) requests.delete(id);
    else requests.update(id, { path, headers: [], body: EMPTY, encoding: null, fingerprint: null });
  }

  requests({ after, upTo, limit }: Stretch): StoredRequestBytes[] {
    return this.#tables.requests
      .where(({ id }) => id > after && id <= upTo)
      .slice(0, limit)
      .map(bytesOf);
  }

  request(id: number): StoredRequestBytes | undefined {
    const request = this.#tables.requests.get(id);
    return request && bytesOf(request);
  }

  cut({ id, path, body, encoding, cutCalls }: CutRequest, _changes: Changes): void {
    this.#tables.requests.update(id, { path, body, encoding, fingerprint: null });
    if (cutCalls > 0) this.#tables.cuts.set(id, this.cutCalls(id) + cutCalls);
  }

  cutCalls(requestId: number): number {
    return this.#tables.cuts.get(requestId) ?? 0;
  }

  messages({ after, upTo, limit }: Stretch): SearchedMessage[] {
    return this.#tables.messages
      .where(({ id }) => id > after && id <= upTo)
      .slice(0, limit)
      .map(({ id, origin, type, userId, anonymousId, name }) => {
        return { id, origin, type, userId, anonymousId, name, wire: this.#tables.bodies.get(id)?.wire ?? null };
      });
  }

  replays({ after, upTo, limit }: Stretch): SearchedReplay[] {
    return this.#tables.replays
      .where(({ id, body }) => id > after && id <= upTo && body !== null)
      .slice(0, limit)
      .map(({ id, messageId, body }) => ({
        id,
        messageId,
        origin: this.#tables.messages.get(messageId)!.origin,
        body: body!,
      }));
  }

  results({ after, upTo, limit }: Stretch): SearchedResult[] {
    return this.#tables.attempts
      .where(({ id, result }) => id > after && id <= upTo && result !== null)
      .slice(0, limit)
      .flatMap(({ id, messageId, result, responseBody }) => {
        const origin = this.#tables.messages.get(messageId)?.origin;
        return origin === undefined ? [] : [{ id, messageId, origin, words: wordsOf(result!), body: responseBody }];
      });
  }

  overwrite(): void {}

  soil(): void {}

  isSoiled(): boolean {
    return false;
  }

  clean(): boolean {
    return true;
  }
}

const bytesOf = ({ id, path, body, encoding, writeKey, sourceId }: StoredRequest): StoredRequestBytes => ({
  id,
  path,
  body,
  encoding,
  isNotices: writeKey === null && sourceId !== null ? 1 : 0,
});
