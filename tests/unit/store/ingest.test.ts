import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { begin, deliver, type Ready, type Standing, type UnderWay } from '../../../src/core/model/moves.ts';
import type { NewMessage, NewRequest, StoredMessage } from '../../../src/core/model/records.ts';
import type { Cells } from '../../../src/core/model/vocabulary.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import { untold } from '../../../src/core/store/damage.ts';
import { deliveryStores } from '../../../src/core/store/deliveries.ts';
import { SqliteIngest } from '../../../src/core/store/ingest.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { DEDUPE_MS, MAX_HELD_CALLS } from '../../../src/core/store/ports/ingest.ts';
import type { GroupWriter } from '../../../src/core/store/writer.ts';
import { Core, countedStates, newMessage, newRequest } from '../../helpers/core-fixture.ts';
import { writerOf } from '../../helpers/direct-writer.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const NOW = 1_700_000_000_000;
let core: Core;

beforeEach(() => {
  core = new Core({ folder: tempWorkspace() });
});

function store(
  messages: readonly NewMessage[],
  over: Partial<NewRequest> = {},
  dedupe = true,
): Promise<readonly StoredMessage[]> {
  return core.done(
    core.requests.storeRequest({ request: newRequest({ receivedAt: NOW, ...over }), messages, dedupe, dueAt: NOW }),
  );
}

const held = (messageId: string): NewMessage => newMessage(messageId, { state: 'rejected', reason: 'unknown_source' });
const count = (table: string): number => core.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;

test('a message keeps room for its first round and its end, so that no page is divided then', async () => {
  const stored = await store(Array.from({ length: 500 }, (_, i) => newMessage(`m${i}`)));
  const pages = core.db.prepare("SELECT count(*) FROM dbstat WHERE name = 'messages'").pluck();
  const before = pages.get();
  const rounds = deliveryStores(
    core.db,
    writerOf(async (job) => job(new Changes())),
  ).rounds;
  for (const { id } of stored) {
    const from = rounds.standing(id) as unknown as Standing<Ready>;
    const window = { firstAttemptAt: NOW, windowEndsAt: NOW + 14_400_000 };
    expect(await rounds.apply([begin(from, { cells: 's....', isOpen: true }, window)])).toEqual([true]);
    const begun = rounds.standing(id) as unknown as Standing<UnderWay>;
    expect(await rounds.apply([deliver(begun, NOW, 'd....' as Cells)])).toEqual([true]);
  }
  expect(before).toBeGreaterThan(10);
  expect(pages.get()).toBe(before);
  expect(core.db.prepare('SELECT count(*) FROM messages WHERE room IS NOT NULL').pluck().get()).toBe(0);
});

test('a message without a first round has no room for it', async () => {
  await store([newMessage('a'), newMessage('b', { state: 'rejected', position: 1 })]);
  expect(core.db.prepare('SELECT length(room) FROM messages ORDER BY id').pluck().all()).toEqual([16, null]);
});

