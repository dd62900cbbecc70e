import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/core/model/rules.ts';
import { plannedRounds } from '../../src/core/model/schedule.ts';
import { StoreNotWritableError } from '../../src/core/ports.ts';
import {
  Core,
  countedStates,
  newMessage,
  secondConnection,
  urlOf,
  type Write,
  webhookOf,
  webhooksOf,
} from '../helpers/core-fixture.ts';
import { always, answer, inTurn, noConnection, refusedCertificate, timedOut } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const open = (over: Partial<ConstructorParameters<typeof Core>[0]> = {}): Core =>
  new Core({ folder: tempWorkspace(), ...over });

const dueOf = async (core: Core) => {
  const claim = { until: core.retryClock.now(), after: { dueAt: 0, id: 0 }, limit: 10 };
  return (await core.deliveries.due.claim(claim)).messages;
};

describe('one round', () => {
  test('a message is sent once, signed, and delivered', async () => {
    const core = await open({ secret: () => 'shh' }).start([webhookOf(1, { headers: [['X-Team', 'a']] })]);
    core.transport.on(urlOf(1), always(answer(200, 30)));
    const id = await core.one();
    expect(core.state(id)).toBe('delivering');
    expect(core.message(id).cells).toBe('s....');
    await core.time.advance(30);
    expect(core.message(id)).toMatchObject({
      state: 'delivered',
      round: 1,
      cells: 'a....',
      nextDueAt: null,
      finishedAt: core.time.wall(),
    });
    expect(core.transport.sent).toHaveLength(1);
    expect(core.transport.sent[0]!.body).toBe('{"id":"m1"}');
    expect(core.transport.sent[0]!.headers).toEqual([
      ['User-Agent', 'Hookbench/1.0'],
      ['Content-Type', 'application/json'],
      ['X-Signature', expect.stringMatching(/^[0-9a-f]{40}$/)],
      ['X-Team', 'a'],
    ]);
    expect(core.attempts(id)).toMatchObject([
      { outcome: 'accepted', status: 200, round: 1, webhookId: 1, slot: 1, url: urlOf(1), durationMs: 30 },
    ]);
    expect(core.recorded).toHaveLength(1);
    expect(core.dispatcher.inFlight).toBe(0);
    expect(core.dispatcher.queued).toBe(0);
  });

  test('the attempt row is committed, and the message delivering, before the connection is asked for', async () => {
    const core = await open().start(webhooksOf(2));
    const other = secondConnection(core.options.folder);
    const seen: unknown[] = [];
    core.transport.onSend = ({ url }) => {
      seen.push(
        other
          .prepare(
            'SELECT m.state, m.round, a.outcome FROM attempts a JOIN messages m ON m.id = a.message_id WHERE a.url = ? ORDER BY a.id DESC LIMIT 1',
          )
          .get(url),
      );
    };
    core.transport.on(urlOf(1), inTurn(answer(500), answer(200)));
    core.transport.on(urlOf(2), always(answer(500)));
    await core.one();
    await core.time.advance(MINUTE);
    expect(seen).toEqual([
      { state: 'delivering', round: 1, outcome: null },
      { state: 'delivering', round: 1, outcome: null },
      { state: 'delivering', round: 2, outcome: null },
      { state: 'delivering', round: 2, outcome: null },
    ]);
  });

  test('the row of an attempt that had to wait for a free sender is committed before it is sent', async () => {
    const core = await open().start([webhookOf(1)]);
    const other = secondConnection(core.options.folder);
    core.transport.on(urlOf(1), always(answer(200, 100)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    await core.setWebhooks(webhooksOf(2));
    let rows = 0;
    core.transport.onSend = () => {
      rows = other.prepare('SELECT count(*) FROM attempts').pluck().get() as number;
      expect(rows).toBeGreaterThanOrEqual(core.transport.sent.length + 1);
    };
    await core.done(core.ingest(Array.from({ length: 40 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(2 * SECOND);
    expect(rows).toBeGreaterThan(40);
    expect(core.counts()).toEqual({ delivered: 40 });
  });

  test('one 2xx of five delivers at once; attempts in flight are recorded and never repeated', async () => {
    const core = await open().start(webhooksOf(5));
    core.transport.on(urlOf(1), always(answer(500, 10)));
    core.transport.on(urlOf(2), always(noConnection(10)));
    core.transport.on(urlOf(3), always(answer(200, 20)));
    core.transport.on(urlOf(4), always(timedOut(5_000)));
    core.transport.on(urlOf(5), always(answer(204, 300)));
    const id = await core.one();
    await core.time.advance(20);
    expect(core.message(id)).toMatchObject({ state: 'delivered', cells: 'fnass', nextDueAt: null });
    const finishedAt = core.message(id).finishedAt;
    await core.time.advance(5 * HOUR);
    expect(core.message(id)).toMatchObject({ state: 'delivered', cells: 'fnata', round: 1, finishedAt: finishedAt });
    expect(core.outcomes(id)).toEqual(['failed', 'no_connection', 'accepted', 'timed_out', 'accepted']);
    expect(core.transport.sent).toHaveLength(5);
    expect(core.dispatcher.queued).toBe(0);
  });

  test('when every webhook declined the message has failed', async () => {
    const core = await open().start(webhooksOf(3));
    core.transport.on(urlOf(1), always(answer(400)));
    core.transport.on(urlOf(2), always(answer(302)));
    core.transport.on(urlOf(3), always(answer(410)));
    const id = await core.one();
    await core.time.advance(5 * HOUR);
    expect(core.message(id)).toMatchObject({ state: 'failed', cells: 'dmd..', nextDueAt: null });
    expect(core.transport.sent).toHaveLength(3);
  });

  test('a refused certificate alone causes no round', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(refusedCertificate()));
    const id = await core.one();
    await core.time.advance(5 * HOUR);
    expect(core.message(id)).toMatchObject({ state: 'failed', cells: 'r....' });
    expect(core.transport.sent).toHaveLength(1);
  });
});

describe('later rounds', () => {
  test('500, 500, 200: three rounds, 10 s and 20 s apart give or take 20 %, then delivered', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(500), answer(200)));
    const id = await core.one();
    await core.time.advance(1);
    expect(core.message(id)).toMatchObject({ state: 'retrying', round: 1, cells: 'f....' });
    const due = core.message(id).nextDueAt!;
    await core.time.advance(MINUTE);
    expect(core.state(id)).toBe('delivered');
    const [first, second, third] = core.transport.sent.map(({ mono }) => mono);
    expect(second! - first! - 1).toBeGreaterThanOrEqual(8_000);
    expect(second! - first! - 1).toBeLessThanOrEqual(12_000);
    expect(third! - second! - 1).toBeGreaterThanOrEqual(16_000);
    expect(third! - second! - 1).toBeLessThanOrEqual(24_000);
    expect(core.transport.sent[1]!.wall).toBe(due);
    expect(core.attempts(id).map(({ round }) => round)).toEqual([1, 2, 3]);
    await core.time.advance(5 * HOUR);
    expect(core.transport.sent).toHaveLength(3);
  });

  test('a webhook that declined is left out of later rounds, a refused certificate is checked again', async () => {
    const core = await open().start(webhooksOf(3));
    core.transport.on(urlOf(1), always(answer(404)));
    core.transport.on(urlOf(2), always(refusedCertificate()));
    core.transport.on(urlOf(3), inTurn(answer(503), answer(503), answer(422)));
    const id = await core.one();
    await core.time.advance(5 * MINUTE);
    expect(core.transport.sentTo(urlOf(1))).toHaveLength(1);
    expect(core.transport.sentTo(urlOf(2))).toHaveLength(3);
    expect(core.transport.sentTo(urlOf(3))).toHaveLength(3);
    expect(core.message(id)).toMatchObject({ state: 'failed', cells: 'drd..', round: 3 });
  });

  test('Retry-After of a throttled answer lengthens the wait, in seconds or as a date', async () => {
    const core = await open().start([webhookOf(1)]);
    const asDate = new Date(core.time.wall() + 120 * SECOND + 300 * SECOND).toUTCString();
    core.transport.on(
      urlOf(1),
      inTurn(answer(429, 1, [['retry-after', '120']]), answer(408, 1, [['Retry-After', asDate]]), answer(200)),
    );
    const id = await core.one();
    await core.time.advance(10 * MINUTE);
    const [first, second, third] = core.transport.sent;
    expect(second!.wall - first!.wall).toBe(120 * SECOND + 1);
    expect(third!.wall).toBe(Date.parse(asDate));
    expect(core.state(id)).toBe('delivered');
  });

  test('a window of failures has exactly the planned rounds, none after 4 h, and ends expired', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(500, 1)));
    core.transport.on(urlOf(2), always(answer(503, 1)));
    const id = await core.one();
    const firstAttemptAt = core.message(id).firstAttemptAt!;
    await core.time.advance(6 * HOUR);
    const planned = plannedRounds(core.rules, { messageRow: id, firstAttemptAt, roundMs: 1 });
    expect(core.transport.sentTo(urlOf(1)).map(({ wall }) => wall)).toEqual(planned.map(({ at }) => at));
    expect(planned.length).toBeGreaterThan(15);
    expect(core.message(id)).toMatchObject({
      state: 'expired',
      round: planned.length,
      cells: 'ff...',
      nextDueAt: null,
    });
    for (const { wall } of core.transport.sent) expect(wall - firstAttemptAt).toBeLessThanOrEqual(4 * HOUR);
    expect(core.time.pending).toBe(0);
  });

  test('the waits run at the speed of the retry clock, the answers in real time', async () => {
    const core = await open().start([webhookOf(1)]);
    core.retryClock.setSpeed(60);
    core.transport.on(urlOf(1), inTurn(answer(500, 600), answer(200, 600)));
    const id = await core.one();
    await core.time.advance(600);
    const wait = core.message(id).nextDueAt! - core.retryClock.now();
    await core.time.advance(wait / 60 + 1);
    expect(core.transport.sent).toHaveLength(2);
    await core.time.advance(598);
    expect(core.state(id)).toBe('delivering');
    await core.time.advance(2);
    expect(core.state(id)).toBe('delivered');
  });

  test('a clock set back makes no wait longer', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(200)));
    const id = await core.one();
    await core.time.advance(1);
    const wait = core.message(id).nextDueAt! - core.retryClock.now();
    core.time.jumpWall(-24 * HOUR);
    await core.time.advance(wait - 1);
    expect(core.transport.sent).toHaveLength(1);
    await core.time.advance(1);
    await core.time.advance(1);
    expect(core.state(id)).toBe('delivered');
  });

  test('a clock set back while Hookbench did not run leaves nothing waiting for the old time', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(HOUR);
    const { round } = core.message(id);
    core.time.jumpWall(-24 * HOUR);
    const next = core.again();
    next.transport.on(urlOf(1), always(answer(200)));
    await next.start([webhookOf(1)]);
    await next.time.advance(25 * MINUTE);
    expect(next.message(id)).toMatchObject({ state: 'delivered', round: round + 1 });
  });

  test('a paused clock starts no round; a step starts exactly the next one', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(1);
    core.retryClock.pause();
    core.dispatcher.refresh();
    await core.time.advance(5 * HOUR);
    expect(core.transport.sent).toHaveLength(1);
    for (const round of [2, 3]) {
      core.retryClock.step(core.deliveries.due.nextRoundAfter(core.retryClock.now())!);
      core.dispatcher.refresh();
      await core.time.advance(SECOND);
      expect(core.message(id)).toMatchObject({ state: 'retrying', round });
    }
    expect(core.transport.sent).toHaveLength(3);
  });

  test('a clock set forward is noticed within 15 s', async () => {
    const core = await open({ rules: { baseMs: 10 * MINUTE, maxMs: 20 * MINUTE } }).start([webhookOf(1)]);
    core.transport.on(urlOf(1), inTurn(answer(500), answer(200)));
    const id = await core.one();
    await core.time.advance(SECOND);
    core.time.jumpWall(HOUR);
    await core.time.advance(15 * SECOND);
    expect(core.state(id)).toBe('delivered');
  });
});

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
      await core.done(
        core.requests.storeRequest({
          request: {
            receivedAt: core.time.wall(),
            method: 'POST',
            path: '/v1/b',
            headers: [],
            body: Buffer.from('{}'),
            encoding: null,
            decodedBytes: 2,
            writeKey: 'wk',
            sourceId: 1,
            status: 200,
            code: null,
          },
          messages: Array.from({ length: 1000 }, (_, n) => newMessage(`m${i * 1000 + n}`)),
          dedupe: true,
          dueAt: core.retryClock.now(),
        }),
      );
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
    for (let i = 0; i < 5; i++)
      await crowded.done(
        crowded.requests.storeRequest({
          request: {
            receivedAt: 0,
            method: 'POST',
            path: '/',
            headers: [],
            body: Buffer.from(''),
            encoding: null,
            decodedBytes: 0,
            writeKey: null,
            sourceId: 1,
            status: 200,
            code: null,
          },
          messages: messages.slice(i * 1000, i * 1000 + 1000),
          dedupe: true,
          dueAt: crowded.retryClock.now(),
        }),
      );
    await crowded.start([webhookOf(1, { enabled: false })]);
    await crowded.time.advance(SECOND);
    expect(crowded.counts()).toEqual({ paused: 5_000 });
    expect(most).toBeLessThanOrEqual(2_000);
  });
});

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
    await core.done(
      core.requests.storeRequest({
        request: {
          receivedAt: 0,
          method: 'POST',
          path: '/',
          headers: [],
          body: Buffer.from(''),
          encoding: null,
          decodedBytes: 0,
          writeKey: null,
          sourceId: 1,
          status: 200,
          code: null,
        },
        messages: [newMessage('m1')],
        dedupe: true,
        dueAt: core.retryClock.now(),
      }),
    );
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
    await core.done(
      core.requests.storeRequest({
        request: {
          receivedAt: 0,
          method: 'POST',
          path: '/',
          headers: [],
          body: Buffer.from(''),
          encoding: null,
          decodedBytes: 0,
          writeKey: null,
          sourceId: 1,
          status: 200,
          code: null,
        },
        messages: [newMessage('m1')],
        dedupe: true,
        dueAt: core.retryClock.now(),
      }),
    );
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

