import { describe, expect, test } from 'vitest';
import { audienceWorld, type Body, HOOK, names, type World } from '../helpers/audience-world.ts';
import { always, answer, inTurn } from '../helpers/sim-transport.ts';

async function withMembers(world: World, ids: readonly string[], over: object = {}): Promise<number> {
  const { id } = await world.run(world.call['audiences.save']({ kind: 'audience', name: 'VIP (EU)', ...over }));
  for (let at = 0; at < ids.length; at += 1_000)
    await world.run(world.call['audiences.editMembers']({ id, add: ids.slice(at, at + 1_000) }));
  return id;
}
const sync = (world: World, id: number) => world.run(world.call['audiences.sync']({ id }));
const edit = (world: World, id: number, add: string[], remove: string[] = []) =>
  world.run(world.call['audiences.editMembers']({ id, add, remove }));
const told = (bodies: readonly Body[]) => bodies.map(({ userId, traits }) => `${userId} ${Object.values(traits!)[0]}`);

describe('a sync', () => {
  test('first tells every member, and then only those who came or went', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, ['a', 'b', 'c']);
    await sync(world, id);
    const first = await world.settle(id);
    expect([first.kind, first.state, first.added, first.removed]).toEqual(['first', 'done', 3, 0]);
    expect(told(world.bodies()).sort()).toEqual(['a true', 'b true', 'c true']);
    await edit(world, id, ['d'], ['b']);
    expect(world.row(id).counts).toEqual({ members: 3, toAdd: 1, toRemove: 1, toChange: 0 });
    await sync(world, id);
    const second = await world.settle(id);
    expect([second.kind, second.n, second.ledger.expected, second.ledger.delivered]).toEqual(['changes', 2, 2, 2]);
    expect(told(world.bodies().slice(3)).sort()).toEqual(['b false', 'd true']);
    expect(await sync(world, id)).toBeNull();
    expect(world.bodies()).toHaveLength(5);
  });

  test('sends nothing for who came and went, or went and came, since the last one', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, ['a']);
    await sync(world, id);
    await world.settle(id);
    await edit(world, id, ['b'], ['a']);
    await edit(world, id, ['a'], ['b']);
    expect(await sync(world, id)).toBeNull();
  });

  test('sends exactly the documented body', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, [' usr é']);
    await sync(world, id);
    await world.settle(id);
    const [sent] = world.transport.sentTo(HOOK);
    const { timestamp } = JSON.parse(sent!.body) as { timestamp: string };
    expect(sent!.body).toBe(
      `{"type":"identify","userId":" usr é","timestamp":"${timestamp}","version":1,"traits":{"vip_eu":true},"context":{}}`,
    );
    expect(timestamp).toMatch(/^2025-01-15T12:00:\d\d\.\d{3}Z$/);
  });

  test('says of itself what an audience of Segment says when bodies are passed through', async () => {
    const world = await audienceWorld({ body: 'pass-through' });
    const id = await withMembers(world, ['a']);
    await sync(world, id);
    await world.settle(id);
    const [body] = world.bodies();
    expect(body).toMatchObject({
      type: 'identify',
      userId: 'a',
      traits: { vip_eu: true },
      context: {
        personas: { computation_class: 'audience', computation_id: `aud_${id}`, computation_key: 'vip_eu' },
      },
    });
    expect(body!.messageId).toMatch(/^aud_[0-9a-f]{16}_1$/);
  });

  test('with the option, also sends who entered and who exited', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, ['a'], { track: true });
    await sync(world, id);
    expect((await world.settle(id)).ledger).toMatchObject({ expected: 2, delivered: 2 });
    await edit(world, id, [], ['a']);
    await sync(world, id);
    await world.settle(id);
    const tracks = world.bodies().filter(({ type }) => type === 'track');
    expect(tracks.map(({ event, userId, properties }) => [event, userId, properties])).toEqual([
      ['Audience Entered', 'a', { audience_key: 'vip_eu', vip_eu: true }],
      ['Audience Exited', 'a', { audience_key: 'vip_eu', vip_eu: false }],
    ]);
  });

  test('makes ordinary messages, of which each is linked from its call', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, names(250));
    await sync(world, id);
    const { id: syncId } = await world.settle(id);
    const { rows } = await world.call['audiences.syncCalls']({ sync: syncId, show: 'all', limit: 500 });
    expect(rows.map(({ position }) => position)).toEqual(names(250).map((_, i) => i + 1));
    const ids = rows.map(({ messageId }) => messageId!);
    expect(new Set(ids).size).toBe(250);
    const messages = await world.call['messages.byIds']({ ids });
    expect(messages.map(({ userId }) => userId)).toEqual(rows.map(({ userId }) => userId));
    expect(new Set(messages.map(({ origin, type, state }) => `${origin} ${type} ${state}`))).toEqual(
      new Set(['audience identify delivered']),
    );
    const raw = await world.call['messages.raw']({ id: ids[7]! });
    const { batch } = JSON.parse(Buffer.from(raw.bodyBase64, 'base64').toString()) as { batch: Body[] };
    expect([batch.length, raw.path, batch[raw.position]!.userId]).toEqual([100, '/v1/batch', rows[7]!.userId]);
  });
});

