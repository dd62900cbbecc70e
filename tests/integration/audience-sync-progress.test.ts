/** How far a sync is: its ledger, its stops, and what it waits for. */
import { describe, expect, test } from 'vitest';
import { audienceWorld, type Body, HOOK, names } from '../helpers/audience-world.ts';
import { always, answer, inTurn } from '../helpers/sim-transport.ts';
import { edit, sync, told, withMembers } from './audience-syncs-stage.ts';

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
