/** Replays that try their targets in turn, or again in rounds, on a real store with simulated time. */
import { describe, expect, test } from 'vitest';
import { StoreDamagedError } from '../../src/core/ports.ts';
import type { ReplayCourse } from '../../src/core/replay/after-round.ts';
import { Core, urlOf, webhookOf, webhooksOf } from '../helpers/core-fixture.ts';
import { always, answer, inTurn, noConnection, timedOut } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const HOUR = 3_600_000;
const open = (): Core => new Core({ folder: tempWorkspace(), rules: { jitter: 0 }, secret: () => 'shh' });

/** A delivered message, whose webhook is not one of those that the replays go to. */
async function delivered(core: Core): Promise<number> {
  core.transport.on(urlOf(5), always(answer(200, 1)));
  await core.start([webhookOf(5)]);
  const id = await core.one();
  await core.time.advance(10);
  return id;
}

const RETRY: ReplayCourse = { untilAccepted: false, retries: true };
const TURNS: ReplayCourse = { untilAccepted: true, retries: false };

async function replayed(core: Core, id: number, course: ReplayCourse, slots: readonly number[] = [1, 2]) {
  const wire = core.deliveries.due.wire(id)!;
  const webhooks = slots.map((slot) => webhookOf(slot));
  return (await core.done(core.replayer.send(id, 1, wire, webhooks, { course })))!;
}
const tries = (core: Core, id: number) =>
  core
    .attempts(id)
    .filter(({ replayId }) => replayId !== null)
    .map(({ slot, outcome }) => `${slot} ${outcome}`);

describe('a replay that stops at the first success', () => {
  test('tries one target after another, and leaves the rest out', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(answer(500, 10)));
    core.transport.on(urlOf(2), always(answer(200, 10)));
    core.transport.on(urlOf(3), always(answer(200, 10)));
    const replay = await replayed(core, id, TURNS, [1, 2, 3]);
    expect(tries(core, id)).toEqual(['1 null']);
    await core.time.advance(10);
    expect(tries(core, id)).toEqual(['1 failed', '2 null']);
    await core.time.advance(HOUR);
    expect(tries(core, id)).toEqual(['1 failed', '2 accepted']);
    expect(core.details.replay(replay)).toMatchObject({ webhookIds: [1, 2, 3], ended: 'done', retryUntil: null });
  });

  test('that a person stops begins no further attempt, and says so', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(timedOut()));
    const replay = await replayed(core, id, TURNS);
    expect(core.replayer.stop(replay)).toBe(true);
    await core.time.advance(HOUR);
    expect(tries(core, id)).toEqual(['1 timed_out']);
    expect(core.details.replay(replay)!.ended).toBe('stopped');
    expect(core.replayer.stop(replay)).toBe(false);
  });
});

