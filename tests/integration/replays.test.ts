/** Replays through the contract, on the real engine with simulated time and webhooks. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Client, connectContract } from '../../src/contract/channel.ts';
import type { ReplayJobView } from '../../src/contract/replays.ts';
import { signatureOf } from '../../src/core/model/signature.ts';
import { configOf, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { memoryFolder } from '../helpers/memory-folder.ts';
import { type SimEngine, startSimEngine } from '../helpers/sim-engine.ts';
import { always, answer, type Sent } from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { turnUntilDone } from '../helpers/turns.ts';

const SECRET = 'a shared secret';
const [CRM, LOADER] = ['http://crm.test/', 'http://loader.test/'] as const;
const config = configOf(
  [
    { name: 'CRM', url: CRM, headers: { 'X-Team': 'growth', 'X-Env': 'live' } },
    { name: 'Loader', url: LOADER },
  ],
  { secret: SECRET, speed: 1 },
);

let sim: SimEngine;
let client: Client;
let parts: { replayJob?: ReplayJobView | null };

async function open(setup: Parameters<typeof startSimEngine>[0] = { config }): Promise<void> {
  sim = await startSimEngine(setup);
  parts = {};
  client = connectContract(sim.open(), (batch) => {
    parts = { ...parts, ...batch.parts };
  });
  parts = (await done(client.call('app.hello', {}))).parts;
}

beforeEach(() => open());

/** Moves time by milliseconds until the work is done. */
const done = <T>(work: Promise<T>): Promise<T> => turnUntilDone(work, sim.pass);
const call: Client['call'] = (name, ...input) => done(client.call(name, ...input));

const ORDER = { userId: 'u1', event: 'Order', properties: { total: 1 }, timestamp: '2026-01-02T03:04:05.000Z' };
/** Posts a call, lets it settle, and forgets what was sent. */
async function track(over: object = {}): Promise<number> {
  await sim.post('/v1/track', { ...ORDER, ...over }, WRITE_KEY);
  await sim.pass(100);
  const { rows } = await call('messages.list', { filter: {}, limit: 1 });
  return rows[0]!.id;
}
/** What was sent since the last time. */
let seen = 0;
beforeEach(() => {
  seen = 0;
});
function sent(): Sent[] {
  const fresh = sim.transport.sent.slice(seen);
  seen = sim.transport.sent.length;
  return fresh;
}
const headerOf = (one: Sent | undefined, name: string): string | undefined =>
  one?.headers.find(([other]) => other.toLowerCase() === name)?.[1];

describe('an edited replay', () => {
  test('sends the given bytes, signed anew, and is kept and marked; the message stays as it is', async () => {
    const id = await track();
    const before = await call('messages.get', { id });
    sent();
    const body = '{"type":"track","total":0}';
    const replay = await call('replay.send', { id, webhookIds: [1], body });
    await sim.pass(100);
    const [one] = sent();
    expect([one!.body, headerOf(one, 'x-signature')]).toEqual([body, signatureOf(SECRET, Buffer.from(body))]);
    expect(replay).toMatchObject({ sent: 'edited', signed: true, webhookIds: [1] });
    const kept = await call('replay.body', { id: replay.id });
    expect(Buffer.from(kept.bodyBase64, 'base64').toString()).toBe(body);
    const after = await call('messages.get', { id });
    expect(after.message).toEqual({ ...before.message, replays: 1 });
    expect(after.deliveredJson).toBe(before.deliveredJson);
    expect(after.attempts).toEqual(before.attempts);
  });

  test('of the same bytes is a plain one and keeps none', async () => {
    const id = await track();
    const { deliveredJson } = await call('messages.get', { id });
    const replay = await call('replay.send', { id, webhookIds: [1], body: deliveredJson! });
    expect(replay.sent).toBe('delivered');
    await expect(call('replay.body', { id: replay.id })).rejects.toMatchObject({ code: 'replay_not_found' });
  });

  test('takes the time of its sending and leaves every other byte', async () => {
    const id = await track();
    sent();
    await call('replay.send', { id, webhookIds: [1], newTimestamp: true });
    await sim.pass(100);
    const [one] = sent();
    const { deliveredJson } = await call('messages.get', { id });
    const { timestamp } = JSON.parse(one!.body) as { timestamp: string };
    expect(Date.parse(timestamp)).toBe(one!.wall);
    expect(one!.body.replace(timestamp, ORDER.timestamp)).toBe(deliveredJson);
  });

  test('is sent unsigned only when a person asks for that', async () => {
    const id = await track();
    sent();
    const replay = await call('replay.send', { id, webhookIds: [1], sign: false });
    await sim.pass(100);
    expect(headerOf(sent()[0], 'x-signature')).toBeUndefined();
    expect(replay).toMatchObject({ sent: 'delivered', signed: false });
  });

  test('is shown before it is sent, with the signature that it will carry', async () => {
    const id = await track();
    const preview = await call('replay.preview', { id, body: '{"n":1}' });
    expect(preview.sent).toBe('edited');
    expect(preview.headers).toContainEqual({
      name: 'X-Signature',
      value: signatureOf(SECRET, Buffer.from('{"n":1}')),
    });
    const unsigned = await call('replay.preview', { id, sign: false });
    expect(unsigned.headers.map(({ name }) => name)).toEqual(['User-Agent', 'Content-Type']);
  });
});

