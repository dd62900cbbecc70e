/**
 * `npm run bench:people`: people over a million stored messages of 100,000 users, in the thread that the shells use.
 * Prints one JSON line: how long the first count takes and what it holds in memory, how long edits of a rule take, how
 * soon a new call shows, and what a count costs delivery, which goes on beside it (goal: 20 ms at p99).
 *
 *   node bench/people.ts [--messages 1000000] [--people 100000] [--rate 200] [--seconds 20] [--calls 200]
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { systemIds } from '../src/core/adapters/ids.ts';
import { createSystemRandom } from '../src/core/adapters/random.ts';
import { createSealer } from '../src/core/adapters/sealer.ts';
import { createHttpTransport } from '../src/core/delivery/transport/http-transport.ts';
import { Engine } from '../src/core/engine/engine.ts';
import type { AudienceRule } from '../src/core/model/audience-rule.ts';
import type { NewMessage } from '../src/core/model/records.ts';
import { type Definition, definitionKey, type FromPeople, type ToPeople } from '../src/core/people/messages.ts';
import { openStores } from '../src/core/store/stores.ts';
import type { Loaded, ToLoad } from './people-load.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    people: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
    calls: { type: 'string', default: '200' },
  },
});
const MESSAGES = Number(values.messages);
const PEOPLE = Number(values.people);
const RATE = Number(values.rate);
const SECONDS = Number(values.seconds);
const CALLS = Number(values.calls);
const BATCH = 2_500;
const DAY = 86_400_000;
const MB = 1024 * 1024;
const KEY = 'bench';
const WORKER = new URL('../src/core/people/people-worker.ts', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'hookbench-people-'));
const sealer = createSealer(randomBytes(32));
const logger = { log: () => {} };
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

function messageOf(n: number, at: number): NewMessage {
  const userId = `usr_${(n * 7_919) % PEOPLE}`;
  const timestamp = new Date(at).toISOString();
  const base = { messageId: `m-${n}`, position: n % BATCH, origin: 'sdk', userId, anonymousId: null } as const;
  const rest = { state: 'not_selected', reason: 'destination_off', reasonDetail: null, size: 500, notes: [] } as const;
  const wire = (body: object): Uint8Array => Buffer.from(JSON.stringify({ ...body, userId, timestamp, version: 1 }));
  if (n % 10 === 0) {
    const traits = {
      name: `Person ${n}`,
      plan: ['free', 'pro'][n % 3 === 0 ? 1 : 0],
      email: `${n}@x.example`,
      seats: n % 50,
    };
    const address = { country: ['AT', 'DE', 'FR', 'IT', 'US'][n % 7 < 5 ? n % 7 : 4] };
    return {
      ...base,
      ...rest,
      type: 'identify',
      name: '',
      wire: wire({ type: 'identify', traits: { ...traits, address } }),
    };
  }
  const event = ['Order Completed', 'Product Viewed', 'Product Viewed', 'Cart Viewed'][n % 4]!;
  const properties = { total: n % 90, currency: 'EUR', orderId: `A-${n}`, note: 'x'.repeat(300) };
  return { ...base, ...rest, type: 'track', name: event, wire: wire({ type: 'track', event, properties }) };
}

/** Stores the messages of the last 14 days. */
async function fill(): Promise<void> {
  const store = openStores({ workspace: folder, clock: systemClock, timers: systemTimers, sealer, logger });
  const now = Date.now();
  for (let from = 0; from < MESSAGES; from += BATCH) {
    const receivedAt = Math.round(now - 14 * DAY * (1 - from / MESSAGES));
    const messages = Array.from({ length: Math.min(BATCH, MESSAGES - from) }, (_, i) =>
      messageOf(from + i, receivedAt),
    );
    const request = {
      receivedAt,
      method: 'POST',
      path: '/v1/batch',
      headers: [],
      body: Buffer.from('{}'),
      encoding: null,
      decodedBytes: 2,
      writeKey: KEY,
      sourceId: 1,
      status: 200,
      code: null,
    };
    await store.ports.ingest.storeRequest({ request, messages, dedupe: false, dueAt: receivedAt });
  }
  store.close();
}

const orders = (times: number, where = false): AudienceRule => ({
  match: 'all',
  of: [
    { kind: 'trait', path: 'address.country', test: { op: 'is_one_of', values: ['AT', 'DE', 'FR', 'IT'] } },
    {
      kind: 'event',
      event: 'Order Completed',
      op: 'at_least',
      times,
      withinMs: 7 * DAY,
      where: where ? [{ path: 'properties.total', test: { op: 'above', value: 20 } }] : [],
    },
  ],
});

