/**
 * Eight bytes overwritten in one page of a store with queued messages, page after page: everything that can be read is
 * delivered, or the state says that the store is damaged, or the start is refused by name; never silent and still.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { isDamage } from '../../src/core/store/damage.ts';
import { StoreOpenError, storePath } from '../../src/core/store/database.ts';
import { examine, type Repaired, repair } from '../../src/core/store/doctor.ts';
import { sideFilePath } from '../../src/core/store/side-file.ts';
import { runCliProcess, sourceCli } from '../helpers/cli-process.ts';
import { leavesOf, PAGE } from '../helpers/damaged-store.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { seededRandom } from '../helpers/sim-ports.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const DONE = 40;
const WAITING = 260;

interface Made {
  readonly folder: string;
  readonly key: Uint8Array;
  readonly receiver: Receiver;
}

/** Delivered messages, and more that wait. */
async function made(): Promise<Made> {
  const receiver = await startReceiver();
  const engine = await startEngine({ config: configOf([receiver.url], { speed: 1 }) });
  const call = (userId: string) => ({ type: 'track', userId, event: 'E', properties: { text: 'x'.repeat(400) } });
  const take = async (n: number): Promise<void> => {
    for (let at = 0; at < n; at += 20) {
      await engine.post('/v1/batch', { batch: Array.from({ length: 20 }, (_, i) => call(`${n} ${at + i}`)) });
    }
  };
  await take(DONE);
  await engine.until(async () => (receiver.requests.length === DONE ? true : undefined));
  await engine.client.call('destination.save', { paused: true });
  await take(WAITING);
  await engine.stop();
  return { folder: engine.workspace, key: engine.key, receiver };
}

/** The store of `from` in a folder of its own, with eight bytes of a page overwritten. */
function damaged(from: string, page: number, offset: number, random: () => number): string {
  const folder = tempWorkspace();
  const bytes = readFileSync(storePath(from));
  for (let i = 0; i < 8; i++) bytes[(page - 1) * PAGE + offset + i] = Math.floor(random() * 256);
  writeFileSync(storePath(folder), bytes);
  copyFileSync(sideFilePath(from), sideFilePath(folder));
  return folder;
}

