import { describe, expect, test } from 'vitest';
import { Core, urlOf, webhookOf, webhooksOf } from '../helpers/core-fixture.ts';
import { always, answer, timedOut } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const open = (): Core => new Core({ folder: tempWorkspace(), secret: () => 'shh' });

async function delivered(core: Core): Promise<number> {
  core.transport.on(urlOf(1), always(answer(200, 1)));
  await core.start([webhookOf(1)]);
  const id = await core.one();
  await core.time.advance(10);
  return id;
}

describe('a replay', () => {
  test('posts the stored bytes to the chosen webhooks, marked, and leaves the message as it was', async () => {
    const core = open();
    const id = await delivered(core);
    const before = core.message(id);
    core.transport.on(urlOf(2), always(answer(500, 20)));
    core.transport.on(urlOf(3), always(answer(200, 40)));
    const wire = core.deliveries.due.wire(id)!;
    const replay = (await core.done(core.replayer.send(id, before.round, wire, [webhookOf(2), webhookOf(3)])))!;
    expect(core.details.replay(replay)).toMatchObject({
      messageId: id,
      createdAt: 1_736_942_400_010,
      finishedAt: null,
      webhookIds: [2, 3],
    });
    expect(core.message(id)).toEqual({ ...before, replays: 1 });
    await core.time.advance(30);
    expect(core.details.replay(replay)!.finishedAt).toBeNull();
    await core.time.advance(10);
    expect(core.details.replay(replay)!.finishedAt).toBe(core.time.wall());
    expect(core.message(id)).toEqual({ ...before, replays: 1 });
    expect(core.attempts(id).map(({ replayId, slot, outcome, round }) => [replayId, slot, outcome, round])).toEqual([
      [null, 1, 'accepted', 1],
      [replay, 2, 'failed', 1],
      [replay, 3, 'accepted', 1],
    ]);
    const [first, ...again] = core.transport.sent;
    expect(again).toHaveLength(2);
    for (const one of again) {
      expect(one.body).toBe(first!.body);
      expect(one.headers).toEqual(first!.headers);
    }
    await core.time.advance(3_600_000);
    expect(core.transport.sent).toHaveLength(3);
    expect(core.recorded).toHaveLength(3);
  });

  test('its rows are committed before anything is sent', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.onSend = () => {
      expect(core.db.inTransaction).toBe(false);
      expect(core.outcomes(id).filter((outcome) => outcome === null)).toHaveLength(1);
    };
    await core.done(core.replayer.send(id, 1, core.deliveries.due.wire(id)!, [webhookOf(1)]));
    await core.time.advance(10);
    expect(core.transport.sent).toHaveLength(2);
  });

  test('on a store that cannot be written sends nothing', async () => {
    const core = open();
    const id = await delivered(core);
    core.db.pragma('query_only = ON');
    await expect(
      core.done(core.replayer.send(id, 1, core.deliveries.due.wire(id)!, [webhookOf(1)])),
    ).rejects.toMatchObject({ code: 'store_not_writable' });
    await core.time.advance(1_000);
    expect(core.transport.sent).toHaveLength(1);
  });

  test('a declined replay does not keep the webhook out of the next round', async () => {
    const core = open();
    core.transport.on(urlOf(1), always(answer(500, 1)));
    await core.start([webhookOf(1)]);
    const id = await core.one();
    await core.time.advance(10);
    core.transport.on(urlOf(1), always(answer(400, 1)));
    await core.done(core.replayer.send(id, 1, core.deliveries.due.wire(id)!, [webhookOf(1)]));
    await core.time.advance(10);
    core.transport.on(urlOf(1), always(answer(200, 1)));
    await core.time.advance(60_000);
    expect(core.state(id)).toBe('delivered');
  });

  test('a kill ends it: open attempts are interrupted, it is finished, the message stays as it was', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(timedOut()));
    const replay = (await core.done(core.replayer.send(id, 1, core.deliveries.due.wire(id)!, [webhookOf(1)])))!;
    const before = core.message(id);
    const next = await core.again().start(webhooksOf(1));
    expect(next.details.replay(replay)!.finishedAt).not.toBeNull();
    expect(next.outcomes(id)).toEqual(['accepted', 'interrupted']);
    expect(next.message(id)).toEqual(before);
    await next.time.advance(60_000);
    expect(next.transport.sent).toHaveLength(0);
  });

  test('a kill during a replay and a round at once leaves the cells of the round right', async () => {
    const core = open();
    core.transport.on(urlOf(1), always(timedOut()));
    core.transport.on(urlOf(2), always(answer(200, 1)));
    await core.start(webhooksOf(2));
    const id = await core.one();
    await core.time.advance(10);
    expect(core.message(id)).toMatchObject({ state: 'delivered', cells: 'sa...' });
    await core.done(core.replayer.send(id, 1, core.deliveries.due.wire(id)!, [webhookOf(1)]));
    const next = await core.again().start(webhooksOf(2));
    expect(next.message(id)).toMatchObject({ state: 'delivered', cells: 'ia...', replays: 1 });
  });

  test('a kill leaves an edited one with its bytes, and sends nothing again', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on('http://other.test/', always(timedOut()));
    const other = webhookOf(0, { id: -1, name: 'other.test', url: 'http://other.test/' });
    const sending = core.replayer.send(id, 1, Buffer.from('{"n":1}'), [other], { sent: 'edited', signed: false });
    const replay = (await core.done(sending))!;
    expect(core.transport.sent.at(-1)).toMatchObject({ url: 'http://other.test/', body: '{"n":1}' });
    const before = core.message(id);
    const next = await core.again().start(webhooksOf(1));
    expect(next.details.replay(replay)).toMatchObject({ sent: 'edited', signed: false, webhookIds: [-1] });
    expect(Buffer.from(next.deliveries.replays.bodyOf(replay)!).toString()).toBe('{"n":1}');
    expect(next.outcomes(id)).toEqual(['accepted', 'interrupted']);
    expect(next.message(id)).toEqual(before);
    await next.time.advance(60_000);
    expect(next.transport.sent).toHaveLength(0);
  });

  test('stop waits until what is under way is recorded', async () => {
    const core = open();
    const id = await delivered(core);
    core.transport.on(urlOf(1), always(timedOut()));
    const replay = (await core.done(core.replayer.send(id, 1, core.deliveries.due.wire(id)!, [webhookOf(1)])))!;
    await core.stop();
    const next = core.again();
    expect(next.outcomes(id)).toEqual(['accepted', 'interrupted']);
    expect(next.details.replay(replay)!.finishedAt).not.toBeNull();
  });
});

test('more may begin once fewer than 100 replays are under way', async () => {
  const core = open();
  const id = await delivered(core);
  core.transport.on(urlOf(2), (_request, nth) => answer(200, nth === 1 ? 40 : 80));
  await core.replayer.room();
  const wire = core.deliveries.due.wire(id)!;
  const begun = Array.from({ length: 100 }, () => core.replayer.send(id, 1, wire, [webhookOf(2)]));
  await core.done(Promise.all(begun));
  let hasRoom = false;
  void core.replayer.room().then(() => {
    hasRoom = true;
  });
  await core.time.advance(39);
  expect(hasRoom).toBe(false);
  await core.time.advance(2);
  expect(hasRoom).toBe(true);
});