/** The thread alone: seconds until the first rule is counted, and its memory then. */
async function alone(): Promise<{ seconds: number; heapMb: number; externalMb: number }> {
  const worker = new Worker(WORKER, { workerData: { workspace: folder } });
  const startedAt = performance.now();
  const say = (message: ToPeople | { type: 'stop' }): void => worker.postMessage(message);
  say({ type: 'ask', n: 1, name: 'hold', argument: { rule: orders(4, true) }, now: Date.now() });
  for (;;) {
    const [message] = (await once(worker, 'message')) as [FromPeople];
    if (message.type === 'changed' && message.watches.some(({ counted }) => counted)) break;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { used_heap_size: heap, external_memory: external } = await worker.getHeapStatistics();
  say({ type: 'stop' });
  await once(worker, 'exit');
  return { seconds: round(seconds), heapMb: round(heap / MB, 0), externalMb: round(external / MB, 0) };
}

const child = fork(join(import.meta.dirname, 'people-load.ts'));
const [{ port: webhook }] = (await once(child, 'message')) as [{ port: number }];

async function startEngine(): Promise<{ engine: Engine; port: number }> {
  const engine = new Engine(
    {
      workspace: folder,
      version: 'bench',
      shell: 'headless',
      ingestPort: 0,
      controlSocket: false,
      peopleWorker: WORKER,
      config: {
        sources: [{ name: 'bench', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
        webhooks: { entries: [{ name: 'one', url: `http://127.0.0.1:${webhook}/`, headers: {}, enabled: true }] },
        storage: { maxMessages: MESSAGES * 2, maxBytes: 20 * 1024 * MB },
      },
    },
    {
      clock: systemClock,
      timers: systemTimers,
      random: createSystemRandom(),
      ids: systemIds,
      logger,
      sealer,
      transport: ({ ownPorts, authorities }) =>
        createHttpTransport({ clock: systemClock, timers: systemTimers, ownPorts, ca: authorities }),
      readFile: readFileSync,
      openStore: openStores,
    },
  );
  const info = await engine.start();
  return { engine, port: info.listener.port };
}

/** Seconds until a definition is counted. */
async function secondsToCount({ parts }: Engine, rule: AudienceRule): Promise<number> {
  const startedAt = performance.now();
  while (!(await parts.people.ask('rule', { rule })).done) await pause(2);
  return (performance.now() - startedAt) / 1_000;
}

/** Milliseconds from the answer to a call to the news that somebody joined. */
async function lag({ parts }: Engine, port: number): Promise<{ p50: number; p99: number; longest: number }> {
  const definition: Definition = { rule: { match: 'all', of: [{ ...orders(1).of[1]!, event: 'Lag' } as never] } };
  parts.people.hold(definition);
  await secondsToCount({ parts } as Engine, definition.rule as AudienceRule);
  let joined = (): void => {};
  parts.people.onDefinition((key) => {
    if (key === definitionKey(definition)) joined();
  });
  const took: number[] = [];
  for (let n = 0; n < CALLS; n += 1) {
    const heard = new Promise<void>((resolve) => {
      joined = resolve;
    });
    const heardAt = heard.then(() => performance.now());
    const answer = await fetch(`http://127.0.0.1:${port}/v1/track`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Basic ${btoa(`${KEY}:`)}` },
      body: JSON.stringify({ userId: `lag_${n}`, event: 'Lag' }),
    });
    await answer.arrayBuffer();
    const answeredAt = performance.now();
    took.push(Math.max(0, (await heardAt) - answeredAt));
    await pause(20);
  }
  parts.people.release(definition);
  took.sort((a, b) => a - b);
  const at = (part: number): number => round(took[Math.floor((took.length - 1) * part)]!);
  return { p50: at(0.5), p99: at(0.99), longest: at(1) };
}

/** Delivery and the engine's event loop while calls arrive; `beside` runs again and again until they have. */
async function loaded(
  port: number,
  beside: () => Promise<void>,
): Promise<Loaded & { loopP99: number; loopMax: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let isOver = false;
  const running = (async () => {
    while (!isOver) await beside();
  })();
  delay.enable();
  child.send({ port, rate: RATE, seconds: SECONDS } satisfies ToLoad);
  const [result] = (await once(child, 'message')) as [Loaded];
  delay.disable();
  isOver = true;
  await running;
  return { ...result, loopP99: round(delay.percentile(99) / 1e6), loopMax: round(delay.max / 1e6) };
}

const filledAt = performance.now();
await fill();
const fillSeconds = round((performance.now() - filledAt) / 1_000, 0);
const thread = await alone();
const { engine, port } = await startEngine();
const before = process.memoryUsage().rss;
const first = await secondsToCount(engine, orders(4));
const grownBy = process.memoryUsage().rss - before;
const fewer = await secondsToCount(engine, orders(3));
const tested = await secondsToCount(engine, orders(3, true));
const newCall = await lag(engine, port);
const quiet = await loaded(port, () => pause(50));
const counting = await loaded(port, async () => {
  await engine.parts.people.ask('recount', null);
  await secondsToCount(engine, orders(3, true));
});
await engine.stop();
child.disconnect();
rmSync(folder, { recursive: true, force: true });

process.stdout.write(
  `${JSON.stringify({
    bench: 'people',
    messages: MESSAGES,
    people: PEOPLE,
    fillSeconds,
    thread,
    firstCountSeconds: round(first),
    grownMb: round(grownBy / MB, 0),
    editSeconds: { fewerTimes: round(fewer, 3), newTest: round(tested, 3) },
    newCallMs: newCall,
    delivery: { quiet, counting },
  })}\n`,
);
