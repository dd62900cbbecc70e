/** The dispatcher on tables in memory: when it looks, what it begins, and how it stops. */
import { beforeEach, describe, expect, test } from 'vitest';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import { urlOf, webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { DispatcherFixture } from '../../helpers/dispatcher-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { always, answer, inTurn } from '../../helpers/sim-transport.ts';

const SECOND = 1_000;
const FULL = new StoreNotWritableError('full');
const TORN = new Error('torn');
const ONE = [webhookOf(1)];
const OFF = [webhookOf(1, { enabled: false })];

let core: DispatcherFixture;
beforeEach(() => {
  core = new DispatcherFixture();
  core.transport.on(urlOf(1), always(answer(200, 10)));
  core.transport.on(urlOf(2), always(answer(200, 10)));
});

const ids = (n: number, from = 1): number[] => Array.from({ length: n }, (_, i) => from + i);
/** Every sender of webhook 1 is busy for 5 s. Webhook 2 refused message 17, which waits for the other one. */
async function waitingForOne(): Promise<void> {
  core.transport.on(urlOf(1), always(answer(500, 5_000)));
  await core.start(webhooksOf(2));
  core.offer(...ids(16));
  await core.time.advance(10);
  core.transport.on(urlOf(2), always(answer(500, 10)));
  core.offer(17);
  await core.time.advance(10);
}
const idle = () => [core.dispatcher.inFlight, core.dispatcher.queued, core.dispatcher.rounds()];

describe('what is due', () => {
  test('is sent at once when it is offered, and told when it ended', async () => {
    await core.start(ONE);
    expect([idle(), core.dispatcher.stopping]).toEqual([[0, 0, []], false]);
    core.offer(1, 2);
    expect([core.dispatcher.inFlight, core.dispatcher.queued, core.dispatcher.rounds().length]).toEqual([2, 2, 2]);
    await core.time.advance(10);
    expect(core.transport.sent.map(({ body }) => body)).toEqual(['\u0001', '\u0002']);
    expect([core.recorded, core.moved.map(({ to }) => to)]).toEqual([
      ['1 accepted', '1 accepted'],
      ['delivered', 'delivered'],
    ]);
    expect(idle()).toEqual([0, 0, []]);
  });

  test('and was stored before the start is claimed', async () => {
    core.put(1);
    core.put(2, { nextDueAt: SIM_START + SECOND });
    await core.start(ONE);
    expect(core.transport.sent).toHaveLength(1);
    await core.time.advance(SECOND);
    expect(core.transport.sent).toHaveLength(2);
  });

  test('waits while delivery is held, from the start on', async () => {
    core.dispatcher.setWebhooks(ONE);
    core.offer(1);
    await core.time.advance(SECOND);
    expect(core.transport.sent).toEqual([]);
    core.dispatcher.hold(false);
    await core.time.advance(SECOND);
    expect(core.state(1)).toBe('delivered');
    core.dispatcher.hold(true);
    core.offer(2);
    await core.time.advance(SECOND);
    expect([core.state(2), core.dispatcher.rounds()]).toEqual(['queued', []]);
  });

  test('is not sent when delivery is held between its row and its send', async () => {
    await core.start(ONE);
    core.offer(1);
    core.dispatcher.hold(true);
    await core.time.advance(SECOND);
    expect([core.transport.sent, core.recorded]).toEqual([[], ['1 interrupted']]);
  });

  test('goes on while a sender is free, and the next in the turn of a result', async () => {
    await core.start(ONE);
    core.offer(...ids(18));
    expect([core.dispatcher.inFlight, core.dispatcher.queued]).toEqual([16, 18]);
    await core.time.advance(9);
    const { commits } = core;
    await core.time.advance(1);
    expect([core.dispatcher.inFlight, core.transport.sent.length]).toEqual([2, 18]);
    // Sixteen results and two beginnings.
    expect(core.commits - commits).toBeLessThan(17);
    await core.time.advance(10);
    expect(idle()).toEqual([0, 0, []]);
  });

  test('in a turn of one result begins with that result, in its transaction', async () => {
    core.transport.on(urlOf(1), (_, nth) => answer(200, nth === 1 ? 10 : 1_000));
    await core.start(ONE);
    core.offer(...ids(17));
    await core.time.advance(9);
    const { commits } = core;
    await core.time.advance(1);
    expect([core.dispatcher.inFlight, core.commits - commits]).toEqual([16, 1]);
  });

  test('begins while any webhook that is on has a sender, and waits for the others', async () => {
    core.transport.on(urlOf(1), always(answer(500, 5_000)));
    await core.start(webhooksOf(2));
    core.offer(...ids(16));
    await core.time.advance(10);
    core.offer(17);
    expect(core.dispatcher.rounds().at(-1)).toMatchObject({ messageId: 17 });
    await core.time.advance(10);
    expect(core.message(17)).toMatchObject({ state: 'delivered', cells: 'xa...' });
  });

  test('waits for a slow webhook, and is sent to it in its turn', async () => {
    await waitingForOne();
    await core.time.advance(4_979);
    expect(core.message(17)).toMatchObject({ state: 'waiting', cells: 'wf...' });
    await core.time.advance(1);
    expect(core.message(17)).toMatchObject({ state: 'delivering', cells: 'sf...' });
    expect(core.transport.sentTo(urlOf(1)).map(({ body }) => body.charCodeAt(0))).toEqual(ids(17));
  });

  test('waits no longer than for the rounds before it, though they end without an attempt', async () => {
    await core.start(ONE);
    const stale = ids(16).map((id) => core.put(id));
    for (const id of ids(16)) core.put(id, { state: 'retrying', round: 1, nextDueAt: SIM_START * 2 });
    core.dispatcher.offer([...stale, core.put(17)]);
    await core.time.settle();
    expect([core.dispatcher.lostMoves.count, core.transport.sent.length, core.state(17)]).toEqual([
      16,
      1,
      'delivering',
    ]);
  });

  test('and paused while its webhook is on is left alone: it is about to be resumed', async () => {
    await core.start(ONE);
    core.dispatcher.offer([core.put(1, { state: 'paused', round: 1, firstAttemptAt: 0, windowEndsAt: SIM_START * 2 })]);
    await core.time.advance(SECOND);
    expect([core.state(1), core.transport.sent, core.dispatcher.guard.down]).toEqual(['paused', [], false]);
  });

  test('has no round while only a webhook that is off has a sender', async () => {
    core.transport.on(urlOf(1), always(answer(500, 5_000)));
    await core.start([webhookOf(1), webhookOf(2, { enabled: false })]);
    core.offer(...ids(17));
    await core.time.settle();
    expect(core.dispatcher.rounds()).toHaveLength(16);
  });

  test('and has a round already is taken once', async () => {
    await core.start(ONE);
    core.offer(1);
    core.dispatcher.refresh();
    await core.time.advance(SECOND);
    expect(core.transport.sent).toHaveLength(1);
  });

  test('is looked for again when nothing more came while a round ended', async () => {
    core.transport.on(urlOf(1), always(answer(500, 10)));
    await core.start(ONE);
    core.offer(1);
    await core.time.advance(15 * SECOND);
    expect(core.message(1)).toMatchObject({ state: 'retrying', round: 2 });
  });

  test('with bytes that were not claimed is read alone; where they are damaged, it fails', async () => {
    await core.start(ONE);
    core.dispatcher.offer([{ ...core.put(1), wire: null }]);
    core.put(2);
    core.tables.bodies.update(2, { isSound: false });
    core.tables.journal.commit();
    core.dispatcher.refresh();
    await core.time.advance(SECOND);
    expect([core.state(1), core.message(2)]).toMatchObject([
      'delivered',
      { state: 'failed', reason: 'body_damaged', finishedAt: SIM_START, round: 0 },
    ]);
    expect([core.asked('wireToSend'), core.logged]).toEqual([2, [['error', 'body_damaged', { message: 2 }]]]);
    expect(core.moved.map(({ messageId, to, at }) => [messageId, to, at])).toContainEqual([2, 'failed', SIM_START]);
  });

  test('and fails for a damaged body makes room for what comes after it', async () => {
    await core.start(ONE);
    core.put(1);
    core.tables.bodies.update(1, { isSound: false });
    core.tables.journal.commit();
    core.dispatcher.refresh();
    await core.time.settle();
    expect(idle()).toEqual([0, 0, []]);
  });

  test('and expired is told with its time', async () => {
    await core.start(ONE);
    await core.time.advance(5);
    core.dispatcher.offer([core.put(1, { round: 1, state: 'retrying', firstAttemptAt: 0, windowEndsAt: SIM_START })]);
    await core.time.settle();
    expect(core.message(1)).toMatchObject({ state: 'expired', finishedAt: SIM_START + 5 });
    expect(core.transport.sent).toEqual([]);
  });

  test('and whose window ended in a sleep is sent once more', async () => {
    await core.start(ONE);
    core.retryClock.now();
    await core.time.advance(100 * SECOND);
    core.time.jumpWall(60 * SECOND);
    const windowEndsAt = core.retryClock.now() - 30 * SECOND;
    core.dispatcher.offer([core.put(1, { round: 1, state: 'retrying', firstAttemptAt: 0, windowEndsAt })]);
    await core.time.advance(SECOND);
    expect(core.state(1)).toBe('delivered');
  });
});

describe('many', () => {
  test('moves without a round are under way up to 2,000 at a time', async () => {
    for (const id of ids(2_100)) core.put(id);
    core.isWriteHeld = true;
    core.dispatcher.setWebhooks(OFF);
    core.dispatcher.hold(false);
    await core.time.advance(SECOND);
    expect(core.asked('apply')).toBe(2_000);
  });

  test('and all are moved, step by step', async () => {
    for (const id of ids(2_100)) core.put(id, { nextDueAt: SIM_START - 1 });
    core.dispatcher.setWebhooks(OFF);
    core.dispatcher.hold(false);
    await core.time.advance(SECOND);
    expect(core.tables.messages.where(({ state }) => state === 'paused')).toHaveLength(2_100);
  });

  test('reasons to look make one look', async () => {
    await core.start(ONE);
    const { planned } = core;
    for (let i = 0; i < 10; i++) core.dispatcher.refresh();
    expect(core.planned - planned).toBe(1);
    await core.time.settle();
    core.dispatcher.refresh();
    await core.time.settle();
    expect(core.planned - planned).toBeGreaterThan(2);
  });

  test('rounds that end make no look while nothing had to wait for them', async () => {
    await core.start(ONE);
    core.offer(1);
    await core.time.settle();
    const { planned } = core;
    await core.time.advance(SECOND);
    expect([core.state(1), core.planned - planned]).toEqual(['delivered', 0]);
  });
});

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

describe('what goes wrong', () => {
  test('a beginning that the store cannot take is made later, by itself', async () => {
    await core.start(ONE);
    core.faults.set('write', FULL);
    core.offer(1);
    await core.time.settle();
    expect([core.dispatcher.guard.down, core.dispatcher.rounds()]).toEqual([true, []]);
    core.faults.set('probe', FULL);
    core.offer(2);
    await core.time.advance(2 * SECOND);
    expect([core.dispatcher.rounds(), core.transport.sent]).toEqual([[], []]);
    core.faults.clear();
    await core.time.advance(SECOND);
    expect([core.state(1), core.state(2)]).toEqual(['delivered', 'delivered']);
  });

  test('a claim that fails is made again, and delivery stands still until then', async () => {
    await core.start(ONE);
    core.put(1);
    core.faults.set('claim', TORN);
    core.dispatcher.refresh();
    await core.time.settle();
    expect([core.dispatcher.guard.unreadable, core.logged]).toEqual([
      true,
      [['error', 'delivery_read_failed', { error: 'torn' }]],
    ]);
    core.faults.clear();
    await core.time.advance(SECOND);
    expect(core.state(1)).toBe('delivered');
  });

  test('a body that cannot be read throws at nobody, and its message is sent later', async () => {
    await core.start(ONE);
    core.faults.set('wireToSend', TORN);
    expect(() => core.dispatcher.offer([{ ...core.put(1), wire: null }])).not.toThrow();
    expect(core.dispatcher.guard.unreadable).toBe(true);
    core.faults.clear();
    await core.time.advance(SECOND);
    expect(core.state(1)).toBe('delivered');
  });

  test.each(['write', 'apply'] as const)(
    'a message that a damaged page keeps from being written (%s) is left alone',
    async (call) => {
      await core.start(call === 'write' ? ONE : OFF);
      core.faults.set(call, new StoreDamagedError('page 7'));
      core.offer(1);
      await core.time.settle();
      core.faults.clear();
      const tries = core.asked(call);
      core.dispatcher.refresh();
      await core.time.advance(60 * SECOND);
      expect([core.state(1), core.asked(call), core.dispatcher.guard.down]).toEqual(['queued', tries, false]);
      core.dispatcher.setWebhooks(webhooksOf(2));
      core.dispatcher.setWebhooks(OFF);
      core.dispatcher.reconsider();
      await core.time.settle();
      expect(core.asked('apply')).toBe(call === 'write' ? 0 : tries);
    },
  );

  test('a message that something else moved before its round is looked for a second later', async () => {
    await core.start(ONE);
    const stale = core.put(1);
    core.put(1, { nextDueAt: SIM_START, state: 'retrying', round: 1, windowEndsAt: SIM_START * 2 });
    core.dispatcher.offer([stale]);
    await core.time.settle();
    expect([core.dispatcher.lostMoves.count, core.dispatcher.rounds()]).toEqual([1, []]);
    await core.time.advance(999);
    expect(core.transport.sent).toEqual([]);
    await core.time.advance(1);
    await core.time.advance(10);
    expect(core.state(1)).toBe('delivered');
  });
});

describe('a stop', () => {
  const stopping = (endAttempts: () => Promise<void>): { ended: boolean } => {
    const state = { ended: false };
    void core.dispatcher.stop(endAttempts).then(() => {
      state.ended = true;
    });
    return state;
  };

  test('ends at once when nothing is under way, and begins nothing more', async () => {
    await core.start(ONE);
    core.put(9, { nextDueAt: SIM_START + SECOND });
    core.dispatcher.refresh();
    await core.time.settle();
    const stopped = stopping(async () => {});
    expect(core.dispatcher.stopping).toBe(true);
    await core.time.settle();
    expect([stopped.ended, core.time.pending]).toEqual([true, 0]);
    const { planned } = core;
    core.offer(1);
    core.dispatcher.refresh();
    core.dispatcher.setWebhooks(OFF);
    core.dispatcher.reconsider();
    await core.time.advance(SECOND);
    expect([core.transport.sent, core.asked('waiting'), core.planned - planned]).toEqual([[], 0, 0]);
  });

  test('waits until the open attempts have ended and are recorded', async () => {
    await core.start(ONE);
    core.offer(...ids(17));
    await core.time.settle();
    let ended = (): void => {};
    const stopped = stopping(
      () =>
        new Promise((resolve) => {
          ended = resolve;
        }),
    );
    await core.time.settle();
    await core.transport.close();
    await core.time.settle();
    expect(stopped.ended).toBe(false);
    ended();
    await core.time.settle();
    expect(stopped.ended).toBe(true);
    expect(core.tables.messages.where(({ state }) => state === 'retrying').map(({ id }) => id)).toEqual(ids(16));
    expect(core.state(17)).toBe('queued');
  });

  test('interrupts what waits for a sender', async () => {
    await waitingForOne();
    const stopped = stopping(() => core.transport.close());
    await core.time.settle();
    expect([core.message(17).cells, stopped.ended]).toEqual(['if...', true]);
  });

  test('interrupts what was about to get a sender when the store failed', async () => {
    await waitingForOne();
    await core.time.advance(4_979);
    core.isWriteHeld = true;
    await core.time.advance(1);
    expect(core.dispatcher.inFlight).toBe(1);
    stopping(() => new Promise(() => {}));
    core.failHeld(FULL);
    await core.time.advance(SECOND);
    expect(core.message(17)).toMatchObject({ state: 'retrying', cells: 'if...' });
  });

  test('ends with the last round that is written', async () => {
    await core.start(ONE);
    core.offer(1);
    await core.time.settle();
    const stopped = stopping(async () => {});
    await core.time.advance(9);
    expect(stopped.ended).toBe(false);
    await core.time.advance(1);
    expect([stopped.ended, core.state(1)]).toEqual([true, 'delivered']);
  });

  test('sends nothing whose row is only written then', async () => {
    await core.start(ONE);
    core.offer(1);
    const stopped = stopping(async () => {});
    await core.time.settle();
    expect([core.transport.sent, core.recorded, stopped.ended]).toEqual([[], ['1 interrupted'], true]);
  });

  test('waits 2 s for what cannot be written, and no longer', async () => {
    await core.start(ONE);
    core.offer(1);
    await core.time.settle();
    core.isWriteHeld = true;
    const stopped = stopping(() => core.transport.close());
    await core.time.advance(1_999);
    expect(stopped.ended).toBe(false);
    await core.time.advance(1);
    expect(stopped.ended).toBe(true);
  });

  test('ends the tries of a store that cannot be written', async () => {
    await core.start(ONE);
    core.offer(1);
    await core.time.settle();
    core.faults.set('write', FULL);
    const stopped = stopping(() => core.transport.close());
    await core.time.advance(2 * SECOND);
    const writes = core.asked('write');
    await core.time.advance(60 * SECOND);
    expect([stopped.ended, core.asked('write'), core.asked('probe')]).toEqual([true, writes, 0]);
  });
});

test('a store that can be written again is asked with the wall time', async () => {
  await core.start(ONE);
  core.faults.set('write', FULL);
  core.transport.on(urlOf(1), inTurn(answer(200, 10)));
  core.offer(1);
  await core.time.advance(500);
  expect(core.asked('probe')).toBe(1);
});
