/**
 * A sync of many members through a real receiver, beside plain ingest of the same calls in the same run; stop, kill and
 * resume without a second message or a gap; a second sync that sends only what changed; how long keys wait in the page
 * while a first sync runs, where there is a Chromium and `npm run build` was run (docs/benchmarks.md). Prints one JSON
 * line; exit code 1 when a promise is broken or the sync is slower than 0.9 of plain ingest.
 *
 *   node bench/audience-sync.ts [--members 100000]
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openRunning, type Running } from '../src/cli/running.ts';
import type { SyncRow } from '../src/contract/audiences.ts';
import { pageInput } from './audience-page.ts';

const { values } = parseArgs({ options: { members: { type: 'string', default: '100000' } } });
const MEMBERS = Number(values.members);
const GOAL = 0.9;
const BATCH = 100;
const CONNECTIONS = 4;
/** A look at a sync costs the engine something, so it is not looked at all the time. */
const LOOK_MS = 100;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const user = (n: number): string => `nl_${String(n).padStart(6, '0')}`;

interface Heard {
  readonly arrivals: number;
  readonly messages: number;
  readonly users: number;
  readonly told: readonly string[];
}

const receiver = fork(here('./audience-receiver.ts'));
const [{ port: hookPort }] = (await once(receiver, 'message')) as [{ port: number }];
const ask = async <T>(question: 'read' | 'count'): Promise<T> => {
  receiver.send(question);
  const [answer] = (await once(receiver, 'message')) as [T];
  return answer;
};

const workspace = mkdtempSync(join(tmpdir(), 'audience-bench-'));
const config = JSON.stringify({
  sources: [{ name: 'bench', writeKey: 'bench' }],
  webhooks: { body: 'pass-through', entries: [{ name: 'hook', url: `http://127.0.0.1:${hookPort}/` }] },
  storage: { maxMessages: 10_000_000, maxBytes: 100_000_000_000 },
});

interface Served {
  readonly process: ChildProcess;
  readonly port: number;
  readonly running: Running;
}

