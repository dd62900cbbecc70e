/** What ingest must bear without giving way: bombs, slow clients, and thousands that just stay. */
import { connect, type Socket } from 'node:net';
import { head, json, request, track } from './build.ts';
import { WireClient } from './client.ts';
import type { CorpusEngine } from './engine.ts';
import { bombs } from './tables/encodings.ts';

export interface BombReport {
  readonly bombs: number;
  /** The most that a single one took: highest resident memory while it was answered, above what was before, in MB. */
  readonly growthMb: number;
  /** The same over all of them in a row: the bodies that are not collected yet are in it. */
  readonly inARowMb: number;
  readonly longestCpuMs: number;
}

/** Fill the store's page cache of 16 MB, which every program that sends a few large batches fills. */
const HONEST_ROUNDS = 12;

/** Honest requests of the largest size come first: what those take is not the bombs' doing. */
export async function sendBombs(engine: CorpusEngine, rounds: number): Promise<BombReport> {
  const client = new WireClient(engine.port);
  const send = async (one: (typeof bombs)[number]): Promise<void> => {
    const answer = await client.exchange(one.bytes, false);
    if (answer.status !== one.status) throw new Error(`${one.name}: ${answer.status}`);
    await client.hasEnded(answer, one.closes === true);
  };
  for (let round = 0; round < HONEST_ROUNDS; round += 1) await honest(client);
  let growthMb = 0;
  for (const one of bombs) growthMb = Math.max(growthMb, (await growthOf(engine, () => send(one))).growthMb);
  const inARow = await growthOf(engine, async () => {
    for (let round = 0; round < rounds; round += 1) for (const one of bombs) await send(one);
  });
  client.close();
  return {
    bombs: (rounds + 1) * bombs.length,
    growthMb,
    inARowMb: inARow.growthMb,
    longestCpuMs: inARow.longestCpuMs,
  };
}

async function growthOf(
  engine: CorpusEngine,
  act: () => Promise<void>,
): Promise<{ growthMb: number; longestCpuMs: number }> {
  await engine.reset();
  const { rssMb } = await engine.facts();
  await act();
  const { peakMb, longestCpuMs } = await engine.facts();
  return { growthMb: Math.max(0, peakMb - rssMb), longestCpuMs };
}

/** Bodies as large as those of the bombs, with and without a length. */
async function honest(client: WireClient): Promise<void> {
  const body = json({ batch: Array.from({ length: 16 }, () => track({ properties: { fill: 'x'.repeat(30_000) } })) });
  for (const chunked of [false, true, false, true]) {
    const answer = await client.exchange(request('/v1/batch', body, { chunked }), false);
    if (answer.status !== 200) throw new Error(`an honest request was answered ${answer.status}`);
  }
}

export interface IdleReport {
  readonly sockets: number;
  /** Still open at the end. */
  readonly open: number;
  /** Of calls over one other connection, from the first byte sent to the answer's last, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Opens connections that ask once and then stay, and measures what that does to others. */
export async function keepIdle(engine: CorpusEngine, sockets: number, calls: number): Promise<IdleReport> {
  const kept: Socket[] = [];
  try {
    for (let at = 0; at < sockets; at += 100) {
      kept.push(...(await Promise.all(Array.from({ length: Math.min(100, sockets - at) }, () => idle(engine.port)))));
    }
    const client = new WireClient(engine.port);
    const took: number[] = [];
    for (let n = 0; n < calls; n += 1) {
      const bytes = request('/v1/track', json(track()));
      const startedAt = performance.now();
      const answer = await client.exchange(bytes, false);
      took.push(performance.now() - startedAt);
      if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
    }
    client.close();
    took.sort((a, b) => a - b);
    const share = (part: number): number => took[Math.min(took.length - 1, Math.floor(took.length * part))]!;
    const open = kept.filter(({ readyState, readableEnded }) => readyState === 'open' && !readableEnded).length;
    return { sockets, open, p50: share(0.5), p99: share(0.99) };
  } finally {
    for (const socket of kept) socket.destroy();
  }
}

const HEALTH = head(['GET /health HTTP/1.1', 'Host: localhost']);

function idle(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(HEALTH));
    socket.once('data', () => resolve(socket));
    socket.once('error', reject);
  });
}

export interface SlowReport {
  readonly name: string;
  readonly status: number;
  /** From the connection to its end. */
  readonly ms: number;
}

const LINES = ['POST /v1/track HTTP/1.1', 'Host: localhost'];

/** Clients that never come to an end: each is what it sends at once, and what it goes on to send bit by bit. */
export const SLOW: readonly (readonly [name: string, first: Uint8Array, then: string])[] = [
  ['nothing at all', Buffer.alloc(0), ''],
  ['half a request line', Buffer.from('POST /v1/tr'), ''],
  ['headers without an end', Buffer.from(LINES.join('\r\n')), ''],
  ['headers, one byte at a time', Buffer.from(`${LINES.join('\r\n')}\r\nX: `), 'x'],
  ['headers, one after the other', Buffer.from(`${LINES.join('\r\n')}\r\n`), 'a:b\r\n'],
  ['no body', head([...LINES, 'Content-Length: 100000']), ''],
  ['a body, one byte at a time', head([...LINES, 'Content-Length: 100000']), ' '],
  ['chunks, one after the other', head([...LINES, 'Transfer-Encoding: chunked']), '1\r\n \r\n'],
  ['a chunk size that goes on', head([...LINES, 'Transfer-Encoding: chunked']), '0'],
];

/** `everyMs`: how long a client waits before it sends the next bit. */
export function sendSlowly(
  port: number,
  [name, first, then]: (typeof SLOW)[number],
  everyMs: number,
): Promise<SlowReport> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' });
    // Written before it is connected, so that no later bit can come first.
    if (first.length > 0) socket.write(first);
    const drip = then === '' ? null : setInterval(() => socket.write(then), everyMs);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (drip !== null) clearInterval(drip);
      resolve({ name, status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), ms: performance.now() - startedAt });
    });
  });
}
