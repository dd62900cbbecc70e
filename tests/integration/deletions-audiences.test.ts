/** Erasing users who are in audiences and computed traits, on the whole engine in simulated time. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { DeletionDetail } from '../../src/contract/deletions.ts';
import { audienceWorld, crashCopy, HOOK, names, type World } from '../helpers/audience-world.ts';
import { always, answer } from '../helpers/sim-transport.ts';

type Save = Parameters<World['call']['audiences.save']>[0];
const save = async (world: World, over: Partial<Save> = {}): Promise<number> => {
  const saved = { kind: 'audience', name: 'VIP', ...over } as Save;
  return (await world.run(world.call['audiences.save'](saved))).id;
};
const by = (definition: object): Save['source'] => ({ by: 'computed', definition: definition as never });
const add = (world: World, id: number, ids: string[]) =>
  world.run(world.call['audiences.editMembers']({ id, add: ids }));
const sync = async (world: World, id: number) => {
  await world.run(world.call['audiences.sync']({ id }));
  return world.settle(id);
};

async function erased(world: World, userIds: string[]): Promise<DeletionDetail> {
  const { id } = await world.run(
    world.call['deletions.create']({ userIds, erase: true, suppress: false, forget: false }),
  );
  for (let looks = 0; looks < 1_000; looks++) {
    const detail = await world.call['deletions.get']({ id });
    if (detail.phase === 'finished') return detail;
    await world.time.advance(20);
  }
  throw new Error('The erase does not end.');
}

/** How often a text is in the files of the workspace. */
async function inFiles(world: World, text: string): Promise<number> {
  await world.stop();
  return readdirSync(world.folder)
    .map((name) => readFileSync(join(world.folder, name)))
    .reduce((sum, bytes) => sum + bytes.toString('latin1').split(text).length - 1, 0);
}

