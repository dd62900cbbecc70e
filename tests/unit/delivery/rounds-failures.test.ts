/** What a lost move and a failed write leave of a round. */
import { describe, expect, test, vi } from 'vitest';
import { webhookOf } from '../../helpers/core-fixture.ts';
import { RoundsFixture, short } from '../../helpers/rounds-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { answers, BUG, core, counts, crowd, DAMAGED, FULL, GONE, ONE, use } from './rounds-stage.ts';

const passed = vi.hoisted(() => ({ by: (_name: string): void => {} }));
vi.mock('../../../src/core/failpoint.ts', () => ({ failpoint: (name: string) => passed.by(name) }));
passed.by = (name) => core.tell(name);

/** Message 7 is sent to its only webhook, which answers with this status after 10 ms. */
async function sent(status: number): Promise<void> {
  use(new RoundsFixture(ONE));
  answers(1, status, 10);
  core.begin(7);
  await core.commit();
}

/** The webhook of {@link sent} has answered, and the result waits to be written. */
async function answered(status: number): Promise<void> {
  await sent(status);
  await core.time.advance(10);
}

/** Webhook 1 has a free sender again, and the attempt of message 17, which waited for it, waits to be written. */
async function nextInLine(): Promise<void> {
  await crowd();
  await core.time.advance(50);
  await core.commitAll();
  core.rounds.openWaiting(webhookOf(1));
}

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
    await answered(200);
    core.news();
    await core.commit({ lost: true });
    expect(core.news()).toEqual(['committed', 'result_written', `recorded 1 accepted ${SIM_START}`, 'roundEnded']);
    expect([core.moved, counts(), core.lostMoves.count]).toEqual([[], GONE, 1]);
  });

  test('when an attempt was to begin: it does not, and its sender is free', async () => {
    await nextInLine();
    core.news();
    await core.commit({ lost: true });
    expect(core.news()).toEqual(['committed', 'roundEnded']);
    expect([counts(), core.transport.sent.length]).toEqual([GONE, 16]);
  });
});

describe('a message that was removed', () => {
  /** Webhook 1 has accepted message 7, and webhook 2 answers after 50 ms. */
  async function halfway(): Promise<void> {
    answers(1, 200, 10);
    answers(2, 200, 50);
    core.begin(7);
    await core.commit();
    await core.time.advance(10);
    await core.commit();
    core.news();
  }

  test('while an attempt is open: its result is counted, and nothing moves', async () => {
    await halfway();
    core.rounds.removed([1, 7]);
    expect([counts(), core.pending]).toEqual([{ size: 1, inFlight: 1, parked: 0 }, []]);
    await core.time.advance(40);
    expect((await core.commit()).moves).toEqual([]);
    expect(core.news()).toEqual([
      'result_received',
      'attemptEnded',
      'committed',
      'result_written',
      `recorded 2 accepted ${SIM_START}`,
      'moved 7 delivered',
      'roundEnded',
    ]);
    expect([core.lostMoves.count, counts(), core.moved[0]!.missed]).toEqual([0, GONE, []]);
  });

  test('while it waits for a sender: it waits no more, and its round is over', async () => {
    await crowd();
    core.rounds.removed([17]);
    expect([counts(), core.pending, core.news()]).toEqual([{ size: 16, inFlight: 16, parked: 0 }, [], ['roundEnded']]);
  });

  test('in the transaction that was to conclude its round: no move is lost', async () => {
    await halfway();
    await core.time.advance(40);
    const concluding = core.commit({ lost: true });
    core.rounds.removed([7]);
    expect((await concluding).moves.map(short)).toEqual(['delivered aa...']);
    expect([core.lostMoves.count, counts()]).toEqual([0, GONE]);
    expect(core.news()).toContain('moved 7 delivered');
  });

  test('in the transaction that was to conclude its round apart, around a damaged page: no move is lost', async () => {
    await halfway();
    await core.time.advance(40);
    await core.fail(DAMAGED);
    const apart = core.commit({ lost: true });
    core.rounds.removed([7]);
    await apart;
    await core.commit();
    expect([core.lostMoves.count, counts()]).toEqual([0, GONE]);
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
    await answered(500);
    core.news();
    await core.fail(FULL);
    expect([core.news(), core.guard.down, core.pending]).toEqual([[], true, []]);
    await core.time.advance(500);
    expect((await core.commit()).finished).toHaveLength(1);
    expect(counts()).toEqual(GONE);
  });

  test('of a full store: an attempt that was to begin waits again, and its sender is free', async () => {
    await nextInLine();
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
    await answered(200);
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
    await answered(200);
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
    await sent(200);
    const stopped = core.rounds.stopMessage(7);
    await core.fail(DAMAGED);
    core.news();
    await core.fail(BUG);
    expect([await stopped, core.rounds.has(7), core.news()]).toEqual([false, true, []]);
  });

  test('of a damaged page: an attempt that was to begin is left out', async () => {
    await nextInLine();
    core.news();
    await core.fail(DAMAGED);
    expect([core.news(), counts().inFlight]).toEqual([['isStuck 17'], 0]);
    expect((await core.commit()).moves.map(short)).toEqual([`retrying i.... ${SIM_START + 50}`]);
    expect([counts(), core.transport.sent.length]).toEqual([GONE, 16]);
  });

  test('for a bug: this round moves the message no more', async () => {
    await sent(200);
    const stopped = core.rounds.stopMessage(7);
    core.news();
    await core.fail(BUG);
    expect([await stopped, core.news(), core.logged.length]).toEqual([false, [], 1]);
  });
});
