/**
 * The newest tries and the clients that made them. They are kept in memory only, because a request that a fault
 * answered is in no table. A try is one messageId in one request, or one request without any. Past 20,000 tries the
 * oldest go, and past 200 clients the one that was quiet longest.
 */
import { FAULT_LIMITS, type FaultAction, type TryEnding } from '../../contract/faults.ts';
import type { Clock } from '../ports.ts';
import type { ClientName } from './client-name.ts';
import type { HeadFacts, WholeFacts } from './request-facts.ts';

export interface TryClient {
  /** Does not change while the client is known. */
  readonly key: string;
  library: string;
  version: string;
  readonly userAgent: string;
  readonly writeKey: string | null;
  requests: number;
  failed: number;
  /** Requests that were broken off before their body was read. They belong to no message's tries. */
  unread: number;
  firstAt: number;
  lastAt: number;
}

/** One request. It is open until it has an `ending`. */
export interface TriedRequest {
  client: TryClient;
  readonly at: number;
  /** Monotonic time in milliseconds. */
  readonly from: number;
  until: number;
  ending: TryEnding;
  status: number | null;
  readonly fault: FaultAction | null;
  readonly retryCount: number | null;
  /** True when it was broken off before its body was read. It then belongs to no message's tries. */
  readonly unread: boolean;
  /** Calls without a messageId. They belong to no message's tries either. */
  readonly nameless: number;
  /** Whether ingest took its calls. */
  taken: boolean;
}

export interface Try {
  /** Null for a request without any. */
  readonly messageId: string | null;
  readonly request: TriedRequest;
}

export interface TriedFacts {
  readonly messageIds: readonly string[] | null;
  readonly retryCount: number | null;
  readonly nameless?: number;
}

export class Tries {
  readonly #clock: Clock;
  readonly #max: number;
  #ring: Try[] = [];
  #oldest = 0;
  readonly #clients = new Map<string, TryClient>();
  /** The newest client of each Basic key and User-Agent, which is all that is known before the body is read. */
  readonly #byHead = new Map<string, TryClient>();

  constructor(clock: Clock, max: number = FAULT_LIMITS.tries) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Newest first. */
  get clients(): TryClient[] {
    return [...this.#clients.values()].reverse();
  }

  /** The requests of one client, oldest first. */
  of(key: string): Try[] {
    const inOrder = [...this.#ring.slice(this.#oldest), ...this.#ring.slice(0, this.#oldest)];
    return inOrder.filter(({ request }) => request.client.key === key);
  }

  get size(): number {
    return this.#ring.length;
  }

  clear(): void {
    this.#ring = [];
    this.#oldest = 0;
    this.#clients.clear();
    this.#byHead.clear();
  }

  /** The client that sent this, as far as the head tells. */
  clientOfHead(head: HeadFacts, name: ClientName): TryClient {
    const known = this.#byHead.get(headName(head));
    return known !== undefined && this.#clients.has(known.key)
      ? this.#seen(known)
      : this.#client(head, head.headKey, name);
  }

  clientOf(facts: WholeFacts): TryClient {
    return this.#client(facts, facts.writeKey, facts.name);
  }

  #client(head: HeadFacts, writeKey: string | null, { library, version }: ClientName): TryClient {
    const key = JSON.stringify(library === '' ? [writeKey, head.userAgent] : [writeKey, library, version]);
    const at = this.#clock.wall();
    const client = this.#clients.get(key) ?? {
      key,
      library,
      version,
      userAgent: head.userAgent,
      writeKey,
      requests: 0,
      failed: 0,
      unread: 0,
      firstAt: at,
      lastAt: at,
    };
    this.#absorb(this.#byHead.get(headName(head)), client);
    this.#byHead.delete(headName(head));
    this.#byHead.set(headName(head), client);
    if (this.#byHead.size > FAULT_LIMITS.clients) this.#byHead.delete(this.#byHead.keys().next().value as string);
    return this.#seen(client);
  }

  /** A client that was known only by its head has told its name. */
  #absorb(nameless: TryClient | undefined, client: TryClient): void {
    if (nameless === undefined || nameless === client || nameless.unread < nameless.requests) return;
    this.#clients.delete(nameless.key);
    client.requests += nameless.requests;
    client.failed += nameless.failed;
    client.unread += nameless.unread;
    client.firstAt = Math.min(client.firstAt, nameless.firstAt);
    for (const { request } of this.#ring) if (request.client === nameless) request.client = client;
  }

  #seen(client: TryClient): TryClient {
    client.lastAt = this.#clock.wall();
    this.#clients.delete(client.key);
    this.#clients.set(client.key, client);
    if (this.#clients.size > FAULT_LIMITS.clients) this.#clients.delete(this.#clients.keys().next().value as string);
    return client;
  }

  /** `messageIds` is null when the body was not read. */
  begin(
    client: TryClient,
    { messageIds, retryCount, nameless = 0 }: TriedFacts,
    fault: FaultAction | null,
  ): TriedRequest {
    const from = this.#clock.mono();
    const at = this.#clock.wall();
    client.requests += 1;
    if (fault !== null) client.failed += 1;
    const request: TriedRequest = {
      client,
      at,
      from,
      until: from,
      ending: 'open',
      status: null,
      fault,
      retryCount,
      unread: messageIds === null,
      nameless,
      taken: false,
    };
    if (request.unread) client.unread += 1;
    const ids = messageIds ?? [];
    for (const messageId of ids.length === 0 ? [null] : ids) this.#add({ messageId, request });
    return request;
  }

  #add(one: Try): void {
    if (this.#ring.length < this.#max) this.#ring.push(one);
    else {
      this.#ring[this.#oldest] = one;
      this.#oldest = (this.#oldest + 1) % this.#max;
    }
  }

  /** Ends the request once; later calls do nothing. */
  end(request: TriedRequest, ending: TryEnding, status: number | null): void {
    if (request.ending !== 'open') return;
    request.until = this.#clock.mono();
    request.ending = ending;
    request.status = status;
    if (request.fault === null && status !== null && status >= 400) request.client.failed += 1;
  }
}

const headName = ({ headKey, userAgent }: HeadFacts): string => JSON.stringify([headKey, userAgent]);
