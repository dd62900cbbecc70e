/** What follows from a received request and its calls without asking the store: its answer and its record. */
import { rejectionText } from '../model/reason-text.ts';
import type { IngestSettings, NewMessage, NewRequest, Source } from '../model/records.ts';
import type { Correction } from '../model/timestamp.ts';
import type { Rejection } from '../model/validate.ts';
import { type Answer, errorAnswer, SUCCESS } from './answers.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { IngestRequest } from './request.ts';
import type { CallRoute, NoCalls } from './split.ts';
import { statusFor } from './status.ts';
import { shownKey } from './write-key.ts';

/** A request that brings calls, and the facts read from its head. */
export interface Received {
  readonly route: CallRoute;
  readonly request: IngestRequest;
  readonly receivedAt: number;
  readonly encoding: string | null;
  readonly writeKey: string | null;
}

/** Whether the timestamps of a request's calls are corrected. */
export function correctionOf(route: CallRoute, { correctEveryTimestamp }: IngestSettings): Correction {
  if (route.kind === 'batch' && route.historical === true) return 'never';
  return correctEveryTimestamp ? 'always' : 'wrong_clock';
}

/** Why no call of this write key is taken; null when they are. */
export function refusalFor(source: Source | undefined, writeKey: string | null): Rejection | null {
  if (source === undefined) return { reason: 'unknown_source', detail: shownKey(writeKey) };
  return source.enabled ? null : { reason: 'source_disabled', detail: source.name };
}

export function answerFor(messages: readonly NewMessage[], settings: IngestSettings): Answer {
  const fault = statusFor(messages, settings.mode);
  return fault === null ? SUCCESS : errorAnswer(fault.status, fault.code, fault.message);
}

/** An empty batch is taken, but strict mode wants a right write key for it. Any other body without calls is an error. */
export function answerForNoCalls(
  split: NoCalls,
  source: Source | undefined,
  writeKey: string | null,
  settings: IngestSettings,
): Answer {
  const { reason, detail } = split.rejection;
  if (split.code !== null) return errorAnswer(split.status, split.code, rejectionText(reason, detail, 'unknown'));
  if (settings.mode === 'segment') return SUCCESS;
  const refusal = refusalFor(source, writeKey);
  if (refusal === null) return SUCCESS;
  return errorAnswer(401, refusal.reason, rejectionText(refusal.reason, refusal.detail, 'unknown'));
}

/** The row that is stored of a request. */
export function recordOf(
  { request, receivedAt, encoding, writeKey }: Received,
  decodedBytes: number,
  source: Source | undefined,
  answer: Answer,
): NewRequest {
  const record = {
    method: request.method,
    path: request.target,
    body: request.body,
    encoding,
    decodedBytes,
    writeKey: shownKey(writeKey),
    sourceId: source?.id ?? null,
    status: answer.status,
    code: answer.code,
  };
  const fingerprint = fingerprintOf(record, request.overflow?.first ?? request.body);
  return { ...record, receivedAt, headers: request.headers, fingerprint };
}
