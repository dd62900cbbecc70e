/**
 * The newest tries and who made them, in memory only: a request that a fault answered is in no table. A try is one
 * messageId in one request, or a request without any; past 20,000 the oldest go, and past 200 clients the one that was
 * quiet longest.
 */
import { FAULT_LIMITS, type FaultAction, type TryEnding } from '../../contract/faults.ts';
import type { Clock } from '../ports.ts';
import type { ClientName } from './client-name.ts';
import type { HeadFacts, WholeFacts } from './request-facts.ts';

export interface TryClient {
  /** Stays while the client is known. */
  readonly key: string;
  library: string;
  version: string;
  readonly userAgent: string;
  readonly writeKey: string | null;
  requests: number;
  failed: number;
  /** Requests broken off before their body was read: in no message's tries. */
  unread: number;
  firstAt: number;
  lastAt: number;
}

/** One request; open while `ending` is. */
export interface TriedRequest {
  client: TryClient;
  readonly at: number;
  /** Monotonic times, in milliseconds. */
  readonly from: number;
  until: number;
  ending: TryEnding;
  status: number | null;
  readonly fault: FaultAction | null;
  readonly retryCount: number | null;
  /** Broken off before its body was read: it is in no message's tries. */
  readonly unread: boolean;
  /** Calls without a messageId, which are in no message's tries either. */
  readonly nameless: number;
  /** Whether its calls were taken by ingest. */
  taken: boolean;
}

export interface Try {
  /** Null of a request that brought none. */
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
  /** The newest client of each Basic key and User-Agent: all that is known of one before its body. */
  readonly #byHead = new Map<string, TryClient>();

  constructor(clock: Clock, max: number = FAULT_LIMITS.tries) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Newest first. */
  get clients(): TryClient[] {
    return [...this.#clients.values()].reverse();
  }

  /** Those of one client, oldest first. */
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

  /** Which client sent this, as far as the head says. */
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

  /** Who was only known by its head has told its name. */
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

  /** Once; what comes later is not heard. */
  end(request: TriedRequest, ending: TryEnding, status: number | null): void {
    if (request.ending !== 'open') return;
    request.until = this.#clock.mono();
    request.ending = ending;
    request.status = status;
    if (request.fault === null && status !== null && status >= 400) request.client.failed += 1;
  }
}

const headName = ({ headKey, userAgent }: HeadFacts): string => JSON.stringify([headKey, userAgent]);
