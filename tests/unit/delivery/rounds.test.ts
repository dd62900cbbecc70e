/** Rounds step by step: what each commit holds, what follows it, and who ends a round. */
import { describe, expect, test, vi } from 'vitest';
import { urlOf, webhookOf } from '../../helpers/core-fixture.ts';
import { RoundsFixture, short } from '../../helpers/rounds-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { answers, core, counts, crowd, dueAfter, GONE, OFF, ONE, use, WINDOW } from './rounds-stage.ts';

const passed = vi.hoisted(() => ({ by: (_name: string): void => {} }));
vi.mock('../../../src/core/failpoint.ts', () => ({ failpoint: (name: string) => passed.by(name) }));
passed.by = (name) => core.tell(name);

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

  test('says of every request which attempt it belongs to', async () => {
    answers(1, 500, 10);
    answers(2, 500, 10);
    core.begin(7);
    await core.commit();
    expect(core.onWire).toMatchObject([
      { attempt: 100, message: 7 },
      { attempt: 101, message: 7 },
    ]);
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
