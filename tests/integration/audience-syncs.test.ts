/** Which calls a sync sends, when it begins by itself, and who is left out. */
import { describe, expect, test } from 'vitest';
import { audienceWorld, type Body, HOOK, names, type World } from '../helpers/audience-world.ts';
import { always, answer } from '../helpers/sim-transport.ts';
import { edit, sync, told, withMembers } from './audience-syncs-stage.ts';

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