describe('headers of a replay', () => {
  test('go to every target and replace those of a webhook; their values are stored by length alone', async () => {
    const id = await track();
    sent();
    const headers = [
      { name: 'x-team', value: 'sales' },
      { name: 'X-Try', value: 'two', shown: true },
    ];
    const replay = await call('replay.send', { id, webhookIds: [1], urls: ['http://other.test/in'], headers });
    await sim.pass(100);
    const [crm, other] = sent();
    expect(['x-team', 'x-env', 'x-try'].map((name) => headerOf(crm, name))).toEqual(['sales', 'live', 'two']);
    expect(['x-team', 'x-env', 'x-try'].map((name) => headerOf(other, name))).toEqual(['sales', undefined, 'two']);
    const { replays } = await call('messages.attempts', { id });
    expect(JSON.stringify(replays)).not.toContain('sales');
    expect(replays.at(-1)).toMatchObject({ id: replay.id, webhookIds: [1, -1] });
  });

  test('that Hookbench sets itself are refused', async () => {
    const id = await track();
    const headers = [{ name: 'X-Signature', value: 'mine' }];
    await expect(call('replay.send', { id, webhookIds: [1], headers })).rejects.toMatchObject({
      code: 'invalid_header',
      field: 'headers.0.name',
    });
  });
});

describe('a rejected message', () => {
  test('is sent as it was received, out of its batch, and marked so', async () => {
    const bad = '{ "type": "track", "userId":"u1",  "n": 1.50 }';
    await sim.post('/v1/batch', `{"batch":[${JSON.stringify({ ...ORDER, type: 'track' })}, ${bad}]}`, WRITE_KEY);
    await sim.pass(100);
    const { rows } = await call('messages.list', { filter: {}, limit: 10 });
    const rejected = rows.find(({ state }) => state === 'rejected')!;
    sent();
    const replay = await call('replay.send', { id: rejected.id, webhookIds: [1] });
    await sim.pass(100);
    expect(sent().map(({ body }) => body)).toEqual([bad]);
    expect(replay.sent).toBe('received');
    expect((await call('messages.get', { id: rejected.id })).message).toEqual({ ...rejected, replays: 1 });
  });

  test('whose body is no JSON is sent byte for byte', async () => {
    await sim.post('/v1/track', '{"userId": oops', WRITE_KEY);
    await sim.pass(100);
    await call('replay.send', { id: 1, webhookIds: [1] });
    await sim.pass(100);
    expect(sent().map(({ body }) => body)).toEqual(['{"userId": oops']);
  });
});

describe('the targets of a replay', () => {
  test('may be any URL but Hookbench itself, and count nowhere as a webhook', async () => {
    const id = await track();
    const overview = (await call('overview.get', { range: 'session' })).webhooks;
    await call('replay.send', { id, webhookIds: [], urls: ['http://other.test:81/in'] });
    await sim.pass(100);
    const { replays, attempts } = await call('messages.attempts', { id });
    expect(replays[0]!.attempts).toMatchObject([
      { webhookId: -1, slot: 0, webhookName: 'other.test:81', url: 'http://other.test:81/in', outcome: 'accepted' },
    ]);
    expect(attempts).toHaveLength(2);
    expect((await call('overview.get', { range: 'session' })).webhooks).toEqual(overview);
    const port = sim.engine.parts.server.listening!;
    const self = `http://localhost:${'port' in port ? port.port : 0}/v1/track`;
    await expect(call('replay.send', { id, webhookIds: [], urls: [self] })).rejects.toMatchObject({
      code: 'loop_url',
      field: 'urls.0',
    });
  });

  test('must be there', async () => {
    const id = await track();
    await expect(call('replay.send', { id, webhookIds: [] })).rejects.toMatchObject({ code: 'no_target' });
    await expect(call('replay.send', { id, webhookIds: [9] })).rejects.toMatchObject({ code: 'webhook_not_found' });
    const unknown = { id, webhookIds: [], receivers: ['nobody'] };
    await expect(call('replay.send', unknown)).rejects.toMatchObject({ code: 'receiver_not_found' });
    const off = { id, webhookIds: [], receivers: ['ok'] };
    await expect(call('replay.send', off)).rejects.toMatchObject({ code: 'receivers_off' });
  });
});