describe('damaged bodies', () => {
  test('a body with a flipped bit is never sent', async () => {
    const core = await open().start([webhookOf(1, { enabled: false })]);
    core.transport.on(urlOf(1), always(answer(200)));
    const id = await core.one();
    const wire = core.db.prepare('SELECT wire FROM message_bodies WHERE id = ?').pluck().get(id) as Buffer;
    wire[3]! ^= 1;
    core.db.prepare('UPDATE message_bodies SET wire = ? WHERE id = ?').run(wire, id);
    await core.setWebhooks([webhookOf(1)]);
    await core.time.advance(5 * HOUR);
    expect(core.transport.sent).toHaveLength(0);
    expect(core.state(id)).toBe('failed');
    expect(core.logged).toContain('body_damaged');
    expect(core.deliveries.due.wire(id)).toBeNull();
  });

  test('a body damaged between two rounds is not sent again', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(500)));
    const id = await core.one();
    await core.time.advance(SECOND);
    core.db.prepare("UPDATE message_bodies SET wire = x'7b7d' WHERE id = ?").run(id);
    await core.time.advance(5 * HOUR);
    expect(core.transport.sent).toHaveLength(1);
    expect(core.state(id)).toBe('failed');
  });
});

describe('the store cannot be written', () => {
  test.each(['while a round begins', 'while a result is recorded'])(
    '%s: nothing is lost or sent twice, and delivery goes on',
    async (when) => {
      const core = await open().start(webhooksOf(2));
      core.transport.on(urlOf(1), always(answer(500, 10)));
      core.transport.on(urlOf(2), inTurn(answer(503, 20), answer(200, 20)));
      const id = await core.one();
      if (when === 'while a round begins') await core.time.advance(SECOND);
      core.db.pragma('query_only = ON');
      await core.time.advance(MINUTE);
      const sentWhileDown = core.transport.sent.length;
      expect(sentWhileDown).toBe(2);
      await core.time.advance(MINUTE);
      core.db.pragma('query_only = OFF');
      await core.time.advance(MINUTE);
      expect(core.message(id)).toMatchObject({ state: 'delivered', round: 2, cells: 'fa...' });
      expect(core.transport.sent).toHaveLength(4);
      expect(core.outcomes(id)).toEqual(['failed', 'failed', 'failed', 'accepted']);
      expect(core.dispatcher.queued).toBe(0);
      expect(core.dispatcher.inFlight).toBe(0);
    },
  );

  test('while many wait for a sender: all are delivered exactly once after it', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(200, 30)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    await core.done(core.ingest(Array.from({ length: 60 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(31);
    core.db.pragma('query_only = ON');
    await core.time.advance(10 * SECOND);
    const sent = core.transport.sent.length;
    await core.time.advance(10 * SECOND);
    expect(core.transport.sent).toHaveLength(sent);
    core.db.pragma('query_only = OFF');
    await core.time.advance(10 * SECOND);
    expect(core.counts()).toEqual({ delivered: 60 });
    expect(new Set(core.transport.sentTo(urlOf(1)).map(({ body }) => body)).size).toBe(
      core.transport.sentTo(urlOf(1)).length,
    );
    expect(core.dispatcher.queued).toBe(0);
    expect(core.dispatcher.inFlight).toBe(0);
  });

  test('a full disk still takes empty transactions: they do not start delivery again', async () => {
    let full = false;
    let refused = 0;
    const core: Core = open({
      around: (write) => (job, rows) =>
        write((changes) => {
          const before = core.db.prepare('SELECT total_changes()').pluck().get() as number;
          const value = job(changes);
          if (full && before !== core.db.prepare('SELECT total_changes()').pluck().get()) {
            refused += 1;
            throw Object.assign(new StoreNotWritableError('database or disk is full'));
          }
          return value;
        }, rows),
    });
    await core.start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200, 1)));
    full = true;
    await core.done(core.ingest(Array.from({ length: 100 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(10 * SECOND);
    expect(core.transport.sent).toHaveLength(0);
    // The rounds that were begun when it filled up, and then one probe each half second.
    expect(refused).toBeLessThanOrEqual(40);
    full = false;
    await core.time.advance(10 * SECOND);
    expect(core.counts()).toEqual({ delivered: 100 });
    expect(core.transport.sent).toHaveLength(100);
  });
});

describe('stop and start', () => {
  test('open attempts are recorded as interrupted, their messages are due at once in the next life', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    await core.done(core.ingest(Array.from({ length: 30 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(10);
    await core.stop();
    const next = core.again();
    expect(next.counts()).toEqual({ retrying: 30 });
    expect(next.outcomes(1).toSorted()).toEqual(['failed', 'interrupted']);
    for (const id of [1, 16]) expect(next.message(id).nextDueAt).toBeLessThanOrEqual(next.retryClock.now());
    next.transport.on(urlOf(1), always(answer(200, 1)));
    next.transport.on(urlOf(2), always(answer(500, 1)));
    await next.start(webhooksOf(2));
    await next.time.advance(MINUTE);
    expect(next.counts()).toEqual({ delivered: 30 });
  });

  test('a webhook that was not yet tried is tried in the next life, though another one declined', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    core.transport.on(urlOf(2), always(answer(400, 1)));
    await core.done(core.ingest(Array.from({ length: 20 }, (_, i) => newMessage(`m${i}`))));
    await core.time.advance(10);
    expect(core.message(20).cells).toBe('wd...');
    await core.stop();
    const next = core.again();
    expect(next.counts()).toEqual({ retrying: 20 });
    next.transport.on(urlOf(1), always(answer(200, 1)));
    await next.start(webhooksOf(2));
    await next.time.advance(MINUTE);
    expect(next.counts()).toEqual({ delivered: 20 });
    expect(next.transport.sentTo(urlOf(2))).toHaveLength(0);
  });

  test('nothing is sent once stop was asked for, even when its row was being written', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200)));
    await core.done(
      core.requests.storeRequest({
        request: {
          receivedAt: 0,
          method: 'POST',
          path: '/',
          headers: [],
          body: Buffer.from(''),
          encoding: null,
          decodedBytes: 0,
          writeKey: null,
          sourceId: 1,
          status: 200,
          code: null,
        },
        messages: [newMessage('m1')],
        dedupe: true,
        dueAt: core.retryClock.now(),
      }),
    );
    core.dispatcher.offer(await dueOf(core));
    await core.stop();
    expect(core.transport.sent).toHaveLength(0);
    const next = core.again();
    expect(next.message(1)).toMatchObject({ state: 'retrying' });
    next.transport.on(urlOf(1), always(answer(200)));
    await next.start([webhookOf(1)]);
    await next.time.advance(SECOND);
    expect(next.state(1)).toBe('delivered');
  });

  test('stop on a store that cannot be written ends, and what was open is interrupted at the next start', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    core.transport.on(urlOf(2), always(answer(200, 2_000)));
    const id = await core.one();
    core.db.pragma('query_only = ON');
    const stopping = core.dispatcher.stop(() => core.transport.close());
    await core.time.settle(5).catch(() => {});
    core.kill();
    core.db.close();
    void stopping;
    const next = core.again();
    for (const slot of [1, 2]) next.transport.on(urlOf(slot), always(answer(200, 50)));
    await next.start(webhooksOf(2));
    expect(next.outcomes(id).slice(0, 2)).toEqual(['interrupted', 'interrupted']);
    expect(next.message(id)).toMatchObject({ state: 'delivering', round: 2 });
  });

  test('recovery makes every message that was being delivered due at once, with its counters', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    core.transport.on(urlOf(2), always(answer(500, 1)));
    await core.done(core.ingest([newMessage('m1'), newMessage('m2'), newMessage('r', { state: 'rejected' })]));
    await core.time.advance(10);
    const next = core.again();
    const now = next.retryClock.now() + 7;
    expect(await next.done(next.writer.write((changes) => next.deliveries.recovery.recover(now, now, changes)))).toBe(
      2,
    );
    for (const id of [1, 2])
      expect(next.message(id)).toMatchObject({ state: 'retrying', round: 1, nextDueAt: now, cells: 'if...' });
    expect(next.counts()).toEqual({ retrying: 2, rejected: 1 });
    expect(await next.done(next.writer.write((changes) => next.deliveries.recovery.recover(now, now, changes)))).toBe(
      0,
    );
  });

  test('a kill: open attempts become interrupted, a final message stays final and shows no open attempt', async () => {
    const core = await open().start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(200, 10)));
    core.transport.on(urlOf(2), always(timedOut(5_000)));
    const done = await core.one('m1');
    await core.time.advance(20);
    core.transport.on(urlOf(1), always(timedOut(5_000)));
    const open2 = await core.one('m2');
    expect([core.state(done), core.state(open2)]).toEqual(['delivered', 'delivering']);
    const next = core.again();
    next.transport.on(urlOf(1), always(answer(200, 10)));
    next.transport.on(urlOf(2), always(answer(500, 1)));
    await next.start(webhooksOf(2));
    await next.time.advance(SECOND);
    expect(next.message(done)).toMatchObject({ state: 'delivered', cells: 'ai...' });
    expect(next.outcomes(done)).toEqual(['accepted', 'interrupted']);
    expect(next.outcomes(open2).slice(0, 2)).toEqual(['interrupted', 'interrupted']);
    expect(next.state(open2)).toBe('delivered');
    expect(next.transport.sent.every(({ body }) => body === '{"id":"m2"}')).toBe(true);
    expect(countedStates(next.db)).toEqual(next.counts());
  });
});

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

