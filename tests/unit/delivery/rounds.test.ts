/** Rounds step by step: what each commit holds, what follows it, and what a failed one leaves. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { waitAfterRound } from '../../../src/core/model/backoff.ts';
import { PROFILES } from '../../../src/core/model/rules.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import { urlOf, webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { RoundsFixture, short } from '../../helpers/rounds-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { always, answer } from '../../helpers/sim-transport.ts';

const passed = vi.hoisted(() => ({ by: (_name: string): void => {} }));
vi.mock('../../../src/core/failpoint.ts', () => ({ failpoint: (name: string) => passed.by(name) }));

const FULL = new StoreNotWritableError('full');
const DAMAGED = new StoreDamagedError('page 7');
const BUG = new TypeError('no');
const ONE = [webhookOf(1)];
const OFF = [webhookOf(1, { enabled: false }), webhookOf(2)];
const WINDOW = PROFILES.documented.retry.windowMs;
const dueAfter = (id: number, now: number): number => now + waitAfterRound(PROFILES.documented.retry, id, 1)!;

let core: RoundsFixture;
const use = (fixture: RoundsFixture): RoundsFixture => {
  core = fixture;
  passed.by = (name) => core.tell(name);
  return core;
};
beforeEach(() => {
  use(new RoundsFixture());
});

/** Webhook `slot` answers with `status` after `afterMs`. */
const answers = (slot: number, status: number, afterMs: number): unknown =>
  core.transport.on(urlOf(slot), always(answer(status, afterMs)));
const counts = () => ({ size: core.rounds.size, inFlight: core.rounds.inFlight, parked: core.rounds.parked });
const GONE = { size: 0, inFlight: 0, parked: 0 };

/** Sixteen rounds that take every sender of webhook 1 for `busyMs`, and message 17, which waits for one. */
async function crowd(busyMs = 50): Promise<void> {
  use(new RoundsFixture(ONE));
  answers(1, 500, busyMs);
  for (let id = 1; id <= 16; id++) core.begin(id);
  core.begin(17);
  await core.commitAll();
  core.news();
}

