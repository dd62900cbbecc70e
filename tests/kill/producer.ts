/**
 * The producer of a kill run, a separate process that behaves like an SDK. It makes calls at a fixed rate, whether
 * anybody listens or not. It sends an unanswered batch again, byte for byte, until the answer is 200. Arguments: log
 * file of the acknowledged message ids, ingest port, calls a second.
 */
import { createWriteStream } from 'node:fs';
import { Agent, request } from 'node:http';
import { type FromProducer, type ToProducer, WRITE_KEY } from './messages.ts';

const [, , logFile, port, rate] = process.argv;
const PER_SECOND = Number(rate);
const SENDERS = 10;
/** Calls per request, in turn. */
const SIZES = [1, 5, 10, 4];
const AGAIN_MS = 20;
const TICK_MS = 5;

interface Batch {
  readonly ids: readonly string[];
  readonly body: string;
}

const log = createWriteStream(logFile!);
const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
const queue: Batch[] = [];
let waiting: string[] = [];
let sent = 0;
let acknowledged = 0;
let otherAnswers = 0;
let batches = 0;
let isStopping = false;
const startedAt = performance.now();

const say = (message: FromProducer): void => void process.send!(message);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const callOf = (id: string): object => ({
  type: 'track',
  messageId: id,
  userId: `user-${sent % 97}`,
  event: 'Killed Or Not',
  timestamp: new Date().toISOString(),
  properties: { id, note: 'x'.repeat(100) },
});

function close(ids: readonly string[]): void {
  batches += 1;
  queue.push({ ids, body: JSON.stringify({ batch: ids.map(callOf), sentAt: new Date().toISOString() }) });
}

function generate(): void {
  const due = Math.floor(((performance.now() - startedAt) / 1000) * PER_SECOND);
  for (; sent < due; sent++) {
    waiting.push(`kill-${process.pid}-${sent}`);
    if (waiting.length < SIZES[batches % SIZES.length]!) continue;
    close(waiting);
    waiting = [];
  }
}

/** The status, or 0 without an answer. */
function post({ body }: Batch): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      Authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString('base64')}`,
    };
    const client = request({ host: '127.0.0.1', port, path: '/v1/batch', method: 'POST', headers, agent }, (answer) => {
      answer.on('data', () => {});
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', () => resolve(0));
    });
    client.setTimeout(10_000, () => client.destroy(new Error('no answer')));
    client.on('error', () => resolve(0));
    client.end(body);
  });
}

async function send(): Promise<void> {
  for (;;) {
    const batch = queue.shift();
    if (batch === undefined) {
      if (isStopping) return;
      await pause(TICK_MS);
      continue;
    }
    const status = await post(batch);
    if (status === 200) {
      acknowledged += batch.ids.length;
      log.write(`${batch.ids.join('\n')}\n`);
      continue;
    }
    if (status !== 0) otherAnswers += 1;
    queue.unshift(batch);
    await pause(AGAIN_MS);
  }
}

const generator = setInterval(generate, TICK_MS);
const senders = Array.from({ length: SENDERS }, send);
say({ type: 'started' });

process.on('message', async (message: ToProducer) => {
  if (message.type !== 'stop') return;
  clearInterval(generator);
  if (waiting.length > 0) close(waiting);
  isStopping = true;
  await Promise.all(senders);
  log.end(() => say({ type: 'done', sent, acknowledged, otherAnswers }));
});
process.on('disconnect', () => process.exit(0));
