/** Deletion requests on the whole engine, in simulated time. */
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { deletionConfig, HOOK, startDeletionWorld } from '../helpers/deletion-world.ts';
import { answer } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const AT = '2026-11-20T12:00:00';

describe('notices', () => {
  test('go to each source that knows the user and has the destination on, with exactly three fields', async () => {
    const world = await startDeletionWorld();
    await world.track('wk_web', 'usr_1', 3);
    await world.track('wk_api', 'usr_1', 2);
    await world.track('wk_app', 'usr_1', 1);
    await world.track('wk_api', 'usr_2', 1);
    await world.track('wk_app', 'usr_3', 4);
    const { id } = await world.call('deletions.create', { userIds: ['usr_1', 'usr_2', 'usr_3', 'usr_9'] });
    const detail = await world.finished(id);
    expect(detail).toMatchObject({ state: 'done', notices: { total: 3, delivered: 3, failed: 0, waiting: 0 } });
    expect(detail.sources.map(({ name, notices, delivered, none }) => [name, notices, delivered, none])).toEqual([
      ['web', 1, 1, 3],
      ['api', 2, 2, 2],
      ['app', 0, 0, 4],
    ]);
    const timestamp = new Date(detail.createdAt).toISOString();
    expect(timestamp.startsWith(AT)).toBe(true);
    expect(world.notices().sort()).toEqual(
      ['usr_1', 'usr_1', 'usr_2'].map((userId) => `{"type":"delete","userId":"${userId}","timestamp":"${timestamp}"}`),
    );
    const notices = (await world.rows()).filter(({ origin }) => origin === 'deletion');
    expect(notices.map(({ sourceId, userId, type, state }) => [sourceId, userId, type, state]).sort()).toEqual([
      [1, 'usr_1', 'delete', 'delivered'],
      [2, 'usr_1', 'delete', 'delivered'],
      [2, 'usr_2', 'delete', 'delivered'],
    ]);
  });

  test('have the same body under pass-through', async () => {
    const entries = [{ name: 'CRM', url: HOOK, headers: {}, enabled: true }];
    const world = await startDeletionWorld({
      config: deletionConfig({ webhooks: { entries, body: 'pass-through' } }),
    });
    await world.track('wk_web', 'usr_1');
    const { id } = await world.call('deletions.create', { userIds: ['usr_1'] });
    const { createdAt } = await world.finished(id);
    const timestamp = new Date(createdAt).toISOString();
    expect(world.notices()).toEqual([`{"type":"delete","userId":"usr_1","timestamp":"${timestamp}"}`]);
  });

  test('are not sent for calls that were rejected, for earlier notices, or without a webhook', async () => {
    const world = await startDeletionWorld({ config: deletionConfig({ webhooks: { entries: [] } }) });
    await world.post('/v1/track', { userId: 'usr_1' }, 'wk_web');
    await world.track('wk_api', 'usr_2');
    const first = await world.call('deletions.create', { userIds: ['usr_1', 'usr_2'] });
    expect(await world.finished(first.id)).toMatchObject({ notices: { total: 0 }, state: 'done' });
    const { rows } = await world.call('deletions.users', { id: first.id, limit: 10 });
    expect(rows.map(({ cells }) => cells.map(({ calls, reason }) => `${calls} ${reason}`))).toEqual([
      ['0 does_not_know', '0 does_not_know', '0 does_not_know'],
      ['0 does_not_know', '1 no_webhook', '0 does_not_know'],
    ]);
  });

  test('keep their outcome when storage limits remove them, and a replay does not change it', async () => {
    const world = await startDeletionWorld();
    world.transport.on(HOOK, ({ body }) => answer(Buffer.from(body).includes('usr_bad') ? 400 : 200));
    await world.track('wk_web', 'usr_ok');
    await world.track('wk_web', 'usr_bad');
    const { id } = await world.call('deletions.create', { userIds: ['usr_ok', 'usr_bad'] });
    const detail = await world.finished(id);
    expect(detail).toMatchObject({
      state: 'partly_failed',
      notices: { delivered: 1, failed: 1 },
      states: { delivered: 1, failed: 1 },
    });
    const failed = await world.call('deletions.users', { id, limit: 10, failedOnly: true });
    expect(failed.rows.map(({ userId }) => userId)).toEqual(['usr_bad']);
    const notice = failed.rows[0]!.cells[0]!.message!;
    world.transport.on(HOOK, () => answer(200));
    await world.call('replay.send', { id: notice.id, webhookIds: [1] });
    await world.pass(1_000);
    await world.track('wk_web', 'later');
    await world.track('wk_web', 'latest');
    // The newest replay keeps its message.
    await world.call('replay.send', { id: (await world.rows())[0]!.id, webhookIds: [1] });
    await world.pass(1_000);
    await world.call('storage.clear', {});
    expect((await world.rows()).some((row) => row.id === notice.id)).toBe(false);
    expect(await world.call('deletions.get', { id })).toMatchObject({
      state: 'partly_failed',
      notices: detail.notices,
    });
    const again = await world.call('deletions.users', { id, limit: 10, failedOnly: true });
    expect(again.rows[0]!.cells[0]).toMatchObject({ state: 'failed', message: null });
  });

  test('a request is pending, then running, then failed when its notices expire', async () => {
    const world = await startDeletionWorld();
    await world.track('wk_web', 'usr_1');
    world.transport.on(HOOK, () => answer(503));
    await world.call('destination.save', { paused: true });
    const { id } = await world.call('deletions.create', { userIds: ['usr_1'] });
    expect(await world.finished(id, false)).toMatchObject({ state: 'pending', notices: { waiting: 1 } });
    await world.call('destination.save', { paused: false });
    await world.pass(2_000);
    const running = await world.call('deletions.get', { id });
    expect(running).toMatchObject({ state: 'running', states: { retrying: 1 } });
    expect(running.nextDueAt).toBeGreaterThan(0);
    await world.pass(5 * 60 * 60 * 1_000);
    expect(await world.call('deletions.get', { id })).toMatchObject({ state: 'failed', states: { expired: 1 } });
  });
});

