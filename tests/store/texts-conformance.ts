/** In what any store finds a text, and where it does not. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageRecord } from '../../src/core/model/stored.ts';
import { bare, listing } from './listing.ts';
import { attemptRow, messageRow, requestRow } from './rows.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

export function textsConformance(open: OpenStore): void {
  let store: StoreUnderTest;
  beforeEach(() => {
    store = open();
  });
  const { fill, allPages } = listing(() => store);

  describe('a text', () => {
    const found = (text: string): number[] => allPages({ terms: [{ key: 'text', values: [text] }] }, 100, 0, 10);
    const named = (id: number, position = 0): MessageRecord =>
      messageRow(id, { name: '', messageId: '', userId: null, requestId: 1, position });

    test('in one call of a batch finds its message alone, also after a call was taken out', () => {
      const put = (body: string): void => {
        store.arrange.clear();
        store.arrange.request(requestRow(1, { path: '/v1/batch', body: Buffer.from(body) }));
        for (const id of [1, 2, 3]) store.arrange.message(named(id, id - 1));
      };
      put('{"batch":[{"a":"Ünique one"},{"a":"two"},{"a":"three"}],"sentAt":"later"}');
      const texts = ['ünique', 'Ünique ONE', '"two"', '"A"', 'later'];
      expect(texts.map(found)).toEqual([[], [1], [2], [3, 2, 1], []]);
      put('{"batch":[null,{"a":"two"},{"a":"three"}],"sentAt":"later"}');
      expect(['Ünique', 'three'].map(found)).toEqual([[], [3]]);
    });

    test('in a batch that was refused as a whole finds its message, wherever it stands', () => {
      const body = Buffer.from('{"batch":[{"a":"first"}],"sentAt":"last');
      store.arrange.request(requestRow(1, { path: '/v1/batch', body, code: 'invalid_json' }));
      store.arrange.message(named(1));
      expect(['first', '"last', 'absent'].map(found)).toEqual([[1], [1], []]);
    });

    test('in the query of a pixel, and in a body that is no JSON or of an unknown encoding, finds the message', () => {
      const data = Buffer.from('{"event":"Hidden"}').toString('base64');
      const over = [
        { path: `/v1/pixel/track?data=${data}`, body: Buffer.of() },
        { body: Buffer.from('not Hidden') },
        { body: Buffer.from('hidden too'), encoding: 'br' },
      ];
      for (const [i, one] of over.entries()) {
        store.arrange.request(requestRow(i + 1, one));
        store.arrange.message({ ...named(i + 1), requestId: i + 1 });
      }
      expect(found('hidden')).toEqual([3, 2, 1]);
    });

    test.each([
      ['said "hi"', [3, 2, 1]],
      [String.raw`said \"hi\"`, [3, 2, 1]],
      ['c:\\temp', [3, 2, 1]],
      ['temp\nand', [3, 2, 1]],
      ['Zoë', [3, 2, 1]],
      ['zoÉ', []],
      ['said "ho"', []],
    ])('%j is found in a delivered body, a received call and a response, though JSON escapes it', (text, ids) => {
      const body = Buffer.from(JSON.stringify('He said "hi" to C:\\temp\nand Zoë').replace('ë', '\\u00eb'));
      fill([{ ...bare, message: named(1), wire: body }]);
      store.arrange.request(requestRow(2, { body }));
      for (const id of [2, 3]) store.arrange.message({ ...named(id), requestId: id });
      store.arrange.attempt(attemptRow(1, 3), body);
      expect(found(text)).toEqual(ids);
    });

    test('in a response to a replay finds the message, whatever other bytes are in it', () => {
      store.arrange.message(named(1));
      store.arrange.attempt(attemptRow(1, 1), Buffer.from('first'));
      store.arrange.attempt(attemptRow(2, 1, { replayId: 1 }), Buffer.from([0xff, 0, ...Buffer.from('Second'), 0xfe]));
      store.arrange.attempt(attemptRow(3, 1, { outcome: null }));
      expect(['FIRST', 'second', 'third'].map(found)).toEqual([[1], [1], []]);
    });
  });
}
