/** What any store does with the requests of one turn of the event loop. */
import { beforeEach, expect, test } from 'vitest';
import type { NewMessage, NewRequest, StoredMessage } from '../../src/core/model/records.ts';
import { DEDUPE_MS, MAX_HELD_CALLS } from '../../src/core/store/ports/ingest.ts';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import { fingerprint, held, keeping, NOW, refused } from './keeping.ts';
import { commit, type OpenStore, type StoreUnderTest } from './store-under-test.ts';

export function turnConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });
  const { keep, known, repeats, requests } = keeping(() => store);

  interface Sent {
    readonly messages: readonly NewMessage[];
    readonly over?: Partial<NewRequest>;
    readonly dedupe?: boolean;
  }

  /** What each of them is told. */
  function keepAll(...all: readonly Sent[]): Promise<readonly (readonly StoredMessage[])[]> {
    const stored = all.map(({ messages, over, dedupe = true }) => {
      const request = newRequest({ receivedAt: NOW, ...over });
      return store.ingest.storeRequest({ request, messages, dedupe, dueAt: NOW + 7 });
    });
    store.writer.flush();
    return Promise.all(stored);
  }
  const single = (id: string, over: Partial<NewRequest> = {}, dedupe = true): Sent => ({
    messages: [newMessage(id)],
    over,
    dedupe,
  });
  const singles = (count: number): Sent[] => Array.from({ length: count }, (_, i) => single(`m${i}`));
  const fresh = (...ids: number[]): StoredMessage[] => ids.map((id) => ({ id, duplicate: false }));
  const repeat = (id: number): StoredMessage[] => [{ id, duplicate: true }];

  test.each([2, 5, 6, 21])('%d of one call each are stored as they came, with what is theirs', async (count) => {
    const all = singles(count).map((one, i) => ({
      ...one,
      over: { receivedAt: NOW + i, body: Buffer.from(`b${i}`) },
    }));
    expect(await keepAll(...all)).toEqual(all.map((_, i) => fresh(i + 1)));
    expect(known().map(({ messageId, requestId, receivedAt }) => [messageId, requestId, receivedAt])).toEqual(
      all.map((_, i) => [`m${i}`, i + 1, NOW + i]),
    );
    expect(all.map((_, i) => store.details.request(i + 1)!.body.toString())).toEqual(all.map((_, i) => `b${i}`));
    expect(all.map((_, i) => store.details.wire(i + 1))).toEqual(all.map(({ messages }) => messages[0]!.wire));
    expect(store.commits.map(({ inserted }) => inserted)).toEqual([all.map((_, i) => i + 1)]);
  });

  test('keep what is theirs where only one of them differs', async () => {
    const notes = [{ code: 'duplicate_key', field: 'a' }] as const;
    const odd = { method: 'PUT', path: '/v1/i', writeKey: 'other', sourceId: 7, status: 400, code: 'odd' };
    await keepAll(
      ...singles(8).map((one, i) =>
        i === 5 ? { messages: [newMessage('m5', { origin: 'import', notes })], over: odd } : one,
      ),
    );
    const { method, path, writeKey, sourceId, status, code } = newRequest();
    const usual = { method, path, writeKey, sourceId, status, code };
    expect(singles(8).map((_, i) => store.details.request(i + 1))).toMatchObject(
      singles(8).map((_, i) => (i === 5 ? odd : usual)),
    );
    expect(known()).toMatchObject(
      singles(8).map((_, i) =>
        i === 5 ? { sourceId: 7, origin: 'import', notes } : { sourceId, origin: 'sdk', notes: [] },
      ),
    );
  });

  test('keep their calls in order where they have several, or none that has a body', async () => {
    const stored = await keepAll(
      { messages: [newMessage('a'), refused('b', { position: 1, wire: null }), newMessage('c', { position: 2 })] },
      { messages: [refused('d', { wire: null })] },
      { messages: [newMessage('e'), newMessage('f', { position: 1 })] },
    );
    expect(stored).toEqual([fresh(1, 2, 3), fresh(4), fresh(5, 6)]);
    expect(known().map(({ messageId, requestId, position }) => [messageId, requestId, position])).toEqual([
      ['a', 1, 0],
      ['b', 1, 1],
      ['c', 1, 2],
      ['d', 2, 0],
      ['e', 3, 0],
      ['f', 3, 1],
    ]);
    expect([1, 2, 3, 4, 5, 6].map((id) => store.details.wire(id) !== null)).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  test.each([2, 12])('one of %d that repeats a stored call is counted, and the others are stored', async (count) => {
    await keep([newMessage('m1')]);
    const stored = await keepAll(...singles(count));
    expect(stored.map(([one]) => one!.duplicate)).toEqual(singles(count).map((_, i) => i === 1));
    expect(stored[1]).toEqual(repeat(1));
    expect(known()[0]).toMatchObject({ messageId: 'm1', repeats: 1 });
    expect(requests().size).toBe(count);
  });

  test.each([2, 12])('the second of two equal calls among %d is a repeat of the first', async (count) => {
    const stored = await keepAll(...singles(count - 1), single('m0'));
    expect([stored[0], stored.at(-1)]).toEqual([fresh(1), repeat(1)]);
    expect([repeats()[0], requests().size]).toEqual([1, count - 1]);
  });

  test.each([2, 12])('%d of which one came within 24 h of a stored call: only that is a repeat', async (count) => {
    await keep([newMessage('m0'), newMessage('m1', { position: 1 })]);
    const late = singles(count).map((one, i) => ({
      ...one,
      over: { receivedAt: NOW + DEDUPE_MS - (i === 1 ? 1 : 0) },
    }));
    const stored = await keepAll(...late);
    expect(stored.slice(0, 2)).toEqual([fresh(3), repeat(2)]);
    expect(stored.filter(([one]) => one!.duplicate)).toHaveLength(1);
  });

  test('of another source are no repeats', async () => {
    await keep([newMessage('m1')], { sourceId: 1 });
    const stored = await keepAll(
      ...singles(8).map((one) => ({ ...one, over: { sourceId: 2 } })),
      single('m1', { sourceId: 3 }),
    );
    expect(stored.flat().map(({ duplicate }) => duplicate)).toEqual(Array(9).fill(false));
  });

  test('are all new where repeats are not looked for, and only there', async () => {
    await keep([newMessage('a')]);
    expect(await keepAll(single('a', {}, false), single('a', {}, false), single('b'))).toEqual([
      fresh(2),
      fresh(3),
      fresh(4),
    ]);
    expect(await keepAll(single('b', {}, false), single('a'))).toEqual([fresh(5), repeat(1)]);
  });

  test('count again on its rows a refused one that was sent again', async () => {
    const over = { status: 400, fingerprint };
    await keepAll({ messages: [refused('a')], over }, single('b'));
    expect(await keepAll(single('c'), { messages: [refused('a')], over })).toEqual([fresh(3), repeat(1)]);
    expect(repeats()).toEqual([1, 0, 0]);
  });

  test('count what was cut out of each, and what each brought of suppressed users', async () => {
    await commit(store, (changes) => store.suppressions.add({ userId: 'u1', since: 5, requestId: null }, changes));
    const suppressed = (id: string): NewMessage =>
      refused(id, { reason: 'user_suppressed', reasonDetail: 'u1', userId: null });
    await keepAll(
      single('a', { cutCalls: 2 }),
      { messages: [suppressed('b')], over: { receivedAt: NOW + 1 } },
      { messages: [suppressed('c')], over: { receivedAt: NOW + 2, cutCalls: 3 } },
    );
    expect([1, 2, 3].map((id) => store.erasure.cutCalls(id))).toEqual([2, 0, 3]);
    expect(store.suppressions.get('u1')).toMatchObject({ hits: 2, lastHitAt: NOW + 2 });
  });

  test('leave no more held calls than are kept', async () => {
    const batch = (n: number): Sent => ({
      messages: Array.from({ length: 500 }, (_, i) => held(`h${n}-${i}`, { position: i })),
      over: { writeKey: 'k', sourceId: null },
    });
    await keepAll(batch(0), batch(1));
    await keepAll(batch(2), single('a'));
    expect(known().filter(({ reason }) => reason === 'unknown_source')).toHaveLength(MAX_HELD_CALLS);
  });

  test('each write what else belongs to them, with the ids of their own calls', async () => {
    const asked: unknown[] = [];
    const ask = (id: string) =>
      store.ingest.storeRequest(
        { request: newRequest({ receivedAt: NOW }), messages: [newMessage(id)], dedupe: true, dueAt: 1 },
        (stored) => void asked.push([id, stored]),
      );
    const all = ['a', 'b', 'c'].map(ask);
    store.writer.flush();
    await Promise.all(all);
    expect(asked).toEqual([
      ['a', fresh(1)],
      ['b', fresh(2)],
      ['c', fresh(3)],
    ]);
  });

  test('do not fail with one that cannot be stored', async () => {
    const request = newRequest({ receivedAt: NOW });
    const ask = (id: string, also = (): void => {}) =>
      store.ingest.storeRequest({ request, messages: [newMessage(id)], dedupe: true, dueAt: 1 }, also);
    const before = ask('a');
    const broken = ask('b', () => {
      throw new Error('broken');
    });
    const after = ask('c');
    store.writer.flush();
    await expect(broken).rejects.toThrow('broken');
    expect([await before, await after]).toEqual([fresh(1), fresh(2)]);
    expect(known().map(({ messageId }) => messageId)).toEqual(['a', 'c']);
  });
}
