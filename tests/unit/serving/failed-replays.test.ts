/** Replays of the failed calls of a sync: in order, a chunk at a time, with counts that add up. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { FailedReplays } from '../../../src/contract/values.ts';
import { StoreNotWritableError } from '../../../src/core/ports.ts';
import { type FailedReplayDeps, failedReplayHandlers } from '../../../src/core/serving/handlers/failed-replays.ts';
import { messageRow } from '../../store/rows.ts';

interface World {
  /** Messages of the failed calls, by position from 1; undefined for one that is gone. */
  messages: Array<ReturnType<typeof messageRow> | undefined>;
  damaged: Set<number>;
  /** Messages that are removed before their replay is stored. */
  goes: Set<number>;
  /** Failed calls that the sync counts, or null while it runs. */
  failed: number | null;
  now: number;
  /** Milliseconds that one wait for room takes. */
  roomMs: number;
  stopping: boolean;
  sent: number[];
  /** Runs before each replay. */
  before(id: number): void;
}

let world: World;
let replay: (after?: number, sync?: number) => Promise<FailedReplays>;
const messages = (n: number) => Array.from({ length: n }, (_, i) => messageRow(100 + i, { state: 'failed' }));

beforeEach(() => {
  world = {
    messages: messages(3),
    damaged: new Set(),
    goes: new Set(),
    failed: null,
    now: 0,
    roomMs: 0,
    stopping: false,
    sent: [],
    before: () => {},
  };
  const deps = {
    lists: { message: (id: number) => world.messages.find((one) => one?.id === id) },
    due: { wire: (id: number) => (world.damaged.has(id) ? null : new Uint8Array([id])) },
    syncs: {
      sync: (id: number) => (id === 1 ? { failed: world.failed } : undefined),
      calls: ({ after, limit }: { after: number; limit: number }) =>
        world.messages
          .map((message, i) => ({ position: i + 1, messageId: message?.id ?? 999 }))
          .slice(after, after + limit),
      failures: () => [{ reason: '422', count: world.messages.length }],
    },
    dispatcher: {
      get stopping() {
        return world.stopping;
      },
    },
    replayer: {
      send: async (id: number) => {
        world.before(id);
        if (world.goes.has(id)) return null;
        world.sent.push(id);
        return id;
      },
      room: async () => {
        world.now += world.roomMs;
      },
    },
    workspace: {
      destination: { secret: { state: 'none' } },
      secretsReadable: true,
      webhooks: { get: (id: number) => ({ id, headers: [] }) },
    },
    clock: { mono: () => world.now },
  };
  const handlers = failedReplayHandlers(deps as unknown as FailedReplayDeps);
  replay = async (after, sync = 1) => handlers['replay.sendFailed']({ sync, webhookIds: [7], after });
});

const NOTHING = { begun: 0, removed: 0, withoutBody: 0, damaged: 0, unlisted: 0, next: null };

test('each failed call is replayed once, or counted by what kept it', async () => {
  const [a, b, c] = messages(3);
  world.messages = [
    a,
    undefined,
    { ...b!, state: 'rejected' },
    c,
    messageRow(200, { state: 'failed', size: 0 }),
    messageRow(201, { state: 'failed', size: 9 }),
  ];
  world.damaged = new Set([200, 201]);
  world.failed = 8;
  expect(await replay()).toEqual({ begun: 2, removed: 2, withoutBody: 1, damaged: 1, unlisted: 2, next: null });
  expect(world.sent).toEqual([100, 102]);
});

test('a message that is removed before its replay is stored is not replayed', async () => {
  world.goes = new Set([101]);
  expect(await replay()).toEqual({ ...NOTHING, begun: 2, removed: 1 });
});

test('of a sync that keeps no calls, all are only counted', async () => {
  world.messages = [];
  world.failed = 4;
  expect(await replay()).toEqual({ ...NOTHING, unlisted: 4 });
});

describe('many', () => {
  test('go in chunks with room between them, and end after a second with the place to go on from', async () => {
    world.messages = messages(120);
    world.roomMs = 600;
    const first = await replay();
    expect(first).toEqual({ ...NOTHING, begun: 100, next: 100 });
    expect(await replay(first.next!)).toEqual({ ...NOTHING, begun: 20 });
    expect(world.sent).toEqual(Array.from({ length: 120 }, (_, i) => 100 + i));
  });

  test('count what a sync only counts once', async () => {
    world.messages = messages(60);
    world.failed = 61;
    world.roomMs = 1_000;
    const first = await replay();
    expect([first.unlisted, first.next]).toEqual([1, 50]);
    expect(await replay(first.next!)).toEqual({ ...NOTHING, begun: 10 });
  });

  test('that meet an error on the way tell how far they came; the next command meets it again', async () => {
    world.messages = messages(60);
    world.before = (id) => {
      if (id === 155) throw new StoreNotWritableError('full');
    };
    const first = await replay();
    expect(first).toEqual({ ...NOTHING, begun: 50, next: 50 });
    await expect(replay(first.next!)).rejects.toBeInstanceOf(StoreNotWritableError);
  });

  test('end when Hookbench stops', async () => {
    world.messages = messages(60);
    world.before = () => {
      world.stopping = true;
    };
    expect(await replay()).toMatchObject({ begun: 50, next: 50 });
    await expect(replay(50)).rejects.toMatchObject({ code: 'stopped' });
  });
});

test('a sync that is not there is an error, wherever it goes on', async () => {
  await expect(replay(0, 2)).rejects.toMatchObject({ code: 'sync_not_found' });
  await expect(replay(50, 2)).rejects.toMatchObject({ code: 'sync_not_found' });
});
