/** What a start makes of what a crash left, and what becomes of paused messages, on rows as they may lie in the store. */
import { beforeEach, describe, expect, test } from 'vitest';
import { MESSAGE_STATES } from '../../../src/core/model/vocabulary.ts';
import type { RecoveryStore } from '../../../src/core/store/ports/recovery.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { DeliveryRows } from '../../helpers/delivery-rows.ts';
import { putAttempt, putMessage, putReplay } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let rows: DeliveryRows;
let store: RecoveryStore;
beforeEach(() => {
  rows = new DeliveryRows();
  store = rows.stores.recovery;
});
const outcomes = (...ids: number[]): unknown[] => ids.map((id) => rows.row(id, 'attempts').outcome);

describe('after a crash', () => {
  beforeEach(() => {
    const { db } = rows;
    rows.put('delivering', { cells: 's....', round: 1 });
    rows.put('delivered', { cells: 'sa...' });
    rows.put('failed', { cells: 's....' });
    rows.put('delivering', { cells: 'fs...', round: 2 });
    putAttempt(db, 1, 1, null);
    putAttempt(db, 2, 2, null);
    putAttempt(db, 3, 3, null);
    putReplay(db, 1, 3);
    db.exec('UPDATE open_attempts SET replay_id = 1 WHERE id = 3');
    putAttempt(db, 4, 4, 'failed');
  });

  test('what was open was interrupted, what was under way is due, and what is final stays', () => {
    expect(store.recover(70, 90, rows.changes)).toBe(3);
    expect(outcomes(1, 2, 3, 4)).toEqual(['interrupted', 'interrupted', 'interrupted', 'failed']);
    expect([1, 2, 3].map((id) => [rows.row(id).state, rows.row(id).cells, rows.row(id).next_due_at])).toEqual([
      ['retrying', 'i....', 70],
      ['delivered', 'ia...', null],
      ['failed', 's....', null],
    ]);
    expect(rows.row(1, 'replays').finished_at).toBe(90);
    expect(rows.moved()).toMatchObject({ counts: { delivering: -2, retrying: 2 } });
    expect([...rows.changes.messages].sort()).toEqual([1, 2, 3, 4]);
  });

  test('an attempt that has ended in a repaired store stays as it ended', () => {
    putAttempt(rows.db, 5, 1, 'failed');
    putAttempt(rows.db, 6, 4, 'failed');
    for (const id of [5, 6])
      rows.db.exec(`INSERT INTO open_attempts SELECT ${id}, message_id, replay_id, webhook_id, slot,
      webhook_name, url, round, started_at, clock_at FROM attempts WHERE id = ${id}`);
    store.interruptOne(6, rows.changes);
    expect(store.leftOpen().attempts).toEqual([1, 2, 3, 5]);
    store.recover(70, 90, rows.changes);
    expect([outcomes(1, 5, 6), store.leftOpen().attempts]).toEqual([['interrupted', 'failed', 'failed'], []]);
  });

  test('a cell that shows an attempt which never was is mended', () => {
    store.recover(70, 90, rows.changes);
    expect(rows.row(4)).toMatchObject({ state: 'retrying', cells: 'f....' });
  });

  test('the same piece by piece', () => {
    expect(store.leftOpen()).toEqual({ attempts: [1, 2, 3], messages: [1, 4] });
    store.interruptOne(1, rows.changes);
    store.interruptOne(4, rows.changes);
    expect(outcomes(1, 2, 4)).toEqual(['interrupted', null, 'failed']);
    store.recoverOne(1, 70, 90, rows.changes);
    expect(rows.row(1)).toMatchObject({ state: 'retrying', cells: 'i....', next_due_at: 70, finished_at: null });
    expect(rows.moved()).toEqual({ messages: [1], counts: { delivering: -1, retrying: 1 } });
    store.finishOpenReplays(90, rows.changes);
    expect(rows.row(1, 'replays').finished_at).toBe(90);
  });

  test('one that was accepted though its move was not written is delivered', () => {
    putAttempt(rows.db, 5, 1, 'accepted');
    store.recoverOne(1, 70, 90, rows.changes);
    expect(rows.row(1)).toMatchObject({ state: 'delivered', next_due_at: null, finished_at: 90 });
    expect(rows.moved()).toEqual({ messages: [1], counts: { delivering: -1, delivered: 1 } });
  });

  test('one whose attempts cannot be read is tried again', () => {
    const folder = tempWorkspace();
    const { db } = new DeliveryRows(folder);
    putAttempt(db, 1, putMessage(db, { state: 'delivering' }));
    db.close();
    tear(folder, 'attempts');
    rows = new DeliveryRows(folder);
    rows.stores.recovery.recoverOne(1, 70, 90, rows.changes);
    expect(rows.row(1)).toMatchObject({ state: 'retrying', next_due_at: 70, finished_at: null });
    expect(rows.damage.known).toBe(true);
  });

  test('one that is final, or not there, is left alone', () => {
    store.recoverOne(3, 70, 90, rows.changes);
    store.recoverOne(99, 70, 90, rows.changes);
    expect(rows.moved()).toEqual({ messages: [], counts: {} });
  });
});

describe('paused messages', () => {
  test('go on, each as it stood', () => {
    rows.put('paused', { round: 0, next_due_at: null });
    rows.put('paused', { round: 1, next_due_at: 300, window_ends_at: 500 });
    store.resumeOne(1, 100, rows.changes);
    expect([rows.row(1), rows.row(2)]).toMatchObject([{ state: 'queued', next_due_at: 100 }, { state: 'paused' }]);
    store.resumePaused(100, rows.changes);
    expect(rows.row(2)).toMatchObject({ state: 'retrying', next_due_at: 300 });
    expect(rows.moved()).toEqual({ messages: [1, 2], counts: { paused: -2, queued: 1, retrying: 1 } });
  });

  test('go on however many they are', () => {
    for (let i = 0; i < 2_001; i++) rows.put('paused');
    store.resumePaused(100, rows.changes);
    expect(rows.changes.counts.get('paused')).toBe(-2_001);
  });

  test('are found, and no other is resumed', () => {
    for (const state of MESSAGE_STATES) rows.put(state);
    const paused = MESSAGE_STATES.indexOf('paused') + 1;
    expect(store.pausedIds()).toEqual([paused]);
    for (const [i] of MESSAGE_STATES.entries()) if (i + 1 !== paused) store.resumeOne(i + 1, 9, rows.changes);
    store.resumeOne(99, 9, rows.changes);
    expect(rows.moved()).toEqual({ messages: [], counts: {} });
    store.resumePaused(9, rows.changes);
    expect(rows.moved()).toMatchObject({ messages: [paused] });
  });
});
