/**
 * The client library beside @segment/analytics-node in the same run, and in Chromium beside @segment/analytics-next
 * (docs/benchmarks.md). Prints one JSON line.
 *
 *   node bench/client.ts [--runs 3] [--calls 100000] [--memory-calls 1000000] [--page-calls 2000]
 *
 * `--memory-calls 0` and `--page-calls 0` leave that part out.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measurePages, type PageMeasured } from './client-page.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    calls: { type: 'string', default: '100000' },
    'memory-calls': { type: 'string', default: '1000000' },
    'page-calls': { type: 'string', default: '2000' },
  },
});
const RUNS = Number(values.runs);
const CALLS = Number(values.calls);
const MEMORY_CALLS = Number(values['memory-calls']);
const PAGE_CALLS = Number(values['page-calls']);
/** A library that takes longer for a run is told as not finished. */
const LIMIT_MS = 900_000;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

class Receiver {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<Receiver> {
    const child = fork(here('./client-receiver.ts'));
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return new Receiver(child, port);
  }

  /** Counts anew; `all` resolves with the moment at which `n` messages had come. */
  async expect(n: number): Promise<{ all: Promise<{ at: number; messages: number; requests: number }> }> {
    this.#child.send({ n });
    await once(this.#child, 'message');
    return {
      all: once(this.#child, 'message').then(([told]) => told as { at: number; messages: number; requests: number }),
    };
  }

  stop(): void {
    this.#child.disconnect();
  }
}

type Library = 'hookbench' | 'analytics-node';

interface Measured {
  /** Calls in a second spent in nothing but calls. */
  readonly callsPerSecond: number;
  /** First call to last arrival. */
  readonly messagesPerSecond: number;
  readonly peakMb: number;
  readonly cpuPerThousand: number;
}

interface Told {
  readonly startedAt: number;
  readonly inCallsMs: number;
  readonly peakMb: number;
  readonly cpuSeconds: number;
}

async function measure(library: Library, receiver: Receiver, calls: number): Promise<Measured | null> {
  const { all } = await receiver.expect(calls);
  const child = fork(here('./client-program.ts'), [library, receiver.url, String(calls)], { timeout: LIMIT_MS });
  const ended = once(child, 'exit').then(() => null);
  const message = once(child, 'message').then(([told]) => told as Told);
  const told = await Promise.race([message, ended]);
  if (told === null) return null;
  const { at } = await all;
  await ended;
  return {
    callsPerSecond: (calls / told.inCallsMs) * 1000,
    messagesPerSecond: (calls / (at - told.startedAt)) * 1000,
    peakMb: told.peakMb,
    cpuPerThousand: (told.cpuSeconds / calls) * 1000,
  };
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const round = (value: number, digits = 0): number => Number(value.toFixed(digits));

function summary(runs: readonly Measured[]): Record<keyof Measured, number> {
  const of = (key: keyof Measured, digits?: number): number => round(median(runs.map((run) => run[key])), digits);
  return {
    callsPerSecond: of('callsPerSecond'),
    messagesPerSecond: of('messagesPerSecond'),
    peakMb: of('peakMb'),
    cpuPerThousand: of('cpuPerThousand', 3),
  };
}

/** Medians over the runs of ours divided by theirs. */
function ratios(ours: readonly Measured[], theirs: readonly Measured[]): Record<keyof Measured, number> {
  const of = (key: keyof Measured): number => round(median(ours.map((run, i) => run[key] / theirs[i]![key])), 2);
  return {
    callsPerSecond: of('callsPerSecond'),
    messagesPerSecond: of('messagesPerSecond'),
    peakMb: of('peakMb'),
    cpuPerThousand: of('cpuPerThousand'),
  };
}

async function compare(receiver: Receiver, calls: number, runs: number): Promise<object> {
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  for (let run = 0; run < runs; run++) {
    const [own, other] = [
      await measure('hookbench', receiver, calls),
      await measure('analytics-node', receiver, calls),
    ];
    if (own === null) throw new Error('our program did not finish');
    ours.push(own);
    // It can run out of memory, having no bound.
    if (other === null) return { calls, hookbench: summary(ours), analyticsNode: 'did not finish' };
    theirs.push(other);
  }
  return { calls, ratios: ratios(ours, theirs), hookbench: summary(ours), analyticsNode: summary(theirs) };
}

const receiver = await Receiver.start();
const node = await compare(receiver, CALLS, RUNS);
const memory = MEMORY_CALLS > 0 ? await compare(receiver, MEMORY_CALLS, 1) : null;
const page: PageMeasured | null = PAGE_CALLS > 0 ? await measurePages(receiver, PAGE_CALLS) : null;
receiver.stop();
console.log(JSON.stringify({ bench: 'client', runs: RUNS, node, memory, page }));
