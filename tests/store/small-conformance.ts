/** The capabilities of one or two questions. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredReceiver } from '../../src/core/store/ports/receivers.ts';
import { messageRow } from './rows.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

const receiver = (over: Partial<StoredReceiver> = {}): StoredReceiver => ({
  id: 'mine',
  name: 'Käufe \u202e',
  tls: true,
  steps: [{ response: { kind: 'close' }, times: 'forever', delayMs: 5 }],
  check: { on: false, onMismatch: 'mark', secret: 'wrong' },
  createdAt: 7,
  ...over,
});

export function receiversConformance(open: OpenStore): void {
  describe('receivers', () => {
    let store: StoreUnderTest;
    beforeEach(() => {
      store = open();
    });
    const save = (...all: StoredReceiver[]) =>
      commit(store, (changes) => {
        for (const one of all) store.receivers.save(one, changes);
      });

    test('come back as they were saved, oldest first, those of one time by their id', async () => {
      await save(receiver({ id: 'b', createdAt: 9 }), receiver({ id: 'a', createdAt: 9 }), receiver());
      expect(store.receivers.all()).toEqual([
        receiver(),
        receiver({ id: 'a', createdAt: 9 }),
        receiver({ id: 'b', createdAt: 9 }),
      ]);
    });

    test('keep the time they were made when they are saved again', async () => {
      const check = { on: true, onMismatch: 'reject', secret: 'shared' } as const;
      const edited = { name: 'other', tls: false, steps: [{ other: 1 }], check };
      await save(receiver(), receiver({ ...edited, createdAt: 99 }));
      expect(store.receivers.all()).toEqual([receiver(edited)]);
    });

    test('are removed once', async () => {
      await save(receiver());
      const remove = () => commit(store, (changes) => store.receivers.remove('mine', changes));
      expect([await remove(), await remove(), store.receivers.all()]).toEqual([true, false, []]);
    });
  });
}

export function sourceEventsConformance(open: OpenStore): void {
  test('events of a source are counted by name within a stretch of ids: tracks that were not rejected', () => {
    const store = open();
    const put = (id: number, name: string, over: object): void =>
      store.arrange.message(messageRow(id, { name, ...over }));
    put(1, 'Before', {});
    put(2, 'A', { receivedAt: 20 });
    put(3, 'A', { receivedAt: 10, state: 'not_selected', reason: 'event_off' });
    put(4, 'A', { state: 'not_selected', reason: 'no_webhook' });
    put(5, 'A', { sourceId: 2, receivedAt: 99 });
    put(6, 'A', { type: 'page', receivedAt: 99 });
    put(7, 'A', { state: 'rejected', receivedAt: 99 });
    put(8, 'B', { receivedAt: 5 });
    put(9, 'After', {});
    const counts = store.sourceEvents.counts({ sourceId: 1, after: 1, upTo: 8 });
    expect(counts.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'A', received: 3, off: 1, lastAt: 20 },
      { name: 'B', received: 1, off: 0, lastAt: 5 },
    ]);
  });
}
