import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CALL_TYPES, DUE_STATES, MESSAGE_STATES, ORIGINS } from '../../../src/core/model/vocabulary.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

type Row = Record<string, string | number | null | Uint8Array>;

let db: Db;
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
});

function insert(table: string, row: Row): void {
  const names = Object.keys(row);
  db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
    ...Object.values(row),
  );
}

const source: Row = {
  name: 's',
  write_key: 'k',
  kind: 'server',
  enabled: 1,
  webhooks: 1,
  made_by_key: 0,
  created_at: 1,
};
const webhook: Row = {
  slot: 1,
  name: 'w',
  url: 'http://a/',
  sealed_headers: new Uint8Array([1]),
  enabled: 1,
  created_at: 1,
};
const message: Row = {
  message_id: 'm',
  source_id: 1,
  request_id: 1,
  position: 0,
  origin: 'sdk',
  type: 'track',
  name: 'n',
  state: 'queued',
  received_at: 1,
  size: 2,
  round: 0,
  next_due_at: 5,
  first_attempt_at: null,
  window_ends_at: null,
  cells: '.....',
};
const attempt: Row = {
  message_id: 1,
  webhook_id: 1,
  slot: 1,
  webhook_name: 'w',
  url: 'http://a/',
  round: 1,
  started_at: 1,
  clock_at: 1,
};
const ended: Row = { ...attempt, outcome: 'accepted' };

const valid: Record<string, Row> = {
  sources: source,
  webhooks: webhook,
  messages: message,
  attempts: ended,
  open_attempts: attempt,
};

const refused: ReadonlyArray<readonly [string, Row]> = [
  ['sources', { kind: 'desktop' }],
  ['sources', { enabled: 2 }],
  ['sources', { webhooks: -1 }],
  ['sources', { made_by_key: 7 }],
  ['webhooks', { slot: 0 }],
  ['webhooks', { slot: 6 }],
  ['webhooks', { enabled: 2 }],
  ['messages', { origin: 'elsewhere' }],
  ['messages', { type: 'tracks' }],
  ['messages', { state: 'lost', next_due_at: null }],
  ['messages', { round: -1 }],
  ['messages', { cells: '....' }],
  ['messages', { cells: '......' }],
  ['messages', { state: 'queued', next_due_at: null }],
  ['messages', { state: 'delivering', next_due_at: null }],
  ['messages', { state: 'retrying', next_due_at: null }],
  ['messages', { state: 'waiting', next_due_at: null }],
  ['messages', { state: 'delivered', next_due_at: 5 }],
  ['messages', { state: 'failed', next_due_at: 5 }],
  ['messages', { state: 'expired', next_due_at: 5 }],
  ['messages', { state: 'stopped', next_due_at: 5 }],
  ['messages', { state: 'rejected', next_due_at: 5 }],
  ['messages', { state: 'not_selected', next_due_at: 5 }],
  ['messages', { first_attempt_at: 1 }],
  ['messages', { window_ends_at: 1 }],
  ['attempts', { slot: -1 }],
  ['attempts', { slot: 6 }],
  ['attempts', { outcome: 'fine' }],
  ['open_attempts', { slot: -1 }],
  ['open_attempts', { slot: 6 }],
];

describe('the tables refuse impossible rows', () => {
  test.each(refused)('%s with %j', (table, bad) => {
    insert(table, valid[table]!);
    const other: Row = table === 'webhooks' ? { slot: 2 } : table === 'sources' ? { write_key: 'k2' } : {};
    expect(() => insert(table, { ...valid[table]!, ...other, ...bad })).toThrow(/CHECK constraint failed/);
  });

  test('a counter below zero', () => {
    expect(() => db.exec("UPDATE counters SET n = n - 1 WHERE state = 'queued'")).toThrow(/CHECK constraint failed/);
  });

  test('a write key or a slot twice', () => {
    insert('sources', source);
    insert('webhooks', webhook);
    expect(() => insert('sources', source)).toThrow(/UNIQUE/);
    expect(() => insert('webhooks', webhook)).toThrow(/UNIQUE/);
  });

  test('a value of another type', () => {
    expect(() => insert('messages', { ...message, received_at: 'noon' })).toThrow(/cannot store TEXT/);
    expect(() => insert('message_bodies', { id: 1, wire: 'text', crc32: 1 })).toThrow(/cannot store TEXT/);
  });

  test('and every change to such a row', () => {
    insert('messages', message);
    expect(() => db.exec("UPDATE messages SET state = 'delivered'")).toThrow(/CHECK/);
    expect(() => db.exec('UPDATE messages SET next_due_at = NULL')).toThrow(/CHECK/);
  });
});

describe('the tables take every state, type, origin and outcome of the model', () => {
  test.each(MESSAGE_STATES)('state %s', (state) => {
    const waits = DUE_STATES.has(state);
    insert('messages', { ...message, state, next_due_at: waits ? 5 : null });
    expect(db.prepare('SELECT n FROM counters WHERE state = ?').pluck().get(state)).toBe(0);
  });

  test('paused with and without a window end', () => {
    insert('messages', { ...message, state: 'paused', next_due_at: null });
    insert('messages', { ...message, state: 'paused', next_due_at: 9 });
  });

  test('types and origins', () => {
    for (const type of [...CALL_TYPES, 'unknown']) insert('messages', { ...message, type });
    for (const origin of ORIGINS) insert('messages', { ...message, origin });
  });

  test.each([
    'accepted',
    'failed',
    'timed_out',
    'no_connection',
    'refused_certificate',
    'declined',
    'throttled',
    'interrupted',
  ])('outcome %s', (outcome) => insert('attempts', { ...attempt, outcome }));
});

test('a webhook id is never given twice, so that old attempts cannot be taken for those of a new one', () => {
  insert('webhooks', webhook);
  const first = db.prepare('SELECT id FROM webhooks').pluck().get() as number;
  db.exec('DELETE FROM webhooks');
  insert('webhooks', webhook);
  expect(db.prepare('SELECT id FROM webhooks').pluck().get()).toBe(first + 1);
});
