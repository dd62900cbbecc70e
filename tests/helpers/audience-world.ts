/** The real engine with its real store on simulated time, for audiences: it can be crashed at any moment. */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AudienceRow, SyncRow } from '../../src/contract/audiences.ts';
import type { Handlers } from '../../src/contract/channel.ts';
import { type Config, configSchema } from '../../src/contract/config.ts';
import { createSealer } from '../../src/core/adapters/sealer.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import { createHandlers } from '../../src/core/engine/handlers.ts';
import type { OpenStore } from '../../src/core/store/ports/store.ts';
import { openStores } from '../../src/core/store/stores.ts';
import { SIM_START, type SimTime, simPorts } from './sim-ports.ts';
import { always, answer, SimTransport } from './sim-transport.ts';
import { tempWorkspace } from './temp-workspace.ts';
import { turnUntilDone } from './turns.ts';

export const HOOK = 'http://hook.test/';
const SEALER = createSealer(Buffer.alloc(32, 7));

export interface WorldSetup {
  /** A folder that an earlier world left. */
  readonly folder?: string;
  readonly body?: 'documented' | 'pass-through';
  readonly config?: unknown;
  /** Wall time of the start, epoch milliseconds. */
  readonly start?: number;
  /** Ids drawn from another place than those of the world before. */
  readonly seed?: number;
  /** The store of the product by default. */
  readonly openStore?: OpenStore;
}

export interface Body {
  readonly type: string;
  readonly userId: string;
  readonly messageId?: string;
  readonly event?: string;
  readonly traits?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly context?: unknown;
}

export interface World {
  readonly engine: Engine;
  readonly folder: string;
  readonly transport: SimTransport;
  readonly time: SimTime;
  readonly call: Handlers;
  /** The bodies that the webhook got so far, in order. */
  bodies(): Body[];
  /** Posts a call as a client would, of the source `test`. */
  post(path: string, body: object): Promise<void>;
  row(id: number): AudienceRow;
  /** Moves time until the sync is done or stopped, or `ms` have passed. */
  settle(id: number, ms?: number): Promise<SyncRow>;
  /** Runs work that waits for timers. */
  run<T>(work: Promise<T> | T): Promise<T>;
  stop(): Promise<void>;
}

const configOf = (body: WorldSetup['body'], more: unknown): Config =>
  configSchema.parse({
    sources: [{ name: 'test', writeKey: 'wk_test' }],
    webhooks: { body: body ?? 'documented', entries: [{ name: 'hook', url: HOOK }] },
    ...(more as object),
  });

/** Starts an engine; the end of the test stops it. By default the webhook answers 200 after 1 ms. */
export async function audienceWorld(setup: WorldSetup = {}): Promise<World> {
  const { folder = tempWorkspace(), body, config, start = SIM_START, seed = 1, openStore = openStores } = setup;
  const { time, ids: _, ...ports } = simPorts(seed, start);
  const transport = new SimTransport(time, time).on(HOOK, always(answer(200)));
  let drawn = 0;
  const draw = (bytes: number): string =>
    (seed * 1_000_000 + ++drawn)
      .toString(16)
      .padStart(bytes * 2, '0')
      .slice(-bytes * 2);
  const ids = { uuid: () => `00000000-0000-4000-8000-${draw(6)}`, hex: draw };
  const engine = new Engine(
    {
      workspace: folder,
      version: '0.0.0-test',
      shell: 'headless',
      config: setup.folder === undefined ? configOf(body, config) : undefined,
      ingestPort: 0,
      controlSocket: false,
    },
    {
      ...ports,
      ids,
      sealer: SEALER,
      logger: { log: () => {} },
      readFile: () => new Uint8Array(),
      transport: () => transport,
      openStore,
    },
  );
  const run = <T>(work: Promise<T> | T): Promise<T> => turnUntilDone(Promise.resolve(work), (ms) => time.advance(ms));
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await run(engine.stop());
  };
  onTestFinished(stop);
  await run(engine.start());
  const connection = { hello: () => undefined as never, setHidden: () => {}, close: () => {} };
  const call = createHandlers(engine.parts, connection as never, 'app');
  const row = (id: number): AudienceRow => engine.parts.audiences.row(id);
  return {
    engine,
    folder,
    transport,
    time,
    call,
    row,
    run,
    stop,
    bodies: () => transport.sentTo(HOOK).map((one) => JSON.parse(one.body) as Body),
    post: async (path, body) => {
      const { status } = await run(
        engine.parts.faults.handle({
          method: 'POST',
          target: path,
          headers: [
            ['Host', '127.0.0.1:8765'],
            ['Content-Type', 'application/json'],
            ['Authorization', `Basic ${Buffer.from('wk_test:').toString('base64')}`],
          ],
          body: Buffer.from(JSON.stringify(body)),
          remote: '127.0.0.1',
          secure: false,
        }),
      );
      if (status !== 200) throw new Error(`The call was answered ${status}.`);
    },
    settle: async (id, ms = 600_000) => {
      for (let passed = 0; passed < ms; passed += 100) {
        const { lastSync } = row(id);
        if (lastSync !== null && (lastSync.state === 'done' || lastSync.state === 'stopped')) return lastSync;
        await time.advance(100);
      }
      return row(id).lastSync!;
    },
  };
}

/** What a crash at this moment would leave: the files of the store as they are. */
export function crashCopy(folder: string): string {
  const copy = tempWorkspace();
  for (const name of ['store.sqlite', 'store.sqlite-wal', 'store.json'])
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
  return copy;
}

export const names = (count: number, from = 1): string[] =>
  Array.from({ length: count }, (_, i) => `u${String(from + i).padStart(6, '0')}`);
