/**
 * What the aggregates cost: nanoseconds for each event, and milliseconds for one answer of `overview.get` with 24 h of
 * busy minutes and 2,000 retrying messages. `node bench/metrics.ts [--events 1000000]`; prints one JSON line.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MESSAGE_STATES } from '../src/contract/names.ts';
import type { StatusView } from '../src/contract/values.ts';
import { Metrics } from '../src/core/metrics/metrics.ts';
import { OverviewReader } from '../src/core/metrics/reader.ts';
import { openStore } from '../src/core/store/database.ts';
import { SqliteMetrics } from '../src/core/store/metrics.ts';
import { Changes } from '../src/core/store/ports/changes.ts';

const { values } = parseArgs({ options: { events: { type: 'string', default: '1000000' } } });
const events = Number(values.events);
const MINUTES = 24 * 60;
const RETRYING = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'hookbench-bench-'));
const db = openStore(folder);
const NOW = Date.UTC(2026, 10, 20, 14);
let now = NOW - MINUTES * 60_000;
const clock = { wall: () => now, mono: () => performance.now() };
const pending: Array<() => void> = [];
const timers = {
  after: (_ms: number, run: () => void) => {
    pending.push(run);
    return { cancel: () => {} };
  },
  soon: (run: () => void) => run(),
};
const store = new SqliteMetrics(db);
const write = async <T>(job: (changes: Changes) => T): Promise<T> => db.transaction(() => job(new Changes()))();
const deps = { store, clock, timers, write };
/** Started 24 h ago, so that a session is as long as it gets. */
const metrics = new Metrics(deps);
now = NOW;

const message = [{ state: 'queued', reason: null }] as const;
const stored = [{ id: 1, duplicate: false }];
const result = { outcome: 'accepted', durationMs: 42 } as const;

const hooks = [1, 2, 3, 4, 5].map((id) => ({ id, slot: id, name: `hook ${id}`, url: `http://localhost:40${id}/` }));

function nanoseconds(run: (i: number) => void): number {
  for (let i = 0; i < 50_000; i++) run(i);
  const from = performance.now();
  for (let i = 0; i < events; i++) run(i);
  return Math.round(((performance.now() - from) * 1e6) / events);
}

const perEvent = {
  stored: nanoseconds(() => metrics.stored(now, message, stored)),
  recorded: nanoseconds((i) => metrics.recorded(hooks[i % 5]!, result, now, 5_000)),
  moved: nanoseconds((i) =>
    metrics.moved({
      receivedAt: now - (i % 60) * 60_000,
      from: 'delivering',
      to: 'delivered',
      round: 1,
      at: now + (i % 900),
      missed: [],
    }),
  ),
};

for (let i = 0; i < MINUTES; i++) {
  const at = now - i * 60_000;
  metrics.stored(at, message, stored);
  for (const webhook of hooks)
    for (let n = 0; n < 20; n++) metrics.recorded(webhook, { ...result, durationMs: 3 * 1.4 ** n }, at, 5_000);
}
const writeFrom = performance.now();
for (const run of pending.splice(0)) run();
const writeAllMs = performance.now() - writeFrom;
metrics.recorded(hooks[0]!, result, now, 5_000);
const oneFrom = performance.now();
for (const run of pending.splice(0)) run();
const writeOneMs = performance.now() - oneFrom;
const loadFrom = performance.now();
new Metrics(deps);
const loadMs = performance.now() - loadFrom;

const insert = db.prepare(
  `INSERT INTO messages (message_id, source_id, request_id, position, origin, type, name, state, received_at, size,
     round, next_due_at, first_attempt_at, window_ends_at) VALUES (?, 1, 1, 0, 'sdk', 'track', 'Order Completed', 'retrying', ?, 600, 3, ?, ?, ?)`,
);
db.transaction(() => {
  for (let i = 0; i < RETRYING; i++) insert.run(`m${i}`, now, now + 1, now - i * 2_000, now - i * 2_000 + 14_400_000);
})();
const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, state === 'retrying' ? RETRYING : 0]));
let look = 0;
const reader = new OverviewReader({
  metrics,
  store,
  clock: { ...clock, mono: () => (look += 1_000) },
  clockNow: () => now,
  status: () =>
    ({ listener: { state: 'listening' }, storeWritable: true, deliveryPaused: null, counts }) as unknown as StatusView,
  webhooks: () => [],
  destination: () => ({ enabled: true, timeoutMs: 5_000, windowMs: 14_400_000 }),
});
const answerMs = Object.fromEntries(
  (['15m', '1h', '4h', 'session'] as const).map((range) => {
    const times = Array.from({ length: 30 }, () => {
      const from = performance.now();
      reader.get(range);
      return performance.now() - from;
    }).sort((a, b) => a - b);
    return [range, Number(times[15]!.toFixed(2))];
  }),
);
console.log(
  JSON.stringify({
    bench: 'metrics',
    events,
    nsPerEvent: perEvent,
    writeOneMinuteMs: Number(writeOneMs.toFixed(2)),
    writeAllMinutesMs: Number(writeAllMs.toFixed(1)),
    loadAllMinutesMs: Number(loadMs.toFixed(1)),
    answerMs,
    heapMb: Math.round(process.memoryUsage().heapUsed / 1e6),
  }),
);
db.close();
rmSync(folder, { recursive: true, force: true });
