import { beforeEach, describe, expect, test } from 'vitest';
import { Leaving } from '../../../src/core/deletions/leaving.ts';
import { Suppressions } from '../../../src/core/deletions/suppressions.ts';
import { commit, type StoreUnderTest } from '../../store/store-under-test.ts';
import { open, writeTo } from './facts.ts';

let store: StoreUnderTest;
let changes: number;
let suppressions: Suppressions;

const made = (write = writeTo(store)) =>
  new Suppressions({ store: store.suppressions, write, clock: { wall: () => 77 }, changed: () => (changes += 1) });

beforeEach(() => {
  store = open();
  changes = 0;
  suppressions = made();
});

test('users are suppressed at once and stored with the time and the request; twice is once', async () => {
  const suppressing = suppressions.suppress(['a', 'b'], 4);
  expect([...suppressions.ids]).toEqual(['a', 'b']);
  expect([await suppressing, changes]).toEqual([2, 1]);
  expect(store.suppressions.get('a')).toMatchObject({ since: 77, requestId: 4 });
  expect(await suppressions.suppress(['b', 'c'], null)).toBe(1);
  expect([...made().ids].toSorted()).toEqual(['a', 'b', 'c']);
});

test('when the write fails nobody new is suppressed, and who was before still is', async () => {
  await suppressions.suppress(['a'], null);
  suppressions = made(() => Promise.reject(new Error('full')));
  await expect(suppressions.suppress(['a', 'b'], null)).rejects.toThrow('full');
  expect([...suppressions.ids]).toEqual(['a']);
  expect(changes).toBe(2);
});

test('another transaction may keep them, and gives its result', async () => {
  const id = await suppressions.addWith(['a'], (tx) => suppressions.keep(['a', 'a'], 9, tx) + 40, 1);
  expect([id, store.suppressions.get('a')!.requestId]).toEqual([41, 9]);
});

describe('lifting', () => {
  test('ends it once it is stored, says how many there were, and tells who waits for that', async () => {
    await suppressions.suppress(['a', 'b'], null);
    let heard = 0;
    suppressions.onLifted(() => (heard += 1));
    const lifting = suppressions.lift(['a', 'nobody']);
    expect(suppressions.ids.has('a')).toBe(true);
    expect([await lifting, [...suppressions.ids], heard, changes]).toEqual([1, ['b'], 1, 2]);
    expect(await suppressions.lift(['nobody'])).toBe(0);
    expect([heard, changes, store.suppressions.userIds()]).toEqual([1, 3, ['b']]);
  });
});

test('windows end with null, and hits and totals are those of the store', async () => {
  await suppressions.suppress(['a', 'ab', 'c'], 3);
  const window = (after: string | undefined, limit: number, search?: string) => {
    const { rows, total, nextAfter } = suppressions.window({ after, limit, search });
    return [rows.map(({ userId }) => userId), total, nextAfter];
  };
  expect(window(undefined, 2)).toEqual([['a', 'ab'], 3, 'ab']);
  expect(window(undefined, 3)).toEqual([['a', 'ab', 'c'], 3, 'c']);
  expect(window('ab', 2)).toEqual([['c'], 3, null]);
  expect(window(undefined, 9, 'b')).toEqual([['ab'], 1, null]);
  expect(suppressions.totals()).toEqual([{ requestId: 3, users: 3, hits: 0 }]);
  suppressions.hit();
  expect(changes).toBe(2);
});

describe('users of whom nothing is said', () => {
  test('are the suppressed ones and those whose erase is under way', async () => {
    await suppressions.suppress(['a', 'b'], null);
    expect(suppressions.silent).toBe(suppressions.ids);
    const end = suppressions.leaving.begin(['b', 'c']);
    expect([...suppressions.silent].toSorted()).toEqual(['a', 'b', 'c']);
    expect(['a', 'c', 'C'].map((userId) => suppressions.silent.has(userId))).toEqual([true, true, false]);
    expect(suppressions.silent.size).toBe(4);
    end();
    end();
    expect(suppressions.silent).toBe(suppressions.ids);
  });

  test('of one request stay while another one ends', () => {
    const leaving = new Leaving();
    const end = leaving.begin(['a']);
    leaving.begin(['a', 'b']);
    end();
    expect([...leaving.with(new Set())]).toEqual(['a', 'b']);
  });
});

test('a transaction of the store keeps exact ids', async () => {
  await commit(store, (tx) => suppressions.keep(['A', ' a'], null, tx));
  expect(store.suppressions.userIds().toSorted()).toEqual([' a', 'A']);
});
