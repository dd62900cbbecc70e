/** What a person changes while messages are delivered. */
import { describe, expect, test } from 'vitest';
import { newMessage, urlOf, webhookOf, webhooksOf } from '../helpers/core-fixture.ts';
import { always, answer, inTurn, timedOut } from '../helpers/sim-transport.ts';
import { dueOf, HOUR, MINUTE, open, SECOND } from './dispatcher-stage.ts';

describe('a person changes things', () => {
  test('rounds that wait for a webhook which goes off go on without it', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    core.transport.on(urlOf(2), always(answer(400, 1)));
    await core.done(core.ingest(Array.from({ length: 20 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(10);
    expect(core.counts()).toEqual({ delivering: 16, waiting: 4 });
    await core.setWebhooks([webhookOf(1, { enabled: false }), webhookOf(2)]);
    expect(core.counts()).toEqual({ delivering: 16, failed: 4 });
    expect(core.message(20).cells).toBe('pd...');
    await core.time.advance(MINUTE);
    expect(core.counts()).toEqual({ failed: 4, paused: 16 });
    expect(core.transport.sentTo(urlOf(1))).toHaveLength(16);
    expect(core.dispatcher.queued).toBe(0);
  });

  test('rounds that wait for a webhook which is removed go on without it', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    await core.done(core.ingest(Array.from({ length: 20 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(10);
    await core.setWebhooks([webhookOf(2)]);
    expect(core.counts()).toEqual({ delivering: 16, retrying: 4 });
    core.transport.on(urlOf(2), always(answer(200, 1)));
    await core.time.advance(MINUTE);
    expect(core.counts()).toEqual({ delivered: 20 });
    expect(core.dispatcher.queued).toBe(0);
  });

  test('all webhooks off: messages are paused; on again: they are delivered', async () => {
    const core = await open().start([webhookOf(1, { enabled: false })]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(200)));
    const id = await core.one();
    expect(core.message(id)).toMatchObject({ state: 'paused', round: 0, nextDueAt: null, cells: 'p....' });
    await core.setWebhooks([webhookOf(1)]);
    await core.time.advance(1);
    expect(core.message(id)).toMatchObject({ state: 'retrying', round: 1 });
    await core.setWebhooks([webhookOf(1, { enabled: false })]);
    await core.time.advance(MINUTE);
    expect(core.message(id)).toMatchObject({ state: 'paused', round: 1, nextDueAt: expect.any(Number) });
    expect(core.transport.sent).toHaveLength(1);
    await core.setWebhooks([webhookOf(1)]);
    await core.time.advance(1);
    expect(core.state(id)).toBe('delivered');
  });

  test('a paused message expires when its window has ended', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(1);
    await core.setWebhooks([webhookOf(1, { enabled: false })]);
    await core.time.advance(4 * HOUR - MINUTE);
    expect(core.state(id)).toBe('paused');
    await core.time.advance(2 * MINUTE);
    expect(core.message(id)).toMatchObject({ state: 'expired', nextDueAt: null });
  });

  test('a paused message whose window ended while nothing ran expires at the start', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(1);
    await core.setWebhooks([webhookOf(1, { enabled: false })]);
    await core.time.advance(MINUTE);
    core.kill();
    await core.time.advance(5 * HOUR);
    const next = await core.again().start([webhookOf(1)]);
    next.transport.on(urlOf(1), always(answer(200)));
    await next.time.advance(MINUTE);
    expect(next.state(id)).toBe('expired');
    expect(next.transport.sent).toHaveLength(0);
  });

  test('retry now sends a waiting message at once', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(200)));
    const id = await core.one();
    await core.time.advance(SECOND);
    expect(await core.done(core.dispatcher.retryNow(id))).toBe(true);
    core.dispatcher.refresh();
    await core.time.advance(1);
    expect(core.state(id)).toBe('delivered');
    expect(core.transport.sent[1]!.mono).toBe(SECOND);
    expect(await core.done(core.dispatcher.retryNow(id))).toBe(false);
  });

  test('while held, nothing is sent, not even for rounds that wait for a sender; then everything continues', async () => {
    const core = await open().start([webhookOf(1), webhookOf(2)]);
    core.transport.on(urlOf(1), always(answer(500, 100)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    await core.done(core.ingest(Array.from({ length: 40 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(10);
    core.dispatcher.hold(true);
    const before = core.transport.sent.length;
    await core.done(core.ingest([newMessage('late')]));
    await core.time.advance(HOUR);
    expect(core.transport.sent).toHaveLength(before);
    expect(core.dispatcher.inFlight).toBe(0);
    core.transport.on(urlOf(1), always(answer(200, 1)));
    core.dispatcher.hold(false);
    await core.time.advance(MINUTE);
    expect(core.counts()).toEqual({ delivered: 41 });
  });

  test('a hold in the moment between commit and send sends nothing', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200)));
    await core.done(core.store([newMessage('m1')]));
    core.dispatcher.offer(await dueOf(core));
    core.dispatcher.hold(true);
    await core.time.advance(MINUTE);
    expect(core.transport.sent).toHaveLength(0);
    core.dispatcher.hold(false);
    await core.time.advance(MINUTE);
    expect(core.counts()).toEqual({ delivered: 1 });
  });
});

describe('stopMessage', () => {
  test('a paused message', async () => {
    const core = await open().start([webhookOf(1, { enabled: false })]);
    const id = await core.one();
    expect(await core.done(core.dispatcher.stopMessage(id))).toBe(true);
    await core.setWebhooks([webhookOf(1)]);
    expect(core.message(id)).toMatchObject({ state: 'stopped', nextDueAt: null, finishedAt: core.time.wall() });
    expect(core.transport.sent).toHaveLength(0);
  });

  test('a queued message that waits behind others', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200, 50)));
    await core.done(core.ingest(Array.from({ length: 20 }, (_, i) => newMessage(`m${i}`))));
    await core.time.settle();
    expect(core.state(20)).toBe('queued');
    expect(await core.done(core.dispatcher.stopMessage(20))).toBe(true);
    await core.time.advance(SECOND);
    expect(core.counts()).toEqual({ delivered: 19, stopped: 1 });
    expect(core.transport.sent).toHaveLength(19);
  });

  test('a retrying message', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    expect(await core.done(core.dispatcher.stopMessage(id))).toBe(true);
    await core.time.advance(5 * HOUR);
    expect(core.state(id)).toBe('stopped');
    expect(core.transport.sent).toHaveLength(1);
  });

  test('a delivering message: attempts in flight are recorded, nothing follows, even after a 2xx', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(500, 100)));
    core.transport.on(urlOf(2), always(answer(200, 200)));
    const id = await core.one();
    expect(await core.done(core.dispatcher.stopMessage(id))).toBe(true);
    expect(core.state(id)).toBe('stopped');
    await core.time.advance(5 * HOUR);
    expect(core.message(id)).toMatchObject({ state: 'stopped', cells: 'fa...' });
    expect(core.outcomes(id)).toEqual(['failed', 'accepted']);
    expect(core.transport.sent).toHaveLength(2);
    expect(core.dispatcher.queued).toBe(0);
  });

  test('a message whose round is being written is stopped before anything is sent', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200)));
    await core.done(core.store([newMessage('m1')]));
    core.dispatcher.offer(await dueOf(core));
    const stopped = core.dispatcher.stopMessage(1);
    expect(await core.done(stopped)).toBe(true);
    await core.time.advance(MINUTE);
    expect(core.state(1)).toBe('stopped');
    expect(core.transport.sent).toHaveLength(0);
    expect(core.attempts(1).every(({ outcome }) => outcome === 'interrupted')).toBe(true);
    expect(core.dispatcher.queued).toBe(0);
    expect(core.dispatcher.inFlight).toBe(0);
  });

  test.each(['delivered', 'failed', 'expired', 'rejected', 'not_selected'])(
    'a %s message cannot be stopped',
    async (state) => {
      const core = await open({ rules: { windowMs: 0 } }).start([webhookOf(1)]);
      core.transport.on(urlOf(1), always(answer(state === 'delivered' ? 200 : state === 'failed' ? 400 : 500)));
      const over = state === 'rejected' || state === 'not_selected' ? { state } : {};
      await core.done(core.ingest([newMessage('m1', over as never)]));
      await core.time.advance(MINUTE);
      expect(core.state(1)).toBe(state);
      expect(await core.done(core.dispatcher.stopMessage(1))).toBe(false);
      expect(core.state(1)).toBe(state);
    },
  );

  test('twice: the second time says no', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    const both = Promise.all([core.dispatcher.stopMessage(id), core.dispatcher.stopMessage(id)]);
    expect(await core.done(both)).toEqual([true, false]);
    expect(await core.done(core.dispatcher.stopMessage(99))).toBe(false);
  });
});