describe('the ledger', () => {
  test('adds up at every moment, and ends when nothing waits', async () => {
    const world = await audienceWorld();
    world.transport.on(HOOK, (request, nth) => {
      const { userId } = JSON.parse(Buffer.from(request.body).toString()) as Body;
      if (userId === 'u000007') return answer(422);
      return userId === 'u000008' && nth < 600 ? answer(503) : answer(200, 20);
    });
    const id = await withMembers(world, names(700));
    await sync(world, id);
    const seen = new Set<string>();
    for (let i = 0; i < 4_000 && world.row(id).lastSync!.state !== 'done'; i++) {
      const { ledger } = world.row(id).lastSync!;
      const { expected, delivered, failed, waiting, unsent, retrying, open } = ledger;
      if (expected !== null) expect(delivered + failed + waiting, JSON.stringify(ledger)).toBe(expected);
      expect(unsent + retrying + open).toBe(waiting);
      expect(retrying + open).toBeLessThanOrEqual(500);
      for (const [name, n] of Object.entries({ unsent, retrying, open })) if (n > 0) seen.add(name);
      await world.time.advance(10);
    }
    expect([...seen].sort()).toEqual(['open', 'retrying', 'unsent']);
    const { state, ledger, endedAt } = world.row(id).lastSync!;
    expect([state, ledger, endedAt === null]).toEqual([
      'done',
      { expected: 700, delivered: 699, failed: 1, waiting: 0, unsent: 0, retrying: 0, open: 0 },
      false,
    ]);
    const detail = await world.call['audiences.getSync']({ id, n: 1 });
    expect(detail.failures).toEqual([{ reason: '422', count: 1 }]);
    const failed = await world.call['audiences.syncCalls']({ sync: detail.id, show: 'failed', limit: 10 });
    expect(failed.rows.map(({ userId, reason }) => [userId, reason])).toEqual([['u000007', '422']]);
  });

  test('stays as it is when a failed call is sent again by a person', async () => {
    const world = await audienceWorld();
    world.transport.on(HOOK, inTurn(answer(400), answer(200)));
    const id = await withMembers(world, ['a']);
    await sync(world, id);
    const { ledger, id: syncId } = await world.settle(id);
    const [call] = (await world.call['audiences.syncCalls']({ sync: syncId, show: 'all', limit: 1 })).rows;
    const [hook] = world.engine.parts.workspace.webhooks.all;
    await world.run(world.call['replay.send']({ id: call!.messageId!, webhookIds: [hook!.id] }));
    await world.time.advance(1_000);
    expect(world.bodies()).toHaveLength(2);
    expect([ledger, world.row(id).lastSync!.ledger.failed]).toEqual([ledger, 1]);
  });

  test('counts a stopped and an expired message as failed', async () => {
    const world = await audienceWorld();
    world.transport.on(HOOK, always(answer(503)));
    const id = await withMembers(world, ['a', 'b']);
    await sync(world, id);
    await world.time.advance(1_000);
    const { rows } = await world.call['audiences.syncCalls']({ sync: 1, show: 'all', limit: 2 });
    await world.run(world.call['messages.stop']({ id: rows[0]!.messageId! }));
    expect((await world.settle(id, 20_000_000)).ledger).toMatchObject({ delivered: 0, failed: 2 });
    const { failures } = await world.call['audiences.getSync']({ id, n: 1 });
    expect(failures.map(({ reason }) => reason).sort()).toEqual(['expired', 'stopped']);
  });
});

