import { beforeEach, describe, expect, test } from 'vitest';
import type { ListFilter } from '../../src/core/model/filter-terms.ts';
import type { NewMessage, NewRequest } from '../../src/core/model/records.ts';
import { DEDUPE_MS, MAX_HELD_CALLS } from '../../src/core/store/ports/ingest.ts';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import { fingerprint, held, keeping, NOW, refused } from './keeping.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

export function ingestConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  const { keep, known, repeats, requests } = keeping(() => store);

  describe('a stored request', () => {
    test('comes back as it was received, with the secrets among its headers as lengths', async () => {
      const request = newRequest({
        receivedAt: NOW,
        method: 'PUT',
        path: '/v1/batch?a=b',
        headers: [
          ['X', 'y'],
          ['Cookie', 'c=1'],
        ],
        body: Buffer.from([0x1f, 0x8b, 0, 0xff]),
        encoding: 'gzip',
        decodedBytes: 99,
        writeKey: null,
        sourceId: null,
        status: 400,
        code: 'invalid_request',
      });
      await keep([newMessage('a')], request);
      expect(store.details.request(1)).toEqual({
        ...request,
        id: 1,
        headers: [
          ['X', 'y'],
          ['Cookie', null, 3],
        ],
      });
    });

    test('keeps every call of it, with what is known of the call and what follows from its state', async () => {
      const note = { code: 'message_id_assigned', detail: 'x' } as const;
      const calls = [
        newMessage('a', { notes: [note], anonymousId: 'anon', size: 77, origin: 'import', type: 'page', name: 'Home' }),
        refused('b', { position: 1, userId: null, reasonDetail: '41.2 KB', type: 'unknown' }),
        newMessage('c', { position: 2, state: 'not_selected' }),
      ];
      expect(await keep(calls, { sourceId: 4 })).toEqual([1, 2, 3].map((id) => ({ id, duplicate: false })));
      const untried = { round: 0, firstAttemptAt: null, windowEndsAt: null, cells: '.....', repeats: 0, replays: 0 };
      expect(known()).toEqual(
        calls.map(({ wire, ...call }, i) => ({
          ...call,
          ...untried,
          id: i + 1,
          requestId: 1,
          sourceId: 4,
          receivedAt: NOW,
          nextDueAt: i === 0 ? NOW + 7 : null,
          finishedAt: i === 0 ? null : NOW,
        })),
      );
      expect([1, 2, 3].map((id) => store.details.wire(id))).toEqual([calls[0]!.wire, null, calls[2]!.wire]);
    });

    test('is found by its notes only where it has some', async () => {
      const note = { code: 'message_id_assigned' } as const;
      await keep([newMessage('a'), newMessage('b', { notes: [note], position: 1 })]);
      const filter: ListFilter = { terms: [{ key: 'is', values: ['noted'] }] };
      const page = { before: 9, after: 0, limit: 9, keepGoing: () => true };
      expect(store.lists.ids({ filter, ...page }).ids).toEqual([2]);
    });

    test('is told by its commit: ids that are new, and how the counts change', async () => {
      await keep([newMessage('a'), refused('b', { position: 1 })]);
      const [{ inserted, messages, counts }] = store.commits as [(typeof store.commits)[0]];
      expect([inserted, [...messages]]).toEqual([
        [1, 2],
        [1, 2],
      ]);
      expect([...counts]).toEqual([
        ['queued', 1],
        ['rejected', 1],
      ]);
    });

    test('takes along what else is to be written once its calls are stored, and again when it is repeated', async () => {
      const asked: unknown[] = [];
      const calls = [newMessage('a'), newMessage('a'), newMessage('b')];
      const request = newRequest({ receivedAt: NOW });
      const stored = store.ingest.storeRequest({ request, messages: calls, dedupe: true, dueAt: 1 }, (ids, changes) => {
        asked.push(ids.map(({ id, duplicate }) => [store.lists.message(id)!.messageId, duplicate]));
        changes.messages.add(99);
      });
      const broken = store.writer.write(() => {
        throw new Error('broken');
      });
      store.writer.flush();
      await expect(broken).rejects.toThrow('broken');
      expect((await stored).map(({ id }) => id)).toEqual([1, 1, 2]);
      const rows = [
        ['a', false],
        ['a', true],
        ['b', false],
      ];
      expect([asked, store.commits.map(({ messages }) => [...messages])]).toEqual([[rows, rows], [[1, 2, 99]]]);
    });

    test('is not stored when what else is to be written cannot be', async () => {
      const request = newRequest({ receivedAt: NOW });
      const stored = store.ingest.storeRequest({ request, messages: [newMessage('a')], dedupe: true, dueAt: 1 }, () => {
        throw new Error('broken');
      });
      store.writer.flush();
      await expect(stored).rejects.toThrow('broken');
      expect([known(), store.commits]).toEqual([[], []]);
    });

    test('can be written in the transaction of a caller, who is told the same', async () => {
      const request = newRequest({ receivedAt: NOW });
      const arrived = {
        request,
        messages: [newMessage('a'), newMessage('a', { position: 1 })],
        dedupe: true,
        dueAt: 1,
      };
      const told = await commit(store, (changes) => store.ingest.storeIn(arrived, changes));
      expect(told).toEqual([
        { id: 1, duplicate: false },
        { id: 1, duplicate: true },
      ]);
      expect([repeats(), store.commits.map(({ inserted }) => inserted)]).toEqual([[1], [[1]]]);
    });

    test('gets ids that only grow', async () => {
      for (const id of ['a', 'b', 'c']) await keep([newMessage(id)]);
      expect(known().map(({ id, requestId }) => [id, requestId])).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
    });
  });

  test('calls that were cut out of a request are counted with it, and of another are none', async () => {
    await keep([newMessage('a')], { cutCalls: 2 });
    await keep([newMessage('b')]);
    expect([store.erasure.cutCalls(1), store.erasure.cutCalls(2)]).toEqual([2, 0]);
  });

  describe('calls of a suppressed user', () => {
    const suppressed = (id: string, reasonDetail: string): NewMessage =>
      refused(id, { reason: 'user_suppressed', reasonDetail, userId: null });
    const hits = (userId: string) => {
      const { hits: n, lastHitAt } = store.suppressions.get(userId)!;
      return [n, lastHitAt];
    };

    test('are counted at the user, each with the time of its request, and no other call is', async () => {
      await commit(store, (changes) => {
        for (const userId of ['u1', 'u2']) store.suppressions.add({ userId, since: 5, requestId: null }, changes);
      });
      await keep([suppressed('a', 'u1'), refused('b', { reasonDetail: 'u2' }), suppressed('c', 'u1')]);
      expect([hits('u1'), hits('u2')]).toEqual([
        [2, NOW],
        [0, null],
      ]);
      await keep([newMessage('d'), suppressed('e', 'u2')], { receivedAt: NOW + 3 });
      expect([hits('u1'), hits('u2')]).toEqual([
        [2, NOW],
        [1, NOW + 3],
      ]);
    });
  });

  describe('a messageId that comes again', () => {
    test('within 24 h from the same source is counted and not stored', async () => {
      await keep([newMessage('a')]);
      const again = await keep([newMessage('b'), newMessage('a')], { receivedAt: NOW + DEDUPE_MS - 1 });
      expect(again).toEqual([
        { id: 2, duplicate: false },
        { id: 1, duplicate: true },
      ]);
      expect([...store.commits[1]!.messages].sort()).toEqual([1, 2]);
      await keep([newMessage('a')]);
      expect(repeats()).toEqual([2, 0]);
    });

    test('in one request is counted on the first of them', async () => {
      expect(await keep([newMessage('a'), newMessage('a', { position: 1 })])).toEqual([
        { id: 1, duplicate: false },
        { id: 1, duplicate: true },
      ]);
    });

    test.each<[string, Partial<NewRequest>, boolean]>([
      ['24 h later', { receivedAt: NOW + DEDUPE_MS }, true],
      ['from another source', { sourceId: 2 }, true],
      ['from no source', { sourceId: null }, true],
      ['where repeats are kept', {}, false],
    ])('%s is stored', async (_when, over, dedupe) => {
      await keep([newMessage('a')]);
      expect(await keep([newMessage('a')], over, dedupe)).toEqual([{ id: 2, duplicate: false }]);
    });

    test('after one that was rejected is stored', async () => {
      await keep([refused('a')]);
      expect(await keep([newMessage('a')])).toEqual([{ id: 2, duplicate: false }]);
    });

    test('from no source repeats one from no source', async () => {
      await keep([newMessage('a')], { sourceId: null });
      expect(await keep([newMessage('a')], { sourceId: null })).toEqual([{ id: 1, duplicate: true }]);
    });

    test('leaves no request behind that brings nothing else', async () => {
      await keep([newMessage('a')]);
      await keep([newMessage('a')]);
      await keep([newMessage('b')]);
      expect(store.details.request(3)).toBeUndefined();
      expect([...requests()]).toEqual([1, 2]);
    });

    test('is found in the store by its source, up to 100 times, rejected ones apart', async () => {
      for (const sourceId of [1, 1, 2, null]) await keep([newMessage('a')], { sourceId }, false);
      await keep([newMessage('b'), refused('a', { position: 1 })]);
      const rowsOf = (id: string, sourceId?: number) => store.ingest.rowsOf(id, sourceId);
      expect([rowsOf('a', 1), rowsOf('a', 2), rowsOf('a'), rowsOf('c', 1)]).toEqual([2, 1, 1, 0]);
      await keep(
        Array.from({ length: 101 }, () => newMessage('z')),
        {},
        false,
      );
      expect(rowsOf('z', 1)).toBe(100);
    });

    test('is known from any source and at any time, a rejected one apart', async () => {
      await keep([newMessage('a')], { sourceId: null, receivedAt: 1 });
      await keep([newMessage('b')], { sourceId: 7 });
      await keep([refused('c')]);
      expect(['a', 'b', 'c', 'd'].map((id) => store.ingest.hasMessage(id))).toEqual([true, true, false, false]);
    });
  });

  describe('a refused request that comes again', () => {
    const two = [refused('x', { reason: 'invalid_json' }), refused('y', { reason: 'unknown_type', position: 1 })];

    test('within 24 h is counted on its rows', async () => {
      await keep(two, { fingerprint });
      expect(await keep(two, { fingerprint, receivedAt: NOW + DEDUPE_MS - 1 })).toEqual([
        { id: 1, duplicate: true },
        { id: 2, duplicate: true },
      ]);
      expect(repeats()).toEqual([1, 1]);
    });

    test('stores what is refused for another reason, or at another place, apart', async () => {
      await keep(two, { fingerprint });
      const other = [refused('x', { reason: 'empty_batch' }), refused('y', { reason: 'unknown_type', position: 2 })];
      expect((await keep(other, { fingerprint })).map(({ duplicate }) => duplicate)).toEqual([false, false]);
    });

    test.each<[string, Partial<NewRequest>]>([
      ['24 h later', { fingerprint, receivedAt: NOW + DEDUPE_MS }],
      ['with other bytes', { fingerprint: Buffer.from('others') }],
      ['without a fingerprint', { fingerprint: null }],
    ])('%s is stored again', async (_when, over) => {
      await keep(two, { fingerprint });
      expect(await keep(two, over)).toEqual([3, 4].map((id) => ({ id, duplicate: false })));
    });
  });

  describe('calls of an unknown key', () => {
    const unknown = { sourceId: null, writeKey: 'nobody' };

    test('are found by their key until they are removed, each request once', async () => {
      await keep([held('a'), held('b', { position: 1 }), refused('bad', { position: 2 })], unknown);
      await keep([held('c')], { ...unknown, writeKey: 'other' });
      await keep([newMessage('mine')]);
      expect(store.held.requestsOf('nobody')).toEqual([store.details.request(1)]);
      expect([store.held.messagesOf(1), store.held.messagesOf(3)]).toEqual([[1, 2], []]);
      await commit(store, (changes) => store.held.remove([1, 2, 3, 5, 99], changes));
      expect(store.held.requestsOf('nobody')).toEqual([]);
      expect(known().map(({ id }) => id)).toEqual([3, 4, 5]);
      expect(store.commits.at(-1)!.removed).toEqual([1, 2]);
    });

    test('take their request with them when the last of its calls goes', async () => {
      await keep([held('a'), held('b', { position: 1 })], unknown);
      await keep([newMessage('mine')]);
      await commit(store, (changes) => store.held.remove([1], changes));
      expect(store.details.request(1)).toBeDefined();
      await commit(store, (changes) => store.held.remove([2], changes));
      expect(store.details.request(1)).toBeUndefined();
    });

    test(`are kept up to the newest ${MAX_HELD_CALLS}, over all keys`, async () => {
      await keep([held('first'), refused('bad', { position: 1 })], unknown);
      await keep(
        Array.from({ length: MAX_HELD_CALLS - 1 }, (_, i) => held(`h${i}`, { position: i })),
        {
          ...unknown,
          writeKey: 'other',
        },
      );
      expect(store.held.messagesOf(1)).toEqual([1]);
      await keep([held('last'), refused('bad too', { position: 1 })], unknown);
      expect([store.held.messagesOf(1), store.held.messagesOf(2).length]).toEqual([[], MAX_HELD_CALLS - 1]);
      expect(store.lists.message(2)).toBeDefined();
      expect(store.commits.at(-1)).toMatchObject({ removed: [1] });
    });
  });
}
