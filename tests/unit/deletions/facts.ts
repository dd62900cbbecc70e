/** What tests of deletions put into a store in memory. */
import type { DeletionRecord } from '../../../src/core/store/ports/deletions.ts';
import { openMemory } from '../../store/in-memory-store.ts';
import { messageRow, requestRow } from '../../store/rows.ts';
import { commit, type StoreUnderTest } from '../../store/store-under-test.ts';

export const soon = { soon: (run: () => void) => queueMicrotask(run) };

export const writeTo =
  (store: StoreUnderTest) =>
  <T>(job: Parameters<typeof commit<T>>[1]): Promise<T> =>
    commit(store, job);

export type MessageOver = Parameters<typeof messageRow>[1];

/** A message with a request of its own. */
export function put(store: StoreUnderTest, id: number, over: MessageOver = {}, wire: string | null = null): void {
  store.arrange.request(requestRow(over?.requestId ?? id));
  store.arrange.message(messageRow(id, over), wire === null ? null : Buffer.from(wire));
}

/** One request with a track call of each of these users; the ids of its messages follow each other from `first` on. */
export function putBatch(store: StoreUnderTest, request: number, first: number, userIds: readonly string[]): void {
  const batch = userIds.map((userId) => ({ type: 'track', event: 'E', userId }));
  store.arrange.request(requestRow(request, { path: '/v1/batch', body: Buffer.from(JSON.stringify({ batch })) }));
  for (const [i, userId] of userIds.entries())
    store.arrange.message(messageRow(first + i, { userId, requestId: request, position: i }), Buffer.from('{}'));
}

export const bodyOf = (store: StoreUnderTest, request: number): string =>
  Buffer.from(store.details.request(request)!.body).toString();

/** A request about these users, stored; `upTo` is what there is now. */
export async function requestAbout(
  store: StoreUnderTest,
  userIds: readonly string[],
  over: Partial<Pick<DeletionRecord, 'upTo' | 'upToRequest'>> = {},
): Promise<DeletionRecord> {
  const { message, request } = store.erasure.newest();
  const id = await commit(store, (changes) =>
    store.deletions.add(
      {
        createdAt: 1,
        userIds,
        sources: [],
        erase: true,
        suppress: false,
        forget: false,
        upTo: message,
        upToRequest: request,
        lookedAt: 0,
        notices: [],
        ...over,
      },
      changes,
    ),
  );
  return store.deletions.get(id)!;
}

export const placesOf = (userIds: readonly string[]): Map<string, number> =>
  new Map(userIds.map((userId, i) => [userId, i + 1]));

export const open = openMemory;
