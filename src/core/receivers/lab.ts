/**
 * The receivers as the engine knows them: the built-in set with a person's changes and additions, kept in the store,
 * and the worker that serves them. The worker starts after the engine is ready. Its problems are a state, never an
 * error of the engine (`lab-worker.ts`).
 */
import type { Config } from '../../contract/config.ts';
import { ContractError } from '../../contract/errors.ts';
import { RECEIVER_LIMITS } from '../../contract/receiver-limits.ts';
import type { HitDetail, ReceivedAttempt, ReceiversView, ReceiverView } from '../../contract/receivers.ts';
import type { SentAttempt } from '../model/wire-place.ts';
import type { Clock, Logger, WireRequest } from '../ports.ts';
import type { Changes, Writer } from '../store/ports/changes.ts';
import type { ReceiverStore, StoredReceiver } from '../store/ports/receivers.ts';
import type { SettingsOwner } from '../workspace/settings-owner.ts';
import { BUILT_IN, isBuiltIn } from './built-in.ts';
import { LabWorker, type ReceiverPorts } from './lab-worker.ts';
import type { HitPage } from './messages.ts';
import { positionOf, type Receiver, type Step } from './program.ts';
import { SentLog } from './sent-log.ts';
import { receiverIdOf, type Scheme } from './server.ts';
import { freeSlug } from './slug.ts';

export const DEFAULT_PORTS = { http: 8766, https: 8767 } as const;

export interface LabDeps {
  readonly store: ReceiverStore;
  /** The stored ports. */
  readonly ports: { read(): Partial<ReceiverPorts> | undefined; save(ports: ReceiverPorts, changes: Changes): void };
  readonly write: Writer['write'];
  readonly clock: Clock;
  readonly logger: Logger;
  /** The path of the worker; when absent, receivers are off. */
  readonly worker: string | URL | undefined;
  /** Used for this run in place of the stored ports. */
  readonly givenPorts: Partial<ReceiverPorts>;
  /** Null without a secret. */
  sharedSecret(): string | null;
  /** The names, in lower case, of webhook headers whose values are hidden. */
  secretHeaders(): ReadonlySet<string>;
  /** Called when something that clients see has changed in memory. */
  changed(): void;
}

/** What a person saves; without an `id`, a new receiver. */
export type ReceiverEdit = Omit<Receiver, 'id'> & { readonly id?: string };

export class ReceiversLab implements SettingsOwner {
  readonly #deps: LabDeps;
  #stored: readonly StoredReceiver<Step>[] = [];
  readonly #worker: LabWorker;
  readonly #sent = new SentLog();