describe('the preview', () => {
  test('shows ids as found: duplicates, unknown ones, ones that differ in case or spaces; nothing is guessed', async () => {
    const world = await startDeletionWorld();
    await world.track('wk_web', 'usr_41c0', 5);
    await world.track('wk_web', 'usr_5d10', 2);
    await world.track('wk_app', 'usr_5d10', 3);
    await world.post('/v1/identify', { userId: 'usr_5d10', traits: { name: 'Jonas' } }, 'wk_api');
    await world.pass(20);
    const userIds = ['usr_5d10', 'USR_41C0', 'usr_9f00', 'usr_5d10', ' usr_41c0'];
    const preview = await world.call('deletions.preview', { userIds });
    expect(preview).toMatchObject({ lines: 5, ids: 4, known: 1, near: 2, unknown: 1, duplicates: 1, notices: 2 });
    expect(preview).toMatchObject({ calls: 6, callsWithDestination: 3, usersErased: 1 });
    expect(preview.erase).toMatchObject({ messages: 6, attempts: 3, heldCalls: 0 });
    const told = preview.users.map(({ userId, lines, calls, near, name }) => [userId, lines, calls, near, name]);
    expect(told).toEqual([
      ['usr_5d10', [1, 4], 6, [], 'Jonas'],
      ['USR_41C0', [2], 0, [{ userId: 'usr_41c0', calls: 5, differsIn: 'case' }], null],
      ['usr_9f00', [3], 0, [], null],
      [' usr_41c0', [5], 0, [{ userId: 'usr_41c0', calls: 5, differsIn: 'spaces' }], null],
    ]);
    const { cells } = preview.users[0]!;
    expect(cells.map(({ calls, reason }) => [calls, reason])).toEqual([
      [2, null],
      [1, null],
      [3, 'destination_off'],
    ]);
    // The next preview counts what came since.
    await world.track('wk_web', 'usr_9f00');
    expect(await world.call('deletions.preview', { userIds })).toMatchObject({ known: 2, unknown: 0 });
    expect((await world.rows()).some(({ type }) => type === 'delete')).toBe(false);
  });

  test('a dry run has the bodies that a request then sends, and sends nothing', async () => {
    const world = await startDeletionWorld();
    for (const userId of ['a', 'b', 'c']) await world.track('wk_web', userId);
    await world.track('wk_api', 'b');
    const userIds = ['a', 'b', 'c', 'b'];
    const { total, notices } = await world.call('deletions.dryRun', { userIds, from: 2, count: 2 });
    expect(total).toBe(4);
    expect(notices.map(({ position, userId, sourceName }) => [position, userId, sourceName])).toEqual([
      [2, 'b', 'web'],
      [3, 'b', 'api'],
    ]);
    expect(world.notices()).toEqual([]);
    const { id } = await world.call('deletions.create', { userIds });
    await world.finished(id);
    const withoutTime = (body: string): string => body.replace(/"timestamp":"[^"]+"/, '');
    expect(world.notices().map(withoutTime)).toContain(withoutTime(notices[0]!.body));
  });
});