/** Ids of waiting messages of which row and body can be read, as another reader of the file finds them. */
function readable(folder: string): number[] {
  const db = new Database(storePath(folder), { readonly: true });
  const row = db.prepare("SELECT state FROM messages WHERE id = ? AND state = 'queued'");
  const body = db.prepare('SELECT wire, crc32 FROM message_bodies WHERE id = ?');
  const found: number[] = [];
  for (let id = DONE + 1; id <= DONE + WAITING; id++) {
    try {
      if (row.get(id) !== undefined && body.get(id) !== undefined) found.push(id);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  db.close();
  return found;
}

interface Ending {
  readonly refused: string | null;
  readonly isDamaged: boolean;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

async function quiet(engine: RunningEngine): Promise<void> {
  let last = '';
  for (let same = 0; same < 6; ) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const { counts } = await engine.client.call('app.status');
    const now = JSON.stringify(counts);
    same = now === last ? same + 1 : 0;
    last = now;
    if (counts.queued + counts.delivering + counts.retrying === 0) return;
  }
}

async function deliver({ key, receiver }: Made, folder: string): Promise<Ending> {
  const before = receiver.requests.length;
  let engine: RunningEngine;
  try {
    engine = await startEngine({ workspace: folder, key });
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    return { refused: error.code, isDamaged: true, delivered: 0, failed: 0, waiting: 0 };
  }
  await engine.client.call('destination.save', { paused: false }).catch(() => {});
  await quiet(engine);
  const { counts, notSending } = await engine.client.call('app.status');
  await engine.client.call('messages.window', { fromRank: 0, count: 300 });
  await engine.stop();
  return {
    refused: null,
    isDamaged: notSending.includes('store_damaged'),
    delivered: receiver.requests.length - before,
    failed: counts.failed,
    waiting: counts.queued + counts.delivering + counts.retrying,
  };
}

const byte = (): number => 0.99;

const hasTables = (folder: string): boolean => {
  const db = new Database(storePath(folder), { readonly: true });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return true;
  } catch {
    return false;
  } finally {
    db.close();
  }
};

const doctor = (folder: string, ...more: string[]) =>
  runCliProcess(['doctor', '--workspace', folder, ...more], {}, sourceCli);

describe('hookbench doctor', () => {
  test('refuses while an engine runs, and finds a sound store sound', async () => {
    const store = await made();
    expect(await doctor(store.folder)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/store\.sqlite is sound\.\n$/),
    });
    await startEngine({ workspace: store.folder, key: store.key });
    const refused = await doctor(store.folder, '--repair');
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('workspace_in_use')]);
  });

  test('saves what can be read into a new file, says what is lost, and keeps the damaged one aside', async () => {
    const store = await made();
    const leaves = leavesOf(store.folder, 'message_bodies');
    const folder = damaged(store.folder, leaves[Math.floor(leaves.length / 2)]!, 0, byte);
    const before = readFileSync(storePath(folder));
    const lost = WAITING - readable(folder).length;
    const told = await doctor(folder);
    expect([told.code, told.stdout]).toEqual([1, expect.stringContaining('is damaged:')]);
    const { code, stdout } = await doctor(folder, '--repair', '--json');
    const { repaired } = JSON.parse(stdout) as { repaired: Repaired };
    expect(code).toBe(0);
    const tables = Object.fromEntries(repaired.tables.map((one) => [one.table, one]));
    expect(tables.messages).toEqual({ table: 'messages', kept: DONE + WAITING, lost: 0 });
    expect(tables.message_bodies).toEqual({ table: 'message_bodies', kept: DONE + WAITING - lost, lost });
    expect(readFileSync(repaired.aside).equals(before)).toBe(true);
    expect((await doctor(folder)).code).toBe(0);
    expect(await deliver(store, folder)).toEqual({
      refused: null,
      isDamaged: false,
      delivered: WAITING - lost,
      failed: lost,
      waiting: 0,
    });
  });

  test('after a repair, whichever page was damaged, the store is sound and all that was kept is delivered', {
    timeout: 600_000,
  }, async () => {
    const store = await made();
    const pages = readFileSync(storePath(store.folder)).length / PAGE;
    const random = seededRandom(Number(process.env.SEED ?? 2));
    const every = Number(process.env.EVERY_PAGE ?? 13);
    for (let page = 2 + Math.floor(random.next() * every); page <= pages; page += every) {
      const folder = damaged(store.folder, page, 0, () => random.next());
      const { problems } = examine(folder);
      if (problems.length === 0) continue;
      const where = `page ${page} of ${pages}`;
      if (!hasTables(folder)) {
        expect(() => repair(folder, Date.now())).toThrow(/its list of tables cannot be read/);
        continue;
      }
      const { tables } = repair(folder, Date.now());
      expect([where, examine(folder).problems]).toEqual([where, []]);
      const kept = tables.find(({ table }) => table === 'messages')!.kept;
      const engine = await startEngine({ workspace: folder, key: store.key });
      const { status } = engine.hello.parts;
      expect([where, status.total, status.notSending.includes('store_damaged')]).toEqual([where, kept, false]);
      await engine.stop();
    }
  });
});