describe('a round', () => {
  test('is written whole before anything is sent', async () => {
    answers(1, 500, 10);
    answers(2, 500, 10);
    core.begin(7);
    expect([core.rounds.has(7), core.rounds.has(8), counts()]).toEqual([
      true,
      false,
      { size: 1, inFlight: 2, parked: 0 },
    ]);
    expect(core.pending.map(({ rows }) => rows)).toEqual([3]);
    expect(core.rounds.view()).toEqual([
      { messageId: 7, isParked: false, hasBytes: true, isWriting: true, waitsOn: [] },
    ]);
    await core.time.advance(5);
    const { finished, moves, opened } = await core.commit();
    expect([finished, moves.map(short)]).toEqual([[], ['delivering ss... 1']]);
    expect(moves[0]!.to).toMatchObject({ firstAttemptAt: SIM_START, windowEndsAt: SIM_START + WINDOW, round: 1 });
    expect(opened.map(({ webhookId, startedAt }) => [webhookId, startedAt])).toEqual([
      [1, SIM_START + 5],
      [2, SIM_START + 5],
    ]);
    expect(core.news()).toEqual(['committed', 'attempt_written', `send ${urlOf(1)} 7`, `send ${urlOf(2)} 7`]);
    expect(core.rounds.view()).toMatchObject([{ isParked: false, hasBytes: true, isWriting: false }]);
  });

  test('shows from its beginning which webhooks are off', async () => {
    use(new RoundsFixture(OFF));
    answers(2, 500, 10);
    core.begin(7);
    expect((await core.commit()).moves.map(short)).toEqual(['delivering ps... 1']);
  });

  test('shows nothing of a webhook that is on and is not tried', async () => {
    answers(2, 500, 10);
    core.begin(7, [webhookOf(2)]);
    expect((await core.commit()).moves.map(short)).toEqual(['delivering .s... 1']);
  });

  test('that failed goes on at its time: each result is on record before it is told', async () => {
    use(new RoundsFixture(ONE));
    answers(1, 500, 10);
    core.begin(7);
    await core.commit();
    core.news();
    await core.time.advance(10);
    expect(core.news()).toEqual(['result_received', 'attemptEnded']);
    expect([counts(), core.pending.map(({ rows }) => rows)]).toEqual([{ size: 1, inFlight: 0, parked: 0 }, [2]]);
    await core.time.advance(3);
    const { finished, moves, opened } = await core.commit();
    const dueAt = dueAfter(7, SIM_START + 10);
    expect(finished).toMatchObject([{ id: 100, outcome: 'failed', status: 500, durationMs: 10 }]);
    expect([moves.map(short), opened]).toEqual([[`retrying f.... ${dueAt}`], []]);
    expect(core.news()).toEqual([
      'committed',
      'result_written',
      `recorded 1 failed ${SIM_START}`,
      'moved 7 retrying',
      `waitsFor ${dueAt}`,
      'roundEnded',
    ]);
    expect([core.moved[0]!.at, counts()]).toEqual([SIM_START + 10, GONE]);
    expect([core.rounds.has(7), core.rounds.view(), core.pending]).toEqual([false, [], []]);
  });

  test('that was accepted is over with its last result, and waits for no time', async () => {
    answers(1, 200, 10);
    answers(2, 500, 30);
    core.begin(7);
    await core.commit();
    await core.time.advance(10);
    expect((await core.commit()).moves.map(short)).toEqual([`delivered as... ${SIM_START + 10}`]);
    expect([core.moved, counts()]).toEqual([[], { size: 1, inFlight: 1, parked: 0 }]);
    core.news();
    await core.time.advance(20);
    expect((await core.commit()).moves.map(short)).toEqual(['delivered af...']);
    expect(core.news()).toEqual([
      'result_received',
      'attemptEnded',
      'committed',
      'result_written',
      `recorded 2 failed ${SIM_START}`,
      'moved 7 delivered',
      'roundEnded',
    ]);
    expect(core.moved).toMatchObject([{ at: SIM_START + 10, missed: [{ id: 2 }] }]);
    expect(counts()).toEqual(GONE);
  });

  test('writes once at a time: what comes in meanwhile is in the next write', async () => {
    answers(1, 500, 10);
    answers(2, 500, 20);
    core.begin(7);
    await core.commit();
    await core.time.advance(10);
    const [first] = core.pending;
    expect(first!.take().finished.map(({ id }) => id)).toEqual([100]);
    await core.time.advance(10);
    expect(core.pending).toHaveLength(1);
    // The store asks again when it must repeat the transaction: by then there is more.
    expect((await core.commit()).finished.map(({ id }) => id)).toEqual([100, 101]);
    expect([core.pending, counts()]).toEqual([[], GONE]);
  });

  test('asks for the outcomes of earlier rounds when one of its webhooks went off', async () => {
    answers(1, 500, 10);
    answers(2, 400, 10);
    core.begin(7);
    await core.commit();
    core.setWebhooks(OFF);
    await core.time.advance(10);
    expect(core.news()).toContain('lastOutcomes 7');
    expect((await core.commit()).moves.map(short)).toEqual([`paused fd... ${dueAfter(7, SIM_START + 10)}`]);
  });

  test('goes on when those cannot be read, and delivery stands still', async () => {
    answers(1, 500, 10);
    answers(2, 400, 10);
    core.begin(7);
    await core.commit();
    core.setWebhooks(OFF);
    core.readFault = new Error('torn');
    await core.time.advance(10);
    expect((await core.commit()).moves[0]!.to.state).toBe('retrying');
    expect([core.guard.down, core.guard.unreadable]).toEqual([true, true]);
  });
});