describe('what is stored', () => {
  test('the request with its raw bytes, each message with its columns, the delivered bytes with their checksum', async () => {
    const body = Buffer.from([0x1f, 0x8b, 0, 0xff]);
    const stored = await store(
      [
        newMessage('a', { notes: [{ code: 'message_id_assigned' }], anonymousId: 'anon', size: 77 }),
        newMessage('b', { state: 'rejected', position: 1 }),
        newMessage('c', { state: 'not_selected', position: 2 }),
      ],
      { body, encoding: 'gzip', headers: [['A', 'b']], decodedBytes: 99 },
    );
    expect(stored).toEqual([1, 2, 3].map((id) => ({ id, duplicate: false })));
    expect(core.details.request(1)).toMatchObject({
      body,
      encoding: 'gzip',
      headers: [['A', 'b']],
      decodedBytes: 99,
      status: 200,
      receivedAt: NOW,
    });
    expect(core.message(1)).toMatchObject({
      messageId: 'a',
      state: 'queued',
      nextDueAt: NOW,
      finishedAt: null,
      anonymousId: 'anon',
      size: 77,
      position: 0,
      notes: [{ code: 'message_id_assigned' }],
      receivedAt: NOW,
      cells: '.....',
      repeats: 0,
      requestId: 1,
    });
    expect(core.message(2)).toMatchObject({
      state: 'rejected',
      nextDueAt: null,
      finishedAt: NOW,
      reason: 'unknown_type',
      notes: [],
    });
    expect(core.message(3)).toMatchObject({ state: 'not_selected', nextDueAt: null, finishedAt: NOW });
    const wire = Buffer.from('{"id":"a"}');
    expect(core.db.prepare('SELECT id, wire, crc32 FROM message_bodies').all()).toEqual([
      { id: 1, wire, crc32: crc32(wire) },
      { id: 3, wire: Buffer.from('{"id":"c"}'), crc32: crc32(Buffer.from('{"id":"c"}')) },
    ]);
    expect(core.counts()).toEqual({ queued: 1, rejected: 1, not_selected: 1 });
  });

  test('a request counts for the transaction as a row, and each of its calls as two', async () => {
    const counted: number[] = [];
    const writer: Pick<GroupWriter, 'writeTogether'> = {
      writeTogether: (together, take, rows) => {
        counted.push(rows);
        return core.writer.writeTogether(together, take, rows);
      },
    };
    const messages = [newMessage('a'), newMessage('b', { position: 1 }), newMessage('c', { position: 2 })];
    const ingest = new SqliteIngest(core.db, writer);
    await core.done(
      ingest.storeRequest({ request: newRequest({ receivedAt: NOW }), messages, dedupe: true, dueAt: NOW }),
    );
    expect(counted).toEqual([7]);
  });

  test('an unwritable store keeps nothing of the request', async () => {
    core.db.pragma('query_only = ON');
    await expect(store([newMessage('a')])).rejects.toBeInstanceOf(StoreNotWritableError);
    core.db.pragma('query_only = OFF');
    expect([count('requests'), count('messages'), count('message_bodies')]).toEqual([0, 0, 0]);
    expect(core.counts()).toEqual({});
  });

  test('a request that fails in its middle is not stored by half, and its neighbour is', async () => {
    const bad = store([newMessage('a'), newMessage('b', { type: 'nonsense' as never })]);
    const good = store([newMessage('c')]);
    await expect(bad).rejects.toThrow(/CHECK/);
    await good;
    expect([count('requests'), count('messages'), count('message_bodies')]).toEqual([1, 1, 1]);
    expect(core.counts()).toEqual({ queued: 1 });
  });
});

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

describe('held calls of unknown keys', () => {
  const fill = async (n: number, per = 50): Promise<void> => {
    for (let i = 0; i < n / per; i++)
      await store(
        Array.from({ length: per }, (_, k) => held(`h${i * per + k}`)),
        { writeKey: `key-${i % 7}`, sourceId: null },
      );
  };

  test('the newest 1,000 are kept over all keys, with counters right and others left alone', async () => {
    await store([newMessage('mine'), newMessage('bad', { state: 'rejected', reason: 'unknown_type' })]);
    const removed: number[] = [];
    core = core.again({ onCommit: (changes) => removed.push(...changes.removed) });
    await fill(MAX_HELD_CALLS);
    expect(count('messages')).toBe(MAX_HELD_CALLS + 2);
    await store([held('x1'), held('x2'), held('x3')], { writeKey: 'other', sourceId: null });
    expect(removed).toEqual([3, 4, 5]);
    expect(count('messages')).toBe(MAX_HELD_CALLS + 2);
    expect(core.message(1).messageId).toBe('mine');
    expect(core.message(2).messageId).toBe('bad');
    expect(core.counts()).toEqual(countedStates(core.db));
    expect(core.counts()).toEqual({ queued: 1, rejected: MAX_HELD_CALLS + 1 });
  });

  test('one request may bring more than that at once', async () => {
    await store(
      Array.from({ length: 2_500 }, (_, i) => held(`h${i}`)),
      { sourceId: null },
    );
    expect(count('messages')).toBe(MAX_HELD_CALLS);
    expect(core.message(1_501).messageId).toBe('h1500');
    expect(core.counts()).toEqual({ rejected: MAX_HELD_CALLS });
    expect(count('requests')).toBe(1);
  });

  test('a request goes with the last of its calls, and not before', async () => {
    await store([held('a'), newMessage('bad', { state: 'rejected' }), held('b')], {
      writeKey: 'mixed',
      sourceId: null,
    });
    await store([held('c'), held('d')], { writeKey: 'all', sourceId: null });
    await fill(MAX_HELD_CALLS - 1, 1);
    expect(count('messages')).toBe(1 + MAX_HELD_CALLS);
    expect(
      core.db.prepare("SELECT write_key FROM requests WHERE write_key IN ('mixed', 'all') ORDER BY id").pluck().all(),
    ).toEqual(['mixed', 'all']);
    await fill(1, 1);
    expect(core.db.prepare("SELECT write_key FROM requests WHERE write_key IN ('mixed', 'all')").pluck().all()).toEqual(
      ['mixed'],
    );
    expect(count('requests')).toBe(1 + MAX_HELD_CALLS);
  });

  test('what was ingested again is removed, only while it is held', async () => {
    await store([held('a'), held('b')], { sourceId: null });
    await store([newMessage('mine')]);
    expect(core.held.requestsOf('wk').map(({ id }) => id)).toEqual([1]);
    expect(core.held.messagesOf(1)).toEqual([1, 2]);
    await core.done(core.writer.write((changes) => core.held.remove([1, 2, 3, 99], changes)));
    expect(count('messages')).toBe(1);
    expect(count('requests')).toBe(1);
    expect(core.counts()).toEqual({ queued: 1 });
    expect(core.held.requestsOf('wk')).toEqual([]);
  });
});

