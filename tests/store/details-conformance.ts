import { beforeEach, describe, expect, test } from 'vitest';
import { attemptRow, messageRow, replayRow, requestRow } from './rows.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

export function detailsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });

  test('nothing belongs to a message that is not there', () => {
    const { details } = store;
    expect([details.request(1), details.attempt(1), details.replay(1)]).toEqual([undefined, undefined, undefined]);
    expect([details.wire(1), details.responseBody(1)]).toEqual([null, null]);
    expect([details.attemptsOf(1), details.replaysOf(1), details.recentAttempts(9)]).toEqual([[], [], []]);
    expect(details.attemptsAfter({ after: 0, limit: 9 })).toEqual([]);
  });

  describe('what belongs to a message', () => {
    const open1 = attemptRow(3, 1, { outcome: null });

    beforeEach(() => {
      store.arrange.request(requestRow(4));
      store.arrange.message(messageRow(1, { round: 1, cells: 's....' }), Buffer.from('{"a":1}'));
      store.arrange.attempt(attemptRow(1, 1, { outcome: 'failed', status: 503 }), Buffer.from('no'));
      store.arrange.attempt(attemptRow(2, 9, { replayId: 2 }));
      store.arrange.attempt(open1);
      store.arrange.replay(replayRow(1, 1));
      store.arrange.replay(replayRow(2, 9, { finishedAt: 77, webhookIds: [] }));
    });

    test('is its request and its delivered bytes', () => {
      expect(store.details.request(4)).toEqual(requestRow(4));
      expect(store.details.wire(1)).toEqual(Buffer.from('{"a":1}'));
    });

    test('is every attempt at it, oldest first, an open one without a result', () => {
      expect(store.details.attemptsOf(1)).toEqual([attemptRow(1, 1, { outcome: 'failed', status: 503 }), open1]);
      expect(store.details.attempt(2)).toEqual(attemptRow(2, 9, { replayId: 2 }));
      expect([1, 2, 3].map((id) => store.details.responseBody(id))).toEqual([Buffer.from('no'), null, null]);
    });

    test.each([
      [1, 's....', null],
      [1, 'as...', 'interrupted'],
      [1, '.....', 'interrupted'],
      [2, 's....', 'interrupted'],
    ])(
      'in round %i with cells %s, an attempt of round 1 at webhook 1 without a result is %s',
      (round, cells, outcome) => {
        store.arrange.message(messageRow(5, { round, cells }));
        store.arrange.attempt(attemptRow(6, 5, { outcome: null }));
        const shown = [
          ...store.details.attemptsOf(5),
          ...store.details.attemptsAfter({ after: 5, limit: 9 }),
          ...store.details.attemptsAfter({ after: 0, limit: 9, messageId: 'm5' }),
          store.details.attempt(6)!,
        ];
        expect(shown.map((attempt) => attempt.outcome)).toEqual([outcome, outcome, outcome, outcome]);
      },
    );

    test('is every replay of it', () => {
      expect(store.details.replaysOf(1)).toEqual([replayRow(1, 1)]);
      expect(store.details.replay(2)).toEqual(replayRow(2, 9, { finishedAt: 77, webhookIds: [] }));
    });
  });

  test('attempts are listed oldest first in pages, of all messages or of one messageId, with its name', () => {
    for (const [id, messageId] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ] as const)
      store.arrange.message(messageRow(id, { messageId }));
    for (const [i, message] of [1, 2, 1, 3, 1].entries())
      store.arrange.attempt(attemptRow(i + 1, message, { outcome: i === 1 || i === 2 ? null : 'accepted' }));
    const page = (after: number, limit: number, messageId?: string) =>
      store.details.attemptsAfter({ after, limit, messageId }).map(({ id, message }) => [id, message]);
    expect(page(0, 3)).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'a'],
    ]);
    expect(page(3, 3)).toEqual([
      [4, 'c'],
      [5, 'a'],
    ]);
    expect(page(1, 9, 'a')).toEqual([
      [3, 'a'],
      [5, 'a'],
    ]);
    expect(page(0, 9, 'zz')).toEqual([]);
    expect(store.details.attemptsAfter({ after: 0, limit: 1 })).toEqual([{ ...attemptRow(1, 1), message: 'a' }]);
  });

  test('recent attempts are those that ended, newest first', () => {
    for (let id = 1; id <= 4; id++) store.arrange.attempt(attemptRow(id, 1, { outcome: id === 3 ? null : 'accepted' }));
    expect(store.details.recentAttempts(2)).toEqual([attemptRow(4, 1), attemptRow(2, 1)]);
  });

  test('line-ups are those with which the attempts of a range were made', () => {
    store.arrange.clear();
    const webhooks = [{ id: 7, slot: 1, name: 'CRM', enabled: true }];
    for (const afterAttempt of [0, 5, 9]) store.arrange.lineUp({ afterAttempt, webhooks });
    const between = (first: number, last: number) =>
      store.details.lineUps(first, last).map(({ afterAttempt }) => afterAttempt);
    expect([between(1, 5), between(5, 6), between(6, 9), between(6, 10), between(10, 10)]).toEqual([
      [0],
      [0, 5],
      [5],
      [5, 9],
      [9],
    ]);
    expect(store.details.lineUps(1, 1)).toEqual([{ afterAttempt: 0, webhooks }]);
  });

  test('the messages with a messageId are found, oldest first', () => {
    for (const id of [1, 2, 3]) store.arrange.message(messageRow(id, { messageId: id === 2 ? 'other' : 'same' }));
    expect([store.details.idsOf('same'), store.details.idsOf('none')]).toEqual([[1, 3], []]);
  });
}
