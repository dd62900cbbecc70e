/**
 * A fake engine for what takes a real one too long or what it refuses: a list of 100,000 rows and more, hostile names
 * in every place at once, and everything wrong at once. It tells what it was made with and never changes; commands that
 * no such screen asks are unknown.
 */
import { gzipSync } from 'node:zlib';
import type { Channel, Handlers } from '../../src/contract/channel.ts';
import { commands } from '../../src/contract/commands.ts';
import { ContractError } from '../../src/contract/errors.ts';
import { serveContract } from '../../src/contract/serve.ts';
import type {
  DestinationView,
  ListenerView,
  MessageDetail,
  MessageRow,
  RawRequestView,
  StatusView,
} from '../../src/contract/values.ts';
import { notSending } from '../../src/core/model/not-sending.ts';
import { makeBodies, makeRow, makeSources, makeWebhooks, SIGNATURE } from './fake-data.ts';
import { fakeDestination } from './fake-destination.ts';
import { fakeHello, fakeStatus } from './fake-values.ts';

export interface FakeOptions {
  /** Messages, by default 400. */
  readonly rows?: number;
  readonly hostile?: boolean;
  readonly listener?: Partial<ListenerView>;
  readonly storeWritable?: boolean;
  readonly secret?: DestinationView['secret'];
}

export interface FakeEngine {
  /** Serves one more client. Returns what ends that. */
  connect(channel: Channel): () => void;
}

const LISTENING: ListenerView = { state: 'listening', port: 8765, message: null, holder: null };
const SECRET: DestinationView['secret'] = { state: 'set', last2: '12', length: 18 };
/** Neither text nor JSON. */
const HOSTILE_BODY = Buffer.from([0, 255, 0x7b, 0x22, 0xe2, 0x80, 0xae]);

export function createFakeEngine(options: FakeOptions = {}): FakeEngine {
  const handlers = handlersFor(options);
  return {
    connect: (channel) => {
      const peer = serveContract(channel, handlers, (error) => console.error(error));
      return () => peer.close();
    },
  };
}

function handlersFor({ rows: total = 400, hostile = false, ...wrong }: FakeOptions): Handlers {
  const now = Date.now();
  const row = (id: number): MessageRow => makeRow(id, { hostile, now, total });
  const status = statusOf(
    Array.from({ length: total }, (_, i) => row(i + 1)),
    wrong,
  );
  const hello = fakeHello({ workspace: '/home/dev/acme-shop/.hookbench', version: '0.1.0', shell: 'headless' }, status);
  const parts = {
    ...hello.parts,
    sources: makeSources(now, hostile),
    webhooks: makeWebhooks(now, hostile),
    destination: fakeDestination({ secret: wrong.secret ?? SECRET }),
    clock: { speed: 60, paused: false, wallAt: now, clockAt: now },
    audiences: { audiences: [], traits: [] },
  };
  const known: Partial<Handlers> = {
    'app.hello': () => ({ ...hello, parts }),
    'app.visibility': () => null,
    'messages.window': ({ fromRank, count }) => ({
      total,
      rows: Array.from({ length: Math.max(0, Math.min(count, total - fromRank)) }, (_, i) => row(fromRank + 1 + i)),
    }),
    'messages.list': ({ before = total + 1, limit }) => {
      const rows = Array.from({ length: Math.min(limit, before - 1) }, (_, i) => row(before - 1 - i));
      return { rows, nextBefore: rows.length < limit ? null : rows.at(-1)!.id };
    },
    'messages.get': ({ id }) => detailOf(row(id), hostile),
    'messages.raw': ({ id }) => rawOf(row(id), hostile),
  };
  const others = Object.keys(commands).map((name) => [
    name,
    () => {
      throw new ContractError('unknown_command', `The stand-in has no ${name}.`);
    },
  ]);
  return { ...Object.fromEntries(others), ...known } as Handlers;
}

function statusOf(
  rows: readonly MessageRow[],
  { listener, storeWritable = true, secret = SECRET }: FakeOptions,
): StatusView {
  const status = fakeStatus({ ...LISTENING, ...listener });
  const counts = { ...status.counts };
  for (const { state } of rows) counts[state] += 1;
  return {
    ...status,
    counts,
    total: rows.length,
    storeWritable,
    notSending: notSending({
      stopping: false,
      store: { writable: storeWritable, readable: true, damaged: false, full: false },
      secretReadable: secret.state !== 'unreadable',
      destination: { enabled: true, paused: false },
      webhooks: [{ enabled: true, readable: true }],
      clockPaused: false,
    }),
    storeBytes: rows.length * 4_100,
    inFlight: 3,
    nextDueAt: Date.now() + 4_000,
    perMinute: 31,
    requestsSeen: rows.length,
    rejectedSeen: counts.rejected,
  };
}

const REQUEST_HEADERS: RawRequestView['headers'] = [
  { name: 'Content-Type', value: 'application/json' },
  { name: 'Authorization', hiddenLength: 26 },
  { name: 'User-Agent', value: 'analytics-go (version: 3.3.0)' },
];

function detailOf(message: MessageRow, hostile: boolean): MessageDetail {
  return {
    message,
    sourceName: null,
    ...makeBodies(message, hostile),
    signature: SIGNATURE,
    schedule: null,
    request: {
      id: message.id,
      method: 'POST',
      path: '/v1/batch',
      status: 200,
      receivedAt: message.receivedAt,
      decodedBytes: message.size + 120,
      encoding: 'gzip',
      headers: REQUEST_HEADERS,
      writeKey: 'wk_dev_7f3a9c',
    },
    attempts: [],
    replays: [],
    lineUps: [],
  };
}

/** The body of every second message is compressed, that of every third hostile one is not JSON. */
function rawOf(message: MessageRow, hostile: boolean): RawRequestView {
  const isGzip = message.id % 2 === 0;
  const body = hostile && message.id % 3 === 0 ? HOSTILE_BODY : Buffer.from(makeBodies(message, hostile).callJson);
  return {
    method: 'POST',
    path: '/v1/batch',
    headers: REQUEST_HEADERS,
    bodyBase64: (isGzip ? gzipSync(body) : body).toString('base64'),
    encoding: isGzip ? 'gzip' : null,
    decodedBase64: isGzip ? body.toString('base64') : null,
    position: 0,
    cutCalls: 0,
    fault: null,
  };
}
