import { describe, expect, it } from 'vitest';
import type { MessageRow } from '../../../src/contract/values.ts';
import {
  canRetryNow,
  canStop,
  explain,
  listed,
  roundsInWords,
  type Situation,
} from '../../../src/renderer/screens/detail/explain.ts';
import { fakeDestination } from '../../helpers/fake-destination.ts';
import { attempt, hooks, message } from '../../ui/detail/scenes.ts';

const HOUR = 3_600_000;
const rules = fakeDestination();

const at = (part: Partial<MessageRow>, more: Partial<Situation> = {}): Situation => ({
  message: message({ receivedAt: 1_000, firstAttemptAt: 1_020, windowEndsAt: 1_020 + 4 * HOUR, round: 1, ...part }),
  attempts: [],
  webhooks: hooks,
  rules,
  standstill: null,
  sourceName: 'checkout-api',
  ...more,
});
const said = (part: Partial<MessageRow>, more: Partial<Situation> = {}) => {
  const { title, sentence } = explain(at(part, more));
  return [title, sentence];
};

describe('explanation of a state', () => {
  it('retrying: what failed, what is left, when it ends', () => {
    expect(said({ state: 'retrying', round: 7 })).toEqual([
      'Retrying. Round 8',
      'Seven rounds failed on every webhook. Expires at 4 h if none succeeds.',
    ]);
    expect(said({ state: 'retrying', round: 31 })[1]).toMatch(/^31 rounds failed/);
    expect(explain(at({ state: 'retrying', nextDueAt: 9_000 })).countdownTo).toBe(9_000);
  });

  it('retrying: names the webhooks that are left out', () => {
    const attempts = [attempt('d', hooks[0]!), attempt('f', hooks[1]!), attempt('m', hooks[2]!)];
    expect(said({ state: 'retrying' }, { attempts })[1]).toBe(
      'One round failed on every webhook. CRM sync and Flaky receiver declined and are not tried again. Expires at 4 h if none succeeds.',
    );
  });

  it('says of 4xx and redirects what the delivery rules say', () => {
    const declined = [attempt('d', hooks[0]!)];
    const retried = { ...rules, retryOn: [...rules.retryOn, 'declined' as const] };
    expect(said({ state: 'retrying' }, { attempts: declined, rules: retried })[1]).not.toContain('not tried again');
    expect(said({ state: 'failed' }, { attempts: declined, rules: retried })[1]).toContain('4xx answers are retried.');
    const redirected = [attempt('m', hooks[0]!)];
    const followed = { ...rules, redirects: 'follow' as const };
    expect(said({ state: 'failed' }, { attempts: redirected })[1]).toContain('Redirects are not followed.');
    expect(said({ state: 'failed' }, { attempts: redirected, rules: followed })[1]).toContain(
      'It could not be followed.',
    );
  });

  it('retrying: does not call an interrupted round failed', () => {
    const attempts = [attempt('i', hooks[0]!, { round: 2 })];
    expect(said({ state: 'retrying', round: 2 }, { attempts })[1]).toMatch(/^Hookbench stopped during round 2/);
  });

  it('retrying: uses the window of the message, not the rule of today', () => {
    expect(said({ state: 'retrying', windowEndsAt: 1_020 + HOUR })[1]).toContain('Expires at 1 h');
  });

  it('says why delivery stands still', () => {
    expect(said({ state: 'retrying' }, { standstill: 'secret_unreadable' })[1]).toContain(
      'Nothing is sent: the shared secret cannot be read. Nothing goes out unsigned',
    );
    expect(said({ state: 'queued', round: 0 }, { standstill: 'store_not_writable' })[1]).toContain(
      'store cannot be written',
    );
  });

  it('delivering: how many requests are open, replays left out', () => {
    const attempts = [
      attempt('s', hooks[0]!),
      attempt('s', hooks[1]!),
      attempt('s', hooks[2]!, { replayId: 4 }),
      attempt('r', hooks[3]!),
    ];
    expect(said({ state: 'delivering', round: 2 }, { attempts })).toEqual([
      'Delivering, 2 requests open',
      'Round 2 is under way. Each webhook has 5 s to answer.',
    ]);
  });

  it('waiting: for what', () => {
    expect(said({ state: 'waiting', round: 2 })).toEqual([
      'Waiting for a sender',
      'Every sender of the webhooks still to be tried is busy.',
    ]);
  });

  it('delivered: by whom, in which round, how soon', () => {
    const attempts = [
      attempt('f', hooks[0]!),
      attempt('a', hooks[0]!, { round: 2 }),
      attempt('f', hooks[1]!, { round: 2 }),
    ];
    expect(said({ state: 'delivered', round: 2, finishedAt: 11_400 }, { attempts })).toEqual([
      'Delivered by CRM sync in round 2',
      'Accepted 10.40 s after it was received. The other webhooks are not tried again.',
    ]);
    const three = hooks.slice(0, 3).map((hook) => attempt('a', hook));
    expect(said({ state: 'delivered', finishedAt: 1_100 }, { attempts: three })).toEqual([
      'Delivered by 3 webhooks in round 1',
      'Accepted 100 ms after it was received.',
    ]);
  });

  it('delivered: a replay that was accepted is not the winner', () => {
    const attempts = [attempt('a', hooks[1]!, { replayId: 3 }), attempt('a', hooks[0]!)];
    expect(said({ state: 'delivered' }, { attempts })[0]).toBe('Delivered by CRM sync in round 1');
  });

  it('failed: the one answer, or that all were final', () => {
    expect(said({ state: 'failed' }, { attempts: [attempt('d', hooks[0]!)] })[1]).toBe(
      'Declined with 410 Gone. 4xx answers are not retried. You can still replay it.',
    );
    expect(said({ state: 'failed' }, { attempts: [attempt('d', hooks[0]!), attempt('r', hooks[3]!)] })[1]).toBe(
      'Every webhook gave an answer that is not retried. You can still replay it.',
    );
  });

  it('says what ended a message without an answer', () => {
    expect(said({ state: 'delivered', reason: 'every_webhook_left_out' })).toEqual([
      'Counted as delivered',
      'Every webhook was left out after repeated errors, so none was tried. The delivery rules count that as delivered. You can still replay it.',
    ]);
    expect(said({ state: 'failed', reason: 'body_damaged' }, { attempts: [attempt('f', hooks[0]!)] })[1]).toBe(
      'The stored body does not match its checksum, so it is not sent.',
    );
  });

  it('expired and stopped: can still be replayed', () => {
    expect(said({ state: 'expired', round: 31 })).toEqual([
      'Expired after 4 h, 31 rounds',
      'No webhook accepted this message within 4 h. You can still replay it.',
    ]);
    expect(said({ state: 'stopped', round: 0 })[1]).toBe(
      'You stopped it before the first round. You can still replay it.',
    );
  });

  it('paused: what to turn on', () => {
    expect(said({ state: 'paused' }, { webhooks: [] })[1]).toContain('Add one in Webhooks');
    expect(said({ state: 'paused' }, { webhooks: hooks.map((hook) => ({ ...hook, enabled: false })) })[1]).toContain(
      'Turn one on',
    );
  });

  it('rejected and not selected: the exact reason', () => {
    expect(said({ state: 'rejected', reason: 'no_user_anon_id' })[0]).toBe(
      'Rejected: this call has neither userId nor anonymousId.',
    );
    expect(said({ state: 'not_selected', reason: 'source_destination_off' })[0]).toBe(
      'Not selected. The source checkout-api has the destination off.',
    );
  });

  it('allows retry now only while waiting, and stop until the end', () => {
    const states = [
      'queued',
      'delivering',
      'waiting',
      'retrying',
      'paused',
      'delivered',
      'failed',
      'expired',
      'stopped',
      'rejected',
      'not_selected',
    ] as const;
    expect(states.filter((state) => canRetryNow({ state }))).toEqual(['retrying']);
    expect(states.filter((state) => canStop({ state }))).toEqual([
      'queued',
      'delivering',
      'waiting',
      'retrying',
      'paused',
    ]);
  });

  it('writes small numbers as words and lists names', () => {
    expect([1, 2, 12, 13].map(roundsInWords)).toEqual(['One round', 'Two rounds', 'Twelve rounds', '13 rounds']);
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b and c']);
  });
});
