/** What a dispatcher tells of its rounds beside their outcome: counts, queue times, cells and moves. */
import { describe, expect, test } from 'vitest';
import { unpackResult } from '../../../src/core/store/packed-result.ts';
import { Core, newMessage, urlOf, webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { always, answer, inTurn } from '../../helpers/sim-transport.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const open = (): Core => new Core({ folder: tempWorkspace() });

const queueTimes = (core: Core): number[] =>
  (core.db.prepare('SELECT result FROM attempt_results ORDER BY id').pluck().all() as string[]).map(
    (text) => unpackResult(text).phases[0]!,
  );

describe('while attempts are open', () => {
  test('they are counted, and so is what waits for a sender', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200, 100)));
    expect([core.dispatcher.inFlight, core.dispatcher.queued, core.dispatcher.stopping]).toEqual([0, 0, false]);
    await core.done(core.ingest(Array.from({ length: 18 }, (_, i) => newMessage(`m${i}`))));
    await core.time.settle();
    expect([core.dispatcher.inFlight, core.dispatcher.queued]).toEqual([16, 18]);
    await core.time.advance(100);
    expect([core.dispatcher.inFlight, core.dispatcher.queued]).toEqual([2, 2]);
    await core.time.advance(100);
    expect([core.dispatcher.inFlight, core.dispatcher.queued]).toEqual([0, 0]);
    expect(core.recorded.map(({ webhookId }) => webhookId)).toEqual(Array(18).fill(1));
  });

  test('a round that waits shows where, and how long each of its attempts waited', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(500, 300)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    const stored = await core.done(core.ingest(Array.from({ length: 17 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(50);
    const last = stored.at(-1)!.id;
    expect(core.message(last)).toMatchObject({ state: 'waiting', cells: 'wf...' });
    await core.time.advance(SECOND);
    expect(core.message(last)).toMatchObject({ state: 'retrying', cells: 'ff...' });
    expect(Math.max(...queueTimes(core))).toBeGreaterThanOrEqual(299);
  });
});

describe('the cells of a message', () => {
  test('that rests without a round say which webhooks are off, and wait for none', async () => {
    const core = await open().start([webhookOf(1, { enabled: false }), webhookOf(3, { enabled: false })]);
    const id = await core.one();
    await core.time.advance(1);
    expect(core.message(id)).toMatchObject({ state: 'paused', cells: 'p.p..', finishedAt: null, nextDueAt: null });
    expect(core.moved).toEqual([]);
  });

  test('in a round say which webhooks are off', async () => {
    const core = await open().start([webhookOf(1), webhookOf(2, { enabled: false })]);
    core.transport.on(urlOf(1), always(answer(200)));
    const id = await core.one();
    expect(core.message(id).cells).toBe('sp...');
    await core.time.advance(SECOND);
    expect(core.message(id).cells).toBe('ap...');
  });

  test('show that a sender was waited for in vain, when another webhook accepted', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500, 5 * SECOND)));
    await core.done(core.ingest(Array.from({ length: 16 }, (_, i) => newMessage(`m${i}`))));
    await core.setWebhooks(webhooksOf(2));
    core.transport.on(urlOf(2), always(answer(200, 1)));
    const id = await core.one('last');
    await core.time.advance(10);
    expect(core.message(id)).toMatchObject({ state: 'delivered', cells: 'xa...', nextDueAt: null });
    expect(core.outcomes(id)).toEqual(['accepted']);
  });
});

describe('what is told', () => {
  test('of a message that expires without a round: when, after how many, and that nobody missed it', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    await core.setWebhooks([webhookOf(1, { enabled: false })]);
    await core.time.advance(5 * HOUR);
    const { finishedAt: at } = core.message(id);
    expect(core.moved).toEqual([
      {
        messageId: id,
        receivedAt: SIM_START,
        from: 'delivering',
        to: 'retrying',
        round: 1,
        at: SIM_START + 1,
        missed: [],
      },
      { messageId: id, receivedAt: SIM_START, from: 'paused', to: 'expired', round: 1, at, missed: [] },
    ]);
  });

  test('of a round whose webhook went off: that it came to another one, though it is paused', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500, SECOND)));
    const id = await core.one();
    await core.setWebhooks([webhookOf(1, { enabled: false })]);
    await core.time.advance(2 * SECOND);
    expect(core.state(id)).toBe('paused');
    expect(core.moved.map(({ from, to }) => [from, to])).toEqual([['delivering', 'retrying']]);
  });

  test('of a stop: from where, and when; of one that changes nothing: nothing', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(200)));
    const id = await core.one();
    await core.time.advance(SECOND);
    expect(await core.done(core.dispatcher.stopMessage(id))).toBe(true);
    expect(core.message(id)).toMatchObject({ state: 'stopped', nextDueAt: null, finishedAt: core.time.wall() });
    expect(core.moved.at(-1)).toEqual({
      messageId: id,
      receivedAt: SIM_START,
      from: 'retrying',
      to: 'stopped',
      round: 1,
      at: core.time.wall(),
      missed: [],
    });
    expect(await core.done(core.dispatcher.stopMessage(id))).toBe(false);
    expect(await core.done(core.dispatcher.stopMessage(99))).toBe(false);
    expect(core.moved).toHaveLength(2);
    await core.time.advance(5 * HOUR);
    expect(core.transport.sent).toHaveLength(1);
  });

  test('of a delivery: the webhooks that never accepted, without those that are off', async () => {
    const core = await open().start(webhooksOf(3));
    core.transport.on(urlOf(1), always(answer(200, 1)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    core.transport.on(urlOf(3), always(answer(500, 1)));
    const id = await core.one();
    await core.setWebhooks([webhookOf(1), webhookOf(2), webhookOf(3, { enabled: false })]);
    await core.time.advance(10);
    expect(core.moved).toMatchObject([{ messageId: id, to: 'delivered', missed: [{ id: 2 }] }]);
    expect(core.moved[0]!.missed).toHaveLength(1);
  });
});

test('a stop ends at once when nothing is under way, and begins nothing more', async () => {
  const core = await open().start([webhookOf(1)]);
  core.transport.on(urlOf(1), always(answer(200)));
  let ended = false;
  const stopping = core.dispatcher
    .stop(async () => {})
    .then(() => {
      ended = true;
    });
  await core.time.settle();
  expect([ended, core.dispatcher.stopping, core.time.pending]).toEqual([true, true, 0]);
  await stopping;
  await core.one();
  core.dispatcher.refresh();
  await core.time.advance(SECOND);
  expect(core.transport.sent).toEqual([]);
});
