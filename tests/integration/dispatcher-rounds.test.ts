/** Rounds of one message. */
import { describe, expect, test } from 'vitest';
import { plannedRounds } from '../../src/core/model/schedule.ts';
import { newMessage, secondConnection, urlOf, webhookOf, webhooksOf } from '../helpers/core-fixture.ts';
import { always, answer, inTurn, noConnection, refusedCertificate, timedOut } from '../helpers/sim-transport.ts';
import { ALL_ATTEMPTS } from '../helpers/store-rows.ts';
import { HOUR, MINUTE, open, SECOND } from './dispatcher-stage.ts';

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
            `SELECT m.state, m.round, a.outcome FROM ${ALL_ATTEMPTS} a JOIN messages m ON m.id = a.message_id WHERE a.url = ? ORDER BY a.id DESC LIMIT 1`,
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
      rows = other.prepare(`SELECT count(*) FROM ${ALL_ATTEMPTS}`).pluck().get() as number;
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