describe('an erased user', () => {
  test('leaves the audiences, and the ledgers of syncs that are done', async () => {
    const world = await audienceWorld();
    world.transport.on(HOOK, ({ body }) => answer(Buffer.from(body).includes('refused') ? 400 : 200));
    const [vip, other] = [await save(world), await save(world, { name: 'Other' })];
    await add(world, vip, ['gone_7', 'kept', 'refused_gone_7']);
    await add(world, other, ['gone_7']);
    await sync(world, vip);
    const before = (await world.call['audiences.getSync']({ id: vip, n: 1 })) as object;
    expect(before).toMatchObject({ ledger: { expected: 3, delivered: 2, failed: 1 }, failures: [{ count: 1 }] });
    const preview = await world.run(world.call['deletions.preview']({ userIds: ['gone_7', 'refused_gone_7', 'no'] }));
    expect(preview.erase.memberships).toBe(3);

    const { erased: taken, search } = await erased(world, ['gone_7', 'refused_gone_7']);
    expect(taken).toMatchObject({ memberships: 3, messages: 2 });
    expect(search!.found).toBe(0);
    expect(world.row(vip).counts).toEqual({ members: 1, toAdd: 0, toRemove: 0, toChange: 0 });
    expect(world.row(other).counts).toEqual({ members: 0, toAdd: 0, toRemove: 0, toChange: 0 });
    expect(await world.call['audiences.getSync']({ id: vip, n: 1 })).toEqual(before);
    const { rows } = await world.call['audiences.syncCalls']({ sync: 1, show: 'all', limit: 9 });
    expect(rows.map(({ position, userId, outcome, reason }) => [position, userId, outcome, reason])).toEqual([
      [1, '', 'delivered', null],
      [2, 'kept', 'delivered', null],
      [3, '', 'failed', '400'],
    ]);
    // They stand in the request and nowhere else; the notices of a user whom no source knows are none.
    expect(await inFiles(world, 'gone_7')).toBe(2);
  });

  test('is taken out of what an open sync has not sent, and the ledger adds up', async () => {
    const world = await audienceWorld();
    const users = names(650);
    const id = await save(world);
    await add(world, id, users);
    world.transport.on(HOOK, always(answer(503)));
    await world.run(world.call['audiences.sync']({ id }));
    await world.time.advance(1_000);
    const told = world.bodies().length;
    // Two that were sent and wait for a retry, and three that are not sent.
    const gone = [users[3]!, users[499]!, users[500]!, ...users.slice(-2)];
    const detail = await erased(world, gone);
    expect(detail.erased).toMatchObject({ memberships: 5, messages: 2 });
    const during = (await world.call['audiences.getSync']({ id, n: 1 })).ledger;
    expect(during).toMatchObject({ expected: 647, delivered: 0, failed: 2, waiting: 645 });
    world.transport.on(HOOK, always(answer(200)));
    const done = await world.settle(id);
    expect(done).toMatchObject({ state: 'done', added: 647, ledger: { expected: 647, delivered: 645, failed: 2 } });
    const { events, failures } = await world.call['audiences.getSync']({ id, n: 1 });
    expect(events).toContainEqual(expect.objectContaining({ what: 'left_out', calls: 3 }));
    expect(failures).toEqual([{ reason: 'stopped', count: 2 }]);
    const later = world
      .bodies()
      .slice(told)
      .map(({ userId }) => userId);
    expect(later.filter((userId) => gone.includes(userId))).toEqual([]);
    expect(world.row(id).counts).toMatchObject({ members: 645, toAdd: 0 });
    for (const userId of gone) expect(await inFiles(world, userId)).toBe(1);
  });

  test('is not put back by an import or an edit that is under way', async () => {
    const world = await audienceWorld();
    const users = [...names(2_000), 'zz_gone'];
    const id = await save(world);
    const { import: token } = await world.run(world.call['audiences.importOpen']({ id }));
    await world.run(
      world.call['audiences.importText']({ import: token, text: `userId\n${users.join('\n')}\n`, last: true }),
    );
    const imported = world.call['audiences.importRun']({ import: token, mode: 'add' });
    const erasing = world.engine.parts.audiences.erasing.erase(new Set(['zz_gone', users[0]!]));
    await world.run(Promise.all([imported, erasing]));
    const { rows } = await world.call['audiences.members']({ id, search: 'zz_gone', limit: 9 });
    expect(rows).toEqual([]);
    expect(world.row(id).counts).toMatchObject({ members: 1_999 });
  });

  test('is not put back by an import that is still being read', async () => {
    const world = await audienceWorld();
    const id = await save(world);
    const { import: token } = await world.run(world.call['audiences.importOpen']({ id }));
    const text = async (piece: string, last: boolean) =>
      world.run(world.call['audiences.importText']({ import: token, text: piece, last }));
    await text('userId\nkept\n', false);
    await world.run(world.engine.parts.audiences.erasing.erase(new Set(['gone'])));
    await expect(text('gone\n', true)).rejects.toMatchObject({
      code: 'import_not_found',
      message: 'A user in this import was erased meanwhile, so it was closed. Open it again.',
    });
    expect(() => world.engine.parts.audiences.imports.get(token)).toThrow();
    expect(world.row(id).counts.members).toBe(0);
  });

  test('is not put back by an import that is read again with another column', async () => {
    const world = await audienceWorld();
    const id = await save(world);
    const { import: token } = await world.run(world.call['audiences.importOpen']({ id }));
    const text = 'userId,other\nkept,gone\n';
    await world.run(world.call['audiences.importText']({ import: token, text, last: true }));
    await world.run(world.engine.parts.audiences.erasing.erase(new Set(['gone'])));
    const other = world.call['audiences.importColumns']({ import: token, userId: 1, label: null });
    await expect(world.run(other)).rejects.toMatchObject({ code: 'import_not_found' });
    expect(() => world.engine.parts.audiences.imports.get(token)).toThrow();
  });

  test('is not put back by an import that is just being read again', async () => {
    const world = await audienceWorld();
    const id = await save(world);
    const { import: token } = await world.run(world.call['audiences.importOpen']({ id }));
    for (const [piece, last] of [
      ['userId,other\nkept,a\n', false],
      ['gone,b\n', true],
    ] as const)
      await world.run(world.call['audiences.importText']({ import: token, text: piece, last }));
    const imports = world.engine.parts.audiences.imports;
    const rereading = imports.get(token).choose({ userId: 0, label: 1 });
    const erasing = world.engine.parts.audiences.erasing.erase(new Set(['gone']));
    const [reread] = await Promise.all([world.run(rereading.catch((error: unknown) => error)), world.run(erasing)]);
    expect(reread).toMatchObject({ code: 'import_not_found' });
    expect(() => imports.get(token)).toThrow();
  });

  test('is in no plan that was stopped before it was whole', async () => {
    const world = await audienceWorld();
    const id = await save(world);
    await add(world, id, [...names(1_500), 'zz_gone']);
    const begun = world.call['audiences.sync']({ id });
    const { store, stores } = world.engine.parts;
    const stops: unknown[] = [];
    store.onCommitted(() => {
      const hasPart = stores.syncs.calls({ syncId: 1, after: 0, limit: 1, only: 'all' }).length === 1;
      if (hasPart && stops.length === 0) stops.push(world.call['audiences.stopSync']({ sync: 1 }));
    });
    await world.run(begun);
    await world.time.advance(1_000);
    expect(world.row(id).lastSync).toMatchObject({ state: 'stopped', ledger: { expected: null } });
    await erased(world, ['zz_gone', names(1)[0]!]);
    await world.run(world.call['audiences.resumeSync']({ sync: 1 }));
    expect(await world.settle(id)).toMatchObject({ state: 'done', ledger: { expected: 1_499, delivered: 1_499 } });
    expect(world.bodies().some(({ userId }) => userId === 'zz_gone')).toBe(false);
  });

  test('of a rule is forgotten at once, and nobody is told that it left', async () => {
    const world = await audienceWorld();
    const orders = { match: 'all', of: [{ kind: 'event', event: 'Order', op: 'at_least', times: 1, withinMs: null }] };
    for (const userId of ['gone', 'kept'])
      for (let i = 0; i < 40; i++) await world.post('/v1/track', { userId, event: 'Order', properties: { total: i } });
    const id = await save(world, { source: by(orders), sync: { when: 'change' } });
    const sum = { kind: 'sum', event: 'Order', path: 'properties.total', where: [], withinMs: null };
    const trait = await save(world, { kind: 'trait', name: 'Spent', source: by(sum), sync: { when: 'change' } });
    await world.time.advance(3_000);
    expect([world.row(id).counts.members, world.row(trait).counts.members]).toEqual([2, 2]);
    expect(await world.run(world.engine.parts.people.rememberedCalls(['gone'], 1_000))).toBe(40);
    const told = world.bodies().length;
    const detail = await erased(world, ['gone']);
    expect(detail.erased).toMatchObject({ memberships: 2 });
    expect(detail.search).toMatchObject({ found: 0 });
    expect(await world.run(world.engine.parts.people.rememberedCalls(['gone'], 1_000))).toBe(0);
    await world.time.advance(10_000);
    const after = world.bodies().slice(told);
    // The notice, and nothing else.
    expect(after.map(({ type, userId }) => `${type} ${userId}`)).toEqual(['delete gone']);
    expect([world.row(id).counts, world.row(trait).counts]).toEqual([
      { members: 1, toAdd: 0, toRemove: 0, toChange: 0 },
      { members: 1, toAdd: 0, toRemove: 0, toChange: 0 },
    ]);
    // Whoever comes again is a new user.
    await world.post('/v1/track', { userId: 'gone', event: 'Order', properties: { total: 5 } });
    await world.time.advance(3_000);
    const again = world
      .bodies()
      .slice(told + 1)
      .map(({ type, traits }) => [type, traits ?? null]);
    expect(again).toEqual(
      expect.arrayContaining([
        ['identify', { vip: true }],
        ['identify', { spent: 5 }],
      ]),
    );
  });

  test('who calls again while the erase runs is a member again, by the new call', async () => {
    const world = await audienceWorld();
    const orders = { match: 'all', of: [{ kind: 'event', event: 'Order', op: 'at_least', times: 1, withinMs: null }] };
    const order = (userId: string) => world.post('/v1/track', { userId, event: 'Order' });
    for (let i = 0; i < 200; i++) await order('gone');
    const id = await save(world, { source: by(orders) });
    await world.time.advance(3_000);
    const options = { erase: true, suppress: false, forget: false };
    await world.run(world.call['deletions.create']({ userIds: ['gone'], ...options }));
    await order('gone');
    expect(world.call['deletions.get']({ id: 1 })).toMatchObject({ phase: 'erasing' });
    // Until then a sync would tell nothing about it.
    expect(await world.engine.parts.audiences.syncs.suppressedOf(id)).toMatchObject({ toAdd: 1 });
    await world.time.advance(5_000);
    expect(await world.call['deletions.get']({ id: 1 })).toMatchObject({
      phase: 'finished',
      erased: { messages: 200, memberships: 1 },
    });
    expect(world.row(id).counts).toEqual({ members: 1, toAdd: 1, toRemove: 0, toChange: 0 });
  });

  test('whom the value of another one, a label or a rule mentions is found by the search and stays', async () => {
    const world = await audienceWorld();
    const last = { kind: 'last', event: 'Invited', path: 'properties.by', where: [], withinMs: null };
    const trait = await save(world, { kind: 'trait', name: 'Invited by', source: by(last) });
    await world.post('/v1/track', { userId: 'kept', event: 'Invited', properties: { by: 'gone' } });
    await world.time.advance(1_000);
    await sync(world, trait);
    const is = { match: 'all', of: [{ kind: 'trait', path: 'boss', test: { op: 'is', value: 'gone' } }] };
    await save(world, { name: 'Rule', source: by(is) });
    const { search } = await erased(world, ['gone']);
    // The call, its identify, the value, its call in the sync, the rule; the stored bytes of two requests.
    expect(search!.found).toBe(7);
    expect(world.row(trait).counts.members).toBe(1);
  });

  test('is taken out again after a crash at any commit of the erase', async () => {
    const world = await audienceWorld();
    const id = await save(world);
    await add(world, id, ['gone', 'kept']);
    await sync(world, id);
    const images: string[] = [];
    world.engine.parts.store.onCommitted(() => images.push(crashCopy(world.folder)));
    await erased(world, ['gone']);
    await world.stop();
    expect(images.length).toBeGreaterThan(3);
    for (const folder of images) {
      const again = await audienceWorld({ folder, seed: 2, start: world.time.wall() + 5 });
      await again.time.advance(2_000);
      expect(await again.call['deletions.get']({ id: 1 })).toMatchObject({ phase: 'finished', search: { found: 0 } });
      expect(again.row(id)).toMatchObject({
        counts: { members: 1 },
        lastSync: { ledger: { expected: 2, delivered: 2 } },
      });
      await again.stop();
      const db = new Database(join(folder, 'store.sqlite'), { readonly: true });
      const rows = db.prepare('SELECT user_id FROM audience_users UNION ALL SELECT user_id FROM sync_calls ORDER BY 1');
      expect(rows.pluck().all()).toEqual(['', 'kept', 'kept']);
      db.close();
    }
  });
});
