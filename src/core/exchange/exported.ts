/** A stored message as exports show it: everything that is known of it, without secrets. */

import type { Header } from '../model/header.ts';
import type { Note } from '../model/message.ts';
import type { KeptHeader } from '../model/static-headers.ts';
import type { AttemptRecord, MessageRecord, RequestRecord } from '../model/stored.ts';
import type { SentBody } from '../model/vocabulary.ts';
import type { DetailStore } from '../store/ports/details.ts';
import type { ReplayStore } from '../store/ports/replays.ts';
import { ownBody } from './own-body.ts';
import { withoutSecrets } from './secrets-gone.ts';
import { decodeUtf8 } from './utf8.ts';

export interface ExportedHeader {
  readonly name: string;
  readonly value?: string;
  /** In place of a secret value. */
  readonly hiddenLength?: number;
}

/** Bytes: as text when they are UTF-8. */
export type ExportedBytes =
  | { readonly body: string }
  | { readonly bodyBase64: string }
  /** Why there are none. */
  | { readonly bodyLeftOut: 'not_kept' | 'too_much' | 'masked' };

export type ExportedRequest = ExportedBytes & {
  readonly method: string;
  /** Without its query, which may hold a write key. */
  readonly path: string;
  /** Only when the body is still encoded, because it could not be decoded. */
  readonly encoding?: string;
  readonly status: number;
  readonly headers: readonly ExportedHeader[];
};

export interface ExportedAttempt {
  readonly webhook: string;
  readonly slot: number;
  readonly url: string;
  readonly round: number;
  /** Null for an attempt of a round; else what its replay sent: the delivered body, the request's, or `sentBody`. */
  readonly replay: SentBody | null;
  /** Of an edited replay. */
  readonly sentBody?: ExportedBytes;
  readonly startedAt: string;
  readonly outcome: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly status: number | null;
  readonly statusText: string;
  readonly durationMs: number | null;
  /** Queue, DNS, TCP, TLS, certificate, send, wait, read; milliseconds or null. */
  readonly phases: readonly (number | null)[];
  readonly requestHeaders: readonly ExportedHeader[];
  readonly responseHeaders: readonly ExportedHeader[];
  readonly response: ExportedBytes;
  readonly responseBytes: number;
  readonly responseCut: boolean;
}

export interface Exported {
  readonly messageId: string;
  readonly type: string;
  readonly name: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly origin: string;
  readonly source: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly reasonDetail: string | null;
  readonly receivedAt: string;
  readonly size: number;
  readonly repeats: number;
  readonly replays: number;
  readonly notes: readonly Note[];
  /** With the call of this message alone. Null when it is not stored any more. */
  readonly request: ExportedRequest | null;
  /** The body that webhooks get; null when the call was rejected. */
  readonly delivered: string | null;
  readonly attempts: readonly ExportedAttempt[];
  /** Further attempts, which are not written. */
  readonly attemptsLeftOut: number;
}

export interface ReadDeps {
  readonly details: Pick<DetailStore, 'request' | 'wire' | 'attemptsOf' | 'responseBody' | 'replaysOf'>;
  readonly replays: Pick<ReplayStore, 'bodyOf'>;
  sourceName(id: number | null): string | null;
  /** Those of now, in clear. */
  secrets(): readonly string[];
}

/** More attempts than this are counted and not written, so that one message has bounds. */
const MAX_ATTEMPTS = 200;
/** All answers of one message together; the bodies of further ones are left out. */
const MAX_RESPONSE_BYTES = 256 * 1024;

export function exportedMessage(
  { details, replays, sourceName, secrets }: ReadDeps,
  message: MessageRecord,
  signatures: boolean,
): Exported {
  const request = details.request(message.requestId);
  const wire = details.wire(message.id);
  const attempts = details.attemptsOf(message.id);
  const responses = new Responses(details);
  const sentBy = new Map(message.replays === 0 ? [] : details.replaysOf(message.id).map(({ id, sent }) => [id, sent]));
  const replayOf = ({ replayId }: AttemptRecord) => {
    if (replayId === null) return { replay: null };
    const replay = sentBy.get(replayId) ?? 'delivered';
    return replay === 'edited' ? { replay, sentBody: editedBody(replays.bodyOf(replayId)) } : { replay };
  };
  const exported: Exported = {
    messageId: message.messageId,
    type: message.type,
    name: message.name,
    userId: message.userId,
    anonymousId: message.anonymousId,
    origin: message.origin,
    source: sourceName(message.sourceId),
    state: message.state,
    reason: message.reason,
    reasonDetail: message.reasonDetail,
    receivedAt: isoTime(message.receivedAt),
    size: message.size,
    repeats: message.repeats,
    replays: message.replays,
    notes: message.notes,
    request: request === undefined ? null : exportedRequest(request, message.position),
    delivered: wire === null ? null : Buffer.from(wire).toString('utf8'),
    attempts: attempts
      .slice(0, MAX_ATTEMPTS)
      .map((attempt) => ({ ...exportedAttempt(attempt, responses, signatures), ...replayOf(attempt) })),
    attemptsLeftOut: Math.max(0, attempts.length - MAX_ATTEMPTS),
  };
  return withoutSecrets(exported, secrets(), signatures ? [] : digestsOf(attempts));
}

