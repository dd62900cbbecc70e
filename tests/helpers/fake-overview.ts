/** A made-up Overview for looking at the screen: an hour with a burst of retries, as in the design. Same clock, same picture. */

import { OUTCOMES } from '../../src/contract/names.ts';
import { standstillsOf } from '../../src/contract/not-sending.ts';
import type {
  HeadroomView,
  MessageTotals,
  OverviewRange,
  OverviewView,
  WebhookAttempts,
} from '../../src/contract/overview.ts';
import type { OutcomeName, StatusView, WebhookView } from '../../src/contract/values.ts';
import { seededRandom } from './sim-ports.ts';

const MINUTE = 60_000;
const SHAPE: Record<OverviewRange, { bars: number; step: number }> = {
  '15m': { bars: 15, step: 1 },
  '1h': { bars: 60, step: 1 },
  '4h': { bars: 60, step: 4 },
  session: { bars: 45, step: 2 },
};
const NO_MESSAGES: MessageTotals = {
  received: 0,
  notSelected: 0,
  rejected: 0,
  firstRound: 0,
  retried: 0,
  delivered: 0,
  failed: 0,
  expired: 0,
  stopped: 0,
};
export interface OverviewScene {
  readonly range: OverviewRange;
  readonly now: number;
  readonly clockNow: number;
  readonly status: StatusView;
  readonly webhooks: readonly WebhookView[];
  readonly empty: boolean;
  readonly hostile: boolean;
  /** Every count is multiplied by it. */
  readonly scale?: number;
}

export function makeOverview(scene: OverviewScene): OverviewView {
  const { range, now, webhooks, empty } = scene;
  const { bars: count, step } = SHAPE[range];
  const first = Math.floor(now / MINUTE / step) - count + 1;
  const random = seededRandom(7);
  const bars = Array.from({ length: count }, (_, i) => ({
    at: (first + i) * step * MINUTE,
    ...(empty ? NO_MESSAGES : minute(i, count, step * (scene.scale ?? 1), random.next)),
  }));
  const totals = bars.reduce<MessageTotals>(
    (sum, bar) =>
      Object.fromEntries(
        Object.keys(NO_MESSAGES).map((name) => [
          name,
          sum[name as keyof MessageTotals] + bar[name as keyof MessageTotals],
        ]),
      ) as unknown as MessageTotals,
    NO_MESSAGES,
  );
  return {
    range,
    at: now,
    from: bars[0]!.at,
    stepMs: step * MINUTE,
    cut: false,
    bars,
    totals,
    repeats: 0,
    rejectedBy: empty
      ? []
      : [
          { reason: 'call_too_large', n: 4 },
          { reason: 'invalid_json', n: 2 },
        ],
    notSelectedBy: empty ? [] : [{ reason: 'integrations_off', n: 11 }],
    deliveryMedianMs: empty ? null : 412,
    webhooks: webhooks.map((hook, i) => (empty ? attempts(hook, {}) : ATTEMPTS[i % ATTEMPTS.length]!(hook))),
    responseTimes: responses(empty),
    retryWindow: {
      windowMs: 14_400_000,
      retrying: empty ? 0 : scene.status.counts.retrying,
      shown: empty ? 0 : scene.status.counts.retrying,
      lateFrom: 0.875,
      marks: empty
        ? []
        : [0.004, 0.02, 0.117, 0.19, 0.44, 0.61, 0.93].map((at, i) => ({ at, n: i === 3 ? 4 : 1, id: i + 1 })),
    },
    attention: empty ? [] : attention(scene),
  };
}

function minute(i: number, count: number, scale: number, chance: () => number): MessageTotals {
  const burst = i > count * 0.55 && i < count * 0.69;
  const received = Math.round(18 + 7 * Math.sin(i / 7) + chance() * 7);
  const retried = burst ? Math.round(received * (0.25 + chance() * 0.35)) : chance() > 0.86 ? 1 : 0;
  const expired = i === Math.floor(count * 0.63) ? 2 : 0;
  const rejected = i === Math.floor(count * 0.36) || i === Math.floor(count * 0.65) ? 3 : 0;
  const notSelected = i % 6 === 5 ? 1 : 0;
  const waiting = i === count - 1 ? 2 : 0;
  const firstRound = received - retried - expired - rejected - notSelected - waiting;
  const counts = {
    received,
    notSelected,
    rejected,
    firstRound,
    retried,
    expired,
    failed: 0,
    stopped: 0,
    delivered: firstRound + Math.floor(retried / 2),
  };
  return Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, n * scale])) as unknown as MessageTotals;
}