describe('for a sender', () => {
  test('a round waits without bytes, and the row says so', async () => {
    await crowd();
    expect(counts()).toEqual({ size: 17, inFlight: 16, parked: 1 });
    expect(core.rounds.hasFree(1)).toBe(false);
    expect(core.rounds.view().at(-1)).toEqual({
      messageId: 17,
      isParked: true,
      hasBytes: false,
      isWriting: false,
      waitsOn: [1],
    });
    expect(core.written.at(-1)).toMatchObject({ opened: [], finished: [] });
    expect(short(core.written.at(-1)!.moves[0]!)).toBe('waiting w.... 1');
  });

  test('it gets one in its turn: the row first, then the bytes are read and sent', async () => {
    await crowd();
    core.rounds.openWaiting(webhookOf(1));
    expect([core.news(), core.pending]).toEqual([[], []]);
    await core.time.advance(50);
    await core.commitAll();
    core.news();
    core.rounds.openWaiting(webhookOf(1));
    expect([counts(), core.pending.map(({ rows }) => rows)]).toEqual([{ size: 1, inFlight: 1, parked: 0 }, [2]]);
    expect(core.rounds.view().at(-1)).toMatchObject({ isParked: false, waitsOn: [] });
    const { moves, opened } = await core.commit();
    expect([moves.map(short), opened]).toMatchObject([
      ['delivering s.... 1'],
      [{ messageId: 17, startedAt: SIM_START + 50 }],
    ]);
    expect(core.news()).toEqual(['committed', 'wire 17', `send ${urlOf(1)} 17`]);
    await core.time.advance(50);
    expect((await core.commit()).finished[0]!.result.phases[0]).toBe(50);
  });

  test('it waited from its beginning on', async () => {
    await crowd();
    await core.time.advance(30);
    core.begin(18);
    await core.commit();
    await core.time.advance(20);
    await core.commitAll();
    core.rounds.openWaiting(webhookOf(1));
    await core.commitAll();
    await core.time.advance(50);
    const queued = (await core.commit()).finished.concat((await core.commit()).finished);
    expect(queued.map(({ result }) => result.phases[0])).toEqual([50, 20]);
  });

  test('one after the other gets one, as many as are free', async () => {
    await crowd();
    for (let id = 18; id <= 40; id++) core.begin(id);
    await core.commitAll();
    expect(counts()).toEqual({ size: 40, inFlight: 16, parked: 24 });
    await core.time.advance(50);
    await core.commitAll();
    expect(counts()).toEqual({ size: 24, inFlight: 0, parked: 24 });
    core.rounds.openWaiting(webhookOf(1));
    expect(counts()).toEqual({ size: 24, inFlight: 16, parked: 8 });
    expect(core.rounds.view().map(({ waitsOn }) => waitsOn.length)).toEqual([
      ...Array(16).fill(0),
      ...Array(8).fill(1),
    ]);
  });

  test('a round that got one after its window is due again now, without an attempt', async () => {
    await crowd(WINDOW + 1);
    // In steps, so that it does not look like a sleep.
    for (let left = WINDOW + 1; left > 0; left -= 50_000) {
      await core.time.advance(Math.min(50_000, left));
      core.retryClock.now();
    }
    await core.commitAll();
    core.rounds.openWaiting(webhookOf(1));
    const { moves, opened } = await core.commit();
    expect([moves.map(short), opened]).toEqual([[`retrying ..... ${SIM_START + WINDOW + 1}`], []]);
    expect(core.rounds.has(17)).toBe(false);
  });

  test('a round that slept past its window is sent once more', async () => {
    await crowd(WINDOW + 1);
    await core.time.advance(WINDOW + 1);
    await core.commitAll();
    core.rounds.openWaiting(webhookOf(1));
    expect((await core.commit()).opened).toMatchObject([{ messageId: 17 }]);
  });

  test('nothing waits for a webhook that went off or was removed', async () => {
    for (const gone of [[webhookOf(1, { enabled: false })], []]) {
      await crowd();
      core.setWebhooks(gone);
      expect(core.rounds.view().at(-1)).toMatchObject({ messageId: 17, isWriting: true, waitsOn: [] });
      expect((await core.commit()).moves.map(short)).toEqual([`retrying p.... ${SIM_START}`]);
      expect(counts()).toEqual({ size: 16, inFlight: 16, parked: 0 });
    }
  });

  test('a new list changes nothing for what waits for a webhook that stays on', async () => {
    await crowd();
    core.setWebhooks([webhookOf(1, { name: 'renamed' }), webhookOf(2)]);
    expect([core.pending, counts().parked]).toEqual([[], 1]);
    expect(core.rounds.view().at(-1)!.waitsOn).toEqual([1]);
  });

  test('nothing waits once another webhook accepted it', async () => {
    await crowd();
    core.setWebhooks(webhooksOf(2));
    answers(2, 200, 10);
    core.begin(18);
    expect((await core.commit()).moves.map(short)).toEqual(['delivering ws... 1']);
    expect([counts().parked, core.rounds.view().at(-1)]).toMatchObject([1, { waitsOn: [1], hasBytes: true }]);
    await core.time.advance(10);
    expect(core.rounds.view().at(-1)!.waitsOn).toEqual([]);
    expect((await core.commit()).moves.map(short)).toEqual([`delivered xa... ${SIM_START + 10}`]);
    expect(core.rounds.has(18)).toBe(false);
  });

  test('a round that still waits for one when its other attempt ends frees its bytes', async () => {
    await crowd();
    core.setWebhooks(webhooksOf(2));
    answers(2, 500, 10);
    core.begin(18);
    await core.commit();
    await core.time.advance(10);
    expect((await core.commit()).moves.map(short)).toEqual(['waiting wf... 1']);
    expect(core.rounds.view().at(-1)).toMatchObject({ messageId: 18, isParked: true, hasBytes: false });
    expect(counts().parked).toBe(2);
  });
});

