import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { ReceiverStore, type StoredReceiver } from '../../../src/core/store/receivers.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let db: Db;
let store: ReceiverStore;
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  store = new ReceiverStore(db);
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
    store.save(receiver({ id: 'younger', createdAt: 9 }));
    store.save(receiver());
    expect(store.all()).toEqual([receiver(), receiver({ id: 'younger', createdAt: 9 })]);
  });

  it('keep the time they were made when they are saved again', () => {
    store.save(receiver());
    store.save(receiver({ name: 'other', tls: false, createdAt: 99 }));
    expect(store.all()).toEqual([receiver({ name: 'other', tls: false })]);
  });

  it('are removed once', () => {
    store.save(receiver());
    expect([store.remove('mine'), store.remove('mine')]).toEqual([true, false]);
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
    expect(() => store.save({ ...receiver(), ...change } as StoredReceiver)).toThrow(/CHECK/);
  });
});
