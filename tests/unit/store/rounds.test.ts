import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  begin,
  deliver,
  fail,
  makeDue,
  type Ready,
  type Resting,
  type Standing,
  show,
  stop,
} from '../../../src/core/model/moves.ts';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';
import { DueTimes } from '../../../src/core/store/due-times.ts';
import { packResult } from '../../../src/core/store/packed-result.ts';
import type { RoundStore, RoundWrite, RoundWritten } from '../../../src/core/store/ports/rounds.ts';
import { SqliteRounds } from '../../../src/core/store/rounds.ts';
import { GroupWriter } from '../../../src/core/store/writer.ts';
import { DeliveryRows } from '../../helpers/delivery-rows.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { attemptRow } from '../../store/rows.ts';

let rows: DeliveryRows;
let store: RoundStore;
beforeEach(() => {
  rows = new DeliveryRows();
  store = rows.stores.rounds;
});

const standing = <S extends Standing['state']>(id: number): Standing<S> => store.standing(id) as unknown as Standing<S>;
const window = { firstAttemptAt: 5, windowEndsAt: 50 };
const beginning = (id: number) => begin(standing<Ready>(id), { cells: 's....', isOpen: true }, window);
const write = (what: Partial<RoundWrite>) => store.write(() => ({ finished: [], moves: [], opened: [], ...what }), 1);

/** As the engine asks: all before the transaction is made. */
async function inOneTurn(all: ReadonlyArray<Partial<RoundWrite>>, committed = () => {}): Promise<RoundWritten[]> {
  const writer = new GroupWriter(rows.db, new SimTime(), { committed, writable: () => {} });
  const together = new SqliteRounds(rows.db, writer, new DueTimes());
  const written = all.map((what) => together.write(() => ({ finished: [], moves: [], opened: [], ...what }), 1));
  writer.flush();
  return Promise.all(written);
}

const opened = {
  messageId: 1,
  replayId: null,
  webhookId: 2,
  slot: 3,
  webhookName: 'hook',
  url: 'http://a/',
  round: 4,
  startedAt: 5,
  clockAt: 6,
};
const RESULT = attemptRow(1, 1).result!;
const finished = { id: 1, outcome: 'accepted', status: 200, durationMs: 1.5, result: RESULT } as const;

/** The statements that move messages in this turn, as they were prepared. */
async function moving(all: ReadonlyArray<Partial<RoundWrite>>): Promise<string[]> {
  const prepare = vi.spyOn(rows.db, 'prepare');
  const committed = vi.fn();
  await inOneTurn(all, committed);
  expect(committed).toHaveBeenCalledTimes(1);
  const statements = prepare.mock.calls.map(([sql]) => sql).filter((sql) => sql.startsWith('UPDATE messages'));
  prepare.mockRestore();
  return statements.map((sql) => /id IN .*/.exec(sql)![0]);
}

