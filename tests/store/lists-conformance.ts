/** What any store lists, and how it goes through its messages. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageRecord } from '../../src/core/model/stored.ts';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import { everything, listing } from './listing.ts';
import { messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

export function listsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });
  const { put, wholeTally } = listing(() => store);
  const idsOf = (rows: readonly MessageRecord[]): number[] => rows.map(({ id }) => id);

  describe('a scan', () => {
    test('goes on while it may, and then says where the next one begins', () => {
      put(1, 2, 3, 4, 5);
      const all = { ...everything, before: 6, keepGoing: () => true };
      expect(store.lists.ids({ ...all, limit: 9 })).toEqual({ ids: [5, 4, 3, 2, 1], scannedTo: 1, more: false });
      expect(store.lists.ids({ ...all, limit: 2 })).toEqual({ ids: [5, 4], scannedTo: 4, more: true });
      expect(store.lists.ids({ ...all, limit: 9, after: 3 })).toEqual({ ids: [5, 4], scannedTo: 4, more: false });
      expect(store.lists.tally(all)).toEqual({ counts: { delivered: 5 }, scannedTo: 1, more: false });
    });

    test.each([
      [1, 0],
      [3, 2],
      [3, 5],
      [6, 6],
    ])('below %d and above %d, where there is nothing, finds nothing and ends', (before, after) => {
      put(1, 2, 3, 4, 5);
      const nothing = { filter: {}, before, after, keepGoing: () => true };
      expect(store.lists.ids({ ...nothing, limit: 10 })).toMatchObject({ ids: [], more: false });
      expect(store.lists.tally(nothing)).toMatchObject({ counts: {}, more: false });
    });
  });

  describe('a list', () => {
    test('of an empty store is empty', () => {
      expect([store.lists.window(1, 9), store.lists.messages([1]), [...store.lists.allIds()]]).toEqual([[], [], []]);
      expect([store.lists.message(1), store.lists.idRange()]).toEqual([undefined, null]);
      expect(store.lists.counts().every(({ n }) => n === 0)).toBe(true);
    });

    test('gives whole rows, ascending, from the first id on that there is', () => {
      put(2, 3, 7);
      expect(store.lists.message(3)).toEqual(messageRow(3));
      expect(store.lists.window(3, 9)).toEqual([messageRow(3), messageRow(7)]);
      expect([idsOf(store.lists.window(0, 2)), idsOf(store.lists.window(4, 1))]).toEqual([[2, 3], [7]]);
    });

    test('of given ids has their order, without those that are gone', () => {
      put(2, 3, 7);
      expect(idsOf(store.lists.messages(new Set([7, 5, 2])))).toEqual([7, 2]);
    });

    test('knows its first and last id, and all between', () => {
      put(2, 3, 7);
      expect([store.lists.idRange(), [...store.lists.allIds()]]).toEqual([{ first: 2, last: 7 }, [2, 3, 7]]);
    });

    test('has counts of every state that add up to all messages, after whatever was stored and removed', async () => {
      const messages = [
        ...Array.from({ length: 3 }, (_, i) => newMessage(`q${i}`, { position: i })),
        newMessage('r', { state: 'rejected', position: 3 }),
        newMessage('n', { state: 'not_selected', position: 4 }),
        newMessage('last', { position: 5 }),
      ];
      const stored = store.ingest.storeRequest({ request: newRequest(), messages, dedupe: true, dueAt: 1 });
      store.writer.flush();
      await stored;
      const counts = () =>
        Object.fromEntries(store.lists.counts().flatMap(({ state: name, n }) => (n > 0 ? [[name, n]] : [])));
      expect(counts()).toEqual({ queued: 4, rejected: 1, not_selected: 1 });
      await commit(store, (changes) =>
        store.retention.purge({ after: 0, limit: 9, receivedBefore: Number.NEGATIVE_INFINITY }, changes),
      );
      expect(counts()).toEqual({ queued: 4 });
      expect(counts()).toEqual(wholeTally({}, 100, 0));
    });
  });
}
