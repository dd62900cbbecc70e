/** Finds what needs attention now, most urgent first. Pure; the interface has the words. */
import { idleOf } from '../../contract/counts.ts';
import { type NotSendingReasonName, standstillsOf } from '../../contract/not-sending.ts';
import type { AttentionView, MessageTotals, ReasonCount, WebhookAttempts } from '../../contract/overview.ts';
import type { OutcomeName, RecentAttempt, StatusView } from '../../contract/values.ts';
import type { RetryingMessage } from '../store/ports/metrics.ts';
import { LATE_FROM, placeInWindow } from './overview.ts';

export interface AttentionFacts {
  readonly status: Pick<StatusView, 'listener' | 'storeWritable' | 'notSending' | 'counts'>;
  readonly destinationOn: boolean;
  readonly webhooks: ReadonlyArray<{
    readonly id: number;
    readonly enabled: boolean;
    readonly last: RecentAttempt | null;
  }>;
  /** For the range that is shown. */
  readonly attempts: readonly WebhookAttempts[];
  readonly totals: MessageTotals;
  readonly rejectedBy: readonly ReasonCount[];
  /** Oldest first, at most as many as the reader looks at. */
  readonly retrying: readonly RetryingMessage[];
  readonly clockNow: number;
}

/** This many attempts without one success are a pattern, not bad luck. */
const FAILS_FROM = 3;
const REASONS = 3;

export function attentionOf(facts: AttentionFacts): AttentionView[] {
  return [
    ...storeTrouble(facts),
    ...listenerTrouble(facts),
    ...pausedDelivery(facts),
    ...facts.webhooks.flatMap((webhook) => webhookTrouble(webhook, facts)),
    ...expiring(facts),
    ...ended(facts),
    ...rejected(facts),
  ];
}

const storeTrouble = ({ status }: AttentionFacts): AttentionView[] =>
  status.storeWritable ? [] : [{ kind: 'store_not_writable' }];

function listenerTrouble({ status: { listener } }: AttentionFacts): AttentionView[] {
  const { state, port, holder } = listener;
  return state === 'listening' ? [] : [{ kind: 'not_listening', state, port, holder }];
}

/** Reasons that a person has set. They need attention only while a message waits. */
const AS_SET: readonly NotSendingReasonName[] = ['destination_off', 'no_webhook', 'webhooks_off'];

function pausedDelivery({ status }: AttentionFacts): AttentionView[] {
  // A store that cannot be written has an item of its own.
  const reasons = standstillsOf(status.notSending).filter((reason) => reason !== 'store_not_writable');
  const why = reasons.find((reason) => !AS_SET.includes(reason)) ?? reasons[0];
  const waiting = idleOf(status.counts);
  if (why === undefined || (waiting === 0 && AS_SET.includes(why))) return [];
  return [{ kind: 'delivery_paused', why, waiting }];
}

function webhookTrouble(webhook: AttentionFacts['webhooks'][number], facts: AttentionFacts): AttentionView[] {
  const { id: webhookId, last, enabled } = webhook;
  const counted = facts.attempts.find((one) => one.webhookId === webhookId && one.isNow);
  if (!enabled || !facts.destinationOn || last === null || counted === undefined) return [];
  const { outcomes } = counted;
  if (last.outcome === 'refused_certificate' && outcomes.refused_certificate > 0)
    return [{ kind: 'certificate_refused', webhookId, reason: last.reason, notSent: outcomes.refused_certificate }];
  const attempts = counted.attempts - outcomes.interrupted - outcomes.refused_certificate;
  if (outcomes.accepted > 0 || attempts < FAILS_FROM || !isFailure(last.outcome)) return [];
  const { outcome, status, reason } = last;
  return [{ kind: 'webhook_failing', webhookId, attempts, outcome, status, reason }];
}

const isFailure = (outcome: OutcomeName): boolean => outcome !== 'accepted' && outcome !== 'interrupted';

function expiring({ retrying, clockNow }: AttentionFacts): AttentionView[] {
  const late = retrying.filter((row) => placeInWindow(row, clockNow) >= LATE_FROM);
  if (late.length === 0) return [];
  const first = late.reduce((a, b) => (b.windowEndsAt < a.windowEndsAt ? b : a));
  return [
    {
      kind: 'expiring',
      count: late.length,
      id: first.id,
      name: first.name,
      userId: first.userId ?? first.anonymousId,
      rounds: first.round,
      expiresAt: first.windowEndsAt,
    },
  ];
}

const ended = ({ totals: { expired, failed } }: AttentionFacts): AttentionView[] =>
  expired + failed === 0 ? [] : [{ kind: 'ended', expired, failed }];

const rejected = ({ totals, rejectedBy }: AttentionFacts): AttentionView[] =>
  totals.rejected === 0 ? [] : [{ kind: 'rejected', count: totals.rejected, reasons: rejectedBy.slice(0, REASONS) }];
