import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Source, Webhook } from '../../../src/core/model/records.ts';
import type { Sealer } from '../../../src/core/ports.ts';
import { type Db, openStore } from '../../../src/core/store/database.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { SqliteWorkspace } from '../../../src/core/store/workspace.ts';
import { putAttempt } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

/** Seals to its own bytes turned round; opens no other. */
const SEALER: Sealer = {
  seal: (plain) => Buffer.from(plain).reverse(),
  open: (sealed) => {
    if (sealed.length === 0) throw new Error('sealed with another key');
    return Buffer.from(sealed).reverse().toString();
  },
};

let db: Db;
let store: SqliteWorkspace;
const changes = new Changes();
beforeEach(() => {
  db = openStore(tempWorkspace());
  onTestFinished(() => void db.close());
  db.pragma('synchronous = OFF');
  db.exec('DELETE FROM sources; DELETE FROM webhooks');
  store = new SqliteWorkspace(db, SEALER);
});

const source = (over: Partial<Source> = {}): Omit<Source, 'id'> => ({
  name: 'Site',
  writeKey: 'key',
  kind: 'web',
  enabled: true,
  webhooks: false,
  eventsOff: new Set(),
  createdAt: 5,
  ...over,
});

const webhook = (slot: number, over: Partial<Webhook> = {}): Omit<Webhook, 'id'> => ({
  slot,
  name: `hook ${slot}`,
  url: `http://w${slot}/`,
  headers: [['X-Tenant', 'acme']],
  enabled: true,
  createdAt: 5,
  ...over,
});

describe('sources', () => {
  test('come back as they were saved, in the order in which they were made', () => {
    const first = store.sources.save(source({ eventsOff: new Set(['b', 'a']) }), changes);
    const second = store.sources.save(
      { ...source({ writeKey: 'other', enabled: false, webhooks: true }), madeByKey: true },
      changes,
    );
    expect(store.sources.all()).toEqual([
      { ...source({ eventsOff: new Set(['b', 'a']) }), id: first },
      { ...source({ writeKey: 'other', enabled: false, webhooks: true }), id: second },
    ]);
    expect(db.prepare('SELECT events_off FROM sources').pluck().all()).toEqual(['["a","b"]', '[]']);
  });

  test('are changed in their place, all but how and when they were made', () => {
    const id = store.sources.save({ ...source(), madeByKey: true }, changes);
    const changed = source({ name: 'Shop', writeKey: 'new', kind: 'mobile', enabled: false, webhooks: true });
    expect(store.sources.save({ ...changed, id, createdAt: 99 }, changes)).toBe(id);
    expect(store.sources.all()).toEqual([{ ...changed, id }]);
    expect(store.sources.madeByKey()).toBe(1);
  });

  test('that were made by their key are counted', () => {
    expect(store.sources.madeByKey()).toBe(0);
    for (const [key, madeByKey] of [
      ['a', true],
      ['b', false],
      ['c', true],
    ] as const)
      store.sources.save({ ...source({ writeKey: key }), madeByKey }, changes);
    expect(store.sources.madeByKey()).toBe(2);
  });

  test('have each a write key of their own, and are removed once', () => {
    const id = store.sources.save(source(), changes);
    expect(() => store.sources.save(source(), changes)).toThrow(/UNIQUE/);
    expect([store.sources.remove(id, changes), store.sources.remove(id, changes), store.sources.all()]).toEqual([
      true,
      false,
      [],
    ]);
  });
});

describe('webhooks', () => {
  test('come back as they were saved, by their slot, with their headers sealed at rest', () => {
    const second = store.webhooks.save(webhook(2), changes);
    const first = store.webhooks.save(webhook(1, { enabled: false, headers: [] }), changes);
    expect(store.webhooks.all()).toEqual([
      { ...webhook(1, { enabled: false, headers: [] }), id: first, readable: true },
      { ...webhook(2), id: second, readable: true },
    ]);
    const sealed = db.prepare('SELECT sealed_headers FROM webhooks WHERE slot = 2').pluck().get() as Buffer;
    expect(sealed).toEqual(SEALER.seal('[["X-Tenant","acme"]]'));
  });

  test('are changed in their place, all but when they were made', () => {
    const id = store.webhooks.save(webhook(1), changes);
    const changed = webhook(3, { name: 'other', url: 'http://b/', enabled: false, headers: [['A', 'b']] });
    expect(store.webhooks.save({ ...changed, id, createdAt: 99 }, changes)).toBe(id);
    expect(store.webhooks.all()).toEqual([{ ...changed, id, readable: true }]);
  });

  test('whose headers cannot be unsealed are there, say so, and show none', () => {
    store.webhooks.save(webhook(1), changes);
    db.exec("UPDATE webhooks SET sealed_headers = x''");
    expect(store.webhooks.all()).toMatchObject([{ name: 'hook 1', headers: [], readable: false }]);
  });

  test('are removed once', () => {
    const id = store.webhooks.save(webhook(1), changes);
    expect([store.webhooks.remove(id, changes), store.webhooks.remove(id, changes), store.webhooks.all()]).toEqual([
      true,
      false,
      [],
    ]);
  });
});