test('a message that waits for a webhook that was turned off is paused, though the others declined', async () => {
  const core = await open().start(webhooksOf(2));
  core.transport.on(urlOf(1), always(answer(410)));
  core.transport.on(urlOf(2), inTurn(answer(500), answer(200)));
  const id = await core.one();
  await core.time.advance(SECOND);
  await core.setWebhooks([webhookOf(1), webhookOf(2, { enabled: false })]);
  await core.time.advance(MINUTE);
  expect(core.message(id)).toMatchObject({ state: 'paused', round: 1 });
  await core.setWebhooks(webhooksOf(2));
  await core.time.advance(SECOND);
  expect(core.outcomes(id)).toEqual(['declined', 'failed', 'accepted']);
  const other = await core.one('m2');
  core.transport.on(urlOf(2), always(answer(500)));
  await core.setWebhooks([webhookOf(1)]);
  await core.time.advance(MINUTE);
  expect(core.state(other)).not.toBe('paused');
});

test('a Retry-After that is shorter than the wait changes nothing, as seconds or as a date', async () => {
  const core = await open().start([webhookOf(1)]);
  const dateOf = (inMs: number): string => new Date(core.time.wall() + inMs).toUTCString();
  core.transport.on(urlOf(1), (_request, nth) =>
    nth === 1 ? answer(429, 1, [['Retry-After', '1']]) : answer(503, 1, [['Retry-After', dateOf(2 * SECOND)]]),
  );
  await core.one();
  await core.time.advance(5 * SECOND);
  expect(core.transport.sent).toHaveLength(1);
  await core.time.advance(8 * SECOND);
  expect(core.transport.sent).toHaveLength(2);
  await core.time.advance(2 * SECOND);
  expect(core.transport.sent).toHaveLength(2);
});

