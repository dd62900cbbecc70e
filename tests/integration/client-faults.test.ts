/** Our client against servers that misbehave: nothing is lost that was not reported, nothing repeated without a reason. */
import { expect, onTestFinished, test } from 'vitest';
import { Client, type ClientOptions, type LossError, type Timers } from '../../src/client/index.ts';
import { type RawReceiver, startRawReceiver } from '../helpers/raw-receiver.ts';
import type { ReceiverKind } from '../helpers/receiver-behaviour.ts';
import { receiverKinds } from '../helpers/receiver-kinds.ts';
import { type Answer, type ReceivedRequest, startReceiver } from '../helpers/receivers.ts';

interface Message {
  readonly messageId: string;
}
const idsIn = (body: string | Buffer): string[] =>
  (JSON.parse(body.toString()) as { batch: readonly Message[] }).batch.map(({ messageId }) => messageId);

const FAST: ClientOptions = { size: 4, backoffMs: 1, backoffCapMs: 4 };

interface Run {
  readonly requests: readonly ReceivedRequest[];
  readonly losses: readonly LossError[];
  readonly outcome: Awaited<ReturnType<Client['close']>>;
}

/** 12 messages in three batches to a server that answers so. */
async function send(answer: (request: ReceivedRequest) => Answer, options: ClientOptions = {}): Promise<Run> {
  const receiver = await startReceiver(answer);
  onTestFinished(() => receiver.close());
  const losses: LossError[] = [];
  const client = new Client('wk', {
    endpoint: `http://127.0.0.1:${receiver.port}`,
    ...FAST,
    onError: (loss) => losses.push(loss),
    ...options,
  });
  for (let n = 0; n < 12; n++) expect(client.track({ userId: 'u', event: 'E', messageId: `m${n}` })).toBeNull();
  const outcome = await client.close();
  expect(outcome.losses).toEqual(losses);
  expect(outcome.sent + outcome.lost).toBe(12);
  return { requests: receiver.requests, losses, outcome };
}

/** The limit of a request ends when the test says so: on a busy machine a short real one might end too early. */
function limitOnDemand() {
  const timeoutMs = 77_777;
  const limits = new Set<() => void>();
  const timers: Timers = {
    after(delayMs, run) {
      if (delayMs !== timeoutMs) {
        const timer = setTimeout(run, delayMs);
        return { cancel: () => clearTimeout(timer) };
      }
      limits.add(run);
      return { cancel: () => void limits.delete(run) };
    },
  };
  const end = (): void => {
    for (const run of limits) run();
  };
  return { options: { timers, timeoutMs }, end };
}

const ALL = Array.from({ length: 12 }, (_, n) => `m${n}`);
const batches = (requests: readonly ReceivedRequest[]): string[] => requests.map(({ body }) => idsIn(body).join());
const [FIRST, SECOND, THIRD] = ['m0,m1,m2,m3', 'm4,m5,m6,m7', 'm8,m9,m10,m11'];

test('429 with Retry-After: waits that long, then sends the same messages', async () => {
  const { requests, outcome } = await send(({ number }) =>
    number === 1 ? { status: 429, headers: { 'Retry-After': '1' } } : { status: 200 },
  );
  expect(batches(requests)).toEqual([FIRST, FIRST, SECOND, THIRD]);
  expect(requests[1]!.at - requests[0]!.at).toBeGreaterThanOrEqual(990);
  expect(outcome).toMatchObject({ sent: 12, lost: 0 });
});

test('a burst of 503: each batch is repeated until it is taken, in order', async () => {
  const { requests, outcome } = await send(({ number }) => ({ status: number % 3 === 0 ? 200 : 503 }));
  expect(batches(requests)).toEqual([FIRST, SECOND, THIRD].flatMap((batch) => [batch, batch, batch]));
  expect(outcome).toMatchObject({ sent: 12, lost: 0 });
});

test('resets and stalls are repeated', async () => {
  const answers: readonly Answer[] = ['reset', 'hang', { status: 200 }];
  const limit = limitOnDemand();
  const { requests, outcome } = await send(({ number }) => {
    if (number === 2) limit.end();
    return answers[Math.min(number, 3) - 1]!;
  }, limit.options);
  expect(batches(requests)).toEqual([FIRST, FIRST, FIRST, SECOND, THIRD]);
  expect(outcome).toMatchObject({ sent: 12, lost: 0 });
});

test('an empty 200 is success, and nothing is repeated', async () => {
  const { requests, outcome } = await send(() => ({ status: 200 }));
  expect(batches(requests)).toEqual([FIRST, SECOND, THIRD]);
  expect(outcome).toMatchObject({ sent: 12, lost: 0 });
});

