/** Turns records of the store into values of the contract. */
import type {
  AttemptView,
  HeaderView,
  LineUpView,
  MessageRow,
  PhasesView,
  RecentAttempt,
  ReplayView,
  SeenCertificate,
  SourceView,
  WebhookView,
} from '../../contract/values.ts';
import { lastFollowed } from '../model/followed.ts';
import type { Source, Webhook } from '../model/records.ts';
import { type KeptHeader, keepStaticHeaders } from '../model/static-headers.ts';
import type { AttemptRecord, LineUpRecord, MessageRecord, ReplayRecord } from '../model/stored.ts';

export const messageRow = ({ requestId, position, notes, ...row }: MessageRecord): MessageRow => ({
  ...row,
  notes: [...notes],
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

export const attemptView = ({ result, ...attempt }: AttemptRecord): AttemptView => ({
  ...attempt,
  reason: result?.reason ?? null,
  detail: result?.detail ?? null,
  redirectedTo: lastFollowed(result?.detail ?? null),
  statusText: result?.statusText ?? '',
  phases: result === null ? null : phasesView(result.phases),
  requestHeaders: (result?.requestHeaders ?? []).map(headerView),
  responseHeaders: (result?.responseHeaders ?? []).map(([name, value]) => ({ name, value })),
  responseBytes: result?.responseBytes ?? 0,
  responseCut: result?.responseCut ?? false,
  certificate: result?.certificate ?? null,
});

export const lineUpView = ({ afterAttempt, webhooks }: LineUpRecord): LineUpView => ({
  afterAttempt,
  webhooks: webhooks.map((webhook) => ({ ...webhook })),
});

export const replayView = (replay: ReplayRecord, attempts: readonly AttemptView[]): ReplayView => ({
  ...replay,
  webhookIds: [...replay.webhookIds],
  attempts: attempts.filter(({ replayId }) => replayId === replay.id),
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
