/** Messages in every situation, for component tests and for looking at the screens. */
import type { AttemptView, MessageDetail, MessageRow, WebhookView } from '../../../src/contract/values.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { messageSchedule } from '../../../src/core/workspace/destination-view.ts';

const SIGNATURE = 'e54feca1c33a6928dfc9ef72905e3b1c9b769052';
const HOUR = 3_600_000;
/** Offsets of rounds without jitter: 10 s doubling to 20 min. */
export const offsetOfRound = (round: number): number => {
  let at = 0;
  for (let n = 1; n < round; n += 1) at += Math.min(10_000 * 2 ** (n - 1), 1_200_000);
  return at;
};

export const hooks: WebhookView[] = [
  ['CRM sync', 'https://crm.acme.test/hooks/segment'],
  ['Warehouse loader', 'http://localhost:4010/ingest'],
  ['Flaky receiver', 'http://localhost:8766/r/flaky'],
  ['Legacy ERP', 'https://erp.acme.test:8443/webhooks'],
  ['Archive', 'http://localhost:8766/r/slow'],
].map(([name, url], index) => ({
  id: 11 + index,
  slot: index + 1,
  name: name!,
  url: url!,
  headers: [],
  enabled: index !== 4,
  createdAt: 0,
  recent: [],
  certificate: null,
}));

export type Kind = 'a' | 'f' | '5' | 't' | 'n' | 'r' | 'd' | 'm' | 'l' | 'i' | 's';

export const KINDS: Record<Kind, Partial<AttemptView>> = {
  a: { outcome: 'accepted', status: 200, statusText: 'OK', durationMs: 162 },
  f: { outcome: 'failed', status: 503, statusText: 'Service Unavailable', durationMs: 184 },
  '5': { outcome: 'failed', status: 500, statusText: 'Internal Server Error', durationMs: 41 },
  t: { outcome: 'timed_out', durationMs: 5000 },
  n: { outcome: 'no_connection', reason: 'connection_refused', detail: 'ECONNREFUSED', durationMs: 1.2 },
  r: {
    outcome: 'refused_certificate',
    reason: 'self_signed',
    detail: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    durationMs: 24,
    certificate: {
      subject: 'CN=erp.acme.test,O=Acme Legacy GmbH',
      issuer: 'CN=erp.acme.test,O=Acme Legacy GmbH',
      validFrom: '2026-01-14T00:00:00.000Z',
      validTo: '2031-01-13T00:00:00.000Z',
      names: 'DNS:erp.acme.test, DNS:erp',
      fingerprint256: '4E:1B:9A:70:22:C1:5F:0D:88:3A:E7:61:9C:04:D2:B5:7F:60:11:AB:39:CD:58:E0:92:47:6F:13:A8:2C:D4:90',
    },
  },
  d: { outcome: 'declined', status: 410, statusText: 'Gone', durationMs: 33 },
  m: { outcome: 'declined', status: 302, statusText: 'Found', durationMs: 12 },
  l: { outcome: 'throttled', status: 429, statusText: 'Too Many Requests', durationMs: 9.2 },
  i: { outcome: 'interrupted', durationMs: null },
  s: { outcome: null, durationMs: null },
};

let attemptIds = 1000;

/** One attempt on a webhook, as its letter says. */
export function attempt(kind: Kind, hook: WebhookView, part: Partial<AttemptView> = {}): AttemptView {
  const made = KINDS[kind];
  const answered = made.status != null;
  attemptIds += 1;
  return {
    id: attemptIds,
    messageId: 1,
    replayId: null,
    webhookId: hook.id,
    slot: hook.slot,
    webhookName: hook.name,
    url: hook.url,
    round: 1,
    startedAt: 0,
    clockAt: 0,
    outcome: null,
    reason: null,
    detail: null,
    status: null,
    statusText: '',
    durationMs: null,
    phases:
      kind === 's' || kind === 'i'
        ? null
        : {
            queueMs: 2.1,
            dnsMs: 2.8,
            tcpMs: 6.4,
            tlsMs: hook.url.startsWith('https') ? 21 : null,
            certificateMs: hook.url.startsWith('https') ? 0.6 : null,
            sendMs: kind === 'r' || kind === 'n' ? null : 0.4,
            waitMs: kind === 't' ? 4980 : answered ? 142.2 : null,
            readMs: answered ? 2.7 : null,
          },
    requestHeaders:
      kind === 'r' || kind === 'n'
        ? []
        : [
            { name: 'Host', value: new URL(hook.url).host },
            { name: 'User-Agent', value: 'Hookbench/1.0' },
            { name: 'Content-Type', value: 'application/json' },
            { name: 'X-Signature', value: SIGNATURE },
            { name: 'X-Tenant', value: 'acme' },
            { name: 'Authorization', hiddenLength: 31 },
          ],
    responseHeaders: answered
      ? [
          { name: 'Content-Type', value: 'application/json' },
          ...(kind === 'm' ? [{ name: 'Location', value: '/r/ok' }] : []),
        ]
      : [],
    responseBytes: answered ? 48 : 0,
    responseCut: false,
    redirectedTo: null,
    certificate: null,
    ...made,
    ...part,
  };
}

