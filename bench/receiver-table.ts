/**
 * `npm run receiver-table`: one attempt at a receiver of every kind, then refused connections and hanging receivers in
 * number, in one process that is measured. Prints a markdown table and the figures, or all of it as `--json`.
 *
 *   node --expose-gc bench/receiver-table.ts [--refusals 20000] [--hanging 2000] [--json]
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock, systemTimers } from '../src/core/adapters/clock.ts';
import { createHttpTransport, type HttpTransport } from '../src/core/delivery/transport/http-transport.ts';
import type { AttemptResult } from '../src/core/model/attempt.ts';
import { createSelfSigned } from '../tests/helpers/certificates.ts';
import { answering, type RawReceiver, startRawReceiver } from '../tests/helpers/raw-receiver.ts';
import {
  LIMIT_MS,
  makeAuthorities,
  meet,
  meetAll,
  type TableRow,
  tableKinds,
} from '../tests/helpers/receiver-table.ts';
import { timerLasts } from '../tests/helpers/timer-lasts.ts';

export interface Refusals {
  readonly attempts: number;
  /** MiB of heap and buffers after a collection. */
  readonly growthMb: number;
  readonly connectionsLeft: number;
}

export interface ReceiverTable {
  readonly rows: readonly TableRow[];
  /** MiB of resident memory after a collection, all kinds together. */
  readonly rssGrowthMb: number;
  readonly refusedCertificates: Refusals;
  readonly refusedConnections: Refusals;
  /**
   * Receivers that hang at once: real milliseconds until each attempt ended, and the p99 of how much longer that was
   * than a timer of the limit that was started with it, and processor milliseconds of both sides together.
   */
  readonly hanging: Readonly<Record<'attempts' | 'least' | 'p99' | 'most' | 'p99Late' | 'cpuMs', number>>;
}

const { values } = parseArgs({
  options: {
    refusals: { type: 'string', default: '20000' },
    hanging: { type: 'string', default: '2000' },
    json: { type: 'boolean', default: false },
  },
});

const MIB = 2 ** 20;
const AT_ONCE = 20;
setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

async function collected(): Promise<NodeJS.MemoryUsage> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    gc();
  }
  return process.memoryUsage();
}

const oneDigit = (value: number): number => Math.round(value * 10) / 10;

/** What every process has once it has met anything: loaded code, lists of authorities, pools. */
async function warmUp(authorities: Awaited<ReturnType<typeof makeAuthorities>>): Promise<void> {
  const quick = tableKinds.filter(({ name }) => ['200', '500', 'a certificate of a trusted authority'].includes(name));
  for (let turn = 0; turn < 10; turn += 1) for (const kind of quick) await meet(kind, authorities);
}

async function table(): Promise<Pick<ReceiverTable, 'rows' | 'rssGrowthMb'>> {
  const authorities = await makeAuthorities();
  await warmUp(authorities);
  const before = (await collected()).rss;
  const rows = await meetAll(authorities);
  return { rows, rssGrowthMb: oneDigit(((await collected()).rss - before) / MIB) };
}

const newTransport = (): HttpTransport => createHttpTransport({ clock: systemClock, timers: systemTimers });

const post = (to: HttpTransport, url: string): Promise<AttemptResult> =>
  to.send({ url, headers: [], body: Buffer.from('{}'), limitMs: LIMIT_MS });

async function refusals(receiver: RawReceiver, outcome: AttemptResult['outcome']): Promise<Refusals> {
  const attempts = Number(values.refusals);
  const transport = newTransport();
  const used = async (): Promise<number> => {
    const { heapUsed, external } = await collected();
    return heapUsed + external;
  };
  const batch = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= AT_ONCE) {
      const results = await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, left) }, () => post(transport, receiver.url)),
      );
      const other = results.find((result) => result.outcome !== outcome);
      if (other !== undefined) throw new Error(`expected ${outcome}, not ${other.outcome}: ${other.detail}`);
    }
  };
  await batch(200);
  const before = await used();
  await batch(attempts);
  const growthMb = oneDigit(((await used()) - before) / MIB);
  const connectionsLeft = transport.stats().connections;
  await transport.close();
  await receiver.close();
  return { attempts, growthMb, connectionsLeft };
}

const share = (sorted: readonly number[], part: number): number =>
  oneDigit(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!);

/** All at once at a receiver that takes the request and never answers. */
async function hanging(): Promise<ReceiverTable['hanging']> {
  const attempts = Number(values.hanging);
  const receiver = await startRawReceiver(() => {});
  const transport = newTransport();
  const late: number[] = [];
  const before = process.cpuUsage();
  const took = await Promise.all(
    Array.from({ length: attempts }, async () => {
      const startedAt = performance.now();
      const posted = post(transport, receiver.url);
      const timer = timerLasts(LIMIT_MS);
      const { outcome } = await posted;
      if (outcome !== 'timed_out') throw new Error(`expected timed_out, not ${outcome}`);
      const ms = performance.now() - startedAt;
      late.push(ms - (await timer));
      return ms;
    }),
  );
  const { user, system } = process.cpuUsage(before);
  await transport.close();
  await receiver.close();
  const sorted = took.sort((a, b) => a - b);
  const cpuMs = oneDigit((user + system) / 1000);
  const p99Late = share(
    late.sort((a, b) => a - b),
    0.99,
  );
  return { attempts, least: share(sorted, 0), p99: share(sorted, 0.99), most: share(sorted, 1), p99Late, cpuMs };
}

const gone = await startRawReceiver(() => {});
const result: ReceiverTable = {
  ...(await table()),
  hanging: await hanging(),
  refusedCertificates: await refusals(
    await startRawReceiver(answering(''), { tls: await createSelfSigned() }),
    'refused_certificate',
  ),
  refusedConnections: await gone.close().then(() => refusals(gone, 'no_connection')),
};

function markdown({ rows, ...figures }: ReceiverTable): string {
  const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(['kind', 'outcome', 'ms', 'CPU ms', 'MiB', 'kept bytes', 'bytes to the server']),
    line(['---', '---', '---:', '---:', '---:', '---:', '---:']),
    ...rows.map((row) => {
      const outcome = [row.outcome, row.reason, row.status, row.cut ? 'cut' : null].filter((part) => part !== null);
      // Those that last to their deadline are met at the same time: what they used is not known apart.
      const used = row.sinceCallMs >= LIMIT_MS - 5 ? ['', ''] : [Math.round(row.cpuMs), Math.round(row.peakMb)];
      return line([row.name, outcome.join(', '), Math.round(row.ms), ...used, row.kept, row.bytesToServer]);
    }),
    '',
    JSON.stringify({ kinds: rows.length, ...figures }),
  ].join('\n');
}

console.log(values.json ? JSON.stringify(result) : markdown(result));