describe('stop and resume', () => {
  test('leaves out nobody and tells nobody twice', async () => {
    const world = await audienceWorld({ body: 'pass-through' });
    world.transport.on(HOOK, always(answer(200, 50)));
    const id = await withMembers(world, names(1_200));
    const { id: syncId } = (await sync(world, id))!;
    await world.time.advance(500);
    const stopped = await world.run(world.call['audiences.stopSync']({ sync: syncId }));
    expect(stopped.state).toBe('stopped');
    expect(stopped.ledger.unsent).toBeGreaterThan(0);
    await expect(world.run(sync(world, id))).rejects.toMatchObject({ code: 'sync_stopped' });
    await world.time.advance(60_000);
    const { ledger } = world.row(id).lastSync!;
    expect([ledger.unsent, ledger.open, ledger.retrying]).toEqual([stopped.ledger.unsent, 0, 0]);
    expect(world.bodies()).toHaveLength(1_200 - ledger.unsent);
    await world.run(world.call['audiences.resumeSync']({ sync: syncId }));
    expect((await world.settle(id)).ledger).toMatchObject({ expected: 1_200, delivered: 1_200 });
    expect(
      world
        .bodies()
        .map(({ userId }) => userId)
        .sort(),
    ).toEqual(names(1_200));
    const { events } = await world.call['audiences.getSync']({ id, n: 1 });
    expect(events.map(({ what, by, sent }) => [what, by, sent])).toEqual([
      ['started', 'person', null],
      ['stopped', 'person', 1_200 - ledger.unsent],
      ['resumed', 'person', 1_200 - ledger.unsent],
      ['done', null, 1_200],
    ]);
  });

  test('members that change meanwhile are told by the next sync', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, names(600));
    const { id: syncId } = (await sync(world, id))!;
    await world.run(world.call['audiences.stopSync']({ sync: syncId }));
    await edit(world, id, ['new'], ['u000600', 'u000001']);
    await world.run(world.call['audiences.resumeSync']({ sync: syncId }));
    await world.settle(id);
    const first = told(world.bodies());
    await sync(world, id);
    await world.settle(id);
    const last = new Map(world.bodies().map(({ userId, traits }) => [userId, traits!.vip_eu]));
    expect([last.get('new'), last.get('u000002')]).toEqual([true, true]);
    for (const gone of ['u000600', 'u000001'])
      expect(last.get(gone) ?? false, `${gone} after ${first.length} calls`).toBe(false);
    expect(await sync(world, id)).toBeNull();
  });

  test('waits while nothing can be sent, says why, and goes on by itself', async () => {
    const world = await audienceWorld();
    await world.run(world.call['destination.save']({ paused: true }));
    const id = await withMembers(world, names(300));
    await sync(world, id);
    await world.time.advance(5_000);
    expect(world.row(id).lastSync).toMatchObject({ state: 'running', waitsFor: ['by_person'] });
    expect([world.bodies().length, world.row(id).lastSync!.ledger.unsent]).toEqual([0, 300]);
    await world.run(world.call['destination.save']({ paused: false }));
    expect((await world.settle(id, 10_000)).ledger.delivered).toBe(300);
  });

  test('begins no chunk while 500 calls are unsettled', async () => {
    const world = await audienceWorld();
    world.transport.on(HOOK, always(answer(503)));
    const id = await withMembers(world, names(900));
    await sync(world, id);
    await world.time.advance(20_000);
    expect(world.row(id).lastSync).toMatchObject({ waitsFor: ['enough_open'], ledger: { unsent: 400 } });
  });
});

describe('by itself', () => {
  test('on change: an edit in pieces makes one sync', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, ['a'], { sync: { when: 'change' } });
    await edit(world, id, ['b']);
    await world.time.advance(2_000);
    expect([world.row(id).syncs, told(world.bodies())]).toEqual([1, ['a true', 'b true']]);
    await edit(world, id, [], ['a']);
    await world.time.advance(2_000);
    expect([world.row(id).syncs, told(world.bodies()).at(-1)]).toEqual([2, 'a false']);
  });

  test('every hour of the retry clock, with its speed and its pause', async () => {
    const world = await audienceWorld();
    const hour = 3_600_000;
    const id = await withMembers(world, ['a'], { sync: { when: 'every', everyMs: hour } });
    await world.time.advance(hour - 60_000);
    expect(world.row(id).syncs).toBe(0);
    await world.time.advance(120_000);
    expect(world.row(id).syncs).toBe(1);
    await world.run(world.call['clock.setSpeed']({ speed: 60 }));
    await world.time.advance(62_000);
    // Nothing to send is recorded too.
    expect(world.row(id)).toMatchObject({ syncs: 2, lastSync: { state: 'done', ledger: { expected: 0 } } });
    await world.run(world.call['clock.pause'](null));
    await world.time.advance(hour);
    expect(world.row(id).syncs).toBe(2);
    await world.run(world.call['clock.resume'](null));
    await world.time.advance(62_000);
    expect(world.row(id).syncs).toBe(3);
  });
});

