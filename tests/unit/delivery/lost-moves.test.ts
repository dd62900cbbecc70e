/** A message that something else moved meanwhile: nothing is told, and it is logged and counted. */
import { describe, expect, test } from 'vitest';
import { Core, newMessage, urlOf, webhookOf } from '../../helpers/core-fixture.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const SECOND = 1_000;
const open = (): Promise<Core> => new Core({ folder: tempWorkspace() }).start([webhookOf(1)]);
const stopByHand = (core: Core, id: number): void => {
  core.db.prepare("UPDATE messages SET state = 'stopped', next_due_at = NULL, finished_at = 1 WHERE id = ?").run(id);
};

describe('a lost move', () => {
  test('at the end of a round keeps the result of its attempt and moves nothing', async () => {
    const core = await open();
    core.transport.on(urlOf(1), always(answer(200, 50)));
    const id = await core.one();
    stopByHand(core, id);
    await core.time.advance(SECOND);
    expect([core.state(id), core.outcomes(id)]).toEqual(['stopped', ['accepted']]);
    expect([core.moved, core.logged, core.dispatcher.lostMoves.count]).toEqual([[], ['move_lost'], 1]);
    expect([core.dispatcher.queued, core.dispatcher.inFlight]).toEqual([0, 0]);
  });

  test('at the beginning of an attempt that waited for a sender sends nothing', async () => {
    const core = await open();
    core.transport.on(urlOf(1), always(answer(200, 50)));
    await core.done(core.ingest(Array.from({ length: 17 }, (_, i) => newMessage(`m${i}`))));
    await core.time.settle();
    core.db.exec("UPDATE messages SET round = 0, state = 'queued' WHERE id > 16");
    const wasQueued = core.state(17);
    stopByHand(core, 17);
    await core.time.advance(SECOND);
    expect([wasQueued, core.state(17), core.outcomes(17)]).toEqual(['queued', 'stopped', []]);
    expect(core.transport.sent).toHaveLength(16);
    expect([core.dispatcher.queued, core.dispatcher.inFlight]).toEqual([0, 0]);
  });

  test('of a stop is tried again from where the message stands then', async () => {
    const core = await open();
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    const both = Promise.all([core.dispatcher.stopMessage(id), core.dispatcher.stopMessage(id)]);
    expect(await core.done(both)).toEqual([true, false]);
    expect(core.dispatcher.lostMoves.count).toBe(1);
    expect(core.moved.filter(({ to }) => to === 'stopped')).toHaveLength(1);
  });
});
