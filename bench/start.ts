/**
 * `npm run bench:start`: how long a start takes with many stored messages. For each size a store is filled, then the
 * engine starts in this process until it listens (`listening`), and `hookbench serve` in a process of its own until its
 * ready line (`ready`): after a clean stop, and after a kill (`readyAfterKill`), when the store is checked. Prints one JSON
 * line with milliseconds. Goals: listening within 300 ms with 100,000 messages and 500 ms with 1,000,000, and ready
 * within 500 ms with none. Needs `npm run build`.
 *
 *   node bench/start.ts [--messages 0,100000,1000000] [--runs 5]
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSealer } from '../src/core/adapters/sealer.ts';
import { startServer } from '../tests/e2e/launch.ts';
import { quantile, rounded } from './load-phase.ts';
import { startSearchEngine } from './search-engine.ts';
import { fillSearchStore } from './search-store.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '0,100000,1000000' },
    runs: { type: 'string', default: '5' },
  },
});
const SIZES = values.messages.split(',').map(Number);
const RUNS = Number(values.runs);
/** The key of a headless workspace is a file, which this store does not have: nothing here is sealed. */
const sealer = createSealer(Buffer.alloc(32, 1));
const STORAGE = { storage: { maxMessages: 100_000_000, maxBytes: 1e12 } };

async function listening(workspace: string): Promise<number> {
  const startedAt = performance.now();
  const { engine } = await startSearchEngine(workspace, sealer);
  const took = performance.now() - startedAt;
  await engine.stop();
  return took;
}

async function ready(workspace: string, end: 'stop' | 'kill'): Promise<number> {
  const startedAt = performance.now();
  const server = await startServer({ workspace, config: STORAGE });
  const took = performance.now() - startedAt;
  if (end === 'kill') {
    server.child.kill('SIGKILL');
    await once(server.child, 'exit');
  }
  await server.stop();
  return took;
}

/** The median of `RUNS` runs, the longest, and the first, which meets cold files. */
async function repeated(run: () => Promise<number>) {
  const took: number[] = [];
  for (let n = 0; n < RUNS; n += 1) took.push(await run());
  return {
    median: rounded(quantile(took, 0.5), 0),
    longest: rounded(quantile(took, 1), 0),
    first: rounded(took[0]!, 0),
  };
}

const starts = [];
for (const messages of SIZES) {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-start-'));
  const workspace = join(folder, 'workspace');
  await fillSearchStore(workspace, sealer, messages);
  await listening(workspace);
  const figures = {
    messages,
    listening: await repeated(() => listening(workspace)),
    ready: await repeated(() => ready(workspace, 'stop')),
  };
  await ready(workspace, 'kill');
  const readyAfterKill = await repeated(() => ready(workspace, 'kill'));
  starts.push({ ...figures, readyAfterKill });
  process.stderr.write(`${JSON.stringify(starts.at(-1))}\n`);
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify({ bench: 'start', runs: RUNS, starts })}\n`);
