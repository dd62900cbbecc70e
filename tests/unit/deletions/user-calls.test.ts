import { beforeEach, describe, expect, test } from 'vitest';
import { folded, isErasable, UserCalls } from '../../../src/core/deletions/user-calls.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { messageRow } from '../../store/rows.ts';
import type { StoreUnderTest } from '../../store/store-under-test.ts';
import { open, put, soon } from './facts.ts';

let store: StoreUnderTest;
let steps: number;
let calls: UserCalls;

beforeEach(() => {
  store = open();
  steps = 0;
  const counted = {
    newest: () => store.erasure.newest(),
    calls: (stretch: Parameters<typeof store.erasure.calls>[0]) => {
      steps += 1;
      return store.erasure.calls(stretch);
    },
  };
  calls = new UserCalls({ store: counted, timers: soon });
});

test('spaces of every kind and case are folded away', () => {
  expect(folded(' Usr\t_1\u00a0\n')).toBe('usr_1');
});

test('notices are kept, everything else is erasable', () => {
  expect(
    (['sdk', 'audience', 'composer', 'import', 'deletion'] as const).map((origin) => isErasable({ origin })),
  ).toEqual([true, true, true, true, false]);
});

describe('what is found of a user', () => {
  test('calls by source, without rejected ones and what Hookbench sent; the newest identify', async () => {
    put(store, 1, { userId: 'a', sourceId: 1 });
    put(store, 2, { userId: 'a', sourceId: 2, type: 'identify' });
    put(store, 3, { userId: 'a', sourceId: 1, type: 'identify', replays: 2 });
    put(store, 4, { userId: 'a', sourceId: 1, state: 'rejected', reason: 'bad_timestamp', type: 'identify' });
    put(store, 5, { userId: 'a', sourceId: null, origin: 'audience', type: 'identify', replays: 1 });
    put(store, 6, { userId: 'a', sourceId: 1, origin: 'deletion', type: 'delete', replays: 4 });
    put(store, 7, { userId: 'a', sourceId: null, state: 'rejected', reason: 'unknown_source' });
    put(store, 8, { userId: 'b', sourceId: 3 });
    put(store, 9, { userId: 'a', sourceId: null });
    put(store, 10, { userId: 'a', sourceId: null, state: 'rejected', reason: 'unknown_source' });
    const { users, upTo } = await calls.find(['a', 'b', 'c']);
    expect(users.get('a')).toEqual({
      calls: new Map([
        [1, 2],
        [2, 1],
      ]),
      messages: [1, 2, 3, 4, 5, 7, 9, 10],
      held: 2,
      replays: 3,
      identify: 3,
    });
    expect(users.get('b')!.calls).toEqual(new Map([[3, 1]]));
    expect(users.get('c')).toEqual({ calls: new Map(), messages: [], held: 0, replays: 0, identify: null });
    expect(upTo).toBe(10);
  });

  test('a delivered call with the reason of a held one is not held', async () => {
    put(store, 1, { userId: 'a', state: 'delivered', reason: 'unknown_source' });
    expect((await calls.find(['a'])).users.get('a')!.held).toBe(0);
  });

  test('other ids that differ in spaces and case, with their calls', async () => {
    put(store, 1, { userId: 'A' });
    put(store, 2, { userId: ' a' });
    put(store, 3, { userId: 'A' });
    put(store, 4, { userId: 'A ', state: 'rejected' });
    put(store, 5, { userId: 'other' });
    const { near } = await calls.find(['a', 'b']);
    expect(near).toEqual(
      new Map([
        [
          'a',
          new Map([
            ['A', 2],
            [' a', 1],
          ]),
        ],
        ['b', new Map()],
      ]),
    );
  });
});

describe('the walk', () => {
  test('goes in steps of 500 rows and lets other work in between', async () => {
    for (let id = 1; id <= 1_100; id++) store.arrange.message(messageRow(id, { userId: 'a' }));
    const found = await calls.find(['a']);
    expect([found.users.get('a')!.messages.length, steps, found.upTo]).toEqual([1_100, 3, 1_100]);
  });

  test("ends at the newest message, also where that is nobody's", async () => {
    put(store, 1, { userId: null });
    expect(await calls.find(['a'])).toMatchObject({ upTo: 1 });
  });

  test('of the same ids goes on from where it was; of others it begins anew', async () => {
    put(store, 1, { userId: 'a' });
    const first = await calls.find(['a']);
    expect([await calls.find(['a']), steps]).toEqual([first, 1]);
    put(store, 2, { userId: 'a' });
    expect((await calls.find(['a'])).users.get('a')!.messages).toEqual([1, 2]);
    expect(steps).toBe(2);
    expect(await calls.find(['a', 'b'])).not.toBe(first);
  });

  test('begins anew when something was removed or emptied, and not after other commits', async () => {
    put(store, 1, { userId: 'a' });
    const first = await calls.find(['a']);
    calls.committed(new Changes());
    expect(await calls.find(['a'])).toBe(first);
    const removed = new Changes();
    removed.removed.push(1);
    calls.committed(removed);
    const second = await calls.find(['a']);
    expect(second).not.toBe(first);
    const emptied = new Changes();
    emptied.emptied.push(1);
    calls.committed(emptied);
    expect(await calls.find(['a'])).not.toBe(second);
  });

  test('begins anew when something is removed while it goes', async () => {
    for (let id = 1; id <= 600; id++) store.arrange.message(messageRow(id, { userId: 'a' }));
    const finding = calls.find(['a']);
    const removed = new Changes();
    removed.removed.push(1);
    calls.committed(removed);
    store.arrange.clear();
    expect((await finding).users.get('a')!.messages).toEqual([]);
  });

  test('catches up in one turn', async () => {
    put(store, 1, { userId: 'a' });
    const found = await calls.find(['a']);
    for (let id = 2; id <= 1_002; id++) store.arrange.message(messageRow(id, { userId: 'a' }));
    calls.catchUp(found);
    expect(found.users.get('a')!.messages).toHaveLength(1_002);
  });
});