async function serve(): Promise<Served> {
  const child = spawn(process.execPath, [here('./audience-engine.ts'), workspace, config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  const running = await openRunning(workspace);
  if (running === null) throw new Error('The engine has no local socket.');
  return { process: child, port: (JSON.parse(line) as { port: number }).port, running };
}

/** The most memory that the process has used, in MiB; null where Linux does not say. */
function peakMiB(pid: number): number | null {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? null : Math.round(Number(line[1]) / 1024);
  } catch {
    return null;
  }
}

/** Seconds until every call was delivered. */
async function plainIngest(port: number): Promise<number> {
  const from = performance.now();
  let next = 1;
  const drive = async (): Promise<void> => {
    while (next <= MEMBERS) {
      const first = next;
      next += BATCH;
      const timestamp = new Date().toISOString();
      const batch = Array.from({ length: Math.min(BATCH, MEMBERS - first + 1) }, (_, i) => ({
        type: 'identify',
        messageId: `plain-${first + i}`,
        userId: user(first + i),
        timestamp,
        traits: { plain: true },
        context: { personas: { computation_class: 'audience', computation_id: 'aud_0', computation_key: 'plain' } },
      }));
      const answer = await fetch(`http://127.0.0.1:${port}/v1/batch`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('bench:')}` },
        body: JSON.stringify({ batch }),
      });
      if (answer.status !== 200) throw new Error(`ingest answered ${answer.status}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, drive));
  while ((await ask<{ count: number }>('count')).count < MEMBERS) await sleep(20);
  return (performance.now() - from) / 1000;
}

async function audience({ call }: Running, name: string): Promise<number> {
  const { id } = await call('audiences.save', { name });
  for (let first = 1; first <= MEMBERS; first += 1_000) {
    const add = Array.from({ length: Math.min(1_000, MEMBERS - first + 1) }, (_, i) => user(first + i));
    await call('audiences.editMembers', { id, add });
  }
  return id;
}

/** Looks until the sync is as wanted. */
async function when({ call }: Running, id: number, n: number, wanted: (row: SyncRow) => boolean): Promise<SyncRow> {
  for (;;) {
    const row = await call('audiences.getSync', { id, n });
    if (wanted(row)) return row;
    await sleep(LOOK_MS);
  }
}
const isDone = ({ state }: SyncRow): boolean => state === 'done';
const sentAbove =
  (share: number) =>
  ({ ledger }: SyncRow): boolean =>
    ledger.expected !== null && ledger.expected - ledger.unsent > share * ledger.expected;

const broken: string[] = [];
const promise = (what: string, holds: boolean): void => {
  if (!holds) broken.push(what);
};

/** How far it is, on standard error. */
const tell = (what: string): void => console.error(`${Math.round(performance.now() / 1000)} s: ${what}`);

let served = await serve();
await plainWarmUp(served.port);
const plainSeconds = await plainIngest(served.port);
await ask<Heard>('read');

tell('plain ingest was delivered');
const first = await audience(served.running, 'First');
tell('the first audience is there');
const from = performance.now();
await served.running.call('audiences.sync', { id: first });
await when(served.running, first, 1, isDone);
const syncSeconds = (performance.now() - from) / 1000;
const heardFirst = await ask<Heard>('read');
promise('the first sync tells each member once', heardFirst.users === MEMBERS && heardFirst.arrivals === MEMBERS);
const peak = peakMiB(served.process.pid!);

tell('the first sync is done');
const second = await audience(served.running, 'Second');
const { id: sync } = (await served.running.call('audiences.sync', { id: second }))!;
await when(served.running, second, 1, sentAbove(0.2));
const stopped = await served.running.call('audiences.stopSync', { sync });
await served.running.call('audiences.resumeSync', { sync });
await when(served.running, second, 1, sentAbove(0.5));
served.process.kill('SIGKILL');
await once(served.process, 'exit');
served.running.close();
served = await serve();
const afterKill = await served.running.call('audiences.getSync', { id: second, n: 1 });
promise('a killed sync by hand waits for Resume', afterKill.state === 'stopped');
await served.running.call('audiences.resumeSync', { sync });
const done = await when(served.running, second, 1, isDone);
tell('the killed sync is done');
promise('the ledger adds up', done.ledger.delivered + done.ledger.failed === MEMBERS);
const heardSecond = await ask<Heard>('read');
promise('no gap', heardSecond.users === MEMBERS);
promise('no second message', heardSecond.messages === MEMBERS);

const changed = Math.max(1, Math.round(MEMBERS / 200));
const remove = Array.from({ length: changed }, (_, i) => user(1 + i * 100));
const add = Array.from({ length: changed }, (_, i) => `new_${i}`);
for (let at = 0; at < changed; at += 1_000)
  await served.running.call('audiences.editMembers', {
    id: second,
    add: add.slice(at, at + 1_000),
    remove: remove.slice(at, at + 1_000),
  });
await served.running.call('audiences.sync', { id: second });
await when(served.running, second, 2, isDone);
const heardThird = await ask<Heard>('read');
const expected = [...remove.map((one) => `${one} false`), ...add.map((one) => `${one} true`)].sort();
promise('1 % changed sends exactly those', JSON.stringify([...heardThird.told].sort()) === JSON.stringify(expected));

served.process.kill('SIGTERM');
served.running.close();
tell('the second sync is done');
const keyDelayMs = await pageInput({ members: MEMBERS, userId: user, hookPort });
tell('the sync with the page open is over');
const heardPage = await ask<Heard>('read');
promise('the sync with the page open tells each member once', 'skipped' in keyDelayMs || heardPage.users === MEMBERS);

const ratio = plainSeconds / syncSeconds;
promise(`at least ${GOAL} of plain ingest`, ratio >= GOAL);
console.log(
  JSON.stringify({
    members: MEMBERS,
    plainPerSecond: Math.round(MEMBERS / plainSeconds),
    syncPerSecond: Math.round(MEMBERS / syncSeconds),
    ratio: Number(ratio.toFixed(2)),
    peakMiB: peak,
    stoppedAt: MEMBERS - stopped.ledger.unsent,
    killedAt: MEMBERS - afterKill.ledger.unsent,
    sentAgainAfterKill: heardSecond.arrivals - heardSecond.messages,
    changedSent: heardThird.arrivals,
    keyDelayMs,
    broken,
  }),
);
receiver.disconnect();
rmSync(workspace, { recursive: true, force: true });
process.exit(broken.length === 0 ? 0 : 1);

/** Compiles the code of both ways a little, so that the first of them is not the slower one. */
async function plainWarmUp(port: number): Promise<void> {
  const batch = Array.from({ length: 100 }, (_, i) => ({
    type: 'identify',
    userId: `warm_${i}`,
    traits: { warm: true },
  }));
  for (let i = 0; i < 20; i++)
    await fetch(`http://127.0.0.1:${port}/v1/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('bench:')}` },
      body: JSON.stringify({ batch }),
    });
  while ((await ask<{ count: number }>('count')).count < 2_000) await sleep(20);
  await ask<Heard>('read');
}
