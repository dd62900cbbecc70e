import { describe, expect, it } from 'vitest';
import { MESSAGE_STATES } from '../../../src/contract/names.ts';
import type { WebhookAttempts } from '../../../src/contract/overview.ts';
import type { OutcomeName, RecentAttempt } from '../../../src/contract/values.ts';
import { type AttentionFacts, attentionOf } from '../../../src/core/metrics/attention.ts';
import { AttemptCounts, MessageCounts } from '../../../src/core/metrics/minute.ts';
import { headroomOf } from '../../../src/core/metrics/overview.ts';
import { OUTCOMES } from '../../../src/core/model/vocabulary.ts';

const NOW = 1_000_000_000;
const HOUR = 3_600_000;

const attempts = (webhookId: number, outcomes: Partial<Record<OutcomeName, number>>): WebhookAttempts => ({
  webhookId,
  slot: 1,
  name: 'hook',
  url: 'http://a.test/',
  isNow: true,
  attempts: Object.values(outcomes).reduce((a, b) => a + b, 0),
  outcomes: Object.fromEntries(OUTCOMES.map((name) => [name, outcomes[name] ?? 0])) as Record<OutcomeName, number>,
  headroom: headroomOf(new AttemptCounts()),
  missed: 0,
});
const last = (outcome: OutcomeName, more: Partial<RecentAttempt> = {}): RecentAttempt => ({
  outcome,
  status: null,
  reason: null,
  at: NOW,
  was: null,
  ...more,
});

const noCounts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, 0])) as AttentionFacts['status']['counts'];
const well: AttentionFacts = {
  status: {
    listener: { state: 'listening', port: 8765, message: null, holder: null },
    storeWritable: true,
    notSending: [],
    counts: noCounts,
  },
  destinationOn: true,
  webhooks: [{ id: 1, enabled: true, last: last('accepted') }],
  attempts: [attempts(1, { accepted: 40, failed: 2 })],
  totals: new MessageCounts(),
  rejectedBy: [],
  retrying: [],
  clockNow: NOW,
};
const status = (more: Partial<AttentionFacts['status']>): AttentionFacts => ({
  ...well,
  status: { ...well.status, ...more },
});

describe('needs attention', () => {
  it('is empty when all is well', () => expect(attentionOf(well)).toEqual([]));

  it('names what stands still first: the store, the listener, delivery', () => {
    const all = attentionOf({
      ...status({
        storeWritable: false,
        listener: { state: 'port_in_use', port: 8765, message: 'x', holder: 'node (process 7)' },
        notSending: ['store_not_writable', 'secret_unreadable', 'destination_off'],
        counts: { ...noCounts, queued: 4, paused: 1 },
      }),
      totals: Object.assign(new MessageCounts(), { rejected: 2, expired: 1 }),
      rejectedBy: [{ reason: 'invalid_json', n: 2 }],
    });
    expect(all).toEqual([
      { kind: 'store_not_writable' },
      { kind: 'not_listening', state: 'port_in_use', port: 8765, holder: 'node (process 7)' },
      { kind: 'delivery_paused', why: 'secret_unreadable', waiting: 5 },
      { kind: 'ended', expired: 1, failed: 0 },
      { kind: 'rejected', count: 2, reasons: [{ reason: 'invalid_json', n: 2 }] },
    ]);
  });
  it('says once that the store cannot be written', () => {
    expect(attentionOf(status({ storeWritable: false, notSending: ['store_not_writable'] }))).toEqual([
      { kind: 'store_not_writable' },
    ]);
  });
  it('tells why messages are paused', () => {
    const paused = (notSending: AttentionFacts['status']['notSending'], n = 3) =>
      attentionOf(status({ notSending, counts: { ...noCounts, paused: n } }));
    expect(paused(['destination_off', 'webhooks_off'])).toEqual([
      { kind: 'delivery_paused', why: 'destination_off', waiting: 3 },
    ]);
    expect(paused(['webhooks_off', 'by_person'])).toEqual([{ kind: 'delivery_paused', why: 'by_person', waiting: 3 }]);
    expect(paused(['webhooks_off'])).toEqual([{ kind: 'delivery_paused', why: 'webhooks_off', waiting: 3 }]);
    expect(paused([])).toEqual([]);
    expect(paused(['store_full', 'clock_paused'])).toEqual([]);
  });
  it('says nothing of what a person turned off while nothing waits for it', () => {
    expect(attentionOf(status({ notSending: ['no_webhook'] }))).toEqual([]);
    expect(attentionOf(status({ notSending: ['by_person'] }))).toHaveLength(1);
  });
  it('names a webhook whose certificate is refused now, with the requests not sent', () => {
    const refused = (recent: RecentAttempt | null, enabled = true) =>
      attentionOf({
        ...well,
        webhooks: [{ id: 1, enabled, last: recent }],
        attempts: [attempts(1, { refused_certificate: 12, accepted: 1 })],
      });
    expect(refused(last('refused_certificate', { reason: 'self_signed' }))).toEqual([
      { kind: 'certificate_refused', webhookId: 1, reason: 'self_signed', notSent: 12 },
    ]);
    expect(refused(last('accepted'))).toEqual([]);
    expect(refused(last('refused_certificate'), false)).toEqual([]);
    expect(refused(null)).toEqual([]);
  });
  it('names a webhook that fails everything, from the third attempt on', () => {
    const failing = (outcomes: Partial<Record<OutcomeName, number>>, outcome: OutcomeName = 'failed') =>
      attentionOf({
        ...well,
        webhooks: [{ id: 1, enabled: true, last: last(outcome, { status: 503 }) }],
        attempts: [attempts(1, outcomes)],
      });
    expect(failing({ failed: 2, timed_out: 1, interrupted: 4 })).toEqual([
      { kind: 'webhook_failing', webhookId: 1, attempts: 3, outcome: 'failed', status: 503, reason: null },
    ]);
    expect(failing({ failed: 2, interrupted: 4 })).toEqual([]);
    expect(failing({ failed: 20, accepted: 1 })).toEqual([]);
    expect(failing({ failed: 20 }, 'interrupted')).toEqual([]);
  });
  it('names the message that expires first of those in the last eighth of their window', () => {
    const row = (id: number, age: number) => ({
      id,
      name: `m${id}`,
      userId: id === 3 ? null : 'u',
      anonymousId: 'anon',
      round: 19,
      firstAttemptAt: NOW - age,
      windowEndsAt: NOW - age + 4 * HOUR,
    });
    expect(attentionOf({ ...well, retrying: [row(1, HOUR), row(2, 3.4 * HOUR)] })).toEqual([]);
    expect(attentionOf({ ...well, retrying: [row(1, HOUR), row(2, 3.5 * HOUR), row(3, 3.9 * HOUR)] })).toEqual([
      { kind: 'expiring', count: 2, id: 3, name: 'm3', userId: 'anon', rounds: 19, expiresAt: NOW + 0.1 * HOUR },
    ]);
  });
  it('lists at most three reasons of rejection', () => {
    const rejectedBy = ['a', 'b', 'c', 'd'].map((reason) => ({ reason, n: 1 }));
    const [item] = attentionOf({ ...well, totals: Object.assign(new MessageCounts(), { rejected: 4 }), rejectedBy });
    expect(item).toEqual({ kind: 'rejected', count: 4, reasons: rejectedBy.slice(0, 3) });
  });
});
