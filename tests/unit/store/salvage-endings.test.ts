/** What a repaired store shows of messages that it ended, and what it does with a state that nothing knows. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { storePath } from '../../../src/core/store/database.ts';
import { examine, type Repaired, repair } from '../../../src/core/store/doctor.ts';
import { DeliveryRows } from '../../helpers/delivery-rows.ts';
import { putAttempt } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const NOW = 5_000;
let rows: DeliveryRows;
beforeEach(() => {
  rows = new DeliveryRows();
});

function withBody(id: number): number {
  const wire = Buffer.from('{}');
  rows.db.prepare('INSERT INTO message_bodies (id, wire, crc32) VALUES (?, ?, ?)').run(id, wire, crc32(wire));
  return id;
}

/** Repairs the store and reads it. */
class Fixed {
  readonly repaired: Repaired;
  readonly #rows: Record<number, Record<string, unknown>>;

  constructor() {
    const folder = join(rows.db.name, '..');
    rows.db.close();
    this.repaired = repair(folder, NOW);
    expect(examine(folder).problems).toEqual([]);
    const db = new Database(storePath(folder), { readonly: true });
    const all = db.prepare('SELECT * FROM messages').all() as Array<{ id: number }>;
    db.close();
    this.#rows = Object.fromEntries(all.map((row) => [row.id, row]));
  }

  message(id: number): Record<string, unknown> | undefined {
    return this.#rows[id];
  }

  table(name: string): object | undefined {
    return this.repaired.tables.find(({ table }) => table === name);
  }
}

const failed = { state: 'failed', reason: 'body_damaged', next_due_at: null, finished_at: NOW };
const delivered = { state: 'delivered', reason: null, next_due_at: null, finished_at: NOW };

describe('after a repair', () => {
  test.each([
    ['queued', '.....', '.....'],
    ['retrying', 'f..t.', 'f..t.'],
    ['paused', 'p....', 'p....'],
    ['waiting', 'aw.w.', 'a....'],
    ['delivering', 'sfw..', 'if...'],
  ] as const)(
    'a message that was %s and lost its body has failed and shows nothing under way',
    (state, cells, shown) => {
      const id = rows.put(state, { cells });
      expect(new Fixed().message(id)).toMatchObject({ ...failed, cells: shown });
    },
  );

  test.each([
    ['waiting', 'aw...', 'a....'],
    ['delivering', 'as...', 'ai...'],
    ['retrying', 'af...', 'af...'],
  ] as const)(
    'a message that was %s and that a webhook accepted is delivered, with a body or without',
    (state, cells, shown) => {
      const ids = [withBody(rows.put(state, { cells })), rows.put(state, { cells })];
      for (const id of ids) putAttempt(rows.db, id, id);
      const fixed = new Fixed();
      expect(ids.map((id) => fixed.message(id))).toMatchObject(ids.map(() => ({ ...delivered, cells: shown })));
    },
  );

  test('a message in an unknown state is lost and counted, with its body', () => {
    const [id, other] = [withBody(rows.waiting(1)), withBody(rows.waiting(1))];
    rows.db.prepare("UPDATE messages SET state = 'qXeued' WHERE id = ?").run(id);
    const fixed = new Fixed();
    expect([fixed.message(id!), fixed.message(other!)]).toMatchObject([undefined, { state: 'queued' }]);
    expect([fixed.table('messages'), fixed.table('message_bodies')]).toMatchObject([
      { kept: 1, lost: 1 },
      { kept: 1, lost: 0 },
    ]);
  });
});

test('a store of an earlier version is repaired in that version, and loses nothing', () => {
  const folder = tempWorkspace();
  const released = join(import.meta.dirname, '../../fixtures/stores/version-6');
  for (const name of ['store.sqlite', 'store.json']) cpSync(join(released, name), join(folder, name));
  const read = (): unknown[] => {
    const db = new Database(storePath(folder), { readonly: true });
    const found = [db.pragma('user_version'), db.prepare('SELECT * FROM messages').all()];
    db.close();
    return found;
  };
  const before = read();
  repair(folder, NOW);
  expect([examine(folder).problems, read()]).toEqual([[], before]);
});
