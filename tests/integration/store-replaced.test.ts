/** A store that is not the one that was here: refused by name, with the ways on; and a main file that holds the data. */

import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { receivedCalls } from '../../src/core/ingest/received-call.ts';
import { openStore, StoreOpenError, storePath } from '../../src/core/store/database.ts';
import { readSideFile, sideFilePath } from '../../src/core/store/side-file.ts';
import { Stores } from '../../src/core/store/stores.ts';
import { runCliProcess, sourceCli, startServe } from '../helpers/cli-process.ts';
import { newMessage, newRequest } from '../helpers/core-fixture.ts';
import { configOf, startEngine } from '../helpers/engine-fixture.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

let workspace: string;
let path: string;
beforeEach(() => {
  workspace = tempWorkspace();
  path = storePath(workspace);
});

const sealer = { seal: (plain: string) => Buffer.from(plain), open: (sealed: Uint8Array) => String(sealed) };

/** A store with its upkeep, in simulated time. */
class Opened {
  readonly time = new SimTime();
  readonly stores: Stores;
  constructor(accept = false) {
    const { time } = this;
    const logger = { log: () => {} };
    this.stores = new Stores({ workspace, accept, clock: time, timers: time, sealer, logger, receivedCalls });
  }

  async take(n: number): Promise<void> {
    for (let i = 0; i < n; i++) {
      const stored = this.stores.ports.ingest.storeRequest({
        request: newRequest(),
        messages: [newMessage(`m${i}`)],
        dedupe: false,
        dueAt: 1,
      });
      await this.time.settle();
      await stored;
    }
  }
}

async function stopped(n: number): Promise<void> {
  const life = new Opened();
  await life.take(n);
  life.stores.close();
}

