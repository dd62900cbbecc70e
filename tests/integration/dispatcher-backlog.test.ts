/** Many messages at once. */
import { describe, expect, test } from 'vitest';
import { newMessage, urlOf, webhookOf, webhooksOf } from '../helpers/core-fixture.ts';
import { always, answer, timedOut } from '../helpers/sim-transport.ts';
import { HOUR, MINUTE, open, SECOND } from './dispatcher-stage.ts';

describe('many messages', () => {
  test('at most 16 attempts of one webhook are open at once', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200, 50)));
    await core.done(core.ingest(Array.from({ length: 100 }, (_, i) => newMessage(`m${i}`))));
    await core.time.settle();
    expect(core.dispatcher.inFlight).toBe(16);
    await core.time.advance(SECOND);
    expect(core.transport.mostOpen.get(urlOf(1))).toBe(16);
    expect(core.counts()).toEqual({ delivered: 100 });
  });

  test('a slow webhook delays four fast ones by less than 100 ms', async () => {
    const core = await open().start(webhooksOf(5));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    for (const slot of [2, 3, 4, 5]) core.transport.on(urlOf(slot), always(answer(500, 5)));
    for (let i = 0; i < 200; i++) {
      await core.done(core.ingest([newMessage(`m${i}`)]));
      const at = core.time.mono();
      await core.time.advance(20);
      for (const slot of [2, 3, 4, 5]) {
        const sent = core.transport.sentTo(urlOf(slot)).find(({ body }) => body === `{"id":"m${i}"}`);
        expect(sent!.mono - at).toBeLessThan(100);
      }
    }
    expect(core.transport.mostOpen.get(urlOf(1))).toBe(16);
  });

  test('a backlog of 5,000 flows in order through bounded memory', async () => {
    const core = await open().start([]);
    for (let i = 0; i < 5; i++)
      await core.done(core.store(Array.from({ length: 1000 }, (_, n) => newMessage(`m${i * 1000 + n}`))));
    core.transport.on(urlOf(1), always(answer(200, 2)));
    let most = 0;
    core.transport.onSend = () => {
      most = Math.max(most, core.dispatcher.queued);
    };
    await core.setWebhooks([webhookOf(1)]);
    await core.time.advance(SECOND);
    expect(core.counts()).toEqual({ delivered: 5_000 });
    expect(core.transport.sent.map(({ body }) => body)).toEqual(
      Array.from({ length: 5_000 }, (_, i) => `{"id":"m${i}"}`),
    );
    expect(most).toBeGreaterThan(100);
    expect(most).toBeLessThanOrEqual(2_016);
  });

  test('what comes in during a backlog is delivered after it, and nothing is forgotten', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200, 3)));
    for (let i = 0; i < 6; i++) {
      await core.done(core.ingest(Array.from({ length: 700 }, (_, n) => newMessage(`m${i * 700 + n}`))));
      await core.time.advance(7);
    }
    await core.time.advance(2 * SECOND);
    expect(core.counts()).toEqual({ delivered: 4_200 });
    expect(core.transport.sent.map(({ body }) => body)).toEqual(
      Array.from({ length: 4_200 }, (_, i) => `{"id":"m${i}"}`),
    );
  });

  test('a clock set back during a backlog forgets nothing', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200, 3)));
    await core.done(core.ingest(Array.from({ length: 2_400 }, (_, n) => newMessage(`a${n}`))));
    core.time.jumpWall(-5 * SECOND);
    await core.done(core.ingest(Array.from({ length: 10 }, (_, n) => newMessage(`b${n}`))));
    await core.time.advance(10 * SECOND);
    expect(core.counts()).toEqual({ delivered: 2_410 });
  });

  test('with every webhook off a backlog is paused in bounded steps', async () => {
    const core = await open().start([]);
    let asked = 0;
    let most = 0;
    const messages = Array.from({ length: 5_000 }, (_, n) => newMessage(`m${n}`));
    const crowded = core.again({
      around: (write) => (job, rows) => {
        asked += 1;
        most = Math.max(most, asked);
        return write(job, rows).finally(() => {
          asked -= 1;
        });
      },
    });
    for (let i = 0; i < 5; i++) await crowded.done(crowded.store(messages.slice(i * 1000, i * 1000 + 1000)));
    await crowded.start([webhookOf(1, { enabled: false })]);
    await crowded.time.advance(SECOND);
    expect(crowded.counts()).toEqual({ paused: 5_000 });
    expect(most).toBeLessThanOrEqual(2_000);
  });
});

test('20,000 rounds may wait for one slow webhook, and no more: the rest waits in the table', async () => {
  const core = await open().start(webhooksOf(2));
  core.transport.on(urlOf(1), always(timedOut(HOUR)));
  core.transport.on(urlOf(2), always(answer(400, 1)));
  for (let i = 0; i < 23; i += 1)
    await core.done(core.ingest(Array.from({ length: 1_000 }, (_, n) => newMessage(`m${i}-${n}`))));
  await core.time.advance(MINUTE);
  const { delivering = 0, waiting = 0, queued = 0 } = core.counts();
  expect(delivering).toBe(16);
  expect(waiting).toBeGreaterThanOrEqual(20_000);
  expect(waiting).toBeLessThanOrEqual(20_016);
  expect(delivering + waiting + queued).toBe(23_000);
});

describe('thousands of rounds that wait for one slow webhook', () => {
  test('the others go on without it, the waiting ones hold no bytes, and each gets its turn', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    for (let i = 0; i < 30; i++)
      await core.done(core.ingest(Array.from({ length: 100 }, (_, n) => newMessage(`m${i}-${n}`))));
    await core.time.advance(SECOND);
    expect(core.transport.sentTo(urlOf(2))).toHaveLength(3_000);
    await core.time.advance(10 * SECOND);
    expect(core.transport.sentTo(urlOf(1)).length).toBe(48);
    expect(new Set(core.transport.sentTo(urlOf(1)).map(({ body }) => body)).size).toBe(48);
  });
});
