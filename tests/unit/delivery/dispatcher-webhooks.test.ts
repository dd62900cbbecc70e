/** What the dispatcher does when webhooks change, when the breaker leaves one out, and when a person acts. */
import { beforeEach, describe, expect, test } from 'vitest';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { urlOf, webhookOf } from '../../helpers/core-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
import { core, FULL, OFF, ONE, SECOND, TORN, waitingForOne } from './dispatcher-stage.ts';

describe('webhooks', () => {
  test('that are all on leave nothing to review', async () => {
    await core.start(ONE);
    core.dispatcher.reconsider();
    expect(core.asked('waiting')).toBe(0);
  });

  test.each([
    ['went off', OFF],
    ['was removed', [webhookOf(2)]],
  ])('of which one %s make one review, and none once that is done', async (_, webhooks) => {
    await core.start(ONE);
    const later = core.put(1, {
      round: 1,
      state: 'retrying',
      nextDueAt: SIM_START + SECOND,
      windowEndsAt: SIM_START * 2,
    });
    core.dispatcher.setWebhooks(webhooks);
    core.dispatcher.setWebhooks([...webhooks]);
    core.dispatcher.reconsider();
    await core.time.settle();
    expect([core.asked('waiting'), core.state(1)]).toEqual([1, webhooks === OFF ? 'paused' : later.state]);
    core.dispatcher.reconsider();
    await core.time.settle();
    expect(core.asked('waiting')).toBe(1);
  });

  test('that were off at the start make a review', async () => {
    await core.start([...ONE, webhookOf(2, { enabled: false })]);
    expect(core.asked('waiting')).toBe(1);
  });

  test('a review that cannot read makes delivery stand still, and is made again', async () => {
    await core.start(ONE);
    core.put(1, { nextDueAt: SIM_START + SECOND });
    core.faults.set('waiting', TORN);
    core.dispatcher.setWebhooks(OFF);
    core.dispatcher.reconsider();
    await core.time.settle();
    expect([core.dispatcher.guard.down, core.asked('waiting'), core.state(1)]).toEqual([true, 1, 'queued']);
    core.dispatcher.reconsider();
    expect(core.asked('waiting')).toBe(1);
    core.faults.clear();
    await core.time.advance(500);
    core.dispatcher.reconsider();
    await core.time.settle();
    expect([core.asked('waiting'), core.state(1)]).toEqual([2, 'paused']);
  });

  test('a message that a review moves is due no more', async () => {
    await core.start(ONE);
    core.dispatcher.hold(true);
    core.offer(1);
    expect(core.dispatcher.queued).toBe(1);
    core.isWriteHeld = true;
    core.dispatcher.setWebhooks(OFF);
    core.dispatcher.reconsider();
    await core.time.settle();
    expect([core.asked('apply'), core.dispatcher.queued]).toEqual([1, 0]);
    // While that move is under way, nothing else takes the message.
    core.dispatcher.setWebhooks([...OFF]);
    core.dispatcher.reconsider();
    core.dispatcher.hold(false);
    await core.time.settle();
    expect(core.asked('apply')).toBe(1);
  });

  test('that change make delivery look for what is due', async () => {
    await core.start([]);
    core.put(1);
    core.dispatcher.setWebhooks(ONE);
    await core.time.advance(SECOND);
    expect(core.state(1)).toBe('delivered');
  });

  test('of which one is on again make delivery look for the messages that were resumed', async () => {
    await core.start(ONE);
    core.put(1);
    core.dispatcher.reconsider();
    await core.time.advance(SECOND);
    expect(core.state(1)).toBe('delivered');
  });

  test('that go off let the rounds that wait for them go on', async () => {
    await waitingForOne();
    expect(core.message(17)).toMatchObject({ state: 'waiting', cells: 'wf...' });
    core.dispatcher.setWebhooks([webhookOf(1, { enabled: false }), webhookOf(2)]);
    await core.time.settle();
    expect(core.message(17)).toMatchObject({ state: 'retrying', cells: 'pf...' });
  });
});

