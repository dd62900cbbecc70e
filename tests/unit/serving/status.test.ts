import { describe, expect, test } from 'vitest';
import type { AttemptReason, CertificateInfo } from '../../../src/core/model/attempt.ts';
import type { StoredResult } from '../../../src/core/model/stored.ts';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';
import { RecentAttempts } from '../../../src/core/serving/recent-attempts.ts';
import { Counters, MinuteRate } from '../../../src/core/serving/status.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

describe('what happened in the last minute', () => {
  test('counts what was added in the last 60 seconds and nothing older', async () => {
    const time = new SimTime();
    const rate = new MinuteRate(time);
    rate.add(5);
    await time.advance(30_000);
    rate.add(2);
    expect(rate.total()).toBe(7);
    await time.advance(29_999);
    expect(rate.total()).toBe(7);
    await time.advance(1);
    expect(rate.total()).toBe(2);
    await time.advance(30_000);
    expect(rate.total()).toBe(0);
  });

  test.each([60_000, 61_000, 3_600_000])('forgets everything after %d ms of silence', async (silence) => {
    const time = new SimTime();
    await time.advance(17_500);
    const rate = new MinuteRate(time);
    for (let i = 0; i < 60; i++) {
      rate.add(1);
      await time.advance(1_000);
    }
    expect(rate.total()).toBe(59);
    await time.advance(silence);
    expect(rate.total()).toBe(0);
    rate.add(3);
    expect(rate.total()).toBe(3);
  });

  test('forgets the very second in which it stood when nothing is asked for a minute', async () => {
    const time = new SimTime();
    const rate = new MinuteRate(time);
    rate.add(4);
    await time.advance(60_000);
    expect(rate.total()).toBe(0);
  });

  test('is not moved by the machine clock', () => {
    const time = new SimTime();
    const rate = new MinuteRate(time);
    rate.add(1);
    time.jumpWall(86_400_000);
    expect(rate.total()).toBe(1);
  });
});

describe('counters', () => {
  test('start with what is stored and follow the commits', () => {
    const counters = new Counters([
      { state: 'delivered', n: 5 },
      { state: 'queued', n: 1 },
    ]);
    const changes = new Changes();
    changes.insertedMessage(1, 'queued');
    changes.movedMessage(2, 'queued', 'delivering');
    changes.movedMessage(2, 'delivering', 'delivering');
    changes.removedMessage(3, 'delivered');
    counters.committed(changes);
    expect(counters.byState()).toMatchObject({ delivered: 4, queued: 1, delivering: 1, rejected: 0 });
    expect(Object.keys(counters.byState())).toEqual(MESSAGE_STATES);
    expect(counters.total()).toBe(6);
    expect([...changes.messages]).toEqual([1, 2]);
    expect(changes.inserted).toEqual([1]);
    expect(changes.removed).toEqual([3]);
  });

  test('a view of them does not change later', () => {
    const counters = new Counters([]);
    const before = counters.byState();
    const changes = new Changes();
    changes.insertedMessage(1, 'failed');
    counters.committed(changes);
    expect(before.failed).toBe(0);
  });
});

describe('recent attempts', () => {
  const resultOf = (reason: AttemptReason | null, certificate: CertificateInfo | null = null) =>
    ({ reason, certificate }) as StoredResult;
  const row = (webhookId: number, startedAt: number, reason: AttemptReason | null = null) => ({
    webhookId,
    webhookName: 'CRM',
    url: 'https://crm.acme.test/hooks',
    outcome: 'failed' as const,
    status: 500,
    result: reason === null ? null : resultOf(reason),
    startedAt,
  });

  const hook = (id: number) => ({ id, name: 'CRM', url: 'https://crm.acme.test/hooks' });

  test('are read newest first and given oldest first, by webhook', () => {
    const recent = new RecentAttempts([row(1, 30), row(2, 20, 'dns_failed'), row(1, 10)]);
    expect(recent.of(hook(1)).map(({ at }) => at)).toEqual([10, 30]);
    expect(recent.of(hook(2))).toEqual([{ outcome: 'failed', status: 500, reason: 'dns_failed', at: 20, was: null }]);
    expect(recent.of(hook(3))).toEqual([]);
  });

  test('24 are kept', () => {
    const recent = new RecentAttempts(Array.from({ length: 30 }, (_, i) => row(1, 100 - i)));
    expect(recent.of(hook(1)).map(({ at }) => at)).toEqual(Array.from({ length: 24 }, (_, i) => 77 + i));
    recent.add(hook(1), { outcome: 'accepted', status: 200, reason: null, at: 101 });
    expect(recent.of(hook(1))).toHaveLength(24);
    expect(recent.of(hook(1)).at(-1)).toMatchObject({ at: 101 });
    expect(recent.of(hook(1))[0]).toMatchObject({ at: 78 });
  });

  test('tell what the webhook was at the time where that is another thing now', () => {
    const recent = new RecentAttempts([row(1, 10)]);
    const crm = { name: 'CRM', url: 'https://crm.acme.test/hooks' };
    const erp = { id: 1, name: 'ERP', url: 'https://erp.acme.test/' };
    recent.add(erp, { outcome: 'accepted', status: 200, reason: null, at: 20 });
    expect(recent.of(erp).map(({ was }) => was)).toEqual([crm, null]);
    expect(recent.of(hook(1)).map(({ was }) => was)).toEqual([null, { name: 'ERP', url: 'https://erp.acme.test/' }]);
    expect(recent.of({ ...erp, url: 'https://crm.acme.test/hooks' }).map(({ was }) => was?.name)).toEqual([
      'CRM',
      'ERP',
    ]);
    const long = { ...erp, url: `https://erp.acme.test/${'x'.repeat(4_000)}/end` };
    recent.add(long, { outcome: 'accepted', status: 200, reason: null, at: 30 });
    const told = recent.of(erp)[2]!.was!.url;
    expect(told.length).toBeLessThan(210);
    expect(told).toMatch(/^https:\/\/erp\.acme\.test\/x+…x+\/end$/);
  });

  test('the newest certificate is told, with the reason when it was refused, and only of the server that the webhook leads to', () => {
    const info = { subject: 'CN=a', issuer: 'CN=b', validFrom: '', validTo: '', names: '', fingerprint256: 'AA' };
    const trusted = { ...row(1, 10), result: resultOf(null, info) };
    const refused = {
      ...row(1, 20),
      outcome: 'refused_certificate' as const,
      result: resultOf('self_signed', info),
    };
    const recent = new RecentAttempts([row(1, 30), refused, trusted]);
    expect(recent.certificateOf(1, 'https://crm.acme.test/elsewhere')).toEqual({ info, reason: 'self_signed', at: 20 });
    expect(recent.certificateOf(1, 'https://other.acme.test/hooks')).toBeNull();
    expect(recent.certificateOf(2, 'https://crm.acme.test/hooks')).toBeNull();
    recent.saw(1, 'https://other.acme.test/', { info, reason: null, at: 40 });
    expect(recent.certificateOf(1, 'https://other.acme.test/hooks')).toEqual({ info, reason: null, at: 40 });
  });
});