describe('a move', () => {
  test('that ends a message without a due time says when it ended', async () => {
    rows.put('paused', { next_due_at: null });
    expect(await store.apply([stop(standing<Resting>(1), 77)])).toEqual([true]);
    expect(rows.row(1)).toMatchObject({ state: 'stopped', next_due_at: null, finished_at: 77 });
  });

  test('that only shows what came in later leaves when and why the message ended', async () => {
    rows.put('failed', { cells: 's....', finished_at: 66, reason: 'body_damaged' });
    expect(await store.apply([show(standing(1), { cells: 'f....', isOpen: false })])).toEqual([true]);
    expect(rows.row(1)).toMatchObject({ state: 'failed', cells: 'f....', finished_at: 66, reason: 'body_damaged' });
  });

  test.each([false, true])(
    'that begins a round takes place once, and keeps the due time (walked: %s)',
    async (walked) => {
      rows.waiting(3);
      if (walked) rows.stores.recovery.distrustDueTimes();
      const move = beginning(1);
      expect(await store.apply([move])).toEqual([true]);
      expect(rows.row(1)).toMatchObject({
        state: 'delivering',
        round: 1,
        cells: 's....',
        first_attempt_at: 5,
        window_ends_at: 50,
        next_due_at: 3,
      });
      expect(rows.moved()).toEqual({ messages: [1], counts: { queued: -1, delivering: 1 } });
      rows.forget();
      expect(await store.apply([move])).toEqual([false]);
      expect(rows.moved()).toEqual({ messages: [], counts: {} });
    },
  );

  test('does not take place in another round, nor from another state', async () => {
    rows.waiting(3);
    const move = beginning(1);
    rows.db.exec('UPDATE messages SET round = 2');
    expect(await store.apply([move])).toEqual([false]);
    rows.db.exec("UPDATE messages SET round = 0, state = 'retrying'");
    expect(await store.apply([move])).toEqual([false]);
    expect(rows.row(1)).toMatchObject({ state: 'retrying', round: 0, cells: '.....' });
  });

  test('to the end sets its time; a reason stays unless there is another', async () => {
    rows.put('delivering', { reason: 'kept' });
    const move = fail(standing(1), 8, 'f....');
    expect(await store.apply([move])).toEqual([true]);
    expect(rows.row(1)).toMatchObject({
      state: 'failed',
      cells: 'f....',
      next_due_at: null,
      finished_at: 8,
      reason: 'kept',
    });
    expect(rows.moved()).toEqual({ messages: [1], counts: { delivering: -1, failed: 1 } });
    rows.waiting(3);
    await store.apply([fail(standing<Resting>(2), 9, undefined, 'body_damaged')]);
    expect(rows.row(2).reason).toBe('body_damaged');
  });

  test('that shows what happens leaves everything else', async () => {
    rows.put('delivering', { next_due_at: 3 });
    await store.apply([show(standing(1), { cells: 'sw...', isOpen: true })]);
    expect(rows.row(1)).toMatchObject({ state: 'delivering', cells: 'sw...', next_due_at: 3, finished_at: null });
    expect(rows.moved()).toEqual({ messages: [1], counts: {} });
  });

  test('of one message takes place whatever becomes of the others', async () => {
    for (let i = 0; i < 3; i++) rows.waiting(3);
    const moves = [1, 2, 3].map((id) => makeDue(standing<Ready>(id), 1));
    await store.apply([stop(standing<Resting>(2), 9)]);
    expect(await store.apply(moves)).toEqual([true, false, true]);
    expect([1, 2, 3].map((id) => rows.row(id).next_due_at)).toEqual([1, null, 1]);
  });
});