describe('a person stops a message', () => {
  test('that has no round: there is nothing to stop', async () => {
    expect(await core.rounds.stopMessage(7)).toBe(false);
  });

  test('while its attempts are under way: they are recorded, and nothing follows', async () => {
    answers(1, 500, 10);
    answers(2, 200, 20);
    core.begin(7);
    await core.commit();
    await core.time.advance(5);
    const stopped = core.rounds.stopMessage(7);
    expect(await core.rounds.stopMessage(7)).toBe(false);
    expect((await core.commit()).moves.map(short)).toEqual([`stopped ss... ${SIM_START + 5}`]);
    expect(await stopped).toBe(true);
    expect(core.moved).toEqual([]);
    await core.time.advance(20);
    await core.commitAll();
    expect(core.moved).toMatchObject([{ to: 'stopped', at: SIM_START + 5, missed: [] }]);
    expect(core.written.at(-1)!.moves.map(short)).toEqual(['stopped fa...']);
    expect(counts()).toEqual(GONE);
  });

  test('that waits for a sender: it waits no more', async () => {
    await crowd();
    void core.rounds.stopMessage(17);
    expect(core.rounds.view().at(-1)!.waitsOn).toEqual([]);
    expect((await core.commit()).moves.map(short)).toEqual([`stopped x.... ${SIM_START}`]);
    expect(core.rounds.has(17)).toBe(false);
  });

  test('whose round is about to be written: no attempt begins, and its senders are free', async () => {
    core.begin(7);
    const stopped = core.rounds.stopMessage(7);
    expect(core.rounds.inFlight).toBe(2);
    const { moves, opened } = await core.commit();
    expect([moves.map(short), opened]).toEqual([['waiting xx... 1', `stopped xx... ${SIM_START}`], []]);
    expect([await stopped, counts(), core.transport.sent]).toEqual([true, GONE, []]);
  });

  test('whose attempt was just written: it is not sent', async () => {
    use(new RoundsFixture(ONE));
    core.begin(7);
    const { take, resolve } = core.pending.shift()!;
    take();
    const stopped = core.rounds.stopMessage(7);
    resolve({ lost: null, attemptIds: [100] });
    await core.time.settle();
    expect(core.transport.sent).toEqual([]);
    await core.commitAll();
    expect(await stopped).toBe(true);
    const finished = core.written.flatMap((write) => write.finished);
    expect(finished).toMatchObject([{ id: 100, outcome: 'interrupted' }]);
    expect(counts()).toEqual(GONE);
  });

  test('whose sender just came free: the attempt does not begin', async () => {
    await crowd(50);
    await core.time.advance(50);
    await core.commitAll();
    core.rounds.openWaiting(webhookOf(1));
    const stopped = core.rounds.stopMessage(17);
    const { moves, opened } = await core.commit();
    expect([moves.map(short), opened]).toEqual([[`stopped x.... ${SIM_START + 50}`], []]);
    expect([await stopped, counts()]).toEqual([true, GONE]);
    expect(core.transport.sent).toHaveLength(16);
  });
});