describe('a message left with nothing but webhooks that are off', () => {
  test('is paused at once, keeps its wait, and goes on when the webhook is on again', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(410)));
    core.transport.on(urlOf(2), inTurn(answer(500), answer(200)));
    const id = await core.one();
    await core.time.advance(SECOND);
    const { nextDueAt: dueAt } = core.message(id);
    await core.setWebhooks([webhookOf(1), webhookOf(2, { enabled: false })]);
    expect(core.message(id)).toMatchObject({ state: 'paused', round: 1, nextDueAt: dueAt });
    await core.setWebhooks(webhooksOf(2));
    expect(core.message(id)).toMatchObject({ state: 'retrying', round: 1, nextDueAt: dueAt });
    await core.time.advance(MINUTE);
    expect(core.outcomes(id)).toEqual(['declined', 'failed', 'accepted']);
  });

  test('is paused at the end of a round in which the webhook went off', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(410, 1)));
    core.transport.on(urlOf(2), always(answer(500, 2_000)));
    const id = await core.one();
    await core.time.advance(SECOND);
    await core.setWebhooks([webhookOf(1), webhookOf(2, { enabled: false })]);
    expect(core.state(id)).toBe('delivering');
    await core.time.advance(SECOND + 1);
    expect(core.message(id)).toMatchObject({ state: 'paused', round: 1, nextDueAt: expect.any(Number) });
    await core.time.advance(5 * HOUR);
    expect(core.state(id)).toBe('expired');
    expect(core.transport.sent).toHaveLength(2);
  });

  test('fails at once when the only webhook that asked for another round is removed', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(410)));
    core.transport.on(urlOf(2), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    await core.setWebhooks([webhookOf(1)]);
    expect(core.message(id)).toMatchObject({ state: 'failed', nextDueAt: null });
  });

  test('all of a backlog is paused, step by step, and none that another webhook still takes', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), (_request, nth) => answer(nth <= 1_300 ? 410 : 500));
    core.transport.on(urlOf(2), always(answer(500)));
    await core.done(core.ingest(Array.from({ length: 1_400 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(5 * SECOND);
    expect(core.counts()).toEqual({ retrying: 1_400 });
    await core.setWebhooks([webhookOf(1), webhookOf(2, { enabled: false })]);
    await core.time.advance(10);
    expect(core.counts()).toEqual({ paused: 1_300, retrying: 100 });
  });

  test('what went off while nothing ran is paused after the start', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    const next = await core.again().start([webhookOf(1, { enabled: false })]);
    expect(next.state(id)).toBe('paused');
  });
});