function refusal(): string {
  try {
    new Opened().stores.close();
  } catch (error) {
    if (error instanceof StoreOpenError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'opened';
}

describe('a store that', () => {
  test.each([
    ['was emptied', () => truncateSync(path), 'is empty'],
    ['was deleted', () => rmSync(path), 'is gone'],
    [
      'was made anew',
      () => {
        rmSync(path);
        renameSync(sideFilePath(workspace), `${sideFilePath(workspace)}-kept`);
        openStore(workspace).close();
        renameSync(`${sideFilePath(workspace)}-kept`, sideFilePath(workspace));
      },
      'is another store',
    ],
    [
      'is an empty database',
      () => {
        rmSync(path);
        const db = new Database(path);
        db.pragma('user_version = 0');
        db.exec('VACUUM');
        db.close();
      },
      'is another store|is empty',
    ],
  ])('%s is refused, nothing is changed, and it opens once that is accepted', async (_what, change, text) => {
    await stopped(3);
    change();
    const before = existsSync(path) ? readFileSync(path) : null;
    expect(refusal()).toMatch(new RegExp(`^store_replaced: ${path} (${text})`));
    expect(existsSync(path) ? readFileSync(path) : null).toEqual(before);
    expect(refusal()).toMatch(/^store_replaced/);
    new Opened(true).stores.close();
    expect(refusal()).toBe('opened');
  });

  test('is an older copy is refused with how far it is, and the right file opens when it is put back', async () => {
    await stopped(3);
    copyFileSync(path, `${path}-old`);
    await stopped(2);
    copyFileSync(path, `${path}-new`);
    copyFileSync(`${path}-old`, path);
    expect(refusal()).toContain('is older than the one that was here: it ends at 3 of 5 requests');
    copyFileSync(`${path}-new`, path);
    expect(refusal()).toBe('opened');
  });

  test('comes without a side file, or with one that cannot be read, opens as ever and gets one', async () => {
    await stopped(3);
    const noted = (): object => ({ ...readSideFile(workspace), soundAs: undefined });
    const side = noted();
    expect(side).toEqual({ store: expect.stringMatching(/^[0-9a-f]{32}$/), requests: 3, attempts: 0, replays: 0 });
    rmSync(sideFilePath(workspace));
    expect([refusal(), noted()]).toEqual(['opened', side]);
    writeFileSync(sideFilePath(workspace), '{"store":');
    expect([refusal(), noted()]).toEqual(['opened', side]);
  });
});

test('a crash right after a commit leaves a side file that lags, and the store opens', async () => {
  const life = new Opened();
  await life.take(5);
  expect(readSideFile(workspace)?.requests).toBe(0);
  const crashed = tempWorkspace();
  for (const name of ['store.sqlite', 'store.sqlite-wal', 'store.json'])
    copyFileSync(join(workspace, name), join(crashed, name));
  life.stores.close();
  openStore(crashed).close();
});

test('the side file is written in a pause, and at least every ten seconds under load', async () => {
  const life = new Opened();
  await life.take(1);
  await life.time.advance(3_000);
  expect(readSideFile(workspace)?.requests).toBe(1);
  for (let second = 0; second < 12; second++) {
    await life.take(1);
    await life.time.advance(600);
    await life.take(1);
    await life.time.advance(400);
  }
  expect(readSideFile(workspace)?.requests).toBeGreaterThan(15);
  life.stores.close();
  expect(readSideFile(workspace)?.requests).toBe(25);
});

test('in a pause, and at a stop, the log moves into the main file', async () => {
  const life = new Opened();
  const log = `${path}-wal`;
  await life.take(300);
  expect(statSync(log).size).toBeGreaterThan(1_000_000);
  expect(statSync(path).size).toBeLessThan(500_000);
  await life.time.advance(2_500);
  const copied = tempWorkspace();
  copyFileSync(path, storePath(copied));
  const copy = openStore(copied);
  expect(copy.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(300);
  copy.close();
  await life.take(10);
  life.stores.close();
  expect(existsSync(log)).toBe(false);
});

test('the engine refuses it as its start error, and takes it when it is told to', async () => {
  const first = await startEngine({ workspace, config: configOf([]) });
  await first.track('E');
  await first.stop();
  truncateSync(path);
  await expect(startEngine({ workspace, key: first.key })).rejects.toMatchObject({ code: 'store_replaced' });
  const taken = await startEngine({ workspace, key: first.key, acceptStore: true });
  expect(taken.hello.parts.status.total).toBe(0);
});

test('hookbench serve says what is wrong and how to go on', async () => {
  const { child, ended } = await startServe(workspace, [], sourceCli);
  child.kill('SIGTERM');
  await ended;
  rmSync(path);
  const args = ['serve', '--workspace', workspace, '--ingest-port', '0', '--ui-port', '0', '--no-open'];
  const refused = await runCliProcess(args, {}, sourceCli);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(
    /^hookbench: store_replaced: \S+store\.sqlite is gone\..*put the right file back.*--accept-store/,
  );
  expect(existsSync(path)).toBe(false);
  const taken = await startServe(workspace, ['--accept-store'], sourceCli);
  taken.child.kill('SIGTERM');
  expect(await taken.ended).toMatchObject({ code: 0 });
});

test('a setting that is no JSON any more is damage that ends the start by name', async () => {
  const first = await startEngine({ workspace, config: configOf([]) });
  await first.stop();
  const db = new Database(path);
  db.exec("UPDATE settings SET value = '{' WHERE key = 'clock'");
  db.close();
  await expect(startEngine({ workspace, key: first.key })).rejects.toMatchObject({ code: 'store_corrupt' });
  // Nothing is held: the next start gets as far.
  await expect(startEngine({ workspace, key: first.key })).rejects.toMatchObject({ code: 'store_corrupt' });
});

test('damage that is met while the engine comes up is store_corrupt with the path and what to do', async () => {
  const first = await startEngine({ workspace, config: configOf([]) });
  await first.stop();
  const db = new Database(path);
  const root = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sources'").pluck().get() as number;
  db.close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, (root - 1) * 4096, (root - 1) * 4096 + 8);
  writeFileSync(path, bytes);
  await expect(startEngine({ workspace, key: first.key })).rejects.toMatchObject({
    code: 'store_corrupt',
    message: `${path} is damaged; it was left as it is. hookbench doctor --repair puts what can be read into a new file.`,
  });
  const args = ['serve', '--workspace', workspace, '--ingest-port', '0', '--ui-port', '0', '--no-open'];
  expect((await runCliProcess(args, {}, sourceCli)).stderr).toMatch(
    /^hookbench: store_corrupt: \S+store\.sqlite is damaged/,
  );
});