describe('suppression', () => {
  test('rejects calls of exactly these ids, keeps only their row, counts them, and is lifted at once', async () => {
    const world = await startDeletionWorld();
    await world.track('wk_web', 'usr_1');
    const { id } = await world.call('deletions.create', { userIds: ['usr_1', 'usr_9'], suppress: true });
    expect(await world.finished(id)).toMatchObject({ state: 'done', suppressed: 2 });
    const status = await world.post(
      '/v1/batch',
      {
        batch: [
          { type: 'track', event: 'Secret', userId: 'usr_1', properties: { card: '4711' } },
          { type: 'track', event: 'Kept', userId: 'usr_10' },
          { type: 'identify', userId: 'Usr_1', traits: {} },
        ],
      },
      'wk_web',
    );
    expect(status).toBe(200);
    await world.pass(20);
    const rows = (await world.rows()).slice(0, 3);
    expect(rows.map(({ userId, state, reason, reasonDetail }) => [userId, state, reason, reasonDetail])).toEqual([
      ['Usr_1', 'delivered', null, null],
      ['usr_10', 'delivered', null, null],
      ['usr_1', 'rejected', 'user_suppressed', 'usr_1'],
    ]);
    const raw = await world.call('messages.raw', { id: rows[2]!.id });
    const body = Buffer.from(raw.bodyBase64, 'base64').toString();
    expect(JSON.parse(body)).toMatchObject({ batch: [null, { userId: 'usr_10' }, { userId: 'Usr_1' }] });
    expect(body).not.toContain('4711');
    expect(raw.cutCalls).toBe(1);

    const drill = await world.call('deletions.drill', { userId: 'usr_1', event: 'Product Viewed' });
    expect(drill).toMatchObject({ state: 'rejected', reason: 'user_suppressed', sourceName: 'web' });
    const suppressions = await world.call('deletions.suppressions', { limit: 10 });
    expect(suppressions.rows.map(({ userId, hits, requestId }) => [userId, hits, requestId])).toEqual([
      ['usr_1', 2, id],
      ['usr_9', 0, id],
    ]);
    const after = await world.call('deletions.messagesAfter', { id, limit: 10 });
    expect(after.rows.map(({ reason }) => reason)).toEqual(['user_suppressed', 'user_suppressed']);

    expect(await world.call('deletions.lift', { userIds: ['usr_1', 'nobody'] })).toEqual({ lifted: 1 });
    expect(await world.call('deletions.drill', { userId: 'usr_1' })).toMatchObject({
      state: 'delivering',
      reason: null,
    });
    expect(await world.call('deletions.get', { id })).toMatchObject({ suppressed: 1 });
  });

  test('comes before every other check, so that no held or refused call keeps its bytes', async () => {
    const world = await startDeletionWorld();
    await world.call('deletions.suppress', { userIds: ['usr_1', '42'] });
    await world.post('/v1/track', { userId: 'usr_1', card: '4711' }, 'wk_unknown');
    await world.post('/v1/track', { userId: 42, event: 7, card: '4711' }, 'wk_web');
    const rows = await world.rows();
    expect(rows.map(({ reason }) => reason)).toEqual(['user_suppressed', 'user_suppressed']);
    for (const { id } of rows)
      expect(await world.call('messages.raw', { id })).toMatchObject({ bodyBase64: '', cutCalls: 1 });
  });

  test('survives a restart', async () => {
    const [folder, key] = [tempWorkspace(), randomBytes(32)];
    const world = await startDeletionWorld({ folder, key });
    await world.call('deletions.create', { userIds: ['usr_1'], suppress: true });
    await world.until(world.engine.stop());
    const again = await startDeletionWorld({ folder, key });
    expect(await again.call('deletions.drill', { userId: 'usr_1' })).toMatchObject({ reason: 'user_suppressed' });
  });
});

