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
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createSealer } from '../src/core/adapters/sealer.ts';
import type { Engine } from '../src/core/engine/engine.ts';
import type { AudienceRule } from '../src/core/model/audience-rule.ts';
import { type Definition, definitionKey, type FromPeople, type ToPeople } from '../src/core/people/messages.ts';
import { LoadPhase, pause, pooled, rounded as round } from './load-phase.ts';
import { startPeopleEngine } from './people-engine.ts';
import { DAY, fillStore, KEY } from './people-store.ts';

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
const MB = 1024 * 1024;
const WORKER = new URL('../src/core/people/people-worker.ts', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'hookbench-people-'));
const sealer = createSealer(randomBytes(32));

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
  say({ type: 'ask', n: 1, name: 'hold', argument: { rule: orders(2, true) }, now: Date.now() });
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

const fillSeconds = round(await fillStore({ folder, sealer, messages: MESSAGES, people: PEOPLE }), 0);
const thread = await alone();
const { engine, port } = await startPeopleEngine({ folder, sealer, webhook, worker: WORKER });
const before = process.memoryUsage().rss;
const first = await secondsToCount(engine, orders(2));
const grownBy = process.memoryUsage().rss - before;
const fewer = await secondsToCount(engine, orders(1));
const tested = await secondsToCount(engine, orders(1, true));
const newCall = await lag(engine, port);
const load = new LoadPhase(child, RATE, SECONDS);
const quiet = pooled([await load.run(port)]);
const recounted = await load.run(port, async () => {
  await engine.parts.people.ask('recount', null);
  while (engine.parts.people.view().recount !== null) await pause(10);
});
const counting = pooled([recounted]);
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
