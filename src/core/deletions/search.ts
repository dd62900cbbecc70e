/**
 * Looks through the whole store after an erase, in steps. It cuts out what no message row led to (the bytes of calls that
 * came twice are stored with both requests, but have one row), and counts what still mentions one of the ids: calls of
 * other users, answers of receivers.
 */
import { cutCalls, decodedText, holdsCalls, withoutBytes } from '../ingest/cut-calls.ts';
import type { Timers } from '../ports.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { DeletionRecord, DeletionStore } from '../store/ports/deletions.ts';
import type { CutRequest, ErasureStore, StoredRequestBytes, Stretch } from '../store/ports/erasure.ts';
import type { AudienceRows, PeopleMemory } from './deps.ts';
import { isCallOf, type Users } from './eraser.ts';
import { Mentions } from './mentions.ts';

/** Rows of one step. A request has at most 500 KB, a message 32 KB. */
const REQUESTS = 20;
const MESSAGES = 100;
/** So many ids of messages are kept. */
const MAX_KEPT = 100;

export interface SearchDeps {
  readonly deletions: Pick<DeletionStore, 'progress' | 'get'>;
  readonly store: ErasureStore;
  readonly audiences: Pick<AudienceRows, 'look'>;
  readonly people: PeopleMemory;
  readonly write: Writer['write'];
  readonly timers: Pick<Timers, 'soon'>;
  isStopped(): boolean;
}

export interface Looked {
  bytes: number;
  found: number;
  readonly messages: Set<number>;
}

export class Search {
  readonly #deps: SearchDeps;
  readonly #deletion: DeletionRecord;
  readonly #users: Users;
  readonly #mentions: Mentions;
  readonly #looked: Looked = { bytes: 0, found: 0, messages: new Set() };

  constructor(deps: SearchDeps, deletion: DeletionRecord, users: Users) {
    this.#deps = deps;
    this.#deletion = deletion;
    this.#users = users;
    this.#mentions = new Mentions(users.keys());
  }

  /** Null when it was stopped before its end. */
  async run(): Promise<Looked | null> {
    const { store } = this.#deps;
    const { upTo, upToRequest } = this.#deletion;
    const lastAttempt = store.newestAttempt();
    await this.#walk(upToRequest, REQUESTS, (stretch) => this.#requests(stretch));
    await this.#walk(upTo, MESSAGES, (stretch) => this.#messages(stretch));
    await this.#walk(Number.MAX_SAFE_INTEGER, MESSAGES, (stretch) => this.#replays(stretch));
    await this.#walk(lastAttempt, MESSAGES, (stretch) => this.#results(stretch));
    if (this.#deps.isStopped()) return null;
    await this.#elsewhere();
    return this.#deps.isStopped() ? null : this.#looked;
  }

  /** What audiences keep, and what rules have in memory. */
  async #elsewhere(): Promise<void> {
    const { audiences, people } = this.#deps;
    const { bytes, rows } = await audiences.look((json) => this.#mentions.inText(json));
    this.#looked.bytes += bytes;
    this.#looked.found += rows + (await people.callsOf([...this.#users.keys()], this.#deletion.upTo));
  }

  /** `look` returns the ids of its rows. */
  async #walk(upTo: number, limit: number, look: (stretch: Stretch) => Promise<number[]> | number[]): Promise<void> {
    for (let after = 0; after < upTo && !this.#deps.isStopped(); ) {
      const ids = await look({ after, upTo, limit });
      if (ids.length < limit) return;
      after = ids.at(-1)!;
      await new Promise<void>((resolve) => this.#deps.timers.soon(resolve));
    }
  }

  async #requests(stretch: Stretch): Promise<number[]> {
    const rows = this.#deps.store.requests(stretch);
    const cuts: Array<CutRequest> = [];
    for (const request of rows) {
      this.#looked.bytes += request.body.length + request.path.length;
      if (request.isNotices === 1) continue;
      const shorter = this.#cutOf(request);
      if (shorter !== null) cuts.push({ id: request.id, ...shorter });
      if (this.#mentionedIn(shorter ?? request)) this.#looked.found += 1;
    }
    if (cuts.length > 0) await this.#deps.write((changes) => this.#cut(cuts, changes), 2 * cuts.length);
    return rows.map(({ id }) => id);
  }

  #mentionedIn(request: Omit<CutRequest, 'id' | 'cutCalls'>): boolean {
    return this.#mentions.inText(decodedText(request) ?? '');
  }

  /** What is left of a request; null when nothing has to be cut out. */
  #cutOf(request: StoredRequestBytes): Omit<CutRequest, 'id'> | null {
    const mayHold = this.#mentions.isSpeltManyWays || request.path.includes('?') || this.#mentionedIn(request);
    if (!mayHold) return null;
    const shorter = cutCalls(request, isCallOf(this.#users));
    // Bytes that are no calls cannot be cut: they go as a whole.
    if (shorter === null && this.#mentionedIn(request) && !holdsCalls(request)) return withoutBytes(request, 1);
    return shorter;
  }

  #cut(cuts: readonly CutRequest[], changes: Parameters<ErasureStore['cut']>[1]): void {
    const { store, deletions } = this.#deps;
    for (const cut of cuts) store.cut(cut, changes);
    const { id } = this.#deletion;
    const { erased } = deletions.get(id)!;
    const cutCalls = erased.cutCalls + cuts.reduce((sum, one) => sum + one.cutCalls, 0);
    deletions.progress(id, { erased: { ...erased, cutCalls } }, changes);
  }

  #messages(stretch: Stretch): number[] {
    const rows = this.#deps.store.messages(stretch);
    for (const { id, origin, userId, anonymousId, name, wire } of rows) {
      this.#looked.bytes += wire?.length ?? 0;
      if (origin === 'deletion') continue;
      const inColumns = this.#mentions.has(userId) || this.#mentions.has(anonymousId) || this.#mentions.inName(name);
      if (inColumns || (wire !== null && this.#mentions.inText(textOf(wire)))) this.#found(id);
    }
    return rows.map(({ id }) => id);
  }

  /** Bodies that a person edited may name anyone. */
  #replays(stretch: Stretch): number[] {
    const rows = this.#deps.store.replays(stretch);
    for (const { messageId, origin, body } of rows) {
      this.#looked.bytes += body.length;
      if (origin !== 'deletion' && this.#mentions.inText(textOf(body))) this.#found(messageId);
    }
    return rows.map(({ id }) => id);
  }

  #results(stretch: Stretch): number[] {
    const rows = this.#deps.store.results(stretch);
    for (const { messageId, origin, words, body } of rows) {
      this.#looked.bytes += words.length + (body?.length ?? 0);
      if (origin === 'deletion') continue;
      if (this.#mentions.inText(words) || (body !== null && this.#mentions.inText(textOf(body))))
        this.#found(messageId);
    }
    return rows.map(({ id }) => id);
  }

  #found(messageId: number): void {
    const { messages } = this.#looked;
    if (messages.has(messageId)) return;
    this.#looked.found += 1;
    if (messages.size < MAX_KEPT) messages.add(messageId);
  }
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