const isSignature = ([name]: KeptHeader): boolean => name.toLowerCase() === 'x-signature';

const digestsOf = (attempts: readonly AttemptRecord[]): string[] => [
  ...new Set(
    attempts.flatMap(({ result }) =>
      (result?.requestHeaders ?? []).filter(isSignature).flatMap(([, value]) => value ?? []),
    ),
  ),
];

const editedBody = (bytes: Uint8Array | null): ExportedBytes =>
  bytes === null ? { bodyLeftOut: 'not_kept' } : exportedBytes(bytes);

const isoTime = (at: number): string => new Date(at).toISOString();

function exportedRequest(request: RequestRecord, position: number): ExportedRequest {
  const { path, encoding, ...body } = ownBody(request, position);
  // A body that was decoded has no coding any more, and one whose other calls were taken out another length.
  const gone = new Set(encoding === null ? ['content-encoding', 'content-length'] : []);
  const headers = request.headers.filter(([name]) => !gone.has(name.toLowerCase())).map(requestHeader);
  const { method, status } = request;
  return { method, path, ...(encoding !== null && { encoding }), status, headers, ...body };
}

/** The store shows a write key; a file that may travel does not. */
function requestHeader(header: KeptHeader): ExportedHeader {
  return header[0].toLowerCase() === 'authorization' ? hidden(header) : shown(header);
}

const shown = (header: KeptHeader | Header): ExportedHeader =>
  header[1] === null ? hidden(header) : { name: header[0], value: header[1] };

const hidden = (header: KeptHeader): ExportedHeader => ({
  name: header[0],
  hiddenLength: header[1] === null ? header[2] : header[1].length,
});

function exportedAttempt(
  attempt: AttemptRecord,
  responses: Responses,
  signatures: boolean,
): Omit<ExportedAttempt, 'replay' | 'sentBody'> {
  const { result } = attempt;
  const isHidden = (header: KeptHeader): boolean => !signatures && isSignature(header);
  return {
    webhook: attempt.webhookName,
    slot: attempt.slot,
    url: withoutUser(attempt.url),
    round: attempt.round,
    startedAt: isoTime(attempt.startedAt),
    outcome: attempt.outcome,
    reason: result?.reason ?? null,
    detail: result?.detail ?? null,
    status: attempt.status,
    statusText: result?.statusText ?? '',
    durationMs: attempt.durationMs,
    phases: result?.phases ?? [],
    requestHeaders: (result?.requestHeaders ?? []).map((one) => (isHidden(one) ? hidden(one) : shown(one))),
    responseHeaders: (result?.responseHeaders ?? []).map(shown),
    response: responses.of(attempt.id),
    responseBytes: result?.responseBytes ?? 0,
    responseCut: result?.responseCut ?? false,
  };
}

/** A URL may name a user and a password. */
const withoutUser = (url: string): string => url.replace(/^(https?:\/\/)[^/?#]*@/i, '$1');

/** The answers of one message, as many as there is room for. */
class Responses {
  readonly #details: Pick<DetailStore, 'responseBody'>;
  #room = MAX_RESPONSE_BYTES;

  constructor(details: Pick<DetailStore, 'responseBody'>) {
    this.#details = details;
  }

  of(attemptId: number): ExportedBytes {
    const bytes = this.#details.responseBody(attemptId);
    if (bytes === null) return { bodyLeftOut: 'not_kept' };
    if (bytes.length > this.#room) return { bodyLeftOut: 'too_much' };
    this.#room -= bytes.length;
    return exportedBytes(bytes);
  }
}

export function exportedBytes(bytes: Uint8Array): ExportedBytes {
  const text = decodeUtf8(bytes);
  return text === null ? { bodyBase64: Buffer.from(bytes).toString('base64') } : { body: text };
}
