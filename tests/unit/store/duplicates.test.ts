/** Calls that come again: which are stored once, and where that is counted. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../../src/core/model/records.ts';
import { DEDUPE_MS } from '../../../src/core/store/ports/ingest.ts';
import { Core, countedStates, newMessage } from '../../helpers/core-fixture.ts';
import { NOW, storing } from '../../helpers/storing.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let core: Core;
beforeEach(() => {
  core = new Core({ folder: tempWorkspace() });
});
const { store, count } = storing(() => core);

describe('duplicates', () => {
  test('the same messageId of the same source within 24 h is stored once and counted', async () => {
    await store([newMessage('a')]);
    const again = await store([newMessage('b'), newMessage('a')], { receivedAt: NOW + DEDUPE_MS - 1 });
    expect(again).toEqual([
      { id: 2, duplicate: false },
      { id: 1, duplicate: true },
    ]);
    await store([newMessage('a')], { receivedAt: NOW + 5 });
    expect(core.message(1).repeats).toBe(2);
    expect(count('messages')).toBe(2);
    expect(count('message_bodies')).toBe(2);
    expect(core.counts()).toEqual(countedStates(core.db));
  });

  test('a request that brings nothing but repeats leaves no bytes behind, which nothing would ever remove', async () => {
    await store([newMessage('a')]);
    await store([newMessage('a'), newMessage('a', { position: 1 })]);
    expect(count('requests')).toBe(1);
    await store([newMessage('a'), newMessage('b', { position: 1 })]);
    expect(count('requests')).toBe(2);
    expect(core.message(2)).toMatchObject({ messageId: 'b', requestId: 2, position: 1 });
  });

  test('24 h later it is stored again', async () => {
    await store([newMessage('a')]);
    expect(await store([newMessage('a')], { receivedAt: NOW + DEDUPE_MS })).toEqual([{ id: 2, duplicate: false }]);
    expect(await store([newMessage('a')], { receivedAt: NOW + DEDUPE_MS + 1 })).toEqual([{ id: 2, duplicate: true }]);
  });

  test('another source is another message', async () => {
    await store([newMessage('a')]);
    expect(await store([newMessage('a')], { sourceId: 2 })).toEqual([{ id: 2, duplicate: false }]);
    expect(await store([newMessage('a')], { sourceId: null })).toEqual([{ id: 3, duplicate: false }]);
    expect(await store([newMessage('a')], { sourceId: null })).toEqual([{ id: 3, duplicate: true }]);
  });

  test('twice in one batch, and in two requests of one turn', async () => {
    expect(await store([newMessage('a'), newMessage('a', { position: 1 })])).toEqual([
      { id: 1, duplicate: false },
      { id: 1, duplicate: true },
    ]);
    const [first, second] = await Promise.all([store([newMessage('b')]), store([newMessage('b')])]);
    expect(first[0]!.id).toBe(second[0]!.id);
    expect([first[0]!.duplicate, second[0]!.duplicate]).toEqual([false, true]);
  });

  test.each([
    ['with half of a surrogate pair', 'a\ud800', 'b\udc00'],
    ['with a zero', '\u0000', 'a\u0000b'],
    ['with what JSON escapes', '"\\', '\n\u2028'],
    ['beyond Latin-1', '\uffff', '😀€'],
  ])('an id %s is found again', async (_what, one, two) => {
    const [first, second] = await store([newMessage(one), newMessage(two, { position: 1 })]);
    const again = await store([newMessage('new'), newMessage(two, { position: 1 }), newMessage(one, { position: 2 })]);
    expect(again.slice(1)).toEqual([
      { id: second!.id, duplicate: true },
      { id: first!.id, duplicate: true },
    ]);
  });

  test('ids that are the same once they are stored are the same in one batch', async () => {
    const [first, second] = await store([newMessage('a\ud800'), newMessage('a\ud801', { position: 1 })]);
    expect(second).toEqual({ id: first!.id, duplicate: true });
  });

  test('in a large batch only the repeats are left out, and each message has the id of its row', async () => {
    const [known] = await store([newMessage('m20')]);
    const batch = Array.from({ length: 45 }, (_, i) => newMessage(`m${i % 40}`, { position: i }));
    const stored = await store(batch);
    expect(stored.map(({ duplicate }) => duplicate)).toEqual(batch.map((_, i) => i === 20 || i >= 40));
    expect(stored[20]!.id).toBe(known!.id);
    const idOf = core.db.prepare('SELECT message_id FROM messages WHERE id = ?').pluck();
    expect(stored.map(({ id }) => idOf.get(id))).toEqual(batch.map(({ messageId }) => messageId));
  });

  test('a rejected call is neither a duplicate nor one to be a duplicate of', async () => {
    await store([newMessage('a', { state: 'rejected' })]);
    expect(await store([newMessage('a')])).toEqual([{ id: 2, duplicate: false }]);
    expect(await store([newMessage('a', { state: 'rejected' })])).toEqual([{ id: 3, duplicate: false }]);
  });

  test('a refused request is stored once in 24 h and counted on its rows, whatever the setting', async () => {
    const refused = { status: 400, code: 'call_too_large', fingerprint: Buffer.from('one') };
    const batch = () => [
      newMessage('a', { state: 'rejected', reason: 'call_too_large' }),
      newMessage('b', { state: 'rejected', reason: 'event_not_string', position: 1 }),
    ];
    const ids = (stored: readonly StoredMessage[]) => stored.map(({ id }) => id);
    expect(ids(await store(batch(), refused))).toEqual([1, 2]);
    expect(await store(batch(), { ...refused, receivedAt: NOW + DEDUPE_MS - 1 }, false)).toEqual([
      { id: 1, duplicate: true },
      { id: 2, duplicate: true },
    ]);
    expect([count('requests'), core.message(1).repeats, core.message(2).repeats]).toEqual([1, 1, 1]);
    expect(ids(await store(batch(), { ...refused, fingerprint: Buffer.from('two') }))).toEqual([3, 4]);
    expect(ids(await store(batch(), { ...refused, fingerprint: null }))).toEqual([5, 6]);
    expect(ids(await store(batch(), { ...refused, receivedAt: NOW + DEDUPE_MS }))).toEqual([7, 8]);
    expect(core.counts()).toEqual(countedStates(core.db));
  });

  test('a call of a refused request that is rejected for another reason, or was removed, is stored', async () => {
    const refused = { status: 400, code: 'call_too_large', fingerprint: Buffer.from('one') };
    const one = (reason: string) => [newMessage('a', { state: 'rejected', reason })];
    await store(one('call_too_large'), refused);
    expect(await store(one('source_disabled'), refused)).toEqual([{ id: 2, duplicate: false }]);
    expect(await store(one('source_disabled'), refused)).toEqual([{ id: 2, duplicate: true }]);
    core.db.exec('DELETE FROM messages WHERE id = 2');
    expect(await store(one('source_disabled'), refused)).toMatchObject([{ duplicate: false }]);
  });

  test('the setting turns it off', async () => {
    await store([newMessage('a')], {}, false);
    expect(await store([newMessage('a')], {}, false)).toEqual([{ id: 2, duplicate: false }]);
    expect(core.message(1).repeats).toBe(0);
  });

  test('a repeat is a change of the first message', async () => {
    const changed: number[][] = [];
    core = new Core({
      folder: tempWorkspace(),
      onCommit: ({ messages, inserted }) => changed.push([...messages], [...inserted]),
    });
    await store([newMessage('a')]);
    await store([newMessage('a')]);
    expect(changed).toEqual([[1], [1], [1], []]);
  });
});