describe('while Hookbench stops', () => {
  test('what waits for a sender is interrupted, and due at once', async () => {
    await crowd();
    core.rounds.interruptWaiting();
    expect(core.rounds.view().at(-1)!.waitsOn).toEqual([]);
    expect((await core.commit()).moves.map(short)).toEqual([`retrying i.... ${SIM_START}`]);
    expect([core.rounds.has(17), counts()]).toEqual([false, { size: 16, inFlight: 16, parked: 0 }]);
  });

  test('a round whose beginning is written meanwhile does not begin to wait', async () => {
    await crowd();
    core.begin(18);
    core.isStopping = true;
    await core.commit();
    expect(core.rounds.view().at(-1)).toMatchObject({ messageId: 18, waitsOn: [], isWriting: true });
    expect((await core.commit()).moves.map(short)).toEqual([`retrying i.... ${SIM_START}`]);
    expect(core.rounds.has(18)).toBe(false);
  });

  test('an attempt that was written meanwhile is not sent, and is recorded as interrupted', async () => {
    core.begin(7);
    core.maySend = false;
    await core.commit();
    expect(core.transport.sent).toEqual([]);
    const { finished, moves } = await core.commit();
    expect(finished.map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted']);
    expect(moves.map(short)).toEqual([`retrying ii... ${SIM_START}`]);
    expect(counts()).toEqual(GONE);
  });
});

test('a webhook that went off while the beginning was written is not waited for', async () => {
  await crowd();
  core.begin(18);
  core.setWebhooks([webhookOf(1, { enabled: false })]);
  await core.commit();
  expect(core.rounds.view().at(-1)).toMatchObject({ messageId: 18, waitsOn: [], isWriting: true });
  await core.commit();
  const { moves } = await core.commit();
  expect(moves.map((move) => `${move.to.id} ${short(move)}`)).toEqual([`18 retrying p.... ${SIM_START}`]);
  expect(core.rounds.has(18)).toBe(false);
});

test('bytes that cannot be read now are not sent: the message is due again at once', async () => {
  await crowd();
  await core.time.advance(50);
  await core.commitAll();
  core.rounds.openWaiting(webhookOf(1));
  core.readFault = new Error('torn');
  await core.commit();
  expect(core.transport.sent).toHaveLength(16);
  expect((await core.commit()).finished).toMatchObject([{ outcome: 'interrupted' }]);
  expect([core.guard.down, core.guard.unreadable]).toEqual([true, true]);
});

describe('a move that was lost', () => {
  test('at the beginning: nothing is sent, the senders are free, and the message is looked for again', async () => {
    core.begin(7);
    const stopped = core.rounds.stopMessage(7);
    core.news();
    await core.commit({ lost: true });
    expect(core.news()).toEqual(['committed', 'wasTaken', 'roundEnded']);
    expect([await stopped, counts(), core.lostMoves.count]).toEqual([false, GONE, 1]);
    expect([core.transport.sent, core.pending]).toEqual([[], []]);
  });

  test('at the end: the result is recorded, and the move is told to nobody', async () => {
    use(new RoundsFixture(ONE));
    answers(1, 200, 10);
    core.begin(7);
    await core.commit();
    await core.time.advance(10);
    core.news();
    await core.commit({ lost: true });
    expect(core.news()).toEqual(['committed', 'result_written', `recorded 1 accepted ${SIM_START}`, 'roundEnded']);
    expect([core.moved, counts(), core.lostMoves.count]).toEqual([[], GONE, 1]);
  });

  test('when an attempt was to begin: it does not, and its sender is free', async () => {
    await crowd();
    await core.time.advance(50);
    await core.commitAll();
    core.rounds.openWaiting(webhookOf(1));
    core.news();
    await core.commit({ lost: true });
    expect(core.news()).toEqual(['committed', 'roundEnded']);
    expect([counts(), core.transport.sent.length]).toEqual([GONE, 16]);
  });
});

describe('a beginning that cannot be written', () => {
  test.each([
    ['the store is full', FULL, true, []],
    ['a page is damaged', DAMAGED, false, ['isStuck 7']],
    ['there is a bug', BUG, false, []],
  ])('as %s: the message stays as stored', async (_, error, down, told) => {
    core.begin(7);
    const stopped = core.rounds.stopMessage(7);
    await core.fail(error);
    expect(core.news()).toEqual([...told, 'roundEnded']);
    expect([await stopped, counts(), core.guard.down]).toEqual([false, GONE, down]);
    expect(core.logged.length).toBe(error === BUG ? 1 : 0);
    await core.time.advance(5_000);
    expect(core.pending).toEqual([]);
  });
});

describe('a later write that fails', () => {
  test('is tried until the store takes it, and nothing is told before', async () => {
    use(new RoundsFixture(ONE));
    answers(1, 500, 10);
    core.begin(7);
    await core.commit();
    await core.time.advance(10);
    core.news();
    await core.fail(FULL);
    expect([core.news(), core.guard.down, core.pending]).toEqual([[], true, []]);
    await core.time.advance(500);
    expect((await core.commit()).finished).toHaveLength(1);
    expect(counts()).toEqual(GONE);
  });

  test('of a full store: an attempt that was to begin waits again, and its sender is free', async () => {
    await crowd();
    await core.time.advance(50);
    await core.commitAll();
    core.rounds.openWaiting(webhookOf(1));
    await core.fail(FULL);
    expect(counts()).toEqual({ size: 1, inFlight: 0, parked: 1 });
    expect(core.rounds.view()).toMatchObject([{ waitsOn: [1], hasBytes: false }]);
    await core.time.advance(500);
    core.rounds.openWaiting(webhookOf(1));
    const { moves, opened } = await core.commit();
    expect([moves.map(short), opened]).toMatchObject([['delivering s.... 1'], [{ messageId: 17 }]]);
    expect(core.transport.sent).toHaveLength(17);
  });

  test('of a damaged page: the rest is written apart, and the message is stuck', async () => {
    use(new RoundsFixture(ONE));
    answers(1, 200, 10);
    core.begin(7);
    await core.commit();
    await core.time.advance(10);
    core.news();
    await core.fail(DAMAGED);
    expect([core.news(), core.pending.length]).toEqual([['isStuck 7'], 2]);
    expect((await core.commit()).moves.map(short)).toEqual([`delivered a.... ${SIM_START + 10}`]);
    expect((await core.commit()).finished).toMatchObject([{ outcome: 'accepted' }]);
    expect(core.news()).toEqual([
      'committed',
      'committed',
      'result_written',
      `recorded 1 accepted ${SIM_START}`,
      'moved 7 delivered',
      'roundEnded',
    ]);
    expect(counts()).toEqual(GONE);
  });

  test('of a damaged page, whose move was lost: that is counted, and the result is told', async () => {
    use(new RoundsFixture(ONE));
    answers(1, 200, 10);
    core.begin(7);
    await core.commit();
    await core.time.advance(10);
    await core.fail(DAMAGED);
    core.news();
    await core.commit({ lost: true });
    await core.commit();
    expect(core.news()).toEqual([
      'committed',
      'committed',
      'result_written',
      `recorded 1 accepted ${SIM_START}`,
      'roundEnded',
    ]);
    expect([core.lostMoves.count, counts()]).toEqual([1, GONE]);
  });

  test('of a damaged page, where another error follows: the round ends there, and begins no more', async () => {
    use(new RoundsFixture(ONE));
    answers(1, 200, 10);
    core.begin(7);
    await core.commit();
    const stopped = core.rounds.stopMessage(7);
    await core.fail(DAMAGED);
    core.news();
    await core.fail(BUG);
    expect([await stopped, core.rounds.has(7), core.news()]).toEqual([false, true, []]);
  });

  test('of a damaged page: an attempt that was to begin is left out', async () => {
    await crowd();
    await core.time.advance(50);
    await core.commitAll();
    core.rounds.openWaiting(webhookOf(1));
    core.news();
    await core.fail(DAMAGED);
    expect([core.news(), counts().inFlight]).toEqual([['isStuck 17'], 0]);
    expect((await core.commit()).moves.map(short)).toEqual([`retrying i.... ${SIM_START + 50}`]);
    expect([counts(), core.transport.sent.length]).toEqual([GONE, 16]);
  });

  test('for a bug: this round moves the message no more', async () => {
    use(new RoundsFixture(ONE));
    answers(1, 200, 10);
    core.begin(7);
    await core.commit();
    const stopped = core.rounds.stopMessage(7);
    core.news();
    await core.fail(BUG);
    expect([await stopped, core.news(), core.logged.length]).toEqual([false, [], 1]);
  });
});
