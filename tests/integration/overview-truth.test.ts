/**
 * The whole engine in simulated time: hours of messages, retries, failures, rejects and replays. What the aggregates
 * say is compared with what a scan of the tables finds.
 */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Config } from '../../src/contract/config.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import type { IngestResponse } from '../../src/core/ingest/request.ts';
import { bucketOf, RESPONSE_EDGES } from '../../src/core/metrics/histogram.ts';
import type { Metrics } from '../../src/core/metrics/metrics.ts';
import { MESSAGE_COUNTS, type Minute, minuteOf } from '../../src/core/metrics/minute.ts';
import type { Outcome } from '../../src/core/model/vocabulary.ts';
import { OUTCOMES } from '../../src/core/model/vocabulary.ts';
import { openStores } from '../../src/core/store/stores.ts';
import { type SimTime, seededRandom, simPorts } from '../helpers/sim-ports.ts';
import {
  answer,
  type Behaviour,
  noConnection,
  refusedCertificate,
  SimTransport,
  timedOut,
} from '../helpers/sim-transport.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';
import { turnUntil, turnUntilDone } from '../helpers/turns.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WRITE_KEY = 'wk_truth';
const URLS = [1, 2, 3, 4].map((slot) => `http://w${slot}.test/`);

interface World {
  readonly engine: Engine;
  readonly time: SimTime;
  readonly transport: SimTransport;
  /** Waits for real I/O and for what is due in simulated time, which does not move. */
  until<T>(promise: Promise<T>): Promise<T>;
  /** Messages as one batch; gives the status. */
  post(batch: unknown[], writeKey?: string): Promise<number>;
  stop(): Promise<void>;
}

