/** One message in full: its call, request, attempts and schedule, and how another profile would have treated it. */

import type { CallChangesView } from '../../../contract/call-changes.ts';
import type { Handlers } from '../../../contract/channel.ts';
import { ContractError } from '../../../contract/errors.ts';
import type { MessageDetail, RawRequestView, TriedView } from '../../../contract/values.ts';
import type { RetryClock } from '../../delivery/retry-clock.ts';
import { decodeBody } from '../../ingest/decode.ts';
import { parsedViewOf, readCall, type StoredCall } from '../../ingest/parsed-view.ts';
import { fullMessage } from '../../model/body.ts';
import { callChanges } from '../../model/call-changes.ts';
import { bodyShapeOf } from '../../model/change-reasons.ts';
import { parseJsonBytes } from '../../model/json.ts';
import { findJsonError } from '../../model/json-error.ts';
import { signatureOf } from '../../model/signature.ts';
import type { MessageRecord, RequestRecord } from '../../model/stored.ts';
import type { Clock } from '../../ports.ts';
import type { DetailStore } from '../../store/ports/details.ts';
import type { ErasureStore } from '../../store/ports/erasure.ts';
import type { ListStore } from '../../store/ports/lists.ts';
import { messageSchedule } from '../../workspace/destination-view.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { comparison } from '../profile-comparison.ts';
import { attemptView, headerView, lineUpView, messageRow, replayView } from '../views.ts';
import { recordOf } from './message-record.ts';

export interface DetailDeps {
  readonly lists: Pick<ListStore, 'message' | 'idRange'>;
  readonly details: DetailStore;
  readonly erasure: Pick<ErasureStore, 'cutCalls'>;
  readonly workspace: Pick<Workspace, 'sources' | 'destination'>;
  readonly retryClock: RetryClock;
  readonly clock: Clock;
}

type DetailCommand =
  | 'messages.get'
  | 'messages.changes'
  | 'messages.raw'
  | 'messages.attempts'
  | 'messages.underProfile'
  | 'attempts.bodies';

export function detailHandlers(deps: DetailDeps): Pick<Handlers, DetailCommand> {
  const { lists, details, workspace } = deps;
  return {
    'messages.get': ({ id }) => detail(deps, recordOf(lists, id)),
    'messages.changes': ({ id }) => changes(details, recordOf(lists, id)),
    'messages.raw': ({ id }) => {
      const message = recordOf(lists, id);
      const request = details.request(message.requestId);
      if (request === undefined) throw new ContractError('request_not_found');
      return { ...rawRequest(request, message.position), cutCalls: deps.erasure.cutCalls(request.id) };
    },
    'messages.attempts': ({ id }) => {
      recordOf(lists, id);
      return tried(details, id);
    },
    'messages.underProfile': ({ id, profile }) =>
      comparison(details, workspace.destination.settings, recordOf(lists, id), profile),
    'attempts.bodies': ({ id }) => {
      if (details.attempt(id) === undefined) throw new ContractError('attempt_not_found');
      const body = details.responseBody(id);
      return { responseBase64: body === null ? '' : base64(body) };
    },
  };
}

function tried(details: DetailStore, id: number): TriedView {
  const all = details.attemptsOf(id).map(attemptView);
  const own = all.filter((attempt) => attempt.replayId === null);
  return {
    attempts: own,
    replays: details.replaysOf(id).map((replay) => replayView(replay, all)),
    lineUps: own.length === 0 ? [] : details.lineUps(own[0]!.id, own.at(-1)!.id).map(lineUpView),
  };
}

function detail({ details, workspace, retryClock, clock }: DetailDeps, message: MessageRecord): MessageDetail {
  const request = details.request(message.requestId);
  const wire = details.wire(message.id);
  const { secret, settings } = workspace.destination;
  const row = messageRow(message);
  const attempts = tried(details, message.id);
  const wallOf = (at: number) => wallAt(retryClock, clock, at);
  return {
    message: row,
    sourceName: workspace.sources.all.find(({ id }) => id === message.sourceId)?.name ?? null,
    callJson: request === undefined ? null : callJson(request, message),
    deliveredJson: wire === null ? null : Buffer.from(wire).toString('utf8'),
    signature: wire !== null && secret.state === 'set' ? signatureOf(secret.value, wire) : null,
    request: request === undefined ? null : requestView(request),
    ...attempts,
    schedule: messageSchedule(settings.retry, row, attempts.attempts, retryClock.now(), wallOf),
  };
}

/** Wall time at which the retry clock will show `at`; null while the clock is paused. */
function wallAt(retryClock: RetryClock, clock: Clock, at: number): number | null {
  const delay = retryClock.realDelay(at);
  return Number.isFinite(delay) ? Math.round(clock.wall() + delay) : null;
}

const callJson = (request: RequestRecord, message: MessageRecord): string | null =>
  parsedViewOf(storedCall(request, message));

const storedCall = (request: RequestRecord, message: MessageRecord): StoredCall => ({
  body: request.body,
  encoding: request.encoding,
  path: request.path,
  receivedAt: request.receivedAt,
  position: message.position,
  messageId: message.messageId,
  notes: message.notes,
});

/** A rejected call was never normalised, so it has nothing to compare. */
function changes(details: DetailStore, message: MessageRecord): CallChangesView | null {
  const request = details.request(message.requestId);
  const read = request === undefined ? null : readCall(storedCall(request, message));
  if (read === null) return null;
  const received = {
    json: read.text,
    bytes: Buffer.byteLength(read.text),
    calls: read.batch === null ? null : read.calls,
  };
  if (message.state === 'rejected') return { received, compared: null };
  const wire = details.wire(message.id);
  const delivered = wire === null ? null : Buffer.from(wire).toString('utf8');
  const normalised = JSON.stringify(fullMessage(read.normal));
  const { normal, batch } = read;
  const facts = { normal, batch, notes: message.notes, shape: bodyShapeOf(delivered) };
  return {
    received,
    compared: {
      normalisedBytes: Buffer.byteLength(normalised),
      deliveredBytes: wire === null ? null : wire.length,
      fields: callChanges({ received: read.text, normalised, delivered }, facts),
    },
  };
}

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

function rawRequest(request: RequestRecord, position: number): Omit<RawRequestView, 'cutCalls'> {
  const { method, path, encoding, body } = request;
  const decoded = encoding === null ? null : decodeBody(body, encoding);
  return {
    method,
    path,
    headers: request.headers.map(headerView),
    bodyBase64: base64(body),
    encoding,
    decodedBase64: decoded?.ok === true ? base64(decoded.bytes) : null,
    position,
    fault: decoded?.ok === false ? null : faultIn(decoded?.bytes ?? body),
  };
}

/** Null for an empty body too, which has no place to show. */
function faultIn(bytes: Uint8Array): RawRequestView['fault'] {
  const parsed = parseJsonBytes(bytes);
  if (parsed.ok || parsed.problem.kind !== 'syntax') return null;
  const place = findJsonError(Buffer.from(bytes).toString('utf8'));
  return place === null ? null : { offset: place.offset, line: place.line, column: place.column };
}

const requestView = (request: RequestRecord): NonNullable<MessageDetail['request']> => ({
  id: request.id,
  method: request.method,
  path: request.path,
  status: request.status,
  receivedAt: request.receivedAt,
  decodedBytes: request.decodedBytes,
  encoding: request.encoding,
  headers: request.headers.map(headerView),
  writeKey: request.writeKey,
});
