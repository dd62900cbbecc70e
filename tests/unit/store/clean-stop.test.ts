/** Which starts check the tables and indexes: all but those of a file that a clean stop left and nobody touched. */
import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { receivedCalls } from '../../../src/core/ingest/received-call.ts';
import { isAsLeft, noteAsLeft } from '../../../src/core/store/clean-stop.ts';
import { openStore, storePath } from '../../../src/core/store/database.ts';
import { examine } from '../../../src/core/store/doctor.ts';
import { readSideFile, sideFilePath } from '../../../src/core/store/side-file.ts';
import { Stores } from '../../../src/core/store/stores.ts';
import { tear } from '../../helpers/damaged-store.ts';
import { SimTime } from '../../helpers/sim-ports.ts';
import { putAttempt, putMessage } from '../../helpers/store-rows.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

let workspace: string;
beforeEach(() => {
  workspace = tempWorkspace();
  const db = openStore(workspace);
  db.pragma('synchronous = OFF');
  db.transaction(() => {
    for (let id = 1; id <= 500; id++) {
      putMessage(db, { state: 'queued' });
      putAttempt(db, id, id, null);
    }
  })();
  db.close();
});

function open(): Stores {
  const time = new SimTime();
  const sealer = { seal: (plain: string) => Buffer.from(plain), open: (sealed: Uint8Array) => String(sealed) };
  return new Stores({ workspace, clock: time, timers: time, sealer, logger: { log: () => {} }, receivedCalls });
}

/** Starts and stops once; whether the start found damage. */
function findsDamage(): boolean {
  const stores = open();
  const found = stores.damage.at !== null;
  stores.close();
  return found;
}

const asLeft = (): boolean => isAsLeft(workspace, storePath(workspace));

test('a stop notes the file, and a running engine has no note, so that a crash leaves none', () => {
  expect(asLeft()).toBe(false);
  expect(findsDamage()).toBe(false);
  expect(asLeft()).toBe(true);
  const stores = open();
  expect(readSideFile(workspace)?.soundAs).toBeUndefined();
  stores.close();
  expect(asLeft()).toBe(true);
});

test('a start of the noted file does not check it', () => {
  findsDamage();
  tear(workspace, 'messages_due');
  noteAsLeft(workspace, storePath(workspace));
  expect(findsDamage()).toBe(false);
});

test('a start checks a file that was changed after the stop', () => {
  findsDamage();
  tear(workspace, 'messages_due');
  expect([asLeft(), findsDamage()]).toEqual([false, true]);
});

test('another content is noticed even where somebody gave it the size and the time of the file', () => {
  const path = storePath(workspace);
  const changedAt = (): bigint => statSync(path, { bigint: true }).ctimeNs;
  findsDamage();
  utimesSync(path, 1e9, 1e9);
  noteAsLeft(workspace, path);
  expect(asLeft()).toBe(true);
  const before = changedAt();
  // The system's clock of files moves in steps of some milliseconds.
  while (changedAt() === before) {
    writeFileSync(path, readFileSync(path));
    utimesSync(path, 1e9, 1e9);
  }
  expect(asLeft()).toBe(false);
});

test('a log with content means that the last run did not stop in order', () => {
  findsDamage();
  writeFileSync(`${storePath(workspace)}-wal`, '');
  expect(asLeft()).toBe(true);
  writeFileSync(`${storePath(workspace)}-wal`, 'x');
  expect(asLeft()).toBe(false);
});

test('a file with such a log is not noted, nor is one without a side file', () => {
  const path = storePath(workspace);
  noteAsLeft(workspace, path);
  expect(existsSync(sideFilePath(workspace))).toBe(false);
  findsDamage();
  const noted = readFileSync(sideFilePath(workspace), 'utf8');
  writeFileSync(`${path}-wal`, 'x');
  noteAsLeft(workspace, path);
  expect(readFileSync(sideFilePath(workspace), 'utf8')).toBe(noted);
});

test('the note of a file that is gone says nothing', () => {
  findsDamage();
  rmSync(storePath(workspace));
  expect(asLeft()).toBe(false);
});

test('a store that was damaged is checked at each start', () => {
  tear(workspace, 'messages');
  expect([findsDamage(), asLeft(), findsDamage()]).toEqual([true, false, true]);
});

test('the doctor takes the note back when it finds something', () => {
  findsDamage();
  tear(workspace, 'messages_due');
  noteAsLeft(workspace, storePath(workspace));
  expect(examine(workspace).problems).not.toEqual([]);
  expect([asLeft(), findsDamage()]).toEqual([false, true]);
});