const headroom = (answers: number, p50Ms: number, p95Ms: number, over4: number, over5: number): HeadroomView => ({
  answers,
  p50Ms,
  p95Ms,
  over: [
    { ms: 4000, n: over4, of: answers + over5 },
    { ms: 5000, n: over5, of: answers + over5 },
    { ms: 10_000, n: null, of: 0 },
  ],
});

function attempts(
  { id: webhookId, slot, name, url }: WebhookView,
  outcomes: Partial<Record<OutcomeName, number>>,
  room: HeadroomView = {
    answers: 0,
    p50Ms: null,
    p95Ms: null,
    over: [4000, 5000, 10_000].map((ms) => ({ ms, n: null, of: 0 })),
  },
  missed = 0,
): WebhookAttempts {
  return {
    webhookId,
    slot,
    name,
    url,
    isNow: true,
    attempts: Object.values(outcomes).reduce((a, b) => a + b, 0),
    outcomes: Object.fromEntries(OUTCOMES.map((name) => [name, outcomes[name] ?? 0])) as Record<OutcomeName, number>,
    headroom: room,
    missed,
  };
}

export const attemptsOf = attempts;

const ATTEMPTS: ReadonlyArray<(hook: WebhookView) => WebhookAttempts> = [
  (hook) => attempts(hook, { accepted: 1102, failed: 170, no_connection: 8 }, headroom(1272, 121.4, 884, 3, 0), 14),
  (hook) => attempts(hook, { accepted: 1094, failed: 31, timed_out: 58 }, headroom(1125, 204, 3310, 71, 58), 0),
  (hook) => attempts(hook, { accepted: 588, failed: 640, throttled: 50 }, headroom(1278, 8.4, 22.6, 0, 0), 651),
  (hook) => attempts(hook, { refused_certificate: 1278 }, undefined, 1246),
  (hook) => attempts(hook, {}),
];

function responses(empty: boolean): OverviewView['responseTimes'] {
  const counts = empty ? [0, 0, 0, 0, 0, 0, 0, 0] : [182, 411, 668, 322, 141, 64, 31, 12];
  return {
    classes: [50, 100, 200, 400, 800, 1600, 3200, 5000].map((upToMs, i) => ({ upToMs, n: counts[i]! })),
    none: empty ? 0 : 58,
    answers: counts.reduce((a, b) => a + b, 0),
    p50Ms: empty ? null : 164.2,
    p95Ms: empty ? null : 1239.7,
  };
}

function attention({ status, webhooks, clockNow, hostile }: OverviewScene): OverviewView['attention'] {
  const { state, port, holder } = status.listener;
  const items: OverviewView['attention'] = [];
  if (!status.storeWritable) items.push({ kind: 'store_not_writable' });
  if (state !== 'listening') items.push({ kind: 'not_listening', state, port, holder });
  const [why] = standstillsOf(status.notSending);
  if (why !== undefined && status.storeWritable) items.push({ kind: 'delivery_paused', why, waiting: 12 });
  if (webhooks[3] !== undefined)
    items.push({ kind: 'certificate_refused', webhookId: webhooks[3].id, reason: 'self_signed', notSent: 1278 });
  items.push({
    kind: 'expiring',
    count: 1,
    id: 7,
    name: hostile ? `<b>x</b>\u202E${'Subscription '.repeat(30)}` : 'Subscription Renewed',
    userId: hostile ? 'u'.repeat(200) : 'usr_77d0',
    rounds: 19,
    expiresAt: clockNow + 17 * MINUTE,
  });
  items.push({
    kind: 'rejected',
    count: 6,
    reasons: [
      { reason: 'call_too_large', n: 4 },
      { reason: 'invalid_json', n: 2 },
    ],
  });
  return items;
}
