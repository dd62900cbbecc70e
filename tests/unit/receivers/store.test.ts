import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { untold } from '../../../src/core/store/damage.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import type { StoredReceiver } from '../../../src/core/store/ports/receivers.ts';
import { SqliteReceivers } from '../../../src/core/store/receivers.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let db: Db;
let store: SqliteReceivers;
const changes = new Changes();
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  store = new SqliteReceivers(db);
});

const receiver = (over: Partial<StoredReceiver> = {}): StoredReceiver => ({
  id: 'mine',
  name: 'Käufe \u202e',
  tls: true,
  steps: [{ response: { kind: 'close' }, times: 'forever', delayMs: 5 }],
  check: { on: false, onMismatch: 'mark', secret: 'wrong' },
  createdAt: 7,
  ...over,
});

describe('stored receivers', () => {
  it('come back as they were saved, oldest first', () => {
    store.save(receiver({ id: 'younger', createdAt: 9 }), changes);
    store.save(receiver(), changes);
    expect(store.all()).toEqual([receiver(), receiver({ id: 'younger', createdAt: 9 })]);
  });

  it('keep the time they were made when they are saved again', () => {
    store.save(receiver(), changes);
    store.save(receiver({ name: 'other', tls: false, createdAt: 99 }), changes);
    expect(store.all()).toEqual([receiver({ name: 'other', tls: false })]);
  });

  it('with steps that were overwritten have none', () => {
    store.save(receiver(), changes);
    db.pragma('ignore_check_constraints = ON');
    db.exec("UPDATE receivers SET steps = '['");
    const damage = untold();
    const told: string[] = [];
    damage.found = (what) => void told.push(what);
    expect(new SqliteReceivers(db, damage).all()).toEqual([receiver({ steps: [] })]);
    expect(told).toEqual(['the steps of a receiver']);
  });

  it('that were made at one time come by their id', () => {
    for (const id of ['b', 'a']) store.save(receiver({ id }), changes);
    expect(store.all().map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('that cannot be read are none', () => {
    const damage = untold();
    damage.around = (_read, otherwise) => otherwise;
    store.save(receiver(), changes);
    expect(new SqliteReceivers(db, damage).all()).toEqual([]);
  });

  it('keep every setting of the check, either way', () => {
    const check = { on: true, onMismatch: 'reject', secret: 'shared' } as const;
    store.save(receiver({ check: { on: false, onMismatch: 'mark', secret: 'wrong' } }), changes);
    store.save(receiver({ check, steps: [{ other: 1 }] }), changes);
    expect(store.all()).toEqual([receiver({ check, steps: [{ other: 1 }] })]);
  });

  it('are removed once', () => {
    store.save(receiver(), changes);
    expect([store.remove('mine', changes), store.remove('mine', changes)]).toEqual([true, false]);
    expect(store.all()).toEqual([]);
  });

  it.each<[string, Partial<Record<keyof StoredReceiver, unknown>>]>([
    ['an id in upper case', { id: 'Mine' }],
    ['an empty id', { id: '' }],
    ['an id too long', { id: 'x'.repeat(65) }],
    ['an empty name', { name: '' }],
    ['a name too long', { name: 'x'.repeat(101) }],
    ['no steps', { steps: [] }],
    ['too many steps', { steps: Array(21).fill({}) }],
    ['another action', { check: { on: true, onMismatch: 'ignore', secret: 'shared' } }],
    ['another secret', { check: { on: true, onMismatch: 'mark', secret: 'mine' } }],
    ['half a switch', { check: { on: 2, onMismatch: 'mark', secret: 'shared' } }],
  ])('are refused with %s', (_what, change) => {
    expect(() => store.save({ ...receiver(), ...change } as StoredReceiver, changes)).toThrow(/CHECK/);
  });
});
