/** What a start makes of a store whose indexes, tables or counts are damaged. */
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { dueTimesAreSound } from '../../../src/core/store/check.ts';
import { Damage } from '../../../src/core/store/damage.ts';
import { type Db, openStore, storePath } from '../../../src/core/store/database.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { putAttempt, putMessage } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const WRONG_COUNTS = 'the counts by state are not those of the messages';

let workspace: string;
let db: Db;
let told: unknown[];
let damage: Damage;
beforeEach(() => {
  workspace = tempWorkspace();
  told = [];
  const logger = { log: (_level: string, _event: string, fields?: object) => void told.push(fields) };
  damage = new Damage({ clock: { wall: () => 5 }, logger, changed: () => {} });
  open();
  onTestFinished(() => void db.close());
});

function open(): void {
  db = openStore(workspace);
  db.pragma('synchronous = OFF');
}

/** Closes the store, makes a page of the table or index unreadable, and opens it again. */
function torn(name: string): void {
  db.close();
  tear(workspace, name);
  open();
}

const fill = (n: number): void => {
  db.transaction(() => {
    for (let id = 1; id <= n; id++) {
      putMessage(db, { state: 'queued' });
      putAttempt(db, id, id, null);
    }
  })();
};
const whatWasFound = (): unknown[] => told.map((fields) => (fields as { what: string }).what);
const indexes = (): unknown[] =>
  db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
const due = (): unknown => db.prepare('SELECT count(*) FROM messages WHERE next_due_at <= 9').pluck().get();

describe('a sound store', () => {
  test('has nothing to report, empty or not', () => {
    expect(dueTimesAreSound(db, damage)).toBe(true);
    fill(3);
    putMessage(db, { state: 'failed' });
    expect(dueTimesAreSound(db, damage)).toBe(true);
    expect(whatWasFound()).toEqual([]);
  });
});

describe('a damaged index', () => {
  test.each(['messages_due', 'attempts_message'])('%s is rebuilt, and every index is as it was', (name) => {
    fill(500);
    const before = indexes();
    torn(name);
    expect(dueTimesAreSound(db, damage)).toBe(true);
    expect(whatWasFound()).toEqual([expect.stringMatching(/\w+/)]);
    expect(whatWasFound()).not.toEqual([WRONG_COUNTS]);
    expect([indexes(), due(), db.inTransaction]).toEqual([before, 500, false]);
    expect(db.pragma('integrity_check(messages)', { simple: true })).toBe('ok');
    expect(db.pragma('integrity_check(attempts)', { simple: true })).toBe('ok');
    db.close();
    open();
    expect([indexes(), due()]).toEqual([before, 500]);
  });

  test('of another table is left as it is', () => {
    fill(3);
    const rootOf = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'replays_message'").pluck();
    const before = rootOf.get();
    db.exec("UPDATE counters SET n = n + 1 WHERE state = 'failed'");
    expect(dueTimesAreSound(db, damage)).toBe(true);
    expect(rootOf.get()).toBe(before);
  });
});

describe('wrong counts', () => {
  test('are told, though the due times are sound', () => {
    fill(3);
    db.exec("UPDATE counters SET n = n + 1 WHERE state = 'failed'");
    expect(dueTimesAreSound(db, damage)).toBe(true);
    expect(whatWasFound()).toEqual([WRONG_COUNTS]);
  });

  test('of a large store are left to the doctor', () => {
    db.exec("UPDATE counters SET n = 1000001 WHERE state = 'failed'");
    expect(dueTimesAreSound(db, damage)).toBe(true);
    expect(whatWasFound()).toEqual([]);
    db.exec("UPDATE counters SET n = 1000000 WHERE state = 'failed'");
    dueTimesAreSound(db, damage);
    expect(whatWasFound()).toEqual([WRONG_COUNTS]);
  });
});

describe('a damaged table', () => {
  test.each(['messages', 'attempts', 'open_attempts'])(
    '%s cannot be mended by its indexes: nothing changes, and nothing is left open',
    (name) => {
      fill(500);
      db.transaction(() => {
        for (let id = 501; id <= 1_000; id++) putAttempt(db, id, 1);
      })();
      const before = indexes();
      torn(name);
      expect(dueTimesAreSound(db, damage)).toBe(false);
      expect([indexes(), db.inTransaction]).toEqual([before, false]);
      expect(db.pragma('writable_schema', { simple: true })).toBe(0);
      expect(() => db.exec('PRAGMA writable_schema = ON; DELETE FROM sqlite_schema')).toThrow(/may not be modified/);
    },
  );

  test('whose indexes can be built is no sound one either', () => {
    fill(3);
    db.exec('PRAGMA ignore_check_constraints = ON');
    db.exec("UPDATE messages SET cells = '' WHERE id = 2");
    db.exec('PRAGMA ignore_check_constraints = OFF');
    const before = indexes();
    const roots = db.prepare("SELECT rootpage FROM sqlite_schema WHERE type = 'index' ORDER BY name").pluck();
    const pages = roots.all();
    expect(dueTimesAreSound(db, damage)).toBe(false);
    expect(whatWasFound()).toEqual(['CHECK constraint failed in messages']);
    expect([indexes(), roots.all(), db.inTransaction]).toEqual([before, pages, false]);
  });
});

describe('a check that cannot be made', () => {
  const failing = (error: Error): void => {
    const pragma = db.pragma.bind(db);
    db.pragma = (source, options) => {
      if (source.startsWith('integrity_check')) throw error;
      return pragma(source, options);
    };
  };

  test('because a page is damaged is damage', () => {
    failing(new Database.SqliteError('malformed', 'SQLITE_CORRUPT'));
    expect(dueTimesAreSound(db, damage)).toBe(false);
    expect(whatWasFound()).toEqual(['malformed']);
  });

  test('for another reason ends the start', () => {
    failing(new Database.SqliteError('disk I/O error', 'SQLITE_IOERR'));
    expect(() => dueTimesAreSound(db, damage)).toThrow('disk I/O error');
    expect(damage.known).toBe(false);
  });

  test('or a mending that another program holds up leaves the store as it is', () => {
    db.exec("UPDATE counters SET n = 1 WHERE state = 'failed'");
    db.pragma('busy_timeout = 0');
    const other = new Database(storePath(workspace));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    expect(dueTimesAreSound(db, damage)).toBe(false);
    expect(whatWasFound()).toEqual([WRONG_COUNTS]);
  });
});