describe('a replay of many messages', () => {
  const many = async (n: number): Promise<number[]> => {
    const ids: number[] = [];
    for (let i = 0; i < n; i++) ids.push(await track({ event: `E${i}` }));
    sent();
    return ids;
  };
  const eventsSent = () => sent().map(({ body }) => (JSON.parse(body) as { event: string }).event);

  test('goes in the order received, at the rate, and says what it did', async () => {
    const ids = await many(3);
    const job = await call('replay.bulk', { select: { ids: [...ids].reverse() }, webhookIds: [1], rate: 10 });
    expect(job).toMatchObject({ state: 'running', total: 3, targets: 1, rate: 10 });
    await sim.pass(150);
    expect(eventsSent()).toEqual(['E0', 'E1']);
    await sim.pass(200);
    expect(eventsSent()).toEqual(['E2']);
    expect(parts.replayJob).toMatchObject({ id: job.id, state: 'done', begun: 3, removed: 0, damaged: 0 });
  });

  test('goes the newest first when asked, by ids and by filter', async () => {
    const ids = await many(3);
    for (const select of [{ ids }, { filter: {} }]) {
      await call('replay.bulk', { select, webhookIds: [1], order: 'newest', rate: 100 });
      await sim.pass(100);
      expect(eventsSent()).toEqual(['E2', 'E1', 'E0']);
    }
  });

  test('of a filter leaves out what came after the count', async () => {
    await many(3);
    const filter = { terms: [{ key: 'status' as const, values: ['delivered' as const] }] };
    const { messages, upTo } = await call('replay.count', { filter });
    expect(messages).toBe(3);
    await many(1);
    await call('replay.bulk', { select: { filter, upTo }, webhookIds: [2], rate: 100 });
    await sim.pass(500);
    expect(eventsSent()).toEqual(['E0', 'E1', 'E2']);
  });

  test('stops, and another may begin', async () => {
    const ids = await many(5);
    const job = await call('replay.bulk', { select: { ids }, webhookIds: [1], rate: 10 });
    const again = () => call('replay.bulk', { select: { ids }, webhookIds: [1] });
    await expect(again()).rejects.toMatchObject({ code: 'replay_job_running' });
    await sim.pass(110);
    await call('replay.stopBulk', { id: job.id });
    await sim.pass(1_000);
    const begun = eventsSent().length;
    expect(begun).toBeLessThan(5);
    expect(parts.replayJob).toMatchObject({ state: 'stopped', begun, total: 5 });
    await expect(call('replay.stopBulk', { id: job.id })).rejects.toMatchObject({ code: 'replay_job_not_running' });
    expect(await again()).toMatchObject({ state: 'running' });
  });

  test('counts what was removed, and fails when nothing can be sent any more', async () => {
    const ids = await many(3);
    await call('storage.clear', { upTo: ids[0]! });
    await call('replay.bulk', { select: { ids }, webhookIds: [2], rate: 10 });
    await sim.pass(110);
    await call('webhooks.remove', { id: 2 });
    await sim.pass(1_000);
    expect(parts.replayJob).toMatchObject({
      state: 'failed',
      problem: 'There is no such webhook.',
      begun: 1,
      removed: 1,
      total: 3,
    });
  });

  test('that the end of Hookbench cuts short says so at the next start, and is not gone on with', async () => {
    const folder = tempWorkspace(memoryFolder());
    await sim.stop();
    await open({ config, folder });
    const ids = await many(5);
    sim.transport.on(CRM, always(answer(200, 1)));
    await call('replay.bulk', { select: { ids }, webhookIds: [1], rate: 10 });
    await sim.pass(110);
    const begun = sent().length;
    expect(begun).toBeGreaterThan(0);
    await sim.stop();
    await open({ folder });
    seen = 0;
    expect(parts.replayJob).toMatchObject({ state: 'interrupted', begun, total: 5 });
    await sim.pass(2_000);
    expect(sent()).toEqual([]);
  });
});
