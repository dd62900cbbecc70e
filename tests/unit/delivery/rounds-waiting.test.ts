/** Rounds that wait for a sender: when they get one, and when they no longer wait. */
import { describe, expect, test, vi } from 'vitest';
import { urlOf, webhookOf, webhooksOf } from '../../helpers/core-fixture.ts';
import { short } from '../../helpers/rounds-fixture.ts';
import { SIM_START } from '../../helpers/sim-ports.ts';
import { answers, core, counts, crowd, WINDOW } from './rounds-stage.ts';

const passed = vi.hoisted(() => ({ by: (_name: string): void => {} }));
vi.mock('../../../src/core/failpoint.ts', () => ({ failpoint: (name: string) => passed.by(name) }));
passed.by = (name) => core.tell(name);

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
