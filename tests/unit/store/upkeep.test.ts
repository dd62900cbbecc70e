import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Damage } from '../../../src/core/store/damage.ts';
import { type Db, openStore, openStoreReadOnly, storePath } from '../../../src/core/store/database.ts';
import { storeId } from '../../../src/core/store/identity.ts';
import { LogPasses } from '../../../src/core/store/log-passes.ts';
import { readSideFile, sideFilePath, writeSideFile } from '../../../src/core/store/side-file.ts';
import { Upkeep } from '../../../src/core/store/upkeep.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { putRequest } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let workspace: string;
let db: Db;
let time: SimTime;
let damage: Damage;
let upkeep: Upkeep;

/** An upkeep of this store whose log is moved within commits. */
const upkeepWith = (found: Damage): Upkeep => new Upkeep(workspace, db, time, found, new LogPasses(db, undefined));

beforeEach(() => {
  workspace = tempWorkspace();
  db = openStore(workspace);
  onTestFinished(() => void db.close());
  time = new SimTime();
  damage = new Damage({ clock: time, logger: { log: () => {} }, changed: () => {} });
  upkeep = upkeepWith(damage);
});

let newest = 0;
beforeEach(() => {
  newest = 0;
});

function commit(): void {
  newest += 1;
  putRequest(db, newest);
  upkeep.committed();
}

const noted = (): number | undefined => readSideFile(workspace)?.requests;
const logBytes = (): number => statSync(`${storePath(workspace)}-wal`).size;
/** Pages of the log that are not in the main file. */
function unmoved(): number {
  const [{ log, checkpointed }] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
  return log - checkpointed;
}

describe('the passes over the log', () => {
  /** Passes of which the test says whether one is under way. */
  function watched() {
    const passes = new LogPasses(db, undefined);
    const seen = { looks: 0, isMoving: false };
    passes.look = () => {
      seen.looks += 1;
      return seen.isMoving;
    };
    upkeep = new Upkeep(workspace, db, time, damage, passes);
    return seen;
  }

  test('are looked at each second in which something was committed, and in the first one without', async () => {
    const seen = watched();
    commit();
    for (let second = 1; second <= 3; second += 1) {
      await time.advance(900);
      commit();
      await time.advance(100);
      expect([seen.looks, unmoved() > 0]).toEqual([second, true]);
    }
    await time.advance(1_000);
    expect([seen.looks, unmoved(), time.pending]).toEqual([4, 0, 0]);
  });

  test('end before the log of an idle store is moved', async () => {
    const seen = watched();
    commit();
    seen.isMoving = true;
    await time.advance(1_000);
    expect([unmoved() > 0, noted(), time.pending]).toEqual([true, 0, 1]);
    seen.isMoving = false;
    await time.advance(1_000);
    expect([unmoved(), noted(), time.pending]).toEqual([0, 1, 0]);
  });
});

describe('a store that is idle', () => {
  test('is noted as it is opened', () => {
    expect(readSideFile(workspace)).toEqual({ store: storeId(db), requests: 0, attempts: 0, replays: 0 });
    expect(time.pending).toBe(0);
  });

  test('for a second has its log in the main file, and the side file says how far it is; then nothing more is done', async () => {
    commit();
    await time.advance(400);
    expect(unmoved()).toBeGreaterThan(0);
    await time.advance(599);
    expect([noted(), time.pending]).toEqual([0, 1]);
    await time.advance(1);
    expect([noted(), unmoved(), time.pending]).toEqual([1, 0, 0]);
    commit();
    await time.advance(1_000);
    expect([noted(), unmoved()]).toEqual([2, 0]);
  });

  test('keeps the length of its log, and what is committed next overwrites it from its beginning', async () => {
    for (let n = 0; n < 50; n += 1) commit();
    const long = logBytes();
    await time.advance(2_000);
    expect([logBytes(), unmoved()]).toEqual([long, 0]);
    for (let n = 0; n < 20; n += 1) commit();
    expect([logBytes(), unmoved() > 0]).toEqual([long, true]);
  });

  test('has after a crash what was committed before and after its log began anew, and nothing older of it', async () => {
    for (let n = 0; n < 50; n += 1) commit();
    await time.advance(2_000);
    db.exec("UPDATE requests SET path = '/changed'");
    commit();
    const crashed = tempWorkspace();
    for (const end of ['', '-wal']) copyFileSync(storePath(workspace) + end, storePath(crashed) + end);
    const after = openStore(crashed);
    onTestFinished(() => void after.close());
    const paths = after.prepare('SELECT path, count(*) AS n FROM requests GROUP BY path ORDER BY n').all();
    expect(paths).toEqual([
      { path: expect.not.stringMatching('/changed'), n: 1 },
      { path: '/changed', n: 50 },
    ]);
  });

  test('of which the log cannot be moved, as on a full disk, is noted all the same', async () => {
    const { pragma } = db;
    const full = (source: string, ...rest: [options?: object]): unknown => {
      if (source.startsWith('wal_checkpoint')) throw new Error('database or disk is full');
      return pragma.call(db, source, ...rest);
    };
    Object.assign(db, { pragma: full });
    commit();
    await time.advance(1_000);
    expect([noted(), time.pending]).toEqual([1, 0]);
  });

  test('never waits for another program that reads the file', async () => {
    commit();
    const reader = openStoreReadOnly(workspace);
    onTestFinished(() => void reader.close());
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM settings').get();
    commit();
    db.pragma('busy_timeout = 30000');
    await time.advance(2_000);
    expect(noted()).toBe(2);
  });
});