describe('a replay that is tried again', () => {
  test('goes by the rules until each target has accepted it; the message stays as it was', async () => {
    const core = open();
    const id = await delivered(core);
    const before = core.message(id);
    core.transport.on(urlOf(1), inTurn(answer(500, 1), noConnection(), answer(200, 1)));
    core.transport.on(urlOf(2), always(answer(200, 1)));
    const replay = await replayed(core, id, RETRY);
    const begun = core.retryClock.now();
    await core.time.advance(5_000);
    expect(core.details.replay(replay)).toMatchObject({
      finishedAt: null,
      nextAt: begun + 10_001,
      retryUntil: begun + 4 * HOUR,
    });
    expect(core.replayer.waiting).toBe(1);
    await core.time.advance(HOUR);
    expect(tries(core, id)).toEqual(['1 failed', '2 accepted', '1 no_connection', '1 accepted']);
    const clocks = core.attempts(id).map(({ clockAt }) => clockAt - begun);
    expect(clocks.slice(1)).toEqual([0, 0, 10_001, 30_002]);
    expect(core.details.replay(replay)).toMatchObject({ ended: 'done', nextAt: null });
    expect(core.message(id)).toEqual({ ...before, replays: 1 });
    expect(core.replayer.waiting).toBe(0);
    const [first, ...again] = core.transport.sent;
    expect(again.every(({ body }) => body === first!.body)).toBe(true);
  });

  test('expires with its window', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(answer(500, 1)));
    const replay = await replayed(core, id, RETRY, [1]);
    const begun = core.retryClock.now();
    await core.time.advance(5 * HOUR);
    expect(core.details.replay(replay)!.ended).toBe('expired');
    const last = Math.max(...core.attempts(id).map(({ clockAt }) => clockAt));
    expect(last).toBeLessThanOrEqual(begun + 4 * HOUR);
    expect(tries(core, id).length).toBeGreaterThan(10);
  });

  test('stops while it waits', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(answer(500, 1)));
    const replay = await replayed(core, id, RETRY, [1]);
    await core.time.advance(5_000);
    core.replayer.stop(replay);
    await core.time.advance(1);
    expect(core.details.replay(replay)).toMatchObject({ ended: 'stopped', nextAt: null });
    await core.time.advance(HOUR);
    expect(tries(core, id)).toEqual(['1 failed']);
  });

  test('follows the retry clock when that runs faster', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), inTurn(answer(500, 1), answer(200, 1)));
    const replay = await replayed(core, id, RETRY, [1]);
    await core.time.advance(100);
    core.retryClock.setSpeed(100);
    core.replayer.clockChanged();
    await core.time.advance(110);
    expect(core.details.replay(replay)!.ended).toBe('done');
  });

  test('ends when its message is erased while it waits', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(answer(500, 1)));
    await replayed(core, id, RETRY, [1]);
    await core.time.advance(5_000);
    core.db.prepare('UPDATE messages SET size = 0').run();
    const before = core.transport.sent.length;
    await core.time.advance(HOUR);
    expect(core.transport.sent.length).toBe(before);
    expect(core.replayer.waiting).toBe(0);
  });

  test.each(['kill', 'stop'] as const)('after a %s says that it was interrupted, and sends nothing', async (how) => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(answer(500, 1)));
    const replay = await replayed(core, id, RETRY, [1]);
    await core.time.advance(5_000);
    if (how === 'stop') await core.stop();
    const next = await core.again().start(webhooksOf(1));
    expect(next.details.replay(replay)).toMatchObject({ ended: 'interrupted', nextAt: null });
    expect(next.details.replay(replay)!.finishedAt).not.toBeNull();
    await next.time.advance(HOUR);
    expect(next.transport.sent).toEqual([]);
    expect(tries(next, id)).toEqual(['1 failed']);
  });

  test('that waits leaves room for others', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(answer(500, 1)));
    for (let i = 0; i < 100; i++) await replayed(core, id, RETRY, [1]);
    await core.time.advance(5_000);
    expect(core.replayer.waiting).toBe(100);
    await core.done(core.replayer.room());
  });
});

describe('a replay beside a damaged page', () => {
  /** The next `n` writes of delivery and replays meet a damaged page. */
  function damageable(): { core: Core; damage(n: number): void } {
    let left = 0;
    const core = new Core({
      folder: tempWorkspace(),
      rules: { jitter: 0 },
      secret: () => 'shh',
      around: (write) => (job, rows) =>
        left-- > 0 ? Promise.reject(new StoreDamagedError('page 7')) : write(job, rows),
    });
    return {
      core,
      damage: (n) => {
        left = n;
      },
    };
  }

  test('ends although a result cannot be stored, and the attempt does not seem to be under way', async () => {
    const { core, damage } = damageable();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(answer(500, 1)));
    core.transport.on(urlOf(2), always(answer(200, 1)));
    const replay = await replayed(core, id, TURNS);
    damage(1);
    await core.time.advance(HOUR);
    expect(tries(core, id)).toEqual(['1 interrupted', '2 accepted']);
    expect(core.details.replay(replay)).toMatchObject({ ended: 'done', finishedAt: expect.any(Number) });
    expect(core.recorded.map(({ webhookId }) => webhookId)).toEqual([5, 1, 2]);
  });

  test('tries again after a result that cannot be stored, and when its wait cannot be', async () => {
    const { core, damage } = damageable();
    const id = await delivered(core);
    core.transport.on(urlOf(1), inTurn(answer(500, 1), answer(200, 1)));
    const replay = await replayed(core, id, RETRY, [1]);
    damage(2);
    await core.time.advance(HOUR);
    expect(tries(core, id)).toEqual(['1 interrupted', '1 accepted']);
    expect(core.details.replay(replay)!.ended).toBe('done');
  });

  test('is interrupted when its next attempt cannot be stored: no write, no send', async () => {
    const { core, damage } = damageable();
    const id = await delivered(core);
    core.transport.on(urlOf(1), inTurn(answer(500, 1), answer(200, 1)));
    const replay = await replayed(core, id, RETRY, [1]);
    await core.time.advance(5_000);
    const sent = core.transport.sent.length;
    damage(1);
    await core.time.advance(HOUR);
    expect(core.details.replay(replay)).toMatchObject({ ended: 'interrupted', nextAt: null });
    expect(tries(core, id)).toEqual(['1 failed']);
    expect(core.transport.sent).toHaveLength(sent);
    expect(core.replayer.waiting).toBe(0);
  });
});
