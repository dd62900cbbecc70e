/** Jobs of one turn in one transaction, and those that are written together. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Timers } from '../../../src/core/ports.ts';
import type { Db } from '../../../src/core/store/database.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import { GroupWriter, type Together } from '../../../src/core/store/writer.ts';
import { secondConnection } from '../../helpers/core-fixture.ts';
import type { SimTime } from '../../helpers/sim-ports.ts';
import { WrittenStore } from '../../helpers/written-store.ts';

let store: WrittenStore;
let db: Db;
let time: SimTime;
let writer: GroupWriter;
let commits: Changes[];
beforeEach(() => {
  store = new WrittenStore();
  ({ db, time, writer, commits } = store);
});
const put = (key: string) => store.put(key);
const keys = (from?: Db) => store.keys(from);

describe('what is written together', () => {
  let runs: string[][];
  const shouted: Together<string, string> = {
    run: (all) => {
      runs.push([...all]);
      if (all.includes('bad')) throw new Error('bad');
      return all.map((key) => put(`k${key}`)().toUpperCase());
    },
  };
  const ask = (key: string, rows = 1): Promise<string> => writer.writeTogether(shouted, () => key, rows);
  beforeEach(() => {
    runs = [];
  });

  test('is one run in the place of the first, and each gets its own result', async () => {
    const all = Promise.all([writer.write(put('k1')), ask('2'), writer.write(put('k3')), ask('4')]);
    writer.flush();
    expect([await all, runs, keys()]).toEqual([['k1', 'K2', 'k3', 'K4'], [['2', '4']], ['k1', 'k2', 'k4', 'k3']]);
    expect(commits).toHaveLength(1);
  });

  test('is another run for something else, and in another transaction', async () => {
    const others: Together<number, number> = { run: (all) => all.map((n) => n * all.length) };
    const all = Promise.all([ask('1'), writer.writeTogether(others, () => 5, 1), ask('2', 998), ask('3')]);
    writer.flush();
    expect([await all, runs]).toEqual([
      ['K1', 5, 'K2', 'K3'],
      [['1', '2'], ['3']],
    ]);
    expect(commits).toHaveLength(2);
  });

  test('is taken in the transaction, and again when that is repeated', async () => {
    const taken: string[] = [];
    let latest = 'early';
    const take = (): string => {
      taken.push(latest);
      return latest;
    };
    const [good, bad] = [writer.writeTogether(shouted, take, 1), ask('bad')];
    latest = 'late';
    writer.flush();
    await expect(bad).rejects.toThrow('bad');
    expect([await good, taken, keys()]).toEqual(['KLATE', ['late', 'late'], ['klate']]);
  });

  test('fails for the culprit alone, at once', async () => {
    const all = Promise.allSettled([ask('1'), ask('bad'), ask('3')]);
    writer.flush();
    expect(runs).toEqual([['1', 'bad', '3'], ['1'], ['bad'], ['3']]);
    expect(keys()).toEqual(['k1', 'k3']);
    expect(await all).toEqual([
      { status: 'fulfilled', value: 'K1' },
      { status: 'rejected', reason: new Error('bad') },
      { status: 'fulfilled', value: 'K3' },
    ]);
  });
});

describe('one turn, one transaction', () => {
  test('jobs asked for in one turn are committed together, in order, and each gives its value', async () => {
    const all = Promise.all([writer.write(put('k1')), writer.write(put('k2')), writer.write(put('k3'))]);
    await time.settle();
    expect(await all).toEqual(['k1', 'k2', 'k3']);
    expect(commits).toHaveLength(1);
    expect(keys()).toEqual(['k1', 'k2', 'k3']);
  });

  test('nothing is written before the turn ends', () => {
    void writer.write(put('k1'));
    expect(keys()).toEqual([]);
    expect(commits).toHaveLength(0);
  });

  test('a promise resolves only when another connection sees the rows', async () => {
    const other = secondConnection(store.folder);
    const seen = writer.write(put('k1')).then(() => keys(other));
    await time.settle();
    expect(await seen).toEqual(['k1']);
  });

  test('listeners hear of a commit before its promises resolve', async () => {
    const order: string[] = [];
    store.onCommit = () => order.push('committed');
    void writer.write(put('k1')).then(() => order.push('resolved'));
    await time.settle();
    expect(order).toEqual(['committed', 'resolved']);
  });

  test('many rows are split into several transactions, in order', async () => {
    const all = Promise.all(
      Array.from({ length: 25 }, (_, i) => writer.write(put(`k${String(i).padStart(2, '0')}`), 100)),
    );
    await time.settle();
    await all;
    expect(commits).toHaveLength(3);
    expect(keys()).toEqual(Array.from({ length: 25 }, (_, i) => `k${String(i).padStart(2, '0')}`));
  });

  test.each([
    [999, 1],
    [1_000, 2],
  ])('a job of %d rows and one more are %d transactions', async (rows, transactions) => {
    const done = Promise.all([writer.write(put('k1'), rows), writer.write(put('k2'))]);
    await time.settle();
    await done;
    expect(commits).toHaveLength(transactions);
  });

  test('a job that says nothing of its rows writes one', async () => {
    const done = Promise.all([writer.write(put('k1'), 999), writer.write(put('k2')), writer.write(put('k3'))]);
    await time.settle();
    await done;
    expect(commits).toHaveLength(2);
  });

  test('one job of very many rows is one transaction', async () => {
    const done = Promise.all([writer.write(put('k1'), 5_001), writer.write(put('k2'))]);
    await time.settle();
    await done;
    expect(commits).toHaveLength(2);
  });

  test('flush commits at once and leaves nothing for the turn', async () => {
    const one = writer.write(put('k1'));
    const many = writer.write(put('k2'), 2_000);
    writer.flush();
    expect(keys()).toEqual(['k1', 'k2']);
    await time.settle();
    expect(await Promise.all([one, many])).toEqual(['k1', 'k2']);
    expect(commits).toHaveLength(1);
  });

  test('one turn is asked for at a time, also where a listener writes while jobs are left', async () => {
    let asked = 0;
    const timers: Timers = {
      after: (ms, run) => time.after(ms, run),
      soon: (run) => {
        asked += 1;
        time.soon(run);
      },
    };
    const extra: Promise<string>[] = [];
    const committed = (): void => {
      if (extra.length === 0) extra.push(writer.write(put('k3')));
    };
    writer = new GroupWriter(db, timers, { committed, writable: () => {} });
    const both = Promise.all([writer.write(put('k1'), 1_000), writer.write(put('k2'), 1)]);
    await time.settle();
    expect([await both, await extra[0], keys(), asked]).toEqual([['k1', 'k2'], 'k3', ['k1', 'k2', 'k3'], 2]);
  });

  test('a job that is asked for by the end of another one comes in the next transaction', async () => {
    const both = writer.write(put('k1')).then(() => writer.write(put('k2')));
    await time.settle();
    await both;
    expect(commits).toHaveLength(2);
  });
});
