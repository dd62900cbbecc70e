import { describe, expect, test } from 'vitest';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

const keep = ({ ingest }: StoreUnderTest, id: string) =>
  ingest.storeRequest({ request: newRequest(), messages: [newMessage(id)], dedupe: true, dueAt: 1 });
const broken = (): never => {
  throw new Error('broken');
};

export function writerConformance(open: OpenStore): void {
  describe('the writer', () => {
    test('makes one transaction of what is asked for before it commits, and tells of it once', async () => {
      const store = open();
      const both = Promise.all([keep(store, 'a'), keep(store, 'b')]);
      expect(store.commits).toEqual([]);
      store.writer.flush();
      await both;
      expect(store.commits.map(({ inserted }) => inserted)).toEqual([[1, 2]]);
    });

    test('tells of a commit before the promises of its jobs resolve', async () => {
      const store = open();
      const told = keep(store, 'a').then(() => store.commits.length);
      store.writer.flush();
      expect(await told).toBe(1);
    });

    test('undoes a job that throws, and only that one', async () => {
      const store = open();
      const first = keep(store, 'a');
      const bad = store.writer.write((changes) => {
        store.receivers.save({ ...RECEIVER, id: 'bad' }, changes);
        broken();
      });
      const good = store.writer.write((changes) => store.receivers.save(RECEIVER, changes));
      store.writer.flush();
      await expect(bad).rejects.toThrow('broken');
      await Promise.all([first, good]);
      expect(store.receivers.all()).toEqual([RECEIVER]);
      expect(store.lists.message(1)).toBeDefined();
      expect(store.commits.flatMap(({ inserted }) => inserted)).toEqual([1]);
    });

    test('runs the jobs in the order in which they were asked for, and gives their values', async () => {
      const store = open();
      const order: number[] = [];
      const all = [1, 2, 3].map((n) => store.writer.write(() => order.push(n)));
      store.writer.flush();
      expect(await Promise.all(all)).toEqual([1, 2, 3]);
      expect(await commit(store, () => order)).toEqual([1, 2, 3]);
    });

    test('has nothing to tell of what did not come to be', async () => {
      const store = open();
      await expect(commit(store, broken)).rejects.toThrow('broken');
      expect(store.commits).toEqual([]);
      expect(store.writer.writable).toBe(true);
    });
  });
}

const RECEIVER = {
  id: 'mine',
  name: 'Mine',
  tls: false,
  steps: [{ status: 200 }],
  check: { on: false, onMismatch: 'mark', secret: 'shared' },
  createdAt: 5,
} as const;
