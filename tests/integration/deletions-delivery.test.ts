/** An erase while delivery still works on the user's messages: what comes later changes nothing and counts no lost move. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { MessageRow } from '../../src/contract/values.ts';
import type { Source } from '../../src/core/model/records.ts';
import { type DeletionWorld, deletionConfig, HOOK, startDeletionWorld } from '../helpers/deletion-world.ts';
import { always, answer } from '../helpers/sim-transport.ts';

const SLOW = 'http://slow.test/hook';
/** Within the response limit, and long after an erase is over. */
const SLOW_MS = 4_000;

let world: DeletionWorld;
beforeEach(async () => {
  const hooks = [HOOK, SLOW].map((url, i) => ({ name: `Hook ${i}`, url, headers: {}, enabled: true }));
  world = await startDeletionWorld({ config: deletionConfig({ webhooks: { entries: hooks } }) });
  world.transport.on(SLOW, always(answer(200, SLOW_MS)));
});

const erase = async (userId: string): Promise<unknown> => {
  const { id } = await world.call('deletions.create', { userIds: [userId], erase: true, suppress: false });
  return (await world.finished(id, false)).erased;
};
const lost = (): number => world.engine.parts.dispatcher.lostMoves.count;
const rounds = (): number => world.engine.parts.dispatcher.rounds().length;
const rowsOf = async (userId: string | null): Promise<MessageRow[]> =>
  (await world.rows()).filter((row) => row.userId === userId && row.origin !== 'deletion');
/** A source with the destination off sends no notice, which would be newer than the messages of the user. */
const withoutNotices = async (): Promise<void> => {
  const [{ id, name, writeKey, kind }] = world.engine.parts.workspace.sources.all as [Source];
  await world.call('sources.save', { id, name, writeKey, kind, enabled: true, webhooks: false });
};
const store = () => world.engine.parts.stores;

describe('an erased message whose round still waits for an answer', () => {
  test('that another webhook had accepted: nothing concludes on it', async () => {
    await world.track('wk_app', 'usr_first');
    await world.track('wk_web', 'usr_1');
    await world.track('wk_web', 'usr_2');
    expect((await rowsOf('usr_1')).map(({ state }) => state)).toEqual(['delivered']);
    expect(await erase('usr_1')).toMatchObject({ messages: 1, attempts: 2 });
    expect([await rowsOf('usr_1'), lost()]).toEqual([[], 0]);
    await world.pass(SLOW_MS);
    expect([lost(), rounds()]).toEqual([0, 0]);
    expect((await rowsOf('usr_2'))[0]!.cells).toMatch(/^aa/);
  });

  test('that the erase stopped: nothing concludes on it', async () => {
    world.transport.on(HOOK, always(answer(200, SLOW_MS)));
    await world.track('wk_web', 'usr_1');
    await world.track('wk_web', 'usr_2');
    expect((await rowsOf('usr_1')).map(({ state }) => state)).toEqual(['delivering']);
    expect(await erase('usr_1')).toMatchObject({ messages: 1, attempts: 2 });
    await world.pass(SLOW_MS);
    expect([lost(), rounds(), await rowsOf('usr_1')]).toEqual([0, 0, []]);
  });

  test('that stays as an empty row, because it is the newest: no answer is written to it', async () => {
    await world.track('wk_web', 'usr_1');
    await withoutNotices();
    await erase('usr_1');
    const emptied = await rowsOf(null);
    expect(emptied.map(({ state, cells }) => [state, cells])).toEqual([['delivered', 'ai...']]);
    await world.pass(SLOW_MS);
    expect([lost(), rounds()]).toEqual([0, 0]);
    expect(await rowsOf(null)).toEqual(emptied);
    expect(store().erasure.results({ after: 0, upTo: 1e9, limit: 9 })).toEqual([]);
    expect(
      store()
        .details.attemptsOf(emptied[0]!.id)
        .map(({ outcome }) => outcome),
    ).toEqual(['interrupted']);
  });

  test('that waits for the answer of a replay: no answer is written to it', async () => {
    await world.track('wk_web', 'usr_1');
    await world.pass(SLOW_MS);
    const [{ id }] = (await rowsOf('usr_1')) as [MessageRow];
    const [, slow] = world.engine.parts.workspace.webhooks.all;
    await world.call('replay.send', { id, webhookIds: [slow!.id] });
    await withoutNotices();
    await erase('usr_1');
    await world.pass(SLOW_MS);
    expect(store().erasure.results({ after: 0, upTo: 1e9, limit: 9 })).toEqual([]);
    expect(
      store()
        .details.attemptsOf(id)
        .map(({ outcome }) => outcome),
    ).toEqual(['interrupted']);
  });
});

