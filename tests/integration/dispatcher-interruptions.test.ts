/** Damaged bodies, a store that fails, and what stops and starts. */
import { describe, expect, test } from 'vitest';
import { StoreDamagedError, StoreNotWritableError } from '../../src/core/ports.ts';
import { type Core, countedStates, newMessage, urlOf, webhookOf, webhooksOf } from '../helpers/core-fixture.ts';
import type { Write } from '../helpers/direct-writer.ts';
import { always, answer, inTurn, timedOut } from '../helpers/sim-transport.ts';
import { dueOf, HOUR, MINUTE, open, SECOND } from './dispatcher-stage.ts';

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

describe('a damaged page keeps a result from being stored', () => {
  /** Writes fail by turns once `turns` is set: the round's write, then its move and its result by themselves. */
  const beside = async (status: number): Promise<{ core: Core; id: number }> => {
    let turns: boolean[] = [];
    const core = open({
      around: (write) => (job, rows) =>
        turns.shift() ? Promise.reject(new StoreDamagedError('page 7')) : write(job, rows),
    });
    await core.start(webhooksOf(2));
    core.transport.on(urlOf(1), always(answer(status, 10)));
    core.transport.on(urlOf(2), always(timedOut(5_000)));
    const id = await core.one();
    await core.time.advance(5);
    expect(core.outcomes(id)).toEqual([null, null]);
    turns = [true, false, true];
    return { core, id };
  };

  test.each([
    [500, 'fs...', 'ft...', 'retrying'],
    [200, 'as...', 'at...', 'delivered'],
  ])('of %i: its attempt does not seem to be under way, the other one does', async (status, cells, later, state) => {
    const { core, id } = await beside(status);
    await core.time.advance(SECOND);
    expect(core.message(id).cells).toBe(cells);
    expect(core.outcomes(id)).toEqual(['interrupted', null]);
    await core.time.advance(MINUTE);
    expect(core.message(id)).toMatchObject({ state, cells: later });
    expect(core.outcomes(id)).toEqual(['interrupted', 'timed_out']);
    expect(core.transport.sent).toHaveLength(2);
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
    await core.done(core.store([newMessage('m1')]));
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
