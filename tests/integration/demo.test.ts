import { describe, expect, test } from 'vitest';
import { connectContract } from '../../src/contract/channel.ts';
import { HISTORY_CALLS } from '../../src/core/demo/calls.ts';
import { type SimEngine, type SimEngineSetup, startSimEngine } from '../helpers/sim-engine.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { turnUntil, turnUntilDone } from '../helpers/turns.ts';

const DEMO = { seed: 42, rate: 20 };
const START = Date.UTC(2026, 10, 20, 14, 0, 0);

/** Moves time a little, with room for what threads answer. */
async function turn({ pass }: SimEngine, ms: number): Promise<void> {
  await pass(ms);
  await new Promise((resolve) => setImmediate(resolve));
}

async function startDemo(setup: SimEngineSetup = {}) {
  const world = await startSimEngine({ demo: DEMO, receivers: true, start: START, ...setup });
  const { call } = connectContract(world.open(), () => {});
  /** Lets threads and promises work until the answer is there. Time stands still, however long that takes. */
  const ask: typeof call = (name, ...input) => turnUntilDone(call(name, ...input), () => world.pass(0));
  return { world, ask };
}

/** Lets the receivers start and become webhooks: a thread does that, which no simulated time moves. */
async function opened(world: SimEngine): Promise<void> {
  const leadsToReceivers = () => {
    const { port } = world.engine.parts.receivers.view().http;
    const { all } = world.engine.parts.workspace.webhooks;
    return all.length > 0 && all.every(({ url }) => url.includes(`:${port}/`));
  };
  await until(world, leadsToReceivers);
}

/** Moves time until it holds. Threads take part, so nobody can say how much time that takes. */
const until = (world: SimEngine, holds: () => boolean): Promise<void> => turnUntil(holds, world.pass);

/** The shop is filled, and goes on with its calls. */
const filled = (world: SimEngine): Promise<void> => until(world, () => stateOf(world) === 'running');

async function passSeconds(world: SimEngine, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 10; step += 1) await turn(world, 100);
}

const state = ({ engine }: SimEngine) => engine.parts.demo.view();
const stateOf = (world: SimEngine) => state(world).state;

describe('a new demo', () => {
  test('has something in every part, and says how it is', async () => {
    const { world, ask } = await startDemo();
    await filled(world);
    const { demo, status, audiences, deletions } = world.engine.parts;
    await until(world, () => {
      const synced = [...audiences.view().audiences, ...audiences.view().traits];
      return (
        demo.view().state === 'running' &&
        status.view().total > HISTORY_CALLS &&
        status.view().counts.delivered > 150 &&
        synced.length === 2 &&
        synced.every(({ lastSync, counts }) => lastSync?.state === 'done' && counts.toAdd > 0) &&
        deletions.view().requests[0]?.state === 'done'
      );
    });
    expect(state(world)).toMatchObject({ state: 'running', seed: 42, rate: 20, step: 1, outage: false, problem: null });
    const { parts } = world.engine;
    expect(parts.workspace.sources.all.map(({ name }) => name)).toEqual(['Web shop', 'Checkout', 'Phone app']);
    expect(parts.workspace.webhooks.all.map(({ name }) => name)).toEqual([
      'CRM',
      'Email tool',
      'Warehouse',
      'Ad network',
      'Archive',
    ]);
    const { total, counts } = parts.status.view();
    expect(total).toBeGreaterThan(HISTORY_CALLS);
    expect(counts.delivered).toBeGreaterThan(150);
    const [audience] = parts.audiences.view().audiences;
    expect([audience?.name, audience?.property]).toEqual(['Recent Buyers EU', 'recent_buyers_eu']);
    expect(audience?.lastSync).toMatchObject({ state: 'done', n: 1 });
    expect(audience?.lastSync?.ledger.delivered).toBeGreaterThan(2);
    expect(audience?.counts.toAdd).toBeGreaterThan(0);
    const [trait] = parts.audiences.view().traits;
    expect([trait?.name, trait?.property]).toEqual(['Lifetime Value', 'lifetime_value']);
    expect(trait?.lastSync).toMatchObject({ state: 'done', n: 1 });
    expect(trait?.counts.toAdd).toBeGreaterThan(0);
    const [deletion] = parts.deletions.view().requests;
    expect(deletion).toMatchObject({ firstUserId: 'usr_19aa', state: 'done' });
    expect(parts.deletions.view().suppressed.users).toBe(1);
    const { kpis } = (await ask('overview.get', { range: '1h' })) as unknown as { kpis?: object };
    expect(kpis).not.toEqual({});
  });

  test('sends the same calls for the same seed', async () => {
    const names = async () => {
      const { world } = await startDemo();
      await filled(world);
      const rows = () =>
        world.engine.parts.stores.lists.window(1, 500).filter(({ messageId }) => messageId.startsWith('demo-'));
      await until(world, () => rows().length >= 190);
      // How many came by then depends on threads; which ones, and in which order, does not.
      return rows()
        .map((row) => `${row.messageId} ${row.name}`)
        .slice(0, 190);
    };
    const first = await names();
    expect(first).toHaveLength(190);
    expect(await names()).toEqual(first);
  });

  test('sends as many calls a minute as asked for', async () => {
    const { world, ask } = await startDemo();
    await filled(world);
    const count = () => world.engine.parts.status.view().total;
    const history = count();
    // The order that the tour shows, and the first call at the rate.
    await until(world, () => count() >= history + 2);
    const before = count();
    await passSeconds(world, 60);
    expect(count() - before).toBeGreaterThanOrEqual(15);
    expect(count() - before).toBeLessThanOrEqual(25);
    await ask('demo.setRate', { rate: 120 });
    const later = count();
    await passSeconds(world, 60);
    expect(count() - later).toBeGreaterThanOrEqual(100);
    expect(count() - later).toBeLessThanOrEqual(140);
  });
});

