/**
 * The other side of bench/people.ts, in a process of its own: a webhook that answers 200, and a client that posts calls
 * at a fixed rate. Measures from the ingest's answer to the arrival at the webhook.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';

export interface ToLoad {
  readonly port: number;
  readonly rate: number;
  readonly seconds: number;
}
export interface Loaded {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly calls: number;
  /** Every call, in milliseconds. */
  readonly took: readonly number[];
}

const KEY = 'bench';
const SETTLE_MS = 1_000;
const arrivals = new Map<number, number>();
const now = (): number => performance.now();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let posted = 0;

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const n = Number(/"n":(\d+)/.exec(Buffer.concat(parts).toString('latin1'))?.[1]);
    arrivals.set(n, now());
    response.writeHead(200, { 'content-length': '2' }).end('ok');
  });
});

async function load({ port, rate, seconds }: ToLoad): Promise<Loaded> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 8 });
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa(`${KEY}:`)}` };
  const answered = new Map<number, number>();
  const post = async (n: number): Promise<void> => {
    const properties = { n, total: n % 90, note: 'x'.repeat(300) };
    const call = { userId: `usr_${n % 100_000}`, event: 'Order Completed', properties };
    const answer = await pool.request({ path: '/v1/track', method: 'POST', headers, body: JSON.stringify(call) });
    await answer.body.dump();
    answered.set(n, now());
  };
  const startedAt = now();
  const first = posted;
  const total = rate * seconds;
  const sent: Promise<void>[] = [];
  while (posted < first + total) {
    const due = Math.min(first + total, first + Math.floor(((now() - startedAt) / 1_000) * rate));
    for (; posted < due; posted += 1) sent.push(post(posted));
    await pause(1);
  }
  await Promise.all(sent);
  await pause(SETTLE_MS);
  await pool.close();
  const took = [...answered].flatMap(([n, at]) => (arrivals.has(n) ? [Math.max(0, arrivals.get(n)! - at)] : []));
  took.sort((a, b) => a - b);
  const part = (share: number): number =>
    Number((took[Math.floor((took.length - 1) * share)] ?? Number.NaN).toFixed(2));
  return { p50: part(0.5), p99: part(0.99), longest: part(1), calls: took.length, took };
}

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
process.on('message', (message: ToLoad) => void load(message).then((loaded) => process.send!(loaded)));
process.on('disconnect', () => process.exit(0));
