/**
 * Segment's HTTP API on localhost: one request in, its calls committed, one answer out (decisions, Ingest).
 * A 200 goes out only after the store has confirmed that everything is on disk.
 */

import { idText, type JsonObject } from '../model/call.ts';
import type { NewMessage, NewRequest, Source, StoredMessage } from '../model/records.ts';
import { formatTimestamp } from '../model/timestamp.ts';
import { annotated } from './annotate.ts';
import {
  type Answer,
  errorAnswer,
  internalError,
  notWritable,
  SUCCESS,
  storageFull,
  withHeaders,
  wrongMethodOrPath,
} from './answers.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { cutCalls } from './cut-calls.ts';
import { PIXEL_GIF } from './pixel.ts';
import { type IngestParts, StoreNotWritableError } from './ports.ts';
import { type PrepareFields, prepareCalls, rejectedRow, textsOf } from './prepare.ts';
import { answerFor, answerForNoCalls, correctionOf, type Received, recordOf, refusalFor } from './received.ts';
import { factsOf, type IngestRequest, type IngestResponse, plainAddress, refusalOf } from './request.ts';
import { type Route, routeOf } from './routes.ts';
import { ServiceRoutes } from './service-routes.ts';
import { SourceFinder } from './sources.ts';
import { type CallRoute, type Calls, type NoCalls, overflowed, splitCalls } from './split.ts';
import { basicUser } from './write-key.ts';

/** A stored request, as {@link NewRequest} kept it. */
export type HeldRequest = Pick<
  NewRequest,
  'receivedAt' | 'method' | 'path' | 'headers' | 'body' | 'encoding' | 'writeKey'
>;

export interface Reingested {
  readonly request: NewRequest;
  readonly messages: readonly NewMessage[];
  readonly stored: readonly StoredMessage[];
}

export interface Ingest {
  /** Never rejects. */
  handle(request: IngestRequest): Promise<IngestResponse>;
  /**
   * Ingests a request again that was held because its key had no source, and stores it as a new request with the
   * original receive time. Null, with nothing stored, if its key still has no source or the request holds no calls.
   * The caller removes the held request. Rejects when the store rejects.
   */
  reingest(held: HeldRequest): Promise<Reingested | null>;
}

export function createIngest(parts: IngestParts): Ingest {
  return new SegmentIngest(parts);
}

class SegmentIngest implements Ingest {
  readonly #parts: IngestParts;
  readonly #sources: SourceFinder;
  readonly #services: ServiceRoutes;

  constructor(parts: IngestParts) {
    this.#parts = parts;
    this.#sources = new SourceFinder(parts.workspace, parts.logger);
    this.#services = new ServiceRoutes(parts);
  }

  async handle(request: IngestRequest): Promise<IngestResponse> {
    const facts = factsOf(request.headers);
    const cors = corsHeaders(facts.origin, (origin) => this.#parts.workspace.allowsOrigin?.(origin) ?? false);
    const refusal = refusalOf(request.target, facts.hosts);
    if (refusal !== null) return withHeaders(errorAnswer(400, 'invalid_request', refusal), cors);
    if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders(cors), body: '' };
    const route = routeOf(request.target);
    const wrong = wrongMethodOrPath(route, request.method);
    if (wrong !== null) return withHeaders(wrong, cors);
    try {
      return withHeaders(await this.#answer(route, request, facts.authorization, facts.encoding), cors);
    } catch (error) {
      this.#parts.logger.log('error', 'ingest_failed', { message: (error as Error).message });
      return withHeaders(internalError(), cors);
    }
  }

  #answer(
    route: Route,
    request: IngestRequest,
    authorization: string | null,
    encoding: string | null,
  ): Promise<Answer> | Answer {
    switch (route.kind) {
      case 'call':
      case 'batch':
        return this.#take(route, request, authorization, encoding);
      case 'pixel':
        return this.#takePixel(route, request, authorization);
      case 'unknown':
        return internalError();
      default:
        return this.#services.answer(route, request, { encoding, authorization });
    }
  }