test('a redirect is neither followed nor taken for success', async () => {
  const { requests, losses } = await send(() => ({ status: 302, headers: { Location: '/elsewhere' } }));
  expect(requests.map(({ path }) => path)).toEqual(['/v1/batch', '/v1/batch', '/v1/batch']);
  expect(losses.map(({ code, status }) => [code, status])).toEqual(Array(3).fill(['rejected', 302]));
});

test('a server that is never there: ten tries, then every message is reported once', async () => {
  const { requests, losses, outcome } = await send(() => 'reset', { maxTries: 10 });
  expect(requests).toHaveLength(30);
  expect(outcome).toMatchObject({ sent: 0, lost: 12 });
  expect(losses.map(({ code, tries }) => [code, tries])).toEqual(Array(3).fill(['retries_exhausted', 10]));
  expect(losses.flatMap(({ messages }) => messages.map(({ messageId }) => messageId))).toEqual(ALL);
});

test('nobody listens: reported too, with the cause', async () => {
  const gone = await startReceiver();
  await gone.close();
  const client = new Client('wk', { endpoint: `http://127.0.0.1:${gone.port}`, ...FAST, logger: () => {} });
  client.track({ userId: 'u', event: 'E' });
  const { losses } = await client.close();
  expect(losses[0]).toMatchObject({ code: 'retries_exhausted', status: null, tries: 10 });
  expect(losses[0]!.message).toMatch(/^1 message lost after 10 tries: fetch failed: connect ECONNREFUSED/);
});

test('connections are kept and used again', async () => {
  const ports = new Set<string>();
  const raw = await startRawReceiver(({ socket, onRequest }) => {
    ports.add(String(socket.remotePort));
    onRequest(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"success":true}'));
  });
  onTestFinished(() => raw.close());
  const client = new Client('wk', { endpoint: raw.url, size: 1 });
  for (let n = 0; n < 30; n++) client.track({ userId: 'u', event: 'E' });
  await client.close();
  expect(raw.requests).toHaveLength(30);
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('a hundred requests at once, given up together, draw no warning from the platform', async () => {
  const warnings: string[] = [];
  const hear = (warning: Error): void => void warnings.push(warning.message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const receiver = await startReceiver('hang');
  onTestFinished(() => receiver.close());
  const losses: LossError[] = [];
  const endpoint = `http://127.0.0.1:${receiver.port}`;
  const client = new Client('wk', { endpoint, size: 1, concurrency: 100, onError: (loss) => losses.push(loss) });
  for (let n = 0; n < 150; n++) client.track({ userId: 'u', event: 'E' });
  await receiver.waitFor(100);
  expect(await client.close({ timeoutMs: 1 })).toMatchObject({ sent: 0, lost: 150 });
  expect(losses.map(({ code, tries }) => `${code} ${tries}`).sort()).toEqual([
    ...Array(50).fill('closed 0'),
    ...Array(100).fill('closed 1'),
  ]);
  expect(warnings).toEqual([]);
});

/**
 * Where the platform's fetch reads an answer otherwise than the engine's own transport: it undoes encodings, takes no
 * unasked 100 and any number of other interim answers, and takes RTSP and ICE for HTTP.
 */
const fetchDecides = /^(a body of a thousand encodings|100 Continue that|101 interim answers|RTSP|ICE)/;

const kinds = receiverKinds.filter(({ name }) => !name.includes('byte by byte'));

/** A whole 200 has the client's own limit. Where a 200 goes on without an end, the limit ends once its headers are here. */
function limitFor({ expected }: ReceiverKind): ClientOptions {
  if (expected.outcome !== 'accepted') return { timeoutMs: 150 };
  if (expected.cut !== true) return {};
  const limit = limitOnDemand();
  return {
    ...limit.options,
    async fetch(url, init) {
      const answer = await fetch(url, init);
      setImmediate(limit.end);
      return answer;
    },
  };
}

test.each(kinds)('a server of the kind "$name" loses nothing without a report', async (kind) => {
  const { name, behave, expected } = kind;
  const raw: RawReceiver = await startRawReceiver(behave);
  onTestFinished(() => raw.close());
  const losses: LossError[] = [];
  const client = new Client('wk', {
    endpoint: raw.url,
    ...FAST,
    ...limitFor(kind),
    maxTries: 2,
    onError: (loss) => losses.push(loss),
  });
  for (let n = 0; n < 8; n++) client.track({ userId: 'u', event: 'E', messageId: `m${n}` });
  const { sent, lost } = await client.close();
  expect(sent + lost).toBe(8);
  if (!fetchDecides.test(name)) expect(sent).toBe(expected.outcome === 'accepted' ? 8 : 0);
  const reported = losses.flatMap(({ messages }) => messages.map(({ messageId }) => messageId));
  expect(reported).toHaveLength(lost);
  expect(new Set(reported).size).toBe(lost);
  const { accepted, queued, queuedBytes } = client.stats;
  expect({ accepted, queued, queuedBytes }).toEqual({ accepted: 8, queued: 0, queuedBytes: 0 });
});
