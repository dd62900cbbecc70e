/** Keeps the newest requests of every receiver, in memory and within bounds, until Hookbench stops. */
import { usersIn } from './hit-name.ts';
import type { ResponseKind } from './program.ts';
import { isSame, type SentRequest } from './same-request.ts';
import type { Verdict } from './signature-check.ts';

/** How many requests it keeps of each receiver. */
export const MAX_HITS = 1_000;
/** How many bytes it keeps of one body. */
export const MAX_KEPT_BODY = 64 * 1024;
/** How many bytes it keeps of all receivers together; the oldest go first. */
export const MAX_LOG_BYTES = 32 * 1024 * 1024;
/** What a row costs besides its body, path and headers, in bytes. */
const ROW_BYTES = 400;
export const MAX_RECENT = 20;

export interface Outcome {
  /** Null when no complete status line was sent. */
  readonly status: number | null;
  readonly answer: ResponseKind | 'signature' | 'limit';
}

export interface Hit extends Outcome {
  /** Grows with each arrival, across all receivers. */
  readonly id: number;
  readonly receiver: string;
  /** Wall time. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly type: string | null;
  readonly name: string;
  readonly verdict: Verdict | null;
  readonly reserialises: boolean | null;
  readonly bodyBytes: number;
  /** Null while it is being answered. */
  readonly durationMs: number | null;
  readonly gone: boolean;
}

export interface KeptHit {
  hit: Hit;
  /** Names and values as received, as JSON text: a tenth of the memory of the strings. */
  readonly headers: string;
  readonly body: Uint8Array;
  /** Its place on the wire, made by `wireKey`. */
  readonly wire: string;
  readonly bytes: number;
}

interface ReceiverLog {
  readonly kept: Map<number, KeptHit>;
  hits: number;
  recent: Array<Outcome & { readonly at: number; readonly id: number }>;
  verdict: Verdict | null;
}

export interface LogSummary {
  readonly hits: number;
  /** Requests that the log still holds. */
  readonly kept: number;
  readonly recent: ReadonlyArray<Outcome & { readonly at: number }>;
  readonly verdict: Verdict | null;
}

export class HitLog {
  readonly #maxBytes: number;
  readonly #byReceiver = new Map<string, ReceiverLog>();
  /** Every kept hit, oldest first. */
  readonly #all = new Map<number, KeptHit>();
  #bytes = 0;
  readonly #firstId: number;
  #lastId: number;

  /** `firstId` is above every id of the logs before, so that an old address never names another request. */
  constructor(maxBytes: number = MAX_LOG_BYTES, firstId = 1) {
    this.#maxBytes = maxBytes;
    this.#firstId = firstId;
    this.#lastId = firstId - 1;
  }

  /** The request is one of a log before this one, which ended with its process. */
  isOfLogBefore(id: number): boolean {
    return id < this.#firstId;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a request; `body` is copied up to {@link MAX_KEPT_BODY}. */
  add(hit: Omit<Hit, 'id'>, rawHeaders: readonly string[], body: Uint8Array, wire = ''): Hit {
    this.#lastId += 1;
    const headers = JSON.stringify(rawHeaders);
    const keptBody = Uint8Array.from(body.subarray(0, MAX_KEPT_BODY));
    const bytes = ROW_BYTES + headers.length + keptBody.length + hit.path.length + hit.name.length * 2 + wire.length;
    const kept: KeptHit = { hit: { ...hit, id: this.#lastId }, headers, body: keptBody, wire, bytes };
    const log = this.#logOf(hit.receiver);
    log.kept.set(kept.hit.id, kept);
    this.#all.set(kept.hit.id, kept);
    this.#bytes += bytes;
    log.hits += 1;
    log.recent.push({ id: kept.hit.id, status: hit.status, answer: hit.answer, at: hit.at });
    if (log.recent.length > MAX_RECENT) log.recent.shift();
    if (hit.verdict !== null) log.verdict = hit.verdict;
    if (log.kept.size > MAX_HITS) this.#drop(oldest(log.kept)!);
    while (this.#bytes > this.#maxBytes && this.#all.size > 1) this.#drop(oldest(this.#all)!);
    return kept.hit;
  }

  /** Records how the answer of a request ended; does nothing if the request is no longer kept. */
  finish(id: number, end: Pick<Hit, 'status' | 'durationMs' | 'gone'>): Hit | undefined {
    const kept = this.#all.get(id);
    if (kept === undefined) return undefined;
    kept.hit = { ...kept.hit, ...end };
    const log = this.#logOf(kept.hit.receiver);
    log.recent = log.recent.map((one) => (one.id === id ? { ...one, status: end.status } : one));
    return kept.hit;
  }

  /** Newest first, below `before`. */
  page(receiver: string, before: number, limit: number): { rows: Hit[]; kept: number; nextBefore: number | null } {
    const kept = this.#byReceiver.get(receiver)?.kept ?? new Map<number, KeptHit>();
    const older = [...kept.values()].filter(({ hit }) => hit.id < before);
    const rows = older
      .slice(-limit)
      .reverse()
      .map(({ hit }) => hit);
    return { rows, kept: kept.size, nextBefore: older.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
  }

  get(receiver: string, id: number): KeptHit | undefined {
    return this.#byReceiver.get(receiver)?.kept.get(id);
  }

  /** The request that an attempt sent. */
  find(sent: SentRequest): Hit | undefined {
    const kept = this.#byReceiver.get(sent.receiver)?.kept.values() ?? [];
    return [...kept].reverse().find(({ hit, wire }) => isSame(sent, { ...hit, wire }))?.hit;
  }

  summary(receiver: string): LogSummary {
    const log = this.#byReceiver.get(receiver);
    if (log === undefined) return { hits: 0, kept: 0, recent: [], verdict: null };
    const recent = log.recent.map(({ status, answer, at }) => ({ status, answer, at }));
    return { hits: log.hits, kept: log.kept.size, recent, verdict: log.verdict };
  }

  /** Forgets everything about a receiver. */
  clear(receiver: string): void {
    const log = this.#byReceiver.get(receiver);
    if (log === undefined) return;
    for (const kept of [...log.kept.values()]) this.#drop(kept);
    this.#byReceiver.delete(receiver);
  }

  /** The requests about these users, of all receivers; removes them when `forGood`. Notices of a deletion stay. */
  erase(userIds: ReadonlySet<string>, forGood: boolean): { entries: number; receivers: Set<string> } {
    const receivers = new Set<string>();
    let entries = 0;
    for (const kept of [...this.#all.values()]) {
      if (kept.hit.type === 'delete' || !isAbout(kept.body, userIds)) continue;
      entries += 1;
      receivers.add(kept.hit.receiver);
      if (forGood) this.#drop(kept);
    }
    return { entries, receivers };
  }

  #drop(kept: KeptHit): void {
    this.#all.delete(kept.hit.id);
    this.#byReceiver.get(kept.hit.receiver)?.kept.delete(kept.hit.id);
    this.#bytes -= kept.bytes;
  }

  #logOf(receiver: string): ReceiverLog {
    const known = this.#byReceiver.get(receiver);
    if (known !== undefined) return known;
    const made: ReceiverLog = { kept: new Map(), hits: 0, recent: [], verdict: null };
    this.#byReceiver.set(receiver, made);
    return made;
  }
}

const oldest = (kept: ReadonlyMap<number, KeptHit>): KeptHit | undefined => kept.values().next().value;

const isAbout = (body: Uint8Array, userIds: ReadonlySet<string>): boolean =>
  usersIn(Buffer.from(body)).some((userId) => userIds.has(userId));
