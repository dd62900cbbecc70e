/** Records of the store as values of the contract. The one place where rows become views. */
import type {
  AttemptView,
  HeaderView,
  LineUpView,
  MessageRow,
  NoteView,
  OutcomeName,
  PhasesView,
  RecentAttempt,
  ReplayView,
  SeenCertificate,
  SourceView,
  WebhookView,
} from '../../contract/values.ts';
import type { Source, Webhook } from '../model/records.ts';
import { type KeptHeader, keepStaticHeaders } from '../model/static-headers.ts';
import type { StoredResult } from '../store/deliveries.ts';
import type { AttemptRecord, LineUpRecord, MessageRecord, ReplayRecord } from '../store/lists.ts';

export const messageRow = (r: MessageRecord): MessageRow => ({
  id: r.id,
  messageId: r.message_id,
  sourceId: r.source_id,
  origin: r.origin as MessageRow['origin'],
  type: r.type as MessageRow['type'],
  name: r.name,
  userId: r.user_id,
  anonymousId: r.anonymous_id,
  state: r.state as MessageRow['state'],
  reason: r.reason,
  reasonDetail: r.reason_detail,
  receivedAt: r.received_at,
  size: r.size,
  round: r.round,
  nextDueAt: r.next_due_at,
  firstAttemptAt: r.first_attempt_at,
  windowEndsAt: r.window_ends_at,
  finishedAt: r.finished_at,
  cells: r.cells,
  repeats: r.repeats,
  replays: r.replays,
  notes: r.notes === null ? [] : (JSON.parse(r.notes) as NoteView[]),
});

export const headerView = (header: KeptHeader): HeaderView =>
  header[1] === null ? { name: header[0], hiddenLength: header[2] } : { name: header[0], value: header[1] };

function phasesView(phases: readonly (number | null)[]): PhasesView {
  const [
    queueMs = null,
    dnsMs = null,
    tcpMs = null,
    tlsMs = null,
    certificateMs = null,
    sendMs = null,
    waitMs = null,
    readMs = null,
  ] = phases;
  return { queueMs, dnsMs, tcpMs, tlsMs, certificateMs, sendMs, waitMs, readMs };
}

export function attemptView(r: AttemptRecord): AttemptView {
  const result = r.result === null ? null : (JSON.parse(r.result) as StoredResult);
  return {
    id: r.id,
    messageId: r.message_id,
    replayId: r.replay_id,
    webhookId: r.webhook_id,
    slot: r.slot,
    webhookName: r.webhook_name,
    url: r.url,
    round: r.round,
    startedAt: r.started_at,
    clockAt: r.clock_at,
    outcome: r.outcome as OutcomeName | null,
    status: r.status,
    durationMs: r.duration_ms,
    reason: result?.reason ?? null,
    detail: result?.detail ?? null,
    statusText: result?.statusText ?? '',
    phases: result === null ? null : phasesView(result.phases),
    requestHeaders: (result?.requestHeaders ?? []).map(headerView),
    responseHeaders: (result?.responseHeaders ?? []).map(([name, value]) => ({ name, value })),
    responseBytes: result?.responseBytes ?? 0,
    responseCut: result?.responseCut ?? false,
    certificate: result?.certificate ?? null,
  };
}

export const lineUpView = ({ after_attempt, webhooks }: LineUpRecord): LineUpView => ({
  afterAttempt: after_attempt,
  webhooks: (JSON.parse(webhooks) as Array<[id: number, slot: number, name: string, on: 0 | 1]>).map(
    ([id, slot, name, on]) => ({ id, slot, name, enabled: on === 1 }),
  ),
});

export const replayView = (r: ReplayRecord, attempts: readonly AttemptView[]): ReplayView => ({
  id: r.id,
  messageId: r.message_id,
  createdAt: r.created_at,
  finishedAt: r.finished_at,
  webhookIds: JSON.parse(r.webhook_ids) as number[],
  attempts: attempts.filter((attempt) => attempt.replayId === r.id),
});

export const sourceView = (source: Source): SourceView => ({ ...source, eventsOff: [...source.eventsOff].sort() });

export const webhookView = (
  webhook: Webhook,
  recent: readonly RecentAttempt[],
  certificate: SeenCertificate | null,
): WebhookView => ({
  id: webhook.id,
  slot: webhook.slot,
  name: webhook.name,
  url: webhook.url,
  headers: keepStaticHeaders(webhook.headers).map(headerView),
  enabled: webhook.enabled,
  createdAt: webhook.createdAt,
  recent: [...recent],
  certificate,
});
