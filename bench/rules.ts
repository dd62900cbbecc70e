/**
 * `npm run bench:rules`: an audience by a rule and two computed traits over a million stored messages, on the real engine
 * with people in their thread. Prints one JSON line (docs/benchmarks.md): how soon a new call changes who is in, what a
 * full recount costs delivery beside the same engine without rules, how long a recount, its cancel and a start take, and
 * what memory they take. The turns are: without rules, with them, with them again after a start, without.
 *
 *   node bench/rules.ts [--messages 1000000] [--people 100000] [--rate 200] [--seconds 12] [--calls 500]
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSealer } from '../src/core/adapters/sealer.ts';
import { figuresOf, LoadPhase, type Phase, pooled, rounded } from './load-phase.ts';
import { startPeopleEngine } from './people-engine.ts';
import { fillStore } from './people-store.ts';
import { Memory } from './rules-memory.ts';
import { RulesBench } from './rules-run.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    people: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '12' },
    calls: { type: 'string', default: '500' },
  },
});
const messages = Number(values.messages);
const people = Number(values.people);
const calls = Number(values.calls);

const folder = mkdtempSync(join(tmpdir(), 'hookbench-rules-'));
const sealer = createSealer(randomBytes(32));
const worker = new URL('./rules-worker.ts', import.meta.url);
const child = fork(join(import.meta.dirname, 'people-load.ts'));
const [{ port: webhook }] = (await once(child, 'message')) as [{ port: number }];
const load = new LoadPhase(child, Number(values.rate), Number(values.seconds));
const startedAt = performance.now();
/** How far it is, on standard error. */
const tell = (what: string): void =>
  console.error(`${Math.round((performance.now() - startedAt) / 1_000)} s, load ${loadavg()[0]!.toFixed(1)}: ${what}`);
const start = () => startPeopleEngine({ folder, sealer, webhook, worker });

async function withoutRules(): Promise<Phase> {
  const { engine, port } = await start();
  const phase = await load.run(port);
  await engine.stop();
  tell('a turn without rules is over');
  return phase;
}

const loadBefore = loadavg()[0]!;
const fillSeconds = await fillStore({ folder, sealer, messages, people });
tell(`${messages} messages are stored`);
const memory = new Memory();
/** Milliseconds until a single call has changed the stored members, beside the load. */
const quietCalls: number[] = [];
const countingCalls: number[] = [];
const without = [await withoutRules()];

const first = new RulesBench(await start(), memory);
const firstCount = await first.makeAudience();
tell('everyone is counted and taken over');
const alone = await first.newCalls(calls);
tell('the single calls are over');
const firstQuiet = await load.run(first.port, first.timedCall(quietCalls));
const firstRecount = await first.recountUnder(load, countingCalls);
const cancel = await first.cancel();
await first.engine.stop();
tell('the first turn with rules is over');

const second = new RulesBench(await start(), memory);
const restart = await second.untilReady();
tell('the engine with the stored audience is ready');
const secondQuiet = await load.run(second.port, second.timedCall(quietCalls));
const secondRecount = await second.recountUnder(load, countingCalls);
await second.removeAudiences();
await second.engine.stop();
tell('the second turn with rules is over');
without.push(await withoutRules());
child.disconnect();
memory.stop();
rmSync(folder, { recursive: true, force: true });

const quiet = pooled([firstQuiet, secondQuiet]);
const counting = pooled([...firstRecount.phases, ...secondRecount.phases]);
const bare = pooled(without);
console.log(
  JSON.stringify({
    bench: 'rules',
    messages,
    people,
    load: [rounded(loadBefore), rounded(loadavg()[0]!)],
    seconds: Math.round((performance.now() - startedAt) / 1_000),
    fillSeconds: Math.round(fillSeconds),
    newCallMs: alone,
    newCallUnderLoadMs: { quiet: figuresOf(quietCalls), counting: figuresOf(countingCalls) },
    delivery: { without: bare, quiet, counting },
    recountCostsMs: { p50: rounded(counting.p50 - bare.p50), p99: rounded(counting.p99 - bare.p99) },
    ratioToWithout: {
      quiet: { p50: rounded(quiet.p50 / bare.p50), p99: rounded(quiet.p99 / bare.p99) },
      counting: { p50: rounded(counting.p50 / bare.p50), p99: rounded(counting.p99 / bare.p99) },
    },
    recount: { first: firstRecount.figures, second: secondRecount.figures, cancelMs: cancel },
    start: { firstCount, restart },
    memoryMb: memory.figures(),
  }),
);
process.exit(0);