/** Rounds from strings such as `fn5r`, one letter a webhook, `.` for none. */
export function rounds(patterns: readonly string[], firstAt: number, speed = 60): AttemptView[] {
  return patterns.flatMap((pattern, index) =>
    [...pattern].flatMap((letter, slot) => {
      const offset = offsetOfRound(index + 1);
      if (letter === '.') return [];
      return [
        attempt(letter as Kind, hooks[slot]!, {
          round: index + 1,
          clockAt: firstAt + offset,
          startedAt: firstAt + Math.round(offset / speed),
        }),
      ];
    }),
  );
}

export function message(part: Partial<MessageRow> & { receivedAt: number }): MessageRow {
  return {
    id: 1,
    messageId: '9d41a0d4-6b1e-4c57-9a3d-2f0be8c407aa',
    sourceId: 2,
    origin: 'sdk',
    type: 'track',
    name: 'Order Completed',
    userId: 'usr_8f21',
    anonymousId: null,
    state: 'retrying',
    reason: null,
    reasonDetail: null,
    size: 415,
    round: 0,
    nextDueAt: null,
    firstAttemptAt: null,
    windowEndsAt: null,
    finishedAt: null,
    cells: '.....',
    repeats: 0,
    replays: 0,
    notes: [],
    ...part,
  };
}

const delivered = {
  type: 'track',
  event: 'Order Completed',
  userId: 'usr_8f21',
  properties: { orderId: 'A-10482', total: 184.5, currency: 'EUR', coupon: 'WINTER & CO', items: 3 },
  context: { ip: '203.0.113.24', library: { name: 'analytics-go', version: '3.3.0' }, locale: 'de-AT' },
  timestamp: '2026-11-20T14:31:58.412Z',
  version: 1,
};

export function detailOf(
  row: MessageRow,
  attempts: AttemptView[] = [],
  part: Partial<MessageDetail> = {},
): MessageDetail {
  const rejected = row.state === 'rejected';
  return {
    message: row,
    sourceName: 'checkout-api',
    callJson: JSON.stringify({
      ...delivered,
      version: undefined,
      event: row.name,
      messageId: row.messageId,
      anonymousId: '5e0c91b7-aa40',
      integrations: { All: true },
    }),
    deliveredJson: rejected ? null : JSON.stringify({ ...delivered, event: row.name }),
    signature: rejected ? null : SIGNATURE,
    schedule: messageSchedule(
      PROFILES.documented.retry,
      row,
      attempts.filter(({ replayId }) => replayId === null),
      row.receivedAt,
      (at) => at,
    ),
    request: {
      id: row.id,
      method: 'POST',
      path: '/v1/batch',
      status: 200,
      receivedAt: row.receivedAt,
      decodedBytes: 2_941,
      encoding: 'gzip',
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'User-Agent', value: 'analytics-go (version: 3.3.0)' },
        { name: 'Authorization', hiddenLength: 26 },
      ],
      writeKey: 'wk_dev_7f3a9c',
    },
    attempts,
    replays: [],
    lineUps: [],
    ...part,
  };
}

/** A retrying message after seven failed rounds, as in the mock-up. */
export function retrying(now: number, speed = 60): MessageDetail {
  const past = 28 * 60_000;
  const firstAt = now - past;
  const patterns = ['fn5r', 'fn5r', 'fn5r', 'fn5r', 'ft5r', 'ft5r', 'ft5r'];
  const attempts = rounds(patterns, firstAt, speed);
  for (const one of attempts) one.startedAt = now - Math.round((past - (one.clockAt - firstAt)) / speed);
  const row = message({
    receivedAt: now - past / speed - 19,
    round: 7,
    cells: 'ft5rp'.replace('5', 'f'),
    firstAttemptAt: firstAt,
    windowEndsAt: firstAt + 4 * HOUR,
    nextDueAt: now + 12_000 * speed,
  });
  return detailOf(row, attempts);
}
