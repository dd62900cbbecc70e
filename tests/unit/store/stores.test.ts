/** The open workspace: what it holds, whom it tells, and what it leaves behind when it does not open. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { lockWorkspace, openStore, StoreOpenError, storePath } from '../../../src/core/store/database.ts';
import type { StoreNeeds } from '../../../src/core/store/ports/store.ts';
import { searchPath } from '../../../src/core/store/search-file.ts';
import { readSideFile, writeSideFile } from '../../../src/core/store/side-file.ts';
import { openStores, Stores } from '../../../src/core/store/stores.ts';
import { newMessage, newRequest } from '../../helpers/core-fixture.ts';
import { leavesOf, tear } from '../../helpers/damaged-store.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { putMessage, putRequest } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

const sealer = { seal: (plain: string) => Buffer.from(plain), open: (sealed: Uint8Array) => String(sealed) };

let workspace: string;
let time: SimTime;
let logged: unknown[];
beforeEach(() => {
  workspace = tempWorkspace();
  time = new SimTime();
  logged = [];
});

const needs = () => {
  const logger = { log: (_level: string, event: string) => void logged.push(event) };
  return { workspace, clock: time, timers: time, sealer, logger, receivedCalls };
};

const open = (options?: Partial<StoreNeeds>): Stores => new Stores({ ...needs(), ...options });

function opened(options?: Partial<StoreNeeds>): Stores {
  const stores = open(options);
  onTestFinished(() => stores.close());
  return stores;
}

const take = (stores: Stores): Promise<unknown> =>
  stores.ports.ingest.storeRequest({ request: newRequest(), messages: [newMessage('a')], dedupe: false, dueAt: 1 });

/** Changes the closed store. */
function change(work: (db: Database.Database) => void): void {
  const db = new Database(storePath(workspace));
  db.pragma('synchronous = OFF');
  db.pragma('wal_autocheckpoint = 0');
  work(db);
  db.close();
}

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof StoreOpenError) return error.code;
    throw error;
  }
  return 'opened';
};

describe('a workspace that does not open', () => {
  test.each(['sources', 'webhooks', 'settings', 'secrets', 'counters'])(
    'because %s are damaged is named, and held no longer',
    (table) => {
      openStore(workspace).close();
      change((db) => {
        db.exec("INSERT INTO sources VALUES (1, 's', 'wk', 'web', 1, 1, 0, 1, '[]')");
        db.exec("INSERT INTO webhooks VALUES (1, 1, 'w', 'http://w/', x'', 1, 1)");
        db.exec("INSERT INTO secrets VALUES ('s', x'', '', 0)");
      });
      tear(workspace, table);
      expect(codeOf(open)).toBe('store_corrupt');
      lockWorkspace(workspace).release();
      // The last to close a store takes its log away.
      expect(existsSync(`${storePath(workspace)}-wal`)).toBe(false);
    },
  );

  test('because a source holds what no source can is named too', () => {
    openStore(workspace).close();
    change((db) => {
      db.pragma('ignore_check_constraints = ON');
      db.exec("INSERT INTO sources VALUES (1, 's', 'wk', 'web', 7, 1, 0, 1, '[]')");
    });
    expect(codeOf(open)).toBe('store_corrupt');
  });

  test('because a setting is no JSON is named', () => {
    openStore(workspace).close();
    change((db) => db.exec("INSERT INTO settings VALUES ('a', '{')"));
    expect(codeOf(open)).toBe('store_corrupt');
    lockWorkspace(workspace).release();
  });

  test('because another store was here is named, and opens when that is accepted', () => {
    writeSideFile(workspace, { store: 'a', requests: 0, attempts: 0, replays: 0, damagedAt: 4 });
    expect(codeOf(open)).toBe('store_replaced');
    expect(opened({ accept: true }).damage.known).toBe(false);
    expect(logged).toEqual([]);
  });

  test('because it is open is named', () => {
    opened();
    expect(codeOf(open)).toBe('workspace_in_use');
  });
});