describe('a breaker', () => {
  beforeEach(() => {
    core.rules = { ...PROFILES.documented, breaker: { errors: 2, forgetMs: 60 * SECOND } };
  });

  test('counts every result, and leaves a webhook out until it forgets', async () => {
    core.transport.on(urlOf(1), always(answer(500, 10)));
    await core.start(ONE);
    core.offer(1, 2);
    await core.time.advance(10);
    core.offer(3);
    await core.time.settle();
    expect([core.state(1), core.message(3)]).toMatchObject([
      'retrying',
      { state: 'delivered', reason: 'every_webhook_left_out' },
    ]);
    expect(core.recorded).toEqual(['1 failed', '1 failed']);
    await core.time.advance(120 * SECOND);
    core.transport.on(urlOf(1), always(answer(200, 10)));
    core.dispatcher.offer([core.put(4, { nextDueAt: SIM_START + 130 * SECOND })]);
    await core.time.advance(SECOND);
    expect(core.message(4)).toMatchObject({ state: 'delivered', round: 1 });
  });
});

describe('a person', () => {
  test('stops a message under way, one that waits, and none that is final', async () => {
    await core.start(ONE);
    core.offer(1);
    await core.time.settle();
    expect(await core.done(core.dispatcher.stopMessage(1))).toBe(true);
    core.put(2, { nextDueAt: SIM_START + SECOND });
    expect(await core.done(core.dispatcher.stopMessage(2))).toBe(true);
    expect([core.state(1), core.state(2)]).toEqual(['stopped', 'stopped']);
    expect(await core.done(core.dispatcher.stopMessage(2))).toBe(false);
    expect(await core.done(core.dispatcher.stopMessage(3))).toBe(false);
  });

  test('stops a message that is ready in memory', async () => {
    await core.start(ONE);
    core.dispatcher.hold(true);
    core.offer(1);
    expect(await core.done(core.dispatcher.stopMessage(1))).toBe(true);
    expect([core.state(1), core.dispatcher.queued]).toEqual(['stopped', 0]);
  });

  test.each([
    [1, true, 'stopped'],
    [2, true, 'stopped'],
    [3, false, 'queued'],
  ])('stops a message that the engine moved %d times meanwhile: %s', async (lost, stopped, state) => {
    await core.start(ONE);
    core.put(1, { nextDueAt: SIM_START + SECOND });
    core.movesToLose = lost;
    expect(await core.done(core.dispatcher.stopMessage(1))).toBe(stopped);
    expect([core.state(1), core.dispatcher.lostMoves.count]).toEqual([state, lost]);
  });

  test('learns when a stop cannot be written', async () => {
    await core.start(ONE);
    core.put(1, { nextDueAt: SIM_START + SECOND });
    core.faults.set('apply', FULL);
    await expect(core.dispatcher.stopMessage(1)).rejects.toBe(FULL);
  });

  test('makes a message due now', async () => {
    await core.start(ONE);
    core.put(1, { nextDueAt: SIM_START + 60 * SECOND });
    await core.time.advance(7);
    expect(await core.done(core.dispatcher.retryNow(1))).toBe(true);
    expect(core.message(1)).toMatchObject({ state: 'delivering', nextDueAt: SIM_START + 7 });
    expect(await core.done(core.dispatcher.retryNow(1))).toBe(false);
  });

  test('makes all that wait for a retry due now', async () => {
    await core.start(ONE);
    for (const id of [1, 2]) {
      const windowEndsAt = SIM_START + 600 * SECOND;
      const nextDueAt = SIM_START + id * 60 * SECOND;
      core.put(id, { round: 1, state: 'retrying', nextDueAt, firstAttemptAt: SIM_START, windowEndsAt });
    }
    await core.time.advance(7);
    expect(await core.done(core.dispatcher.retryAllNow([1, 2, 3]))).toBe(2);
    for (const id of [1, 2]) expect(core.message(id)).toMatchObject({ state: 'delivering', nextDueAt: SIM_START + 7 });
  });

  test('pauses a message for as long as its webhook is off: it is looked at again at the end of its window', async () => {
    await core.start(OFF);
    const windowEndsAt = SIM_START + 10 * SECOND;
    core.dispatcher.offer([core.put(1, { round: 1, state: 'retrying', firstAttemptAt: 0, windowEndsAt })]);
    await core.time.settle();
    expect(core.message(1)).toMatchObject({ state: 'paused', nextDueAt: windowEndsAt + 1 });
    await core.time.advance(10 * SECOND + 1);
    expect(core.state(1)).toBe('expired');
  });
});
