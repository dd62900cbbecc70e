/** What is stored of a request and its calls. */
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { begin, deliver, type Ready, type Standing, type UnderWay } from '../../../src/core/model/moves.ts';
import type { NewMessage, StoredMessage } from '../../../src/core/model/records.ts';
import type { Cells } from '../../../src/core/model/vocabulary.ts';
import { StoreDamagedError, StoreNotWritableError } from '../../../src/core/ports.ts';
import { untold } from '../../../src/core/store/damage.ts';
import { deliveryStores } from '../../../src/core/store/deliveries.ts';
import { SqliteIngest } from '../../../src/core/store/ingest.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import type { GroupWriter } from '../../../src/core/store/writer.ts';
import { Core, newMessage, newRequest } from '../../helpers/core-fixture.ts';
import { writerOf } from '../../helpers/direct-writer.ts';
import { NOW, storing } from '../../helpers/storing.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let core: Core;
beforeEach(() => {
  core = new Core({ folder: tempWorkspace() });
});
const { store, count } = storing(() => core);

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
