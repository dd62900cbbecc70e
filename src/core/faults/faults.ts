/**
 * Stands before ingest and misbehaves as the rules say. While faults are off, a request costs one comparison. Rules
 * never see health checks, preflights or anything but ingest, so that nobody can lock themselves out.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../contract/config.ts';
import type { FaultReport, FaultRule, FaultsView } from '../../contract/faults.ts';
import { SUCCESS, withHeaders } from '../ingest/answers.ts';
import { corsHeaders } from '../ingest/cors.ts';
import type { IngestRequest, IngestResponse } from '../ingest/request.ts';
import type { RequestHandler } from '../ingest/server.ts';
import { type Header, headerPairs } from '../model/header.ts';
import type { Clock, Random, Timers } from '../ports.ts';
import type { SettingsOwner } from '../workspace/settings-owner.ts';
import { EMPTY, otherTypeAnswer, statusAnswer } from './answers.ts';
import { nameFromUserAgent } from './client-name.ts';
import { decide } from './decide.ts';
import { Draws, seededRandom } from './draws.ts';
import { FaultCounts } from './fault-counts.ts';
import {
  editedSettings,
  type FaultEdit,
  type FaultSettings,
  isActive,
  type NumberedRule,
  settingsOf,
} from './fault-settings.ts';
import { Holds } from './hold.ts';
import { reportOf } from './report.ts';
import { type HeadFacts, headFacts, type WholeFacts, wholeFacts } from './request-facts.ts';
import { type TriedRequest, Tries, type TryClient } from './tries.ts';

/** How long after the newest fault it notes tries, because retries may still come; real milliseconds. */
const WATCH_AFTER_MS = 15 * 60_000;

export interface FaultsParts {
  /** Ingest itself; never rejects. */
  handle(request: IngestRequest): Promise<IngestResponse>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  /** The stored setting, which may have any shape. */
  readonly stored: unknown;
  /** Saves what `edit` makes of the setting that is stored then. Resolves with it once it is committed. */
  save(edit: (stored: unknown) => FaultSettings): Promise<FaultSettings>;
  /** How many rows of this messageId the store has, without rejected ones. */
  rowsOf(messageId: string, writeKey: string | null): number;
  /** Called when something that clients see has changed. */
  changed(): void;
}

export class Faults implements RequestHandler, SettingsOwner {
  readonly #parts: FaultsParts;
  readonly #tries: Tries;
  readonly #holds: Holds;
  readonly #counts = new FaultCounts();
  #settings: FaultSettings;
  /** For a workspace that has none yet. */
  #newSeed: number | null = null;
  #draws: Draws;
  #active: boolean;
  #watchUntil = Number.NEGATIVE_INFINITY;
  #version = 0;

  constructor(parts: FaultsParts) {
    this.#parts = parts;
    this.#tries = new Tries(parts.clock);
    this.#holds = new Holds(parts.timers);
    this.#settings = this.#read(parts.stored);
    this.#draws = new Draws(seededRandom(this.#settings.seed));
    this.#active = isActive(this.#settings);
  }

