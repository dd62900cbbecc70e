import type { NewMessage, NewRequest, StoredMessage } from '../../../src/core/model/records.ts';
import { keepRequestHeaders } from '../../../src/core/model/static-headers.ts';
import type { MessageRecord, RequestRecord } from '../../../src/core/model/stored.ts';
import { EMPTY_CELLS } from '../../../src/core/model/vocabulary.ts';
import type { Changes, Writer } from '../../../src/core/store/ports/changes.ts';
import {
  type AlsoWritten,
  type Arrived,
  DEDUPE_MS,
  type HeldStore,
  type IngestStore,
  MAX_HELD_CALLS,
} from '../../../src/core/store/ports/ingest.ts';
import { requestOf } from './details.ts';
import { MemorySuppressions } from './suppressions.ts';
import type { StoredRequest, Tables } from './tables.ts';

const isHeld = ({ state, reason }: MessageRecord): boolean => state === 'rejected' && reason === 'unknown_source';
const textOf = ({ fingerprint = null }: NewRequest): string | null =>
  fingerprint === null ? null : Buffer.from(fingerprint).toString('hex');

export class MemoryIngest implements IngestStore {
  readonly #tables: Tables;
  readonly #writer: Writer;
  readonly #held: MemoryHeld;
  readonly #suppressions: MemorySuppressions;

  constructor(tables: Tables, writer: Writer) {
    this.#tables = tables;
    this.#writer = writer;
    this.#held = new MemoryHeld(tables);
    this.#suppressions = new MemorySuppressions(tables);
  }

  storeRequest(arrived: Arrived, also?: AlsoWritten): Promise<readonly StoredMessage[]> {
    return this.#writer.write((changes) => {
      const stored = this.storeIn(arrived, changes);
      also?.(stored, changes);
      return stored;
    });
  }

  storeIn(arrived: Arrived, changes: Changes): readonly StoredMessage[] {
    const refused = this.#refusedBefore(arrived.request);
    let requestId: number | null = null;
    const stored = arrived.messages.map((message) => {
      const first = this.#firstOf(arrived, message, refused);
      if (first !== undefined) return this.#count(first, changes);
      requestId ??= this.#insertRequest(arrived.request);
      return this.#insert(arrived, message, requestId, changes);
    });
    this.#held.prune(changes);
    for (const { reason, reasonDetail } of arrived.messages)
      if (reason === 'user_suppressed') this.#suppressions.hit(reasonDetail!, arrived.request.receivedAt);
    return stored;
  }

  #refusedBefore(request: NewRequest): StoredRequest | undefined {
    const fingerprint = textOf(request);
    const since = request.receivedAt - DEDUPE_MS;
    if (fingerprint === null) return undefined;
    return this.#tables.requests.where((one) => one.fingerprint === fingerprint && one.receivedAt > since).at(-1);
  }

  #firstOf(
    { request, dedupe }: Arrived,
    message: NewMessage,
    refused: StoredRequest | undefined,
  ): MessageRecord | undefined {
    const rows = this.#tables.messages;
    if (message.state === 'rejected')
      return rows.where(
        (row) =>
          row.requestId === refused?.id &&
          row.state === 'rejected' &&
          row.position === message.position &&
          row.reason === message.reason,
      )[0];
    if (!dedupe) return undefined;
    return this.#rowsWith(message.messageId, request.sourceId).find(
      ({ receivedAt }) => receivedAt > request.receivedAt - DEDUPE_MS,
    );
  }

  #rowsWith(messageId: string, sourceId: number | null): MessageRecord[] {
    return this.#tables.messages.where(
      (row) => row.messageId === messageId && row.sourceId === sourceId && row.state !== 'rejected',
    );
  }

  #count({ id, repeats }: MessageRecord, changes: Changes): StoredMessage {
    this.#tables.messages.update(id, { repeats: repeats + 1 });
    changes.messages.add(id);
    return { id, duplicate: true };
  }

  #insertRequest({ fingerprint, cutCalls, ...request }: NewRequest): number {
    const id = this.#tables.requests.nextId();
    if (cutCalls !== undefined) this.#tables.cuts.set(id, cutCalls);
    const headers = keepRequestHeaders(request.headers);
    this.#tables.requests.set(id, { ...request, id, headers, fingerprint: textOf({ fingerprint, ...request }) });
    return id;
  }

  #insert({ request, dueAt }: Arrived, message: NewMessage, requestId: number, changes: Changes): StoredMessage {
    const { sourceId, receivedAt } = request;
    const { wire, ...call } = message;
    const id = this.#tables.messages.nextId();
    const isQueued = call.state === 'queued';
    const untried = { round: 0, firstAttemptAt: null, windowEndsAt: null, cells: EMPTY_CELLS, repeats: 0, replays: 0 };
    const times = { receivedAt, nextDueAt: isQueued ? dueAt : null, finishedAt: isQueued ? null : receivedAt };
    this.#tables.messages.set(id, { ...call, ...untried, ...times, id, sourceId, requestId });
    if (wire !== null) this.#tables.bodies.set(id, { wire, isSound: true });
    changes.insertedMessage(id, call.state);
    return { id, duplicate: false };
  }

  rowsOf(messageId: string, sourceId: number | undefined): number {
    return Math.min(100, this.#rowsWith(messageId, sourceId ?? null).length);
  }

  hasMessage(messageId: string): boolean {
    return this.#tables.messages.where((row) => row.messageId === messageId && row.state !== 'rejected').length > 0;
  }
}

export class MemoryHeld implements HeldStore {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  requestsOf(writeKey: string): RequestRecord[] {
    return this.#tables.requests
      .where((request) => request.writeKey === writeKey && this.messagesOf(request.id).length > 0)
      .map(requestOf);
  }

  messagesOf(requestId: number): number[] {
    return this.#all()
      .filter((message) => message.requestId === requestId)
      .map(({ id }) => id);
  }

  remove(ids: readonly number[], changes: Changes): void {
    for (const message of this.#all().filter(({ id }) => ids.includes(id))) this.#remove(message, changes);
  }

  prune(changes: Changes): void {
    for (const message of this.#all().slice(0, -MAX_HELD_CALLS)) this.#remove(message, changes);
  }

  #all(): MessageRecord[] {
    return this.#tables.messages.where(isHeld);
  }

  /** The newest request stays, as every newest row does. */
  #remove({ id, requestId }: MessageRecord, changes: Changes): void {
    const { messages, requests } = this.#tables;
    messages.delete(id);
    changes.removedMessage(id, 'rejected');
    const isEmpty = messages.where((message) => message.requestId === requestId).length === 0;
    if (isEmpty && requests.all().at(-1)!.id !== requestId) requests.delete(requestId);
  }
}