test('a delivery of an erased message is counted once its round has ended, with the result that came then', async () => {
  const recorded: string[] = [];
  const { metrics } = world.engine.parts;
  const moved: string[] = [];
  const told = metrics.moved.bind(metrics);
  metrics.moved = (event) => {
    moved.push(`${event.from} ${event.to} ${event.missed.length}`);
    told(event);
  };
  const result = metrics.recorded.bind(metrics);
  metrics.recorded = (webhook, end, ...rest) => {
    recorded.push(`${webhook.name} ${end.outcome}`);
    result(webhook, end, ...rest);
  };
  await world.track('wk_web', 'usr_1');
  await world.track('wk_app', 'usr_2');
  await erase('usr_1');
  await world.pass(SLOW_MS);
  // One is the notice.
  expect(moved).toEqual(['delivering delivered 0', 'delivering delivered 0']);
  expect(recorded.slice(0, 2)).toEqual(['Hook 0 accepted', 'Hook 0 accepted']);
  expect(recorded.toSorted()).toEqual(['Hook 0 accepted', 'Hook 0 accepted', 'Hook 1 accepted', 'Hook 1 accepted']);
});

test('a notice that is forgotten while its round waits for an answer counts no lost move', async () => {
  await world.track('wk_web', 'usr_1');
  await world.pass(SLOW_MS);
  const { id } = await world.call('deletions.create', { userIds: ['usr_1'], erase: false, suppress: false });
  await world.finished(id);
  await world.track('wk_web', 'usr_2');
  await world.call('deletions.forget', { id });
  await world.pass(SLOW_MS);
  expect([lost(), rounds()]).toEqual([0, 0]);
});

test('storage limits leave a message alone whose round waits for an answer', async () => {
  await world.track('wk_web', 'usr_1');
  await world.track('wk_web', 'usr_2');
  expect(await world.call('storage.clear', {})).toMatchObject({ removed: 0 });
  await world.pass(SLOW_MS);
  expect(await world.call('storage.clear', {})).toMatchObject({ removed: 1 });
  expect(lost()).toBe(0);
});

test('an edited replay goes with its message; one of another user that names an erased one is found', async () => {
  const world = await startDeletionWorld();
  await world.track('wk_web', 'usr_gone');
  await world.track('wk_web', 'usr_stays');
  const [stays, gone] = await world.rows();
  expect([stays!.userId, gone!.userId]).toEqual(['usr_stays', 'usr_gone']);
  const body = '{"userId":"usr_gone","edited":true}';
  const own = await world.call('replay.send', { id: gone!.id, webhookIds: [1], body });
  const other = await world.call('replay.send', { id: stays!.id, webhookIds: [1], body });
  await world.pass(1_000);
  const { id } = await world.call('deletions.create', { userIds: ['usr_gone'], erase: true });
  const { erased, search } = await world.finished(id);
  expect(erased).toMatchObject({ messages: 1, replays: 1 });
  expect(search).toMatchObject({ found: 1 });
  await expect(world.call('replay.body', { id: own.id })).rejects.toMatchObject({ code: 'replay_not_found' });
  const kept = await world.call('replay.body', { id: other.id });
  expect(Buffer.from(kept.bodyBase64, 'base64').toString()).toBe(body);
});