test('20,000 rounds may wait for one slow webhook, and no more: the rest waits in the table', {
  timeout: 60_000,
}, async () => {
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

describe('a store that fails between two answers of a round', () => {
  test('answers come on record in their order, each with the move that it means, whichever write failed', async () => {
    let failures = 0;
    const flaky =
      (write: Write): Write =>
      (job, rows) =>
        failures-- > 0 ? Promise.reject(new StoreNotWritableError('busy')) : write(job, rows);
    const core = await open({ around: flaky }).start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(200, 10)));
    core.transport.on(urlOf(2), always(answer(200, 20)));
    const id = await core.one();
    failures = 1;
    await core.time.advance(25);
    expect(core.outcomes(id)).toEqual([null, null]);
    await core.time.advance(SECOND);
    expect(core.message(id)).toMatchObject({ state: 'delivered', cells: 'aa...' });
    expect(core.outcomes(id)).toEqual(['accepted', 'accepted']);
    const next = await core.again().start(webhooksOf(2));
    await next.time.advance(HOUR);
    expect(next.state(id)).toBe('delivered');
    expect(next.transport.sent).toEqual([]);
  });

  test('a read that fails when a message was just taken throws at nobody, and is made up for', async () => {
    const core = await open().start([webhookOf(1)]);
    core.transport.on(urlOf(1), always(answer(200)));
    const { claim } = core.deliveries.due;
    core.deliveries.due.claim = () => Promise.reject(new Error('disk I/O error'));
    core.dispatcher.refresh();
    const stored = await core.done(core.ingest([newMessage('m1')]));
    expect(core.logged).toContain('delivery_read_failed');
    core.deliveries.due.claim = claim;
    await core.time.advance(SECOND);
    expect(core.state(stored[0]!.id)).toBe('delivered');
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