  #read(stored: unknown): FaultSettings {
    return settingsOf(stored, () => {
      this.#newSeed ??= Math.floor(this.#parts.random.next() * 2 ** 32);
      return this.#newSeed;
    });
  }

  // What a person sets

  view(): FaultsView {
    const { on, seed, rules } = this.#settings;
    return {
      on,
      active: this.#active,
      seed,
      rules: rules.map((rule) => ({ ...rule, paths: [...rule.paths], hits: this.#counts.hitsOf(rule.id) })),
      done: this.#counts.newest(),
      hits: this.#counts.hits,
      version: this.#version,
    };
  }

  /**
   * Restarts sequences and counts when it gets rules or turns faults on. Error `no_fault_rules`. Starts from what is
   * stored, because another edit of the same turn may have come first.
   */
  async save(edit: FaultEdit): Promise<FaultsView> {
    this.#take(await this.#parts.save((stored) => editedSettings(this.#read(stored), edit)));
    return this.view();
  }

  /** Rules from a config file are on from the start, unless it says otherwise. */
  async take({ ingest = {} }: Config): Promise<void> {
    const { faults: rules, faultsOn, faultSeed: seed } = ingest;
    if (rules === undefined && faultsOn === undefined && seed === undefined) return;
    const hasRules = (rules ?? this.#settings.rules).length > 0;
    await this.save({ rules, seed, on: hasRules && (faultsOn ?? (rules !== undefined || this.#settings.on)) });
  }

  give(): Config {
    const { on, seed, rules } = this.#settings;
    return {
      ingest: { faults: rules.map((rule) => ({ ...rule, paths: [...rule.paths] })), faultsOn: on, faultSeed: seed },
    };
  }

  #take(settings: FaultSettings): void {
    this.#settings = settings;
    this.#draws = new Draws(seededRandom(settings.seed));
    this.#active = isActive(settings);
    if (!this.#active) this.release();
    this.#touch();
  }

  clear(): FaultsView {
    this.#counts.clear();
    this.#tries.clear();
    this.#touch();
    return this.view();
  }

  /** Error `fault_client_not_found`. */
  report(asked: { client?: string; from?: number; to?: number }): FaultReport {
    return reportOf(this.#tries, asked, {
      wall: this.#parts.clock.wall(),
      mono: this.#parts.clock.mono(),
      rowsOf: this.#parts.rowsOf,
    });
  }

  /** Releases every held request. */
  release(): void {
    this.#holds.release();
  }

  #touch(): void {
    this.#version += 1;
    this.#parts.changed();
  }

  // What requests get

  /** True when it has broken the connection off before the body was read. */
  takesHead(request: IncomingMessage): boolean {
    if (!this.#active || !this.#settings.rules.some(readsNoBody)) return false;
    const head = headFacts(request.method ?? '', request.url ?? '', headerPairs(request.rawHeaders));
    if (head === null) return false;
    const client = this.#tries.clientOfHead(head, nameFromUserAgent(head.userAgent));
    const rule = this.#decide(head, head.headKey, client, 'head');
    if (rule === null) return false;
    const tried = this.#tries.begin(client, { messageIds: null, retryCount: head.retryCount }, rule.action);
    resetNow(request.socket);
    this.#end(tried, 'reset', null);
    return true;
  }

  /** Never rejects. */
  async handle(request: IngestRequest): Promise<IngestResponse> {
    if (!this.#active && this.#parts.clock.mono() > this.#watchUntil) return this.#parts.handle(request);
    const head = headFacts(request.method, request.target, request.headers);
    if (head === null) return this.#parts.handle(request);
    const facts = wholeFacts(head, request);
    const client = this.#tries.clientOf(facts);
    const rule = this.#active ? this.#decide(facts, facts.writeKey, client, 'whole') : null;
    const tried = this.#tries.begin(client, facts, rule?.action ?? null);
    return rule === null ? this.#pass(request, tried) : this.#misbehave(rule, request, facts, tried);
  }

  #decide(head: HeadFacts, writeKey: string | null, client: TryClient, stage: 'head' | 'whole'): NumberedRule | null {
    const facts = { path: head.path, writeKey, stage, keyInHead: head.headKey !== null };
    // Both stages know this key, so that "the first of each client" counts the client once.
    const drawer = JSON.stringify([writeKey, head.userAgent]);
    const draw = (rule: NumberedRule) => this.#draws.next(rule.id, drawer);
    const rule = decide(facts, this.#settings.rules, draw);
    if (rule === null || (isHeld(rule) && this.#holds.full)) return null;
    this.#watchUntil = this.#parts.clock.mono() + WATCH_AFTER_MS;
    const { library, version, userAgent } = client;
    const name = library === '' ? userAgent : `${library} ${version}`.trim();
    this.#counts.add(rule.id, client.key, { client: name, writeKey: client.writeKey }, this.#parts.clock.wall());
    return rule;
  }

  async #pass(request: IngestRequest, tried: TriedRequest): Promise<IngestResponse> {
    const answer = await this.#parts.handle(request);
    tried.taken = answer.status === 200;
    this.#end(tried, 'answered', answer.status);
    return answer;
  }

  async #misbehave(
    rule: NumberedRule,
    request: IngestRequest,
    facts: WholeFacts,
    tried: TriedRequest,
  ): Promise<IngestResponse> {
    if (rule.action.kind === 'delay' && !rule.store) return this.#delayed(rule.action.ms, request, tried);
    let answer: IngestResponse | null = null;
    if (rule.store) {
      answer = await this.#parts.handle(request);
      tried.taken = answer.status === 200;
      // A request that ingest could not take must not look like one that it took.
      if (!tried.taken) {
        this.#end(tried, 'answered', answer.status);
        return answer;
      }
    }
    const cors = corsHeaders(facts.origin, () => false);
    return this.#faulty(rule.action, answer ?? withHeaders(SUCCESS, cors), cors, tried);
  }

  /** `usual` is the answer that a slow fault gives in the end. */
  #faulty(
    action: FaultRule['action'],
    usual: IngestResponse,
    cors: readonly Header[],
    tried: TriedRequest,
  ): IngestResponse {
    const at = this.#parts.clock.wall();
    switch (action.kind) {
      case 'status':
        return this.#whole(statusAnswer(action, at), cors, tried);
      case 'empty':
        return this.#whole(EMPTY, cors, tried);
      case 'content_type':
        return this.#whole(otherTypeAnswer(action.contentType), cors, tried);
      case 'reset':
        return this.#written((response) => {
          resetNow(response.socket);
          this.#end(tried, 'reset', null);
        });
      case 'stall':
        return this.#written((response) => {
          const close = () => {
            response.destroy();
            this.#end(tried, 'closed', null);
          };
          this.#holds.hold(response, action.ms, close, () => this.#end(tried, 'client_left', null));
        });
      case 'drip':
        return this.#written((response) => {
          const done = () => this.#end(tried, 'answered', usual.status);
          const left = () => this.#end(tried, 'client_left', null);
          this.#holds.drip(response, usual, action.bytesPerSecond, done, left);
        });
      case 'delay':
        return this.#written((response, send) => {
          const late = () => {
            send(usual);
            this.#end(tried, 'answered', usual.status);
          };
          this.#holds.hold(response, action.ms, late, () => this.#end(tried, 'client_left', null));
        });
    }
  }

  #whole(answer: IngestResponse, cors: readonly Header[], tried: TriedRequest): IngestResponse {
    this.#end(tried, 'answered', answer.status);
    return { ...answer, headers: [...answer.headers, ...cors] };
  }

  /** Waits, then takes the request as usual. If the client leaves meanwhile, the request is not taken. */
  #delayed(ms: number, request: IngestRequest, tried: TriedRequest): IngestResponse {
    return this.#written((response, send) => {
      const go = (): void => void this.#pass(request, tried).then(send);
      this.#holds.hold(response, ms, go, () => this.#end(tried, 'client_left', null));
    });
  }

  #written(write: NonNullable<IngestResponse['write']>): IngestResponse {
    return { status: 200, headers: [], body: '', write };
  }

  #end(tried: TriedRequest, ending: TriedRequest['ending'], status: number | null): void {
    this.#tries.end(tried, ending, status);
    this.#touch();
  }
}

/** A TLS socket cannot be reset, so it just closes. */
function resetNow(socket: Socket | null): void {
  try {
    socket?.resetAndDestroy();
  } catch {
    socket?.destroy();
  }
}

const readsNoBody = ({ on, action }: FaultRule): boolean => on && action.kind === 'reset' && action.when === 'before';
const isHeld = ({ action: { kind } }: FaultRule): boolean => kind === 'delay' || kind === 'stall' || kind === 'drip';
