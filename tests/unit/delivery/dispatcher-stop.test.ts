/** The dispatcher and a store that fails, and how it stops. */
import { describe, expect, test } from 'vitest';
import { StoreDamagedError } from '../../../src/core/ports.ts';
import { urlOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { answer, inTurn } from '../../helpers/sim-transport.ts';
import { core, FULL, ids, OFF, ONE, SECOND, TORN, waitingForOne } from './dispatcher-stage.ts';

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