describe('eight bytes overwritten', () => {
  test('in one page after the other: what can be read is delivered, or the state says what is wrong', {
    timeout: 600_000,
  }, async () => {
    const store = await made();
    const pages = readFileSync(storePath(store.folder)).length / PAGE;
    const random = seededRandom(Number(process.env.SEED ?? 1));
    const every = Number(process.env.EVERY_PAGE ?? 9);
    for (let page = 1 + Math.floor(random.next() * every); page <= pages; page += every) {
      const offset = random.next() < 0.5 ? 0 : Math.floor(random.next() * (PAGE - 8));
      const folder = damaged(store.folder, page, offset, () => random.next());
      const end = await deliver(store, folder);
      const where = `page ${page} of ${pages} at ${offset}`;
      if (end.refused !== null) expect([where, end.refused]).toEqual([where, expect.stringMatching(/^store_/)]);
      else if (!end.isDamaged)
        expect([where, end]).toMatchObject([where, { delivered: WAITING, failed: 0, waiting: 0 }]);
      else expect([where, end.delivered + end.failed + end.waiting]).toEqual([where, WAITING]);
    }
  });

  test('in a page of bodies: those messages fail as body_damaged and every other one is delivered', async () => {
    const store = await made();
    const leaves = leavesOf(store.folder, 'message_bodies');
    const folder = damaged(store.folder, leaves[Math.floor(leaves.length / 2)]!, 0, byte);
    const can = readable(folder).length;
    expect(can).toBeLessThan(WAITING);
    const engine = await startEngine({ workspace: folder, key: store.key });
    await engine.client.call('destination.save', { paused: false });
    await quiet(engine);
    const { rows } = await engine.client.call('messages.list', {
      filter: { terms: [{ key: 'status', values: ['failed'] }] },
      limit: 100,
    });
    expect(rows.map(({ reason }) => reason)).toEqual(Array.from({ length: WAITING - can }, () => 'body_damaged'));
    expect(store.receiver.requests).toHaveLength(DONE + can);
    const [webhook] = engine.hello.parts.webhooks;
    const replay = engine.client.call('replay.send', { id: rows[0]!.id, webhookIds: [webhook!.id] });
    await expect(replay).rejects.toMatchObject({ code: 'body_damaged' });
    // Calls are taken, and the health says that somebody has to look.
    expect(await engine.post('/v1/track', { userId: 'u', event: 'E' })).toBe(200);
    const health = await fetch(`${engine.ingest}/health`);
    expect([health.status, await health.json()]).toEqual([503, { status: 'store_damaged' }]);
    expect(engine.log.filter(({ event }) => event === 'store_damaged')).toHaveLength(1);
    await engine.stop();
    // A restart still knows, though nothing reads that page any more.
    const again = await startEngine({ workspace: folder, key: store.key });
    expect(again.hello.parts.status.notSending).toEqual(['store_damaged']);
    expect(again.log.filter(({ event }) => event === 'store_damaged')).toHaveLength(1);
  });

  test.each([0, 2_000])('in a page of the index of due times, at %i: every message is delivered', async (offset) => {
    const store = await made();
    const folder = damaged(store.folder, leavesOf(store.folder, 'messages_due')[0]!, offset, byte);
    const end = await deliver(store, folder);
    expect(end.isDamaged).toBe(true);
    // A message of which the entry cannot be taken out again is not sent: its result could not be written.
    expect(end.delivered + end.waiting).toBe(WAITING);
  });

  test('in a page of messages: the list shows the others, and they are delivered', async () => {
    const store = await made();
    const leaves = leavesOf(store.folder, 'messages');
    const folder = damaged(store.folder, leaves[Math.floor(leaves.length / 2)]!, 0, byte);
    const can = readable(folder).length;
    const engine = await startEngine({ workspace: folder, key: store.key });
    const { rows } = await engine.client.call('messages.window', { fromRank: 0, count: 400 });
    expect(rows.filter(({ state }) => state === 'queued')).toHaveLength(can);
    const list = await engine.client.call('messages.list', {
      filter: { terms: [{ key: 'status', values: ['queued'] }] },
      limit: 400,
    });
    expect(list.rows).toHaveLength(can);
    await engine.client.call('destination.save', { paused: false });
    await quiet(engine);
    // Those beside the damaged page may share its room, and are then not sent: nothing can be written of them.
    expect(store.receiver.requests.length).toBeGreaterThan(DONE + can - 40);
    const sent = store.receiver.requests.map(({ body }) => String(body));
    expect(new Set(sent).size).toBe(sent.length);
  });
});