describe('erase', () => {
  test('takes calls in every state, and what is being delivered is stopped', async () => {
    const world = await startDeletionWorld();
    await world.track('wk_web', 'usr_1', 2);
    await world.post('/v1/track', { userId: 'usr_1', event: 'Held' }, 'wk_unknown');
    await world.track('wk_app', 'usr_1');
    world.transport.on(HOOK, ({ body }) => (Buffer.from(body).includes('"delete"') ? answer(200) : null));
    await world.track('wk_web', 'usr_1', 3);
    await world.track('wk_web', 'usr_2', 1);
    const { id } = await world.call('deletions.create', { userIds: ['usr_1'], erase: true });
    const detail = await world.finished(id);
    expect(detail.erased).toMatchObject({ messages: 7, attempts: 5, heldCalls: 1 });
    expect(detail.erased!.finishedAt).not.toBeNull();
    const rows = await world.rows();
    expect(rows.map(({ userId, type }) => `${userId} ${type}`)).toEqual(['usr_1 delete', 'usr_2 track']);
    // The attempts on the wire end and leave nothing.
    await world.pass(10_000);
    expect(await world.rows()).toHaveLength(2);
    const attempts = await world.call('attempts.list', { limit: 100 });
    expect(new Set(attempts.rows.map(({ message }) => message)).size).toBe(2);
  });

  test('begins when every notice is stored', async () => {
    const world = await startDeletionWorld();
    const users = Array.from({ length: 130 }, (_, i) => `usr_${i}`);
    for (const key of ['wk_web', 'wk_api'])
      await world.post('/v1/batch', { batch: users.map((userId) => ({ type: 'track', event: 'E', userId })) }, key);
    await world.pass(500);
    const { store, stores } = world.engine.parts;
    const unsent: number[] = [];
    store.onCommitted(({ removed, emptied }) => {
      if (removed.length + emptied.length > 0) unsent.push(stores.deletions.unsent(1, 1_000).length);
    });
    const { id } = await world.call('deletions.create', { userIds: users, erase: true });
    expect((await world.finished(id)).erased).toMatchObject({ messages: 260 });
    expect([unsent.length > 5, Math.max(...unsent)]).toEqual([true, 0]);
  });

  test('a call that came twice in different requests leaves no bytes in either', async () => {
    const world = await startDeletionWorld();
    const twice = { type: 'track', event: 'E', userId: 'usr_1', messageId: 'twice', properties: { card: '4711' } };
    const other = (messageId: string) => ({ type: 'track', event: 'E', userId: 'usr_2', messageId });
    await world.post('/v1/batch', { batch: [twice, other('o1')] }, 'wk_web');
    await world.post('/v1/batch', { batch: [other('o2'), twice] }, 'wk_web');
    const { id } = await world.call('deletions.create', { userIds: ['usr_1'], erase: true });
    expect((await world.finished(id)).erased).toMatchObject({ messages: 1, cutCalls: 2 });
    const others = (await world.rows()).filter(({ userId }) => userId === 'usr_2');
    expect(others).toHaveLength(2);
    for (const row of others) {
      const { bodyBase64, cutCalls } = await world.call('messages.raw', { id: row.id });
      expect(cutCalls).toBe(1);
      const raw = Buffer.from(bodyBase64, 'base64').toString();
      expect([raw.includes('4711'), raw.includes(row.messageId)]).toEqual([false, true]);
    }
  });

  test('what others say about the user stays, and the search finds it', async () => {
    const world = await startDeletionWorld();
    await world.track('wk_web', 'usr_1');
    await world.post('/v1/track', { userId: 'usr_2', event: 'Invited', properties: { by: 'usr_1' } }, 'wk_web');
    await world.post('/v1/alias', { userId: 'usr_3', previousId: 'usr_1' }, 'wk_web');
    await world.track('wk_web', 'usr_10');
    const { id } = await world.call('deletions.create', { userIds: ['usr_1'], erase: true });
    const { search, erased } = await world.finished(id);
    expect(erased).toMatchObject({ messages: 1 });
    const rows = await world.rows();
    const of = (userId: string) => rows.find((row) => row.userId === userId)!.id;
    expect(search!.messages.toSorted()).toEqual([of('usr_2'), of('usr_3')].toSorted());
    expect(search!.bytes).toBeGreaterThan(100);
  });

  test('forget takes the ids of the request and its notices too', async () => {
    const world = await startDeletionWorld();
    await world.track('wk_web', 'usr_1');
    await world.track('wk_web', 'usr_2');
    const { id } = await world.call('deletions.create', { userIds: ['usr_1'], erase: true, forget: true });
    await world.finished(id);
    await world.pass(1_000);
    const detail = await world.call('deletions.get', { id });
    expect(detail).toMatchObject({ forgotten: true, firstUserId: null, users: 1, state: 'done' });
    expect(detail.notices).toMatchObject({ total: 1, delivered: 1 });
    expect((await world.rows()).some(({ userId }) => userId === 'usr_1')).toBe(false);
    await expect(
      world.call('deletions.create', { userIds: ['a'], suppress: true, forget: true }),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('a running request is not forgotten', async () => {
    const world = await startDeletionWorld();
    world.transport.on(HOOK, () => null);
    await world.track('wk_web', 'usr_1');
    const { id } = await world.call('deletions.create', { userIds: ['usr_1'] });
    await world.finished(id, false);
    await expect(world.call('deletions.forget', { id })).rejects.toMatchObject({ code: 'deletion_running' });
    await expect(world.call('deletions.forget', { id: 99 })).rejects.toMatchObject({ code: 'deletion_not_found' });
  });
});

/** How far the first request came in these files. */
function stageOf(folder: string): string {
  const db = new Database(join(folder, 'store.sqlite'));
  const sent = db.prepare('SELECT count(message_id) FROM deletion_notices').pluck().get() as number;
  const request = db.prepare('SELECT looked_at, finished_at FROM deletion_requests').get() as Record<string, number>;
  db.close();
  if (request.finished_at !== null) return 'finished';
  return request.looked_at === 0 ? `${sent} notices` : 'erasing';
}

test('after a crash behind any commit the request goes on: no notice twice, none left out, all erased', async () => {
  const key = randomBytes(32);
  const world = await startDeletionWorld({ key });
  const users = Array.from({ length: 120 }, (_, i) => `usr_${i}_`);
  const batch = (list: readonly string[]) => list.map((userId) => ({ type: 'track', event: 'E', userId }));
  await world.post('/v1/batch', { batch: batch(users) }, 'wk_web');
  await world.post('/v1/batch', { batch: batch([...users.slice(0, 30), 'kept']) }, 'wk_api');
  await world.pass(1_000);
  // Nothing is delivered before the crash, so that what is delivered after it is everything.
  world.transport.on(HOOK, () => null);

  const images: string[] = [];
  const { store } = world.engine.parts;
  store.onCommitted(() => {
    const image = tempWorkspace();
    for (const name of ['store.sqlite', 'store.sqlite-wal', 'store.json'])
      if (existsSync(join(world.folder, name))) copyFileSync(join(world.folder, name), join(image, name));
    images.push(image);
  });
  const { id } = await world.call('deletions.create', { userIds: users, erase: true, suppress: true });
  await world.finished(id, false);
  expect(images.length).toBeGreaterThan(8);

  const seen = new Set<string>();
  for (const [i, folder] of images.entries()) {
    // Many commits are attempts of notices. Each of the first images is started, then every fourth, and the last ones.
    if (i > 12 && i % 4 !== 0 && i < images.length - 2) continue;
    seen.add(stageOf(folder));
    const again = await startDeletionWorld({ folder, key });
    const detail = await again.finished(id);
    expect(detail).toMatchObject({ state: 'done', notices: { total: 150, delivered: 150 }, suppressed: 120 });
    expect(detail.erased).toMatchObject({ messages: 150 });
    const rows = await again.rows();
    const notices = rows.filter(({ type }) => type === 'delete').map(({ sourceId, userId }) => `${sourceId} ${userId}`);
    expect([notices.length, new Set(notices).size]).toEqual([150, 150]);
    expect(rows.filter(({ type }) => type !== 'delete').map(({ userId }) => userId)).toEqual(['kept']);
    await again.until(again.engine.stop());
  }
  expect([...seen]).toEqual(expect.arrayContaining(['0 notices', '100 notices', '120 notices', 'erasing', 'finished']));
});