  /** Always answers with an image, because the page shows it. */
  async #takePixel(route: CallRoute, request: IngestRequest, authorization: string | null): Promise<Answer> {
    try {
      await this.#take(route, request, authorization, null);
    } catch (error) {
      this.#parts.logger.log('error', 'ingest_failed', { message: (error as Error).message });
    }
    return {
      status: 200,
      code: null,
      body: PIXEL_GIF,
      headers: [
        ['Content-Type', 'image/gif'],
        ['Cache-Control', 'no-store'],
      ],
    };
  }

  async #take(
    route: CallRoute,
    request: IngestRequest,
    authorization: string | null,
    encoding: string | null,
  ): Promise<Answer> {
    const receivedAt = this.#parts.clock.wall();
    const { target, body } = request;
    if (this.#parts.store.full?.() === true) return this.#refuseForRoom();
    const split = request.overflow ? overflowed(request.overflow.bytes) : splitCalls({ route, target, body, encoding });
    const writeKey = basicUser(authorization) ?? split.writeKey;
    const received: Received = { route, request, receivedAt, encoding, writeKey };
    return split.ok ? await this.#takeCalls(split, received) : await this.#recordNoCalls(split, received);
  }

  #refuseForRoom(): Answer {
    const answer = storageFull();
    this.#parts.observer.answered({ status: answer.status, code: answer.code, calls: 0, rejected: 0 });
    return answer;
  }

  async #takeCalls(split: Calls, received: Received): Promise<Answer> {
    const settings = this.#parts.workspace.settings();
    const source = this.#sources.find(received.writeKey) ?? (await this.#sources.make(received.writeKey));
    const messages = this.#prepare(split, received, source);
    const answer = answerFor(messages, settings);
    const newRequest = this.#withoutSuppressed(recordOf(received, split.decodedBytes, source, answer), messages);
    try {
      await this.#commit(newRequest, messages, settings.dedupe);
    } catch (error) {
      return this.#notStored(error, messages.length);
    }
    this.#report(answer, messages);
    return answer;
  }

  /** A request without calls leaves one rejected row, so that a person sees it. */
  async #recordNoCalls(split: NoCalls, received: Received): Promise<Answer> {
    const settings = this.#parts.workspace.settings();
    const source = this.#sources.find(received.writeKey);
    const answer = answerForNoCalls(split, source, received.writeKey, settings);
    const { rejection, decodedBytes } = split;
    const row = rejectedRow(rejection, 0, decodedBytes, 'sdk', this.#parts.ids.uuid());
    try {
      await this.#commit(recordOf(received, decodedBytes, source, answer), [row], false);
    } catch (error) {
      // A 200 promises "stored or recorded", so it must not go out. A 400 is still true.
      if (answer.status === 200) return this.#notStored(error, 0);
      this.#parts.logger.log('warn', 'rejection_not_recorded', { message: (error as Error).message });
    }
    this.#report(answer, [row]);
    return answer;
  }

  #prepare(split: Calls, received: Received, source: Source | undefined): readonly NewMessage[] {
    const destination = this.#parts.workspace.destination();
    const ip = plainAddress(received.request.remote);
    const texts = textsOf(split.calls);
    const fields: PrepareFields = {
      receivedAt: received.receivedAt,
      receivedAtText: formatTimestamp(received.receivedAt),
      batch: split.batch,
      ip,
      correction: correctionOf(received.route, this.#parts.workspace.settings()),
      knownContext: source === undefined || source.kind === 'server' ? NOTHING_KNOWN : { ip },
      origin: 'sdk',
      type: split.type,
      suppressed: this.#parts.workspace.suppressed?.() ?? NOBODY,
      refusal: refusalFor(source, received.writeKey),
      switches: {
        destinationEnabled: destination.enabled,
        sourceWebhooks: source?.webhooks ?? false,
        sourceName: source?.name ?? '',
        webhookCount: destination.webhookCount,
        eventsOff: source?.eventsOff ?? NO_EVENTS,
      },
      body: destination.body,
      newId: () => this.#parts.ids.uuid(),
    };
    return annotated(prepareCalls(split.calls, fields, texts), split, texts);
  }

  /** Of a suppressed user's call only its row is stored. */
  #withoutSuppressed(request: NewRequest, messages: readonly NewMessage[]): NewRequest {
    const suppressed = this.#parts.workspace.suppressed?.() ?? NOBODY;
    if (suppressed.size === 0 || !messages.some(({ reason }) => reason === 'user_suppressed')) return request;
    const cut = cutCalls(request, ({ userId }) => suppressed.has(idText(userId) ?? ''));
    return cut === null ? request : { ...request, ...cut };
  }

  async #commit(
    request: NewRequest,
    messages: readonly NewMessage[],
    dedupe: boolean,
  ): Promise<readonly StoredMessage[]> {
    const arrived = { request, messages, dedupe, dueAt: this.#parts.clockNow() };
    const stored = await this.#parts.store.storeRequest(arrived);
    try {
      this.#parts.observer.stored({ ...arrived, stored });
    } catch (error) {
      // The request is committed, so an observer that throws must not make the client send it again.
      this.#parts.logger.log('error', 'ingest_observer_failed', { message: (error as Error).message });
    }
    return stored;
  }

  #notStored(error: unknown, calls: number): Answer {
    this.#parts.logger.log('error', 'request_not_stored', { message: (error as Error).message });
    const answer = error instanceof StoreNotWritableError ? notWritable() : internalError();
    this.#parts.observer.answered({ status: answer.status, code: answer.code, calls, rejected: 0 });
    return answer;
  }

  #report(answer: Answer, messages: readonly NewMessage[]): void {
    let rejected = 0;
    for (const message of messages) if (message.state === 'rejected') rejected += 1;
    this.#parts.observer.answered({ status: answer.status, code: answer.code, calls: messages.length, rejected });
  }

  async reingest(held: HeldRequest): Promise<Reingested | null> {
    const route = routeOf(held.path);
    if (route.kind !== 'call' && route.kind !== 'batch' && route.kind !== 'pixel') return null;
    const source = this.#sources.find(held.writeKey);
    if (source === undefined) return null;
    const split = splitCalls({ route, target: held.path, body: held.body, encoding: held.encoding });
    if (!split.ok) return null;
    const request: IngestRequest = { ...held, target: held.path, remote: null };
    const received: Received = {
      route,
      request,
      receivedAt: held.receivedAt,
      encoding: held.encoding,
      writeKey: held.writeKey,
    };
    const messages = this.#prepare(split, received, source);
    const newRequest = this.#withoutSuppressed(recordOf(received, split.decodedBytes, source, SUCCESS), messages);
    const stored = await this.#commit(newRequest, messages, this.#parts.workspace.settings().dedupe);
    return { request: newRequest, messages, stored };
  }
}

/** The connection of a server says nothing about the user whose call it sends. */
const NOTHING_KNOWN: JsonObject = {};
const NO_EVENTS: ReadonlySet<string> = new Set();
const NOBODY: ReadonlySet<string> = new Set();