describe('a store that is known to be damaged', () => {
  let damaged: SqliteIngest;
  beforeEach(() => {
    const damage = untold();
    damage.found('page 7');
    damaged = new SqliteIngest(core.db, core.writer, damage);
  });
  const take = (messages: readonly NewMessage[], dedupe = true): Promise<readonly StoredMessage[]> =>
    core.done(damaged.storeRequest({ request: newRequest({ receivedAt: NOW }), messages, dedupe, dueAt: NOW }));

  test('takes what can be read again: with a body, without one, and a repeat', async () => {
    const stored = await take([newMessage('a'), newMessage('b', { state: 'rejected', position: 1 })]);
    expect(stored).toHaveLength(2);
    expect(await take([newMessage('a', { wire: Buffer.from('other') })])).toEqual([{ id: 1, duplicate: true }]);
    expect(core.counts()).toEqual({ queued: 1, rejected: 1 });
  });

  test.each([
    [
      'other bytes',
      "AFTER INSERT ON message_bodies BEGIN UPDATE message_bodies SET wire = x'00' WHERE id = new.id; END",
    ],
    ['no bytes', 'AFTER INSERT ON message_bodies BEGIN DELETE FROM message_bodies WHERE id = new.id; END'],
    ['another id', "AFTER INSERT ON messages BEGIN UPDATE messages SET message_id = 'x' WHERE id = new.id; END"],
    ['no row', 'AFTER INSERT ON message_bodies BEGIN DELETE FROM messages WHERE id = new.id; END'],
  ])('takes nothing of a request that reads back as %s', async (_, trigger) => {
    core.db.exec(`CREATE TRIGGER torn ${trigger}`);
    await expect(take([newMessage('a')])).rejects.toMatchObject({
      name: 'Error',
      message: 'What was stored cannot be read again.',
    });
    await expect(take([newMessage('a')])).rejects.toBeInstanceOf(StoreDamagedError);
    expect([count('requests'), count('messages'), count('message_bodies')]).toEqual([0, 0, 0]);
    core.db.exec('DROP TRIGGER torn');
  });

  test('takes no repeat of a row that cannot be found again', async () => {
    await take([newMessage('a')]);
    core.db.exec('CREATE TRIGGER torn AFTER UPDATE ON messages BEGIN DELETE FROM messages WHERE id = new.id; END');
    await expect(take([newMessage('a')])).rejects.toBeInstanceOf(StoreDamagedError);
    expect(core.message(1).repeats).toBe(0);
    core.db.exec('DROP TRIGGER torn');
  });

  test('that is not known to be damaged reads nothing back', async () => {
    core.db.exec('CREATE TRIGGER torn AFTER INSERT ON message_bodies BEGIN DELETE FROM message_bodies; END');
    expect(await store([newMessage('a')])).toEqual([{ id: 1, duplicate: false }]);
    core.db.exec('DROP TRIGGER torn');
  });
});

describe('the columns of a request', () => {
  test('are all that came with it; secrets among its headers are lengths', async () => {
    await store([newMessage('a')], {
      method: 'PUT',
      path: '/v1/x',
      headers: [
        ['Cookie', 'c=1'],
        ['X', 'y'],
      ],
      writeKey: null,
      sourceId: 7,
      status: 400,
      code: 'odd',
    });
    expect(core.details.request(1)).toMatchObject({
      method: 'PUT',
      path: '/v1/x',
      headers: [
        ['Cookie', null, 3],
        ['X', 'y'],
      ],
      writeKey: null,
      sourceId: 7,
      status: 400,
      code: 'odd',
    });
  });

  test('and of a message are all that is known of it', async () => {
    await store([
      newMessage('a', {
        origin: 'import',
        type: 'page',
        name: 'Home',
        userId: null,
        anonymousId: 'anon',
        state: 'rejected',
        reason: 'odd',
        reasonDetail: 'why',
        position: 3,
      }),
    ]);
    expect(core.message(1)).toMatchObject({
      sourceId: 1,
      origin: 'import',
      type: 'page',
      name: 'Home',
      userId: null,
      anonymousId: 'anon',
      reason: 'odd',
      reasonDetail: 'why',
      position: 3,
    });
  });
});