describe('a dry run', () => {
  test('shows the calls that the sync then sends, and writes nothing', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, names(5));
    const pages = [];
    let after: string | undefined;
    do {
      const page = await world.call['audiences.dryRun']({ id, after, limit: 2 });
      pages.push(page);
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(pages[0]).toMatchObject({ total: 5, kind: 'first', added: 5, removed: 0 });
    const rows = pages.flatMap((page) => page.rows);
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
    expect([world.row(id).syncs, world.bodies()]).toEqual([0, []]);
    await sync(world, id);
    await world.settle(id);
    const timeless = (body: string): string => body.replace(/"timestamp":"[^"]+"/, '');
    const sent = world.transport.sentTo(HOOK).map(({ body }) => timeless(body));
    expect(sent.sort()).toEqual(rows.map(({ body }) => timeless(body)).sort());
  });
});

describe('a suppressed user', () => {
  const suppress = (world: World, userIds: string[]) =>
    world.run(world.call['deletions.suppress']({ userIds, requestId: null }));
  const leftOut = async (world: World, id: number, n = 1) => {
    const { events } = await world.call['audiences.getSync']({ id, n });
    return events.flatMap((event) => (event.what === 'left_out' ? [event.calls] : []));
  };

  test('is in no plan, is counted in the dry run, and is told after the suppression was lifted', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, ['gone', 'kept', 'other'], { track: true });
    await suppress(world, ['gone', 'nobody']);
    const dry = await world.call['audiences.dryRun']({ id, limit: 1 });
    expect(dry).toMatchObject({ total: 4, added: 2, suppressed: 1, rows: [] });
    const more = await world.call['audiences.dryRun']({ id, limit: 5, after: dry.next! });
    expect(more.rows.map(({ position, userId }) => `${position} ${userId}`)).toEqual([
      '1 kept',
      '2 kept',
      '3 other',
      '4 other',
    ]);
    await sync(world, id);
    const done = await world.settle(id);
    expect(done).toMatchObject({ state: 'done', added: 2, ledger: { expected: 4, delivered: 4, failed: 0 } });
    expect(await leftOut(world, id)).toEqual([2]);
    expect(new Set(world.bodies().map(({ userId }) => userId))).toEqual(new Set(['kept', 'other']));
    // Nothing to send is nothing to send, however often it is asked for.
    expect(await sync(world, id)).toBeNull();
    expect(await world.call['audiences.dryRun']({ id, limit: 5 })).toMatchObject({ total: 0, suppressed: 1 });
    await world.run(world.call['deletions.lift']({ userIds: ['gone'] }));
    await sync(world, id);
    expect((await world.settle(id)).ledger).toMatchObject({ expected: 2, delivered: 2 });
    expect(world.bodies().at(-1)!.userId).toBe('gone');
  });

  test('that is suppressed after the plan was made is taken out of it, and the ledger adds up', async () => {
    const world = await audienceWorld();
    const users = names(650);
    const id = await withMembers(world, users);
    world.transport.on(HOOK, always(answer(503)));
    await sync(world, id);
    await world.time.advance(1_000);
    await world.run(world.call['audiences.stopSync']({ sync: 1 }));
    const { sent } = world.engine.parts.stores.syncs.sync(1)!;
    expect(sent).toBe(500);
    // The last ones of the plan, and the next ones.
    const gone = [users[sent]!, users[sent + 1]!, ...users.slice(-2)];
    await suppress(world, gone);
    // The last calls that are left come into the places of the first ones, the last one first.
    const { nextCall } = await world.call['audiences.getSync']({ id, n: 1 });
    expect(nextCall).toMatchObject({ position: 501, userId: users[646] });
    world.transport.on(HOOK, always(answer(200)));
    await world.run(world.call['audiences.resumeSync']({ sync: 1 }));
    const done = await world.settle(id);
    expect(done).toMatchObject({ state: 'done', added: 646, ledger: { expected: 646, delivered: 646, failed: 0 } });
    expect(await leftOut(world, id)).toEqual([4]);
    const messages = world.engine.parts.stores.lists.window(1, 1_000).map(({ userId }) => userId!);
    expect(messages[500]).toBe(nextCall!.userId);
    expect(messages.sort()).toEqual(users.filter((userId) => !gone.includes(userId)));
  });

  test('is the only one left: the sync ends, and a sync on change does not begin again and again', async () => {
    const world = await audienceWorld();
    const id = await withMembers(world, ['a']);
    await world.run(world.call['destination.save']({ paused: true }));
    await sync(world, id);
    const before = await world.call['audiences.getSync']({ id, n: 1 });
    await suppress(world, ['a']);
    const after = await world.call['audiences.getSync']({ id, n: 1 });
    expect([before.nextCall?.userId, after.nextCall]).toEqual(['a', null]);
    await world.run(world.call['destination.save']({ paused: false }));
    expect(await world.settle(id)).toMatchObject({ state: 'done', ledger: { expected: 0, delivered: 0 } });
    await world.run(world.call['audiences.save']({ id, kind: 'audience', name: 'VIP (EU)', sync: { when: 'change' } }));
    await world.time.advance(30_000);
    expect(world.row(id).syncs).toBe(1);
    await world.run(world.call['deletions.lift']({ userIds: ['a'] }));
    await world.time.advance(5_000);
    expect(told(world.bodies())).toEqual(['a true']);
  });
});

