/** The dispatcher on tables in memory: when it looks, and what it begins. */
import { describe, expect, test } from 'vitest';
import { urlOf, webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
import { core, idle, ids, OFF, ONE, SECOND, waitingForOne } from './dispatcher-stage.ts';

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

  test('and is removed while its attempt is open is moved no more, which is no lost move', async () => {
    await core.start(ONE);
    core.offer(1);
    await core.time.settle();
    core.tables.messages.delete(1);
    core.tables.journal.commit();
    core.dispatcher.removed([1]);
    await core.time.advance(10);
    expect([core.recorded, core.moved, core.dispatcher.lostMoves.count, idle()]).toEqual([
      ['1 accepted'],
      [],
      0,
      [0, 0, []],
    ]);
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