describe('under load that lasts', () => {
  test('the side file is written at every tenth look, and the log is left to SQLite', async () => {
    for (let i = 0; i < 10; i++) {
      commit();
      await time.advance(500);
      commit();
      expect([i, noted()]).toEqual([i, 0]);
      await time.advance(500);
      expect(unmoved()).toBeGreaterThan(0);
    }
    commit();
    expect(noted()).toBe(20);
    expect(unmoved()).toBeGreaterThan(0);
    for (let i = 0; i < 9; i++) {
      await time.advance(500);
      commit();
      await time.advance(500);
    }
    expect(noted()).toBe(20);
    await time.advance(500);
    commit();
    await time.advance(500);
    expect(noted()).toBe(31);
  });
});

describe('a stop', () => {
  test('notes what is stored, empties the log, and plans nothing more', async () => {
    commit();
    upkeep.stop();
    expect([noted(), logBytes(), time.pending]).toEqual([1, 0, 0]);
  });

  test('never waits for another program that reads the file', () => {
    commit();
    const reader = openStoreReadOnly(workspace);
    onTestFinished(() => void reader.close());
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM settings').get();
    commit();
    db.pragma('busy_timeout = 30000');
    const { pragma } = db;
    let waitsMs: unknown;
    const watched = (source: string, ...rest: [options?: object]): unknown => {
      if (source.startsWith('wal_checkpoint')) waitsMs = pragma.call(db, 'busy_timeout', { simple: true });
      return pragma.call(db, source, ...rest);
    };
    Object.assign(db, { pragma: watched });
    upkeep.stop();
    expect([noted(), waitsMs]).toEqual([2, 0]);
  });

  test('of a store without a commit needs no timer', () => {
    expect(() => upkeep.stop()).not.toThrow();
  });
});

describe('the side file', () => {
  test('is not written again while it says what is so', () => {
    const text = readFileSync(sideFilePath(workspace), 'utf8');
    expect(text).not.toContain('damagedAt');
    rmSync(sideFilePath(workspace));
    upkeep.note();
    expect(readSideFile(workspace)).toBeNull();
    commit();
    upkeep.note();
    expect(readFileSync(sideFilePath(workspace), 'utf8')).not.toBe(text);
  });

  test('says since when the store is known to be damaged', () => {
    damage.found('page 7');
    upkeep.note();
    expect(readSideFile(workspace)?.damagedAt).toBe(time.wall());
  });

  test('stays as it was for a store without an id', () => {
    rmSync(sideFilePath(workspace));
    db.exec("DELETE FROM settings WHERE key = 'store_id'");
    upkeepWith(damage);
    expect(existsSync(sideFilePath(workspace))).toBe(false);
  });

  test('is as far as it was where the ids cannot be read', () => {
    const side = { store: storeId(db)!, requests: 5, attempts: 6, replays: 7 };
    writeSideFile(workspace, side);
    const torn = new Damage({ clock: time, logger: { log: () => {} }, changed: () => {} });
    torn.around = (_read, otherwise) => {
      torn.found('page 7');
      return otherwise;
    };
    upkeepWith(torn).note();
    expect(readSideFile(workspace)).toEqual({ ...side, damagedAt: time.wall() });
    rmSync(sideFilePath(workspace));
    upkeepWith(torn).note();
    expect(existsSync(sideFilePath(workspace))).toBe(false);
  });

  test('that cannot be written, or a store that is closed, stops nothing', () => {
    db.close();
    expect(() => upkeep.stop()).not.toThrow();
  });
});