test('an old sync keeps its ledger when its calls are removed', async () => {
  const world = await audienceWorld();
  const id = await withMembers(world, ['a']);
  for (let n = 1; n <= 52; n += 1) {
    await sync(world, id);
    await world.settle(id);
    await (n % 2 === 1 ? edit(world, id, [], ['a']) : edit(world, id, ['a']));
  }
  const detail = (n: number) => world.call['audiences.getSync']({ id, n });
  const [old, kept] = [await detail(2), await detail(3)];
  expect([old.callsRemoved, old.ledger.delivered, old.failures]).toEqual([true, 1, []]);
  expect([kept.callsRemoved, kept.ledger.delivered]).toEqual([false, 1]);
  const calls = (syncId: number) => world.call['audiences.syncCalls']({ sync: syncId, show: 'all', limit: 10 });
  expect((await calls(old.id)).rows).toEqual([]);
  expect((await calls(kept.id)).rows).toHaveLength(1);
});

describe('the newest 1,000 syncs of an audience are kept', () => {
  const OLD = 1_003;
  const numbers = ({ engine }: World, id: number) =>
    engine.parts.stores.syncs.list({ audienceId: id, kind: null, before: null, limit: 2_000 }).map(({ n }) => n);
  /** A world that begins with 1,003 syncs, and syncs every 10 min of a retry clock at 240x. */
  async function withOldSyncs(members: string[]): Promise<[world: World, id: number]> {
    const before = await audienceWorld();
    const id = await withMembers(before, members, { sync: { when: 'every', everyMs: 600_000 } });
    const { stores, write } = before.engine.parts;
    const done = { audienceId: id, state: 'done', startedBy: 'clock', startedAt: 1, endedAt: 2 } as const;
    const ledger = { expected: 4, sent: 4, added: 4, removed: 0, changed: 0, delivered: 3, failed: 1 };
    const old = (n: number) => ({ ...done, ...ledger, n, token: `t${n}`, events: [], series: [] });
    await before.run(
      write((changes) => {
        for (let n = 1; n <= OLD; n += 1) stores.syncs.save(old(n), changes);
      }),
    );
    await before.run(before.call['clock.setSpeed']({ speed: 240 }));
    await before.stop();
    const world = await audienceWorld({ folder: before.folder, seed: 2, start: before.time.wall() });
    return [world, id];
  }

  test('at a start', async () => {
    const [world, id] = await withOldSyncs([]);
    await world.time.advance(100);
    expect([numbers(world, id).length, numbers(world, id).at(-1), world.row(id).syncs]).toEqual([1_000, 4, OLD]);
    expect(() => world.call['audiences.getSync']({ id, n: 3 })).toThrow();
    expect((await world.call['audiences.getSync']({ id, n: 4 })).ledger).toMatchObject({ delivered: 3, failed: 1 });
  });

  test('after each sync of a schedule, also when it has nothing to send', async () => {
    const [world, id] = await withOldSyncs(['a']);
    while (world.row(id).syncs === OLD) await world.time.advance(500);
    await world.settle(id);
    await world.time.advance(100);
    expect([numbers(world, id).length, numbers(world, id).at(-1)]).toEqual([1_000, 5]);
    while (world.row(id).syncs < OLD + 3) await world.time.advance(500);
    await world.time.advance(100);
    expect([numbers(world, id).length, numbers(world, id).at(-1)]).toEqual([1_000, 7]);
    expect(told(world.bodies())).toEqual(['a true']);
    const { rows, total } = await world.call['audiences.syncs']({ id, limit: 5 });
    expect([total, rows.map(({ n, ledger }) => [n, ledger.expected, ledger.delivered])]).toEqual([
      1_000,
      [
        [OLD + 3, 0, 0],
        [OLD + 2, 0, 0],
        [OLD + 1, 1, 1],
        [OLD, 4, 3],
        [OLD - 1, 4, 3],
      ],
    ]);
  });
});
