/** The window of a message, the rules of profiles, and reports of moves. */
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/core/model/rules.ts';
import { newMessage, urlOf, webhookOf, webhooksOf } from '../helpers/core-fixture.ts';
import { always, answer, inTurn } from '../helpers/sim-transport.ts';
import { HOUR, MINUTE, open, SECOND } from './dispatcher-stage.ts';

describe('the window', () => {
  test('a round that waited for a sender past its window is not sent any more', async () => {
    const core = await open({ rules: { windowMs: 10 * SECOND } }).start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(500, 5_000)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    await core.done(core.ingest(Array.from({ length: 100 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(10 * MINUTE);
    for (const message of core.lists.window(1, 200)) {
      expect(message.state).toBe('expired');
      for (const attempt of core.attempts(message.id))
        expect(attempt.clockAt - message.firstAttemptAt!).toBeLessThanOrEqual(10 * SECOND);
    }
    expect(core.dispatcher.queued).toBe(0);
  });
});

describe('rules other than the documented ones', () => {
  test('what declined is tried again where the rules say so', async () => {
    const core = await open({ delivery: PROFILES.classic }).start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(410), answer(200)));
    const id = await core.one();
    await core.time.advance(MINUTE);
    expect(core.state(id)).toBe('delivered');
    expect(core.outcomes(id)).toEqual(['declined', 'accepted']);
  });

  test('a breaker leaves a failing webhook out; when none is left, the message counts as delivered, and says why', async () => {
    const core = await open({ delivery: { breaker: { errors: 3, forgetMs: 3 * MINUTE } } }).start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(90 * SECOND);
    expect(core.transport.sent).toHaveLength(3);
    expect(core.message(id)).toMatchObject({ state: 'delivered', reason: 'every_webhook_left_out' });
    core.transport.on(urlOf(1), always(answer(200)));
    await core.time.advance(3 * MINUTE);
    const later = await core.one('m2');
    await core.time.advance(SECOND);
    expect(core.outcomes(later)).toEqual(['accepted']);
  });

  test('a Retry-After is not heard where the rules say so', async () => {
    const core = await open({ delivery: { retryAfter: false } }).start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(429, 1, [['Retry-After', '3600']]), answer(200)));
    const id = await core.one();
    await core.time.advance(MINUTE);
    expect(core.state(id)).toBe('delivered');
  });

  test('a change of the window moves no message that has its own', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    core.delivery = { ...core.delivery, retry: { ...core.delivery.retry, windowMs: 1_000 } };
    await core.time.advance(2 * HOUR);
    expect(core.state(id)).toBe('retrying');
    core.delivery = { ...core.delivery, retry: { ...core.delivery.retry, windowMs: 99 * HOUR } };
    await core.time.advance(3 * HOUR);
    expect(core.state(id)).toBe('expired');
  });
});

describe('a sleep that outlasts the window', () => {
  test('leaves one last round at wake', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(200)));
    const id = await core.one();
    await core.time.advance(SECOND);
    core.time.jumpWall(5 * HOUR);
    await core.time.advance(MINUTE);
    expect(core.message(id)).toMatchObject({ state: 'delivered', round: 2 });
  });

  test('and the message expires when that fails', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    core.time.jumpWall(5 * HOUR);
    await core.time.advance(HOUR);
    expect(core.message(id)).toMatchObject({ state: 'expired', round: 2, nextDueAt: null });
    expect(core.transport.sent).toHaveLength(2);
  });

  test('lets a round that waited for a sender have that one, however slow the webhook is', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200, 4_000)));
    await core.done(core.ingest(Array.from({ length: 40 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(SECOND);
    core.time.jumpWall(5 * HOUR);
    await core.time.advance(MINUTE);
    expect(core.counts()).toEqual({ delivered: 40 });
    expect(core.transport.sent).toHaveLength(40);
  });

  test('a webhook that the round had still to try is tried, though another one declined', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(200, 4_000)));
    core.transport.on(urlOf(2), always(answer(400, 1)));
    await core.done(core.ingest(Array.from({ length: 40 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(SECOND);
    core.time.jumpWall(5 * HOUR);
    await core.time.advance(MINUTE);
    expect(core.counts()).toEqual({ delivered: 40 });
  });

  test('a message whose webhook is off expires: there is nobody to ask', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    await core.setWebhooks([webhookOf(1, { enabled: false })]);
    core.time.jumpWall(5 * HOUR);
    await core.time.advance(MINUTE);
    expect(core.state(id)).toBe('expired');
    expect(core.transport.sent).toHaveLength(1);
  });

  test('a window that ended while nothing ran, or while a person held delivery, leaves none', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    core.dispatcher.hold(true);
    for (let hours = 0; hours < 5; hours += 1 / 120) {
      await core.time.advance(HOUR / 120);
      core.retryClock.now();
    }
    core.dispatcher.hold(false);
    await core.time.advance(MINUTE);
    expect(core.state(id)).toBe('expired');
    expect(core.transport.sent).toHaveLength(1);
  });
});

describe('reports of moves', () => {
  test('a delivery names the webhooks that never accepted, once all of its round has ended', async () => {
    const core = await open().start([...webhooksOf(3), webhookOf(4, { enabled: false })]);
    core.transport.on(urlOf(1), always(answer(200, 10)));
    core.transport.on(urlOf(2), always(answer(500, 20)));
    core.transport.on(urlOf(3), always(answer(200, 30)));
    const id = await core.one();
    await core.time.advance(25);
    expect(core.state(id)).toBe('delivered');
    expect(core.moved).toEqual([]);
    await core.time.advance(10);
    expect(core.moved).toMatchObject([
      { messageId: id, from: 'delivering', to: 'delivered', round: 1, missed: [{ id: 2 }] },
    ]);
  });

  test('retries, the end and a stop are reported with their rounds', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(410)));
    const first = await core.one();
    await core.time.advance(MINUTE);
    core.transport.on(urlOf(1), always(answer(500)));
    const second = await core.one('m2');
    await core.time.advance(SECOND);
    await core.done(core.dispatcher.stopMessage(second));
    expect(core.moved.map(({ messageId, to, round }) => [messageId, to, round])).toEqual([
      [first, 'retrying', 1],
      [first, 'failed', 2],
      [second, 'retrying', 1],
      [second, 'stopped', 1],
    ]);
  });
});