describe('damage', () => {
  test('that was known before this start is known again', () => {
    const first = open();
    first.close();
    writeSideFile(workspace, { ...readSideFile(workspace)!, damagedAt: 44 });
    expect(opened().damage.at).toBe(44);
    expect(logged).toEqual(['store_damaged']);
  });

  test('is told to every listener, and recorded for the next start', () => {
    const stores = opened();
    const told: number[] = [];
    stores.onDamaged(() => void told.push(1));
    stores.onDamaged(() => void told.push(2));
    stores.damage.found('page 7');
    expect(told).toEqual([1, 2]);
    expect(readSideFile(workspace)?.damagedAt).toBe(time.wall());
  });

  test('that a write meets is told too', async () => {
    const stores = opened();
    const failed = stores.ports.writer.write(() => {
      throw new Database.SqliteError('malformed', 'SQLITE_CORRUPT');
    });
    stores.ports.writer.flush();
    await expect(failed).rejects.toThrow('malformed');
    expect(stores.damage.known).toBe(true);
  });

  test('of the newest ids is met while it opens, before anybody listens', () => {
    const db = openStore(workspace);
    db.transaction(() => {
      for (let id = 1; id <= 300; id++) putRequest(db, id);
    })();
    db.close();
    tear(workspace, 'requests', (leaves) => leaves.length - 1);
    expect(opened().damage.known).toBe(true);
  });

  test('of a table of messages makes due messages be found by a walk', () => {
    expect(opened().ports.recovery.areDueTimesTrusted).toBe(true);
    workspace = tempWorkspace();
    const db = openStore(workspace);
    db.transaction(() => {
      for (let i = 0; i < 300; i++) putMessage(db, { state: 'queued' });
    })();
    db.close();
    expect(leavesOf(workspace, 'messages').length).toBeGreaterThan(2);
    tear(workspace, 'messages');
    const stores = opened();
    expect([stores.ports.recovery.areDueTimesTrusted, stores.damage.known]).toEqual([false, true]);
  });
});

describe('a commit', () => {
  test('is told to the listeners in their order, before its promise resolves', async () => {
    const stores = opened();
    const seen: unknown[] = [];
    stores.onCommitted(({ inserted }) => void seen.push([1, ...inserted]));
    stores.onCommitted(({ inserted }) => void seen.push([2, ...inserted]));
    const stored = take(stores).then(() => void seen.push('stored'));
    stores.ports.writer.flush();
    await stored;
    expect(seen).toEqual([[1, 1], [2, 1], 'stored']);
  });

  test('is noted in the side file once the store is idle', async () => {
    const stores = opened();
    const stored = take(stores);
    stores.ports.writer.flush();
    await stored;
    expect(readSideFile(workspace)?.requests).toBe(0);
    await time.advance(1_000);
    expect(readSideFile(workspace)?.requests).toBe(1);
  });

  test('that fails and one that works again are told as the end and the start of writing', async () => {
    const stores = opened();
    const seen: unknown[] = [];
    stores.onWritable((writable) => void seen.push([1, writable]));
    stores.onWritable((writable) => void seen.push([2, writable]));
    const other = new Database(storePath(workspace));
    other.exec('BEGIN IMMEDIATE');
    const failed = take(stores);
    stores.ports.writer.flush();
    await expect(failed).rejects.toThrow();
    other.exec('ROLLBACK');
    other.close();
    const stored = take(stores);
    stores.ports.writer.flush();
    await stored;
    expect(seen).toEqual([
      [1, false],
      [2, false],
      [1, true],
      [2, true],
    ]);
  });
});

test('a close commits what was requested, notes it, and gives the folder free', async () => {
  const stores = open();
  const stored = take(stores);
  stores.close();
  await stored;
  expect([readSideFile(workspace)?.requests, time.pending]).toEqual([1, 0]);
  // The last to close a store takes its log away.
  expect(existsSync(`${storePath(workspace)}-wal`)).toBe(false);
  lockWorkspace(workspace).release();
  const again = opened();
  expect(again.ports.lists.message(1)?.messageId).toBe('a');
});

test('the end of its threads waits for the one that moves the log', async () => {
  const seen: string[] = [];
  const openCheckpointer = () => ({
    pass: () => void seen.push('pass'),
    stop: async () => {
      await Promise.resolve();
      seen.push('stopped');
    },
  });
  const stores = opened({ openCheckpointer });
  change((db) => db.prepare("INSERT INTO settings VALUES ('long', ?)").run('x'.repeat(9_000_000)));
  for (let i = 0; i < 2; i += 1) {
    const stored = take(stores);
    stores.ports.writer.flush();
    await stored;
    await time.advance(600);
  }
  await stores.endThreads().then(() => void seen.push('ended'));
  expect(seen).toEqual(['pass', 'stopped', 'ended']);
});

test('hands out the calls of users and the search index of its own folder', async () => {
  const stores = opened();
  const stored = take(stores);
  stores.ports.writer.flush();
  await stored;
  const calls = stores.openUserCalls();
  onTestFinished(() => calls.close());
  expect(calls.newestId()).toBe(1);
  const search = stores.openSearch();
  search.source.close();
  search.openFile().close();
  expect(existsSync(searchPath(workspace))).toBe(true);
  stores.deleteSearch();
  expect(existsSync(searchPath(workspace))).toBe(false);
});

test('a folder that is not there is made', () => {
  workspace = join(workspace, 'new', 'folder');
  const stores = openStores(needs());
  onTestFinished(() => stores.close());
  expect(stores.ports.lists.idRange()).toBeNull();
});

test('secrets of an earlier version may be in free parts of the files until they are rewritten', () => {
  openStore(workspace).close();
  const stores = opened();
  expect(stores.unscrubbed).toBe(false);
  change((db) => db.exec("INSERT INTO settings VALUES ('scrub_due', '1')"));
  expect(stores.unscrubbed).toBe(true);
});