describe('the line-up of webhooks', () => {
  const lineUps = (): unknown[] =>
    (
      db.prepare('SELECT after_attempt, webhooks FROM line_ups ORDER BY after_attempt').raw().all() as [
        number,
        string,
      ][]
    ).map(([after, webhooks]) => [after, JSON.parse(webhooks)]);
  beforeEach(() => void db.exec('DELETE FROM line_ups'));

  test('is kept at each change, for the attempts that come after it', () => {
    const first = store.webhooks.save(webhook(2), changes);
    const second = store.webhooks.save(webhook(1, { enabled: false }), changes);
    expect(lineUps()).toEqual([
      [
        0,
        [
          [second, 1, 'hook 1', 0],
          [first, 2, 'hook 2', 1],
        ],
      ],
    ]);
    putAttempt(db, 7, 1);
    store.webhooks.save({ ...webhook(2), id: first, name: 'renamed' }, changes);
    putAttempt(db, 9, 1);
    store.webhooks.remove(second, changes);
    expect(lineUps().slice(1)).toEqual([
      [
        7,
        [
          [second, 1, 'hook 1', 0],
          [first, 2, 'renamed', 1],
        ],
      ],
      [9, [[first, 2, 'renamed', 1]]],
    ]);
  });

  test('is forgotten for the oldest attempts, once there are more than 1,000', () => {
    const insert = db.prepare("INSERT INTO line_ups (after_attempt, webhooks) VALUES (?, '[]')");
    db.transaction(() => {
      for (let after = 1; after <= 1_000; after++) insert.run(after);
    })();
    putAttempt(db, 2_000, 1);
    store.webhooks.save(webhook(1), changes);
    const kept = lineUps() as [number, unknown][];
    expect([kept.length, kept[0]![0], kept.at(-1)![0]]).toEqual([1_000, 2, 2_000]);
  });
});

describe('settings', () => {
  test('are any JSON, take the place of what was there, and may be none', () => {
    expect(store.settings.get('a')).toBeUndefined();
    store.settings.save('a', { b: [1, null] }, changes);
    expect(store.settings.get('a')).toEqual({ b: [1, null] });
    store.settings.save('a', false, changes);
    store.settings.save('b', 1, changes);
    expect([store.settings.get('a'), store.settings.get('b')]).toEqual([false, 1]);
  });

  test('are checked as a whole', () => {
    store.settings.save('a', 1, changes);
    expect(() => store.check()).not.toThrow();
    db.exec("UPDATE settings SET value = '{' WHERE key = 'a'");
    expect(() => store.check()).toThrow(SyntaxError);
    db.exec("DELETE FROM settings WHERE key = 'a'; DROP TABLE secrets");
    expect(() => store.check()).toThrow(/secrets/);
  });
});

describe('a secret', () => {
  test('is sealed at rest, with what is shown of it beside, and is taken back', () => {
    expect(store.secrets.get('shared')).toEqual({ state: 'none' });
    store.secrets.save('shared', 'a long enough secret', changes);
    expect(store.secrets.get('shared')).toEqual({ state: 'set', value: 'a long enough secret' });
    expect(db.prepare('SELECT * FROM secrets').all()).toEqual([
      { name: 'shared', sealed: SEALER.seal('a long enough secret'), last2: 'et', length: 20 },
    ]);
    store.secrets.save('shared', 'another secret value', changes);
    expect(store.secrets.get('shared')).toEqual({ state: 'set', value: 'another secret value' });
    store.secrets.save('other', null, changes);
    expect(store.secrets.get('shared').state).toBe('set');
    store.secrets.save('shared', null, changes);
    expect(store.secrets.get('shared')).toEqual({ state: 'none' });
  });

  test('that cannot be unsealed is not none', () => {
    store.secrets.save('shared', '', changes);
    expect(store.secrets.get('shared')).toEqual({ state: 'unreadable' });
  });
});