  constructor(deps: LabDeps) {
    this.#deps = deps;
    this.#stored = this.#readStored();
    const { worker, logger } = deps;
    this.#worker = new LabWorker(
      {
        worker,
        logger,
        receivers: () => this.receivers,
        sharedSecret: () => deps.sharedSecret(),
        changed: () => deps.changed(),
      },
      this.#wantedPorts(),
    );
  }

  /** Only the lab saves steps, so they are what it saved. */
  #readStored(): readonly StoredReceiver<Step>[] {
    return this.#deps.store.all() as StoredReceiver<Step>[];
  }

  #wantedPorts(): ReceiverPorts {
    const stored = this.#deps.ports.read();
    const given = this.#deps.givenPorts;
    return {
      http: given.http ?? stored?.http ?? DEFAULT_PORTS.http,
      https: given.https ?? stored?.https ?? DEFAULT_PORTS.https,
    };
  }

  /** The built-in ones, then a person's own, oldest first. */
  get receivers(): readonly Receiver[] {
    const edited = (one: Receiver): Receiver => this.#stored.find(({ id }) => id === one.id) ?? one;
    return [...BUILT_IN.map(edited), ...this.#stored.filter(({ id }) => !isBuiltIn(id))];
  }

  // The worker

  /** Starts the worker and listens; resolves when both ports have a state. Never rejects. */
  start(): Promise<void> {
    return this.#worker.listen(this.#wantedPorts());
  }

  /** Ends every connection at once. Harmless when repeated. */
  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /** Listens on other ports, or tries again where it does not listen. Error `receivers_off`. */
  async listen(wanted: { readonly port?: number; readonly httpsPort?: number }): Promise<ReceiversView> {
    if (this.#deps.worker === undefined) throw new ContractError('receivers_off');
    const again = (scheme: Scheme): number | undefined =>
      this.#works(scheme) ? undefined : this.#worker.listeners[scheme].port;
    await this.#worker.listen({ http: wanted.port ?? again('http'), https: wanted.httpsPort ?? again('https') });
    await this.#keepPorts(wanted);
    return this.view();
  }

  #works(scheme: Scheme): boolean {
    return this.#worker.listeners[scheme].state === 'listening';
  }

  async #keepPorts({ port, httpsPort }: { readonly port?: number; readonly httpsPort?: number }): Promise<void> {
    if (port === undefined && httpsPort === undefined) return;
    const kept = { ...this.#deps.ports.read() };
    if (port !== undefined && this.#works('http')) kept.http = port;
    if (httpsPort !== undefined && this.#works('https')) kept.https = httpsPort;
    await this.#deps.write((changes) => this.#deps.ports.save({ ...DEFAULT_PORTS, ...kept }, changes));
  }

  /** The shared secret may have changed. */
  applySecret(): void {
    this.#worker.applySecret();
  }

  // What clients see

  view(): ReceiversView {
    const { http, https } = this.#worker.listeners;
    return { http, https, entries: this.receivers.map((receiver) => this.#viewOf(receiver)) };
  }

  #viewOf(receiver: Receiver): ReceiverView {
    const { id, name, tls, steps, check } = receiver;
    const state = this.#worker.state(id);
    return {
      id,
      name,
      builtIn: isBuiltIn(id),
      edited: isBuiltIn(id) && this.#stored.some((stored) => stored.id === id),
      tls,
      steps: steps.map(stepView),
      check: { ...check },
      url: this.urlOf(receiver),
      hits: state?.hits ?? 0,
      kept: state?.kept ?? 0,
      recent: [...(state?.recent ?? [])],
      position: state?.position ?? positionOf(steps, 0),
      verdict: state?.verdict ?? null,
    };
  }

  /** Null while nothing listens on its port. */
  urlOf({ id, tls }: Pick<Receiver, 'id' | 'tls'>): string | null {
    const { state, port } = this.#worker.listeners[tls ? 'https' : 'http'];
    return state === 'listening' ? `${tls ? 'https' : 'http'}://localhost:${port}/r/${id}` : null;
  }

  /** Error `receiver_not_found`. */
  get(id: string): Receiver {
    const found = this.receivers.find((receiver) => receiver.id === id);
    if (found === undefined) throw new ContractError('receiver_not_found');
    return found;
  }

  // A person's changes

  /** Errors `receiver_not_found`, `too_many_receivers`. */
  async save(edit: ReceiverEdit): Promise<ReceiverView> {
    if (edit.id !== undefined) this.get(edit.id);
    const id = await this.#change((changes) => {
      // Asks the store, because another edit of the same turn may have come first.
      const stored = this.#deps.store.all();
      const chosen = edit.id ?? this.#newId(edit.name, stored);
      const createdAt = stored.find((one) => one.id === chosen)?.createdAt ?? this.#deps.clock.wall();
      this.#deps.store.save({ ...edit, id: chosen, createdAt }, changes);
      return chosen;
    });
    return this.#viewOf(this.get(id));
  }

  #newId(name: string, stored: ReadonlyArray<{ readonly id: string }>): string {
    if (stored.filter(({ id }) => !isBuiltIn(id)).length >= RECEIVER_LIMITS.receivers)
      throw new ContractError('too_many_receivers');
    return freeSlug(name, (id) => isBuiltIn(id) || stored.some((one) => one.id === id));
  }

  /** Errors `receiver_not_found`, `receiver_built_in`. */
  async remove(id: string): Promise<void> {
    if (isBuiltIn(id)) throw new ContractError('receiver_built_in');
    if (!(await this.#change((changes) => this.#deps.store.remove(id, changes))))
      throw new ContractError('receiver_not_found');
  }

  /** Resets a built-in receiver. Error `receiver_not_found`. */
  async reset(id: string): Promise<ReceiverView> {
    if (!isBuiltIn(id)) throw new ContractError('receiver_not_found');
    await this.#change((changes) => this.#deps.store.remove(id, changes));
    return this.#viewOf(this.get(id));
  }

  async #change<T>(job: (changes: Changes) => T): Promise<T> {
    const value = await this.#deps.write(job);
    this.#stored = this.#readStored();
    this.#deps.changed();
    await this.#worker.configure();
    return value;
  }

  /** Takes over the config file's receivers and ports, before the start. Matched by id and added or changed. */
  async take({ receivers }: Config): Promise<void> {
    if (receivers === undefined) return;
    const { port, httpsPort, entries = [] } = receivers;
    const kept = { ...DEFAULT_PORTS, ...this.#deps.ports.read() };
    const ports = { http: port ?? kept.http, https: httpsPort ?? kept.https };
    const now = this.#deps.clock.wall();
    await this.#change((changes) => {
      if (port !== undefined || httpsPort !== undefined) this.#deps.ports.save(ports, changes);
      // They are listed by when they were made: a millisecond apart they keep the order of the file.
      for (const [i, { name, ...entry }] of entries.entries())
        this.#deps.store.save({ ...entry, name: name ?? entry.id, createdAt: now + i }, changes);
    });
    this.#worker.setPorts(this.#wantedPorts());
  }

  /** A built-in receiver that is as it came is left out. */
  give(): Config {
    const { http: port, https: httpsPort } = { ...DEFAULT_PORTS, ...this.#deps.ports.read() };
    const entries = this.#stored.map(({ id, name, tls, steps, check }) => {
      return { id, name, tls, steps: steps.map(stepView), check: { ...check } };
    });
    return { receivers: { port, httpsPort, entries } };
  }

  // Attempts and their requests

  /** A request of an attempt goes to the wire. Remembers it when it goes to a receiver. */
  noteSent({ attempt, message, limitMs }: SentAttempt, { path, bodyBytes, client, port, order }: WireRequest): void {
    const { http, https } = this.#worker.listeners;
    if ((port !== http.port && port !== https.port) || !LOOPBACK.test(client)) return;
    const receiver = receiverIdOf(path);
    if (receiver === undefined || !this.#has(receiver)) return;
    const place = { client, port, order };
    this.#sent.add({ attempt, message, receiver, place, bodyBytes, at: this.#deps.clock.wall(), limitMs });
  }

  #has(receiver: string): boolean {
    return isBuiltIn(receiver) || this.#stored.some(({ id }) => id === receiver);
  }

  /** The requests that an attempt sent to receivers. Error `receivers_off`. */
  ofAttempt(attempt: number): Promise<ReceivedAttempt[]> {
    return Promise.all(
      this.#sent.ofAttempt(attempt).map(async (sent) => {
        const hit = await this.#worker.ask('find', sent);
        const { receiver } = sent;
        return { receiver, name: this.receivers.find(({ id }) => id === receiver)?.name ?? receiver, hit };
      }),
    );
  }

  // What only the worker knows

  /** Errors `receiver_not_found`, `receivers_off`. */
  async restart(id: string): Promise<void> {
    this.get(id);
    await this.#worker.ask('restart', { id });
  }

  /** Errors as above. */
  async clear(id: string): Promise<void> {
    this.get(id);
    await this.#worker.ask('clear', { id });
  }

  /** Counts, or removes, what the logs keep about these users. 0 while the receivers do not run. */
  async erase(userIds: readonly string[], forGood: boolean): Promise<number> {
    return this.#worker.ask('erase', { userIds, forGood }).catch(() => 0);
  }

  /** Errors as above. */
  hits(id: string, before: number, limit: number): Promise<HitPage> {
    this.get(id);
    return this.#worker.ask('hits', { id, before, limit });
  }

  /** Errors as above, `hit_not_found` and `hit_of_log_before`. */
  async hit(id: string, hit: number): Promise<Omit<HitDetail, 'sender'> & { sent: ReturnType<SentLog['senderOf']> }> {
    this.get(id);
    const found = await this.#worker.ask('hit', { id, hit });
    if (found === null) throw new ContractError('hit_not_found');
    if (found === 'of_log_before') throw new ContractError('hit_of_log_before');
    return {
      ...found.hit,
      headers: headersOf(found.headers, this.#deps.secretHeaders()),
      bodyBase64: Buffer.from(found.body).toString('base64'),
      bodyCut: found.body.length < found.hit.bodyBytes,
      sent: this.#sent.senderOf({ ...found.hit, wire: found.wire }),
    };
  }
}

/** A sender on this machine: the only one that the receivers' ports take. */
const LOOPBACK = /^(127\.|::1:)/;

const stepView = ({ response, times, delayMs }: Step): ReceiverView['steps'][number] => ({
  response: structuredClone(response) as ReceiverView['steps'][number]['response'],
  times,
  delayMs,
});

const headersOf = (flat: readonly string[], secret: ReadonlySet<string>): HitDetail['headers'] =>
  Array.from({ length: flat.length / 2 }, (_unused, i) => {
    const [name, value] = [flat[2 * i]!, flat[2 * i + 1]!];
    return secret.has(name.toLowerCase()) ? { name, hiddenLength: value.length } : { name, value };
  });