describe('the write of a round', () => {
  test('opens attempts with everything that is known of them', async () => {
    rows.waiting(3);
    expect(await write({ moves: [beginning(1)], opened: [opened] })).toEqual({ lost: null, attemptIds: [1] });
    expect(rows.row(1, 'attempts')).toMatchObject({
      message_id: 1,
      replay_id: null,
      webhook_id: 2,
      slot: 3,
      webhook_name: 'hook',
      url: 'http://a/',
      round: 4,
      started_at: 5,
      clock_at: 6,
      outcome: null,
    });
  });

  test('opens nothing when a move is lost, names it, and makes none after it', async () => {
    rows.waiting(3);
    const move = beginning(1);
    await store.apply([stop(standing<Resting>(1), 9)]);
    const next = deliver(move.to as Standing<'delivering'>, 9, 'a....');
    expect(await write({ moves: [move, next], opened: [opened] })).toEqual({ lost: move, attemptIds: [] });
    expect([rows.row(1).state, rows.row(1, 'attempts')]).toEqual(['stopped', undefined]);
  });

  test('keeps results though a move is lost, each once', async () => {
    rows.put('delivering', { next_due_at: 1 });
    await write({ opened: [opened] });
    const lost = fail({ ...standing<'delivering'>(1), round: 9 }, 8);
    expect(await write({ finished: [{ ...finished, body: Buffer.from('ok') }], moves: [lost] })).toMatchObject({
      lost,
    });
    await write({ finished: [{ ...finished, outcome: 'failed', body: Buffer.from('no') }] });
    expect(rows.row(1, 'attempts')).toMatchObject({ outcome: 'accepted', status: 200, duration_ms: 1.5 });
    expect(rows.db.prepare('SELECT * FROM attempt_results').all()).toEqual([
      { id: 1, result: packResult(RESULT), response_body: Buffer.from('ok') },
    ]);
  });

  test('of several rounds in one turn: each has its own ids, and one that lost its move opens nothing', async () => {
    for (let i = 0; i < 3; i++) rows.waiting(3);
    const moves = [1, 2, 3].map(beginning);
    await store.apply([stop(standing<Resting>(2), 9)]);
    const opens = [[opened], [opened], [opened, { ...opened, url: 'http://b/' }]];
    expect(await inOneTurn(opens.map((opening, i) => ({ moves: [moves[i]!], opened: opening })))).toEqual([
      { lost: null, attemptIds: [1] },
      { lost: moves[1], attemptIds: [] },
      { lost: null, attemptIds: [2, 3] },
    ]);
    expect([1, 2, 3].map((id) => rows.row(id, 'attempts').url)).toEqual(['http://a/', 'http://a/', 'http://b/']);
  });

  test('of several rounds in one turn: results stay with their attempts, and one that had ended stays as it was', async () => {
    await inOneTurn([{ opened: [opened, opened, opened] }]);
    await write({ finished: [{ ...finished, id: 2, body: Buffer.from('ok') }] });
    const later = (id: number) => ({ ...finished, id, outcome: 'failed' as const, body: Buffer.from(`no ${id}`) });
    await inOneTurn([{ finished: [later(3)] }, { finished: [later(2)] }, { finished: [later(1)] }]);
    expect([1, 2, 3].map((id) => rows.row(id, 'attempts').outcome)).toEqual(['failed', 'accepted', 'failed']);
    const bodies = rows.db.prepare('SELECT response_body FROM attempt_results ORDER BY id').pluck().all();
    expect(bodies.map(String)).toEqual(['no 1', 'ok', 'no 3']);
    expect(rows.db.prepare('SELECT count(*) FROM open_attempts').pluck().get()).toBe(0);
  });

  test('of several rounds in one turn takes one statement for the moves that are alike, and one for others', async () => {
    for (let i = 0; i < 6; i++) rows.waiting(3 + i);
    const other = begin(standing<Ready>(3), { cells: 'w....', isOpen: false }, window);
    const all = [beginning(1), beginning(2), other, beginning(4), beginning(5), beginning(6)];
    expect(await moving(all.map((move) => ({ moves: [move] })))).toEqual(['id IN (?, ?, ?, ?, ?)', 'id IN (?)']);
    const shown = [1, 2, 3, 4, 5, 6].map((id) => rows.row(id).cells);
    expect(shown).toEqual(['s....', 's....', 'w....', 's....', 's....', 's....']);
  });

  test('of an answer without a body keeps none', async () => {
    await write({ opened: [opened] });
    await write({ finished: [{ ...finished, body: new Uint8Array() }] });
    expect(rows.db.prepare('SELECT response_body FROM attempt_results').pluck().all()).toEqual([null]);
  });
});

test('where a message stands', () => {
  rows.put('retrying', { round: 3, cells: 'fa...', received_at: 7, next_due_at: 9, window_ends_at: 99 });
  expect(store.standing(1)).toEqual({
    id: 1,
    state: 'retrying',
    round: 3,
    cells: 'fa...',
    nextDueAt: 9,
    firstAttemptAt: 1,
    windowEndsAt: 99,
    receivedAt: 7,
  });
  expect(store.standing(2)).toBeUndefined();
});

test('a probe writes something each time', async () => {
  const probed = () => rows.db.prepare("SELECT value FROM settings WHERE key = 'probed'").pluck().get();
  await store.probe(5);
  expect(probed()).toBe('5');
  await store.probe(6);
  expect(probed()).toBe('6');
});

test.each(MESSAGE_STATES)('%s: a row of this state can be read and shows its state', (state) => {
  rows.put(state);
  expect(store.standing(1)!.state).toBe(state);
});