async function startWorld(workspace: string, behaviours: readonly Behaviour[], ports = simPorts(5)): Promise<World> {
  const { time } = ports;
  const transport = new SimTransport(time, time);
  for (const [i, behaviour] of behaviours.entries()) transport.on(URLS[i]!, behaviour);
  const config = {
    sources: [{ name: 'test', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
    webhooks: {
      entries: behaviours.map((_, i) => ({ name: `webhook ${i + 1}`, url: URLS[i]!, headers: {}, enabled: true })),
    },
  } satisfies Config;
  const engine = new Engine(
    { workspace, version: '0', shell: 'headless', config, ingestPort: 0, controlSocket: false },
    {
      ...ports,
      transport: () => transport,
      logger: { log: () => {} },
      sealer: { seal: (plain) => Buffer.from(plain), open: (sealed) => Buffer.from(sealed).toString() },
      readFile: () => new Uint8Array(),
      openStore: openStores,
    },
  );
  const until = <T>(promise: Promise<T>): Promise<T> => turnUntilDone(promise, () => time.settle());
  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    const ended = engine.stop();
    // A stop waits for what is on the wire: the limit of an attempt, and a second more.
    await time.advance(6_000);
    await until(ended);
  };
  onTestFinished(stop);
  await until(engine.start());
  const post = async (batch: unknown[], writeKey = WRITE_KEY): Promise<number> => {
    const answered: Promise<IngestResponse> = engine.parts.ingest.handle({
      method: 'POST',
      target: '/v1/batch',
      headers: [
        ['Host', 'localhost'],
        ['Authorization', `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`],
        ['Content-Type', 'application/json'],
      ],
      body: Buffer.from(JSON.stringify({ batch })),
      remote: '127.0.0.1',
    });
    return (await until(answered)).status;
  };
  return { engine, time, transport, until, post, stop };
}

/** What the tables say, minute by minute, in the shape of {@link picture}. */
function truth(workspace: string): Record<string, unknown> {
  const db = new Database(join(workspace, 'store.sqlite'), { readonly: true });
  try {
    const minutes = new Map<number, ReturnType<typeof emptyPicture>>();
    const at = (wall: number) => {
      const minute = minuteOf(wall);
      const found = minutes.get(minute) ?? emptyPicture();
      minutes.set(minute, found);
      return found;
    };
    const webhookIds = db.prepare('SELECT id FROM webhooks').pluck().all() as number[];
    const messages = db.prepare('SELECT id, state, reason, round, received_at FROM messages').all() as Array<{
      id: number;
      state: string;
      reason: string | null;
      round: number;
      received_at: number;
    }>;
    const accepted = new Set(
      (
        db
          .prepare("SELECT message_id, webhook_id FROM attempts WHERE outcome = 'accepted' AND replay_id IS NULL")
          .all() as Array<{ message_id: number; webhook_id: number }>
      ).map(({ message_id, webhook_id }) => `${message_id} ${webhook_id}`),
    );
    for (const { id, state, reason, round, received_at } of messages) {
      const counts = at(received_at);
      counts.received += 1;
      if (state === 'rejected') counts.rejectedBy[reason!] = (counts.rejectedBy[reason!] ?? 0) + 1;
      if (state === 'not_selected') counts.notSelectedBy[reason!] = (counts.notSelectedBy[reason!] ?? 0) + 1;
      const named = {
        rejected: 'rejected',
        not_selected: 'notSelected',
        delivered: 'delivered',
        failed: 'failed',
        expired: 'expired',
        stopped: 'stopped',
      } as const;
      if (Object.hasOwn(named, state)) counts[named[state as keyof typeof named]] += 1;
      if (state === 'delivered' && round === 1) counts.firstRound += 1;
      if (round > 1 && state !== 'failed' && state !== 'expired') counts.retried += 1;
      if (state !== 'delivered') continue;
      for (const webhookId of webhookIds)
        if (!accepted.has(`${id} ${webhookId}`)) counts.missed[webhookId] = (counts.missed[webhookId] ?? 0) + 1;
    }
    const attempts = db.prepare('SELECT webhook_id, outcome, duration_ms, started_at FROM attempts').all() as Array<{
      webhook_id: number;
      outcome: Outcome;
      duration_ms: number;
      started_at: number;
    }>;
    for (const { webhook_id, outcome, duration_ms, started_at } of attempts) {
      const counts = at(started_at);
      counts.outcomes[`${webhook_id} ${outcome}`] = (counts.outcomes[`${webhook_id} ${outcome}`] ?? 0) + 1;
      if (!['accepted', 'failed', 'declined', 'throttled'].includes(outcome)) continue;
      const bucket = `${webhook_id} ${bucketOf(RESPONSE_EDGES, duration_ms)}`;
      counts.responses[bucket] = (counts.responses[bucket] ?? 0) + 1;
    }
    return Object.fromEntries([...minutes].sort(([a], [b]) => a - b));
  } finally {
    db.close();
  }
}

const emptyPicture = () => ({
  received: 0,
  notSelected: 0,
  rejected: 0,
  firstRound: 0,
  retried: 0,
  delivered: 0,
  failed: 0,
  expired: 0,
  stopped: 0,
  rejectedBy: {} as Record<string, number>,
  notSelectedBy: {} as Record<string, number>,
  missed: {} as Record<number, number>,
  outcomes: {} as Record<string, number>,
  responses: {} as Record<string, number>,
});

/** The aggregates in the shape of {@link truth}. */
function picture(metrics: Metrics, minutes: Iterable<Minute>): Record<string, unknown> {
  const drawn: Record<string, unknown> = {};
  for (const { minute, messages, webhooks } of minutes) {
    const counts = emptyPicture();
    for (const name of MESSAGE_COUNTS) counts[name] = messages[name];
    counts.rejectedBy = Object.fromEntries(messages.rejectedBy);
    counts.notSelectedBy = Object.fromEntries(messages.notSelectedBy);
    for (const [key, one] of webhooks) {
      const { id } = metrics.named(key)!;
      if (one.missed > 0) counts.missed[id] = one.missed;
      for (const outcome of OUTCOMES)
        if (one.count(outcome) > 0) counts.outcomes[`${id} ${outcome}`] = one.count(outcome);
      for (const [bucket, n] of one.responseMs.entries()) if (n > 0) counts.responses[`${id} ${bucket}`] = n;
    }
    drawn[minute] = counts;
  }
  return drawn;
}

const everything = (engine: Engine, time: SimTime): Record<string, unknown> =>
  picture(engine.parts.metrics, engine.parts.metrics.range(minuteOf(time.wall()) - 24 * 60 + 1, minuteOf(time.wall())));

/** Chance for a message that is not doomed; `doomed` in its body fails everywhere, `gone` is declined everywhere. */
function moody(seed: number, usual: () => ReturnType<typeof answer>): Behaviour {
  const random = seededRandom(seed);
  return (request) => {
    const body = Buffer.from(request.body).toString();
    if (body.includes('doomed')) return answer(503, 3 + random.next() * 200);
    if (body.includes('gone')) return answer(410, 4);
    const dice = random.next();
    if (dice < 0.25) return answer(503, 10 + random.next() * 900);
    if (dice < 0.32) return timedOut(5_000);
    if (dice < 0.4) return noConnection(2);
    if (dice < 0.45) return answer(429, 8);
    if (dice < 0.5) return answer(410, 8);
    return usual();
  };
}

describe('aggregates', () => {
  it('say what a scan of the tables says, over hours of retries, rejects, stops, replays and a restart', async () => {
    const workspace = tempWorkspace();
    const random = seededRandom(11);
    const ports = simPorts(5);
    const slow = seededRandom(3);
    const world = await startWorld(
      workspace,
      [
        moody(1, () => answer(200, 20 + slow.next() * 300)),
        moody(2, () => answer(201, 2 * 1000 ** slow.next())),
        moody(4, () => answer(500, 1)),
        () => refusedCertificate(3),
      ],
      ports,
    );
    const { engine, time, until } = world;
    for (let i = 0; i < 150; i++) {
      const call = (over: object) => ({
        type: 'track',
        userId: 'u',
        event: 'Order Completed',
        messageId: `m${i}`,
        ...over,
      });
      const batch: unknown[] = [call({})];
      if (i % 9 === 0) batch.push(call({ messageId: `d${i}`, event: 'doomed' }));
      if (i % 13 === 0) batch.push(call({ messageId: `g${i}`, event: 'gone' }));
      if (i % 7 === 0) batch.push(call({ messageId: `n${i}`, integrations: { Webhooks: false } }));
      if (i % 8 === 0) batch.push(call({ messageId: `a${i}`, integrations: { All: false } }));
      if (i % 6 === 0)
        batch.push(call({ messageId: `r${i}`, event: undefined }), call({ messageId: `u${i}`, userId: undefined }));
      if (i % 5 === 0) batch.push(call({ messageId: 'm0' }));
      expect(await world.post(batch)).toBe(200);
      if (i % 40 === 3) await world.post([call({ messageId: `k${i}` })], 'wk_nobody');
      await time.advance(random.next() * 40_000);
    }
    const retrying = engine.parts.stores.lists.ids({
      filter: { terms: [{ key: 'status', values: ['retrying'] }] },
      before: 1e9,
      after: 0,
      limit: 4,
      keepGoing: () => true,
    }).ids;
    expect(retrying.length).toBe(4);
    expect(await until(engine.parts.dispatcher.stopMessage(retrying[0]!))).toBe(true);
    const delivered = engine.parts.stores.lists.ids({
      filter: { terms: [{ key: 'status', values: ['delivered'] }] },
      before: 1e9,
      after: 0,
      limit: 5,
      keepGoing: () => true,
    }).ids;
    const wire = engine.parts.stores.due.wire(delivered[0]!)!;
    await until(engine.parts.replayer.send(delivered[0]!, 1, wire, engine.parts.workspace.webhooks.all));
    await time.advance(10_000);

    const middle = everything(engine, time);
    expect(middle).toEqual(truth(workspace));
    const halfway = engine.parts.overview.get('session');
    expect(halfway.retryWindow.retrying).toBeGreaterThan(3);
    expect(halfway.retryWindow.marks.reduce((sum, { n }) => sum + n, 0)).toBe(halfway.retryWindow.retrying);

    await until(engine.parts.clockKeeper.change((clock) => clock.setSpeed(60)));
    await time.advance((5 * HOUR) / 60);
    const all = truth(workspace);
    expect(everything(engine, time)).toEqual(all);

    const sum = (name: (typeof MESSAGE_COUNTS)[number]): number =>
      Object.values(all).reduce<number>((n, one) => n + (one as Record<string, number>)[name]!, 0);
    const view = engine.parts.overview.get('session');
    for (const name of MESSAGE_COUNTS) {
      expect([name, view.totals[name]]).toEqual([name, sum(name)]);
      expect([name, view.bars.reduce((n, bar) => n + bar[name], 0)]).toEqual([name, sum(name)]);
      // Every kind happened, or the test proves little.
      expect([name, view.totals[name] > 0]).toEqual([name, true]);
    }
    expect(view.totals.received).toBe(
      view.totals.firstRound +
        view.totals.retried +
        view.totals.expired +
        view.totals.failed +
        view.totals.rejected +
        view.totals.notSelected,
    );
    expect(view.retryWindow).toMatchObject({ retrying: 0, marks: [] });
    expect(view.attention.map(({ kind }) => kind)).toEqual([
      'webhook_failing',
      'certificate_refused',
      'ended',
      'rejected',
    ]);
    expect(view.webhooks.map(({ headroom }) => headroom.over.map(({ n }) => n !== null))).toEqual([
      [true, true, false],
      [true, true, false],
      [true, true, false],
      [false, false, false],
    ]);

    const before = engine.parts.overview.get('4h');
    await world.stop();
    const next = await startWorld(workspace, [], ports);
    expect(everything(next.engine, time)).toEqual(all);
    const after = next.engine.parts.overview.get('4h');
    expect({ bars: after.bars, totals: after.totals }).toEqual({ bars: before.bars, totals: before.totals });
    // Another session: what was received before does not belong to it.
    expect(next.engine.parts.overview.get('session').totals.received).toBe(0);
    await next.stop();
  });

  it('count a delivery from its receipt to its first 2xx', async () => {
    const world = await startWorld(tempWorkspace(), [() => answer(200, 400)]);
    for (let i = 0; i < 20; i++) {
      await world.post([{ type: 'track', userId: 'u', event: 'E', messageId: `m${i}` }]);
      await world.time.advance(1_000);
    }
    const { deliveryMedianMs, totals } = world.engine.parts.overview.get('15m');
    expect(totals).toMatchObject({ received: 20, delivered: 20, firstRound: 20 });
    expect(deliveryMedianMs).toBeGreaterThan(320);
    expect(deliveryMedianMs).toBeLessThanOrEqual(400);
  });

  it('are corrected after a crash: a message whose first round it ended needed a retry', async () => {
    const workspace = tempWorkspace();
    const ports = simPorts(9);
    const world = await startWorld(workspace, [() => null], ports);
    await world.post([
      { type: 'track', userId: 'u', event: 'A', messageId: 'a' },
      { type: 'track', userId: 'u', event: 'B', messageId: 'b' },
    ]);
    await world.time.advance(2_000);
    // What a kill leaves: the files as they are now.
    const crashed = tempWorkspace();
    for (const file of ['store.sqlite', 'store.sqlite-wal']) cpSync(join(workspace, file), join(crashed, file));
    await world.stop();
    const next = await startWorld(crashed, [() => answer(200, 5)], ports);
    await world.time.advance(2_000);
    expect(next.engine.parts.overview.get('15m').totals).toMatchObject({
      received: 2,
      firstRound: 0,
      retried: 2,
      delivered: 2,
    });
  });

  it('forget the rejections of held calls once their source is there', async () => {
    const world = await startWorld(tempWorkspace(), [() => answer(200, 5)]);
    await world.post([{ type: 'track', userId: 'u', event: 'A', messageId: 'a' }], 'wk_late');
    expect(world.engine.parts.overview.get('15m').totals).toMatchObject({ received: 1, rejected: 1 });
    await world.until(
      world.engine.parts.workspace.sources.save({
        name: 'late',
        writeKey: 'wk_late',
        kind: 'server',
        enabled: true,
        webhooks: true,
      }),
    );
    const heard: string[] = [];
    let take: (text: string) => void = () => {};
    const close = world.engine.connect({
      post: (text) => void heard.push(text),
      onText: (listener) => {
        take = listener;
      },
      close: () => {},
    });
    take(JSON.stringify({ t: 'q', m: 'call', a: ['messages.reingestHeld', { writeKey: 'wk_late' }], i: '1' }));
    await turnUntil(
      () => heard.length > 0,
      () => world.time.settle(),
    );
    close();
    await world.time.advance(2_000);
    const { totals, rejectedBy } = world.engine.parts.overview.get('15m');
    expect(totals).toMatchObject({ received: 1, rejected: 0, delivered: 1 });
    expect(rejectedBy).toEqual([]);
  });
});