test('a restart goes on where the calls stopped, on the new ports of the receivers', async () => {
  const folder = tempWorkspace();
  const key = new Uint8Array(32).fill(7);
  const first = await startDemo({ folder, key });
  await filled(first.world);
  await passSeconds(first.world, 12);
  const before = first.world.engine.parts.status.view().total;
  await first.world.stop();
  const { world } = await startDemo({ folder, key, start: START + 60_000 });
  await opened(world);
  await until(world, () => world.engine.parts.status.view().total > before);
  expect(world.engine.parts.audiences.view().audiences).toHaveLength(1);
  expect(world.engine.parts.deletions.view().requests).toHaveLength(1);
  const { total } = world.engine.parts.status.view();
  expect([total > before, total < before + 10]).toEqual([true, true]);
  const { port } = world.engine.parts.receivers.view().http;
  for (const { url } of world.engine.parts.workspace.webhooks.all) expect(new URL(url).port).toBe(String(port));
  const ids = world.engine.parts.stores.lists.window(1, 500).map(({ messageId }) => messageId);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('the last step of the tour', () => {
  const running = async () => {
    const demo = await startDemo();
    await filled(demo.world);
    return demo;
  };
  const stepsOf = ({ engine }: SimEngine, id: string) => engine.parts.receivers.get(id).steps;

  test('takes the tools down for an hour of a clock at 240×, and brings both back', async () => {
    const { world, ask } = await running();
    const { step, outage } = (await ask('demo.step', { step: 5 })) as { step: number; outage: boolean };
    expect([step, outage]).toEqual([5, true]);
    expect(world.engine.parts.retryClock.state.speed).toBe(240);
    for (const id of ['crm', 'email-tool', 'warehouse', 'ad-network', 'archive'])
      expect(stepsOf(world, id)).toMatchObject([{ response: { status: 503 } }]);
    await passSeconds(world, 14);
    expect(state(world)).toMatchObject({ outage: true });
    await passSeconds(world, 2);
    await until(world, () => !(state(world) as { outage: boolean }).outage);
    expect(stepsOf(world, 'crm')).toMatchObject([{ response: { status: 200 } }]);
    expect(stepsOf(world, 'ad-network')).toMatchObject([{ response: { kind: 'hang' } }]);
    expect(world.engine.parts.retryClock.state.speed).toBe(240);
    await passSeconds(world, 45);
    expect(world.engine.parts.retryClock.state.speed).toBe(1);
  });

  test('is undone by going back', async () => {
    const { world, ask } = await running();
    await ask('demo.step', { step: 5 });
    await ask('demo.step', { step: 4 });
    expect(state(world)).toMatchObject({ step: 4, outage: false });
    expect(stepsOf(world, 'crm')).toMatchObject([{ response: { status: 200 } }]);
    expect(world.engine.parts.retryClock.state.speed).toBe(1);
  });

  test('leaves a speed alone that the user has chosen meanwhile', async () => {
    const { world, ask } = await running();
    await ask('demo.step', { step: 5 });
    await ask('clock.setSpeed', { speed: 10 });
    await passSeconds(world, 62);
    expect(world.engine.parts.retryClock.state.speed).toBe(10);
  });
});

test('another workspace is no demo', async () => {
  const { world, ask } = await startDemo({ demo: undefined });
  await passSeconds(world, 1);
  expect(await ask('demo.get')).toEqual({ state: 'none' });
  expect(world.engine.parts.status.view().total).toBe(0);
  await expect(ask('demo.step', { step: 2 })).rejects.toMatchObject({ code: 'demo_not_running' });
  await expect(ask('demo.end')).rejects.toMatchObject({ code: 'demo_not_running' });
  await expect(ask('demo.open', {})).rejects.toMatchObject({ code: 'demo_not_here' });
});
