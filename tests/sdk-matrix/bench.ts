/** The real engine in this process with a receiver behind it, and every request as ingest was handed it. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Client, connectContract } from '../../src/contract/channel.ts';
import type { MessageRow } from '../../src/contract/values.ts';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { systemIds } from '../../src/core/adapters/ids.ts';
import { createSystemRandom } from '../../src/core/adapters/random.ts';
import { createSealer } from '../../src/core/adapters/sealer.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import type { IngestRequest } from '../../src/core/ingest/request.ts';
import { openStores } from '../../src/core/store/stores.ts';
import { channelPair } from '../helpers/channel-pair.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';

export const WRITE_KEY = 'wk_matrix';
const ENDED = new Set(['delivered', 'rejected', 'not_selected', 'failed', 'expired', 'stopped']);
const LIMIT_MS = 20_000;

/** One request with what was answered and the calls found in it. */
export interface Seen {
  readonly request: IngestRequest;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly calls: readonly Readonly<Record<string, unknown>>[];
}

export interface Bench {
  readonly port: number;
  readonly httpsPort: number;
  /** File of the certificate to trust. */
  readonly authorityFile: string;
  readonly client: Client;
  readonly receiver: Receiver;
  /** Requests that brought calls since the last time this was asked. */
  taken(): Seen[];
  /** Rows by messageId once all of them are final. */
  rowsOf(messageIds: readonly string[]): Promise<Map<string, MessageRow>>;
  stop(): Promise<void>;
}

export async function startBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-matrix-'));
  const receiver = await startReceiver();
  const engine = engineIn(folder, receiver.url);
  const seen: Seen[] = [];
  const handle = engine.parts.ingest.handle.bind(engine.parts.ingest);
  engine.parts.ingest.handle = async (request) => {
    const answer = await handle(request);
    seen.push(seenOf(request, answer.status));
    return answer;
  };
  const { listener, https } = await engine.start();
  const [mine, theirs] = channelPair();
  const hangUp = engine.connect(theirs);
  const client = connectContract(mine, () => {});
  const { file: authorityFile } = await client.call('ingest.authority');
  return {
    port: listener.port,
    httpsPort: https?.port ?? 0,
    authorityFile,
    client,
    receiver,
    taken: () => seen.splice(0).filter(({ calls, request }) => calls.length > 0 || request.target.includes('/pixel/')),
    rowsOf: (messageIds) => finalRows(client, messageIds),
    stop: async () => {
      client.close();
      hangUp();
      await engine.stop();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function engineIn(workspace: string, hook: string): Engine {
  const options = {
    workspace,
    version: '0.0.0',
    shell: 'headless' as const,
    controlSocket: false,
    ingestPort: 0,
    httpsPort: 0,
    config: {
      sources: [{ name: 'matrix', writeKey: WRITE_KEY, kind: 'server' as const, enabled: true, webhooks: true }],
      webhooks: { entries: [{ name: 'receiver', url: hook, headers: {}, enabled: true }] },
    },
  };
  return new Engine(options, {
    clock: systemClock,
    timers: systemTimers,
    random: createSystemRandom(),
    ids: systemIds,
    logger: { log: () => {} },
    sealer: createSealer(Buffer.alloc(32, 5)),
    transport: ({ ownPorts, authorities }) =>
      createHttpTransport({ clock: systemClock, timers: systemTimers, ownPorts, ca: authorities }),
    readFile: readFileSync,
    openStore: openStores,
  });
}

function seenOf(request: IngestRequest, status: number): Seen {
  const body = bodyOf(request);
  const calls = Array.isArray(body.batch) ? body.batch : 'messageId' in body || 'type' in body ? [body] : [];
  return { request, status, body, calls };
}

function bodyOf({ body, headers, target }: IngestRequest): Record<string, unknown> {
  const query = new URL(target, 'http://localhost').searchParams;
  const data = query.get('data');
  if (data !== null) return JSON.parse(Buffer.from(data, 'base64').toString()) as Record<string, unknown>;
  if (target.includes('/pixel/')) return Object.fromEntries(query);
  const gzip = headers.some(([name, value]) => name.toLowerCase() === 'content-encoding' && value === 'gzip');
  try {
    const value: unknown = JSON.parse((gzip ? gunzipSync(body) : Buffer.from(body)).toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

async function finalRows(client: Client, messageIds: readonly string[]): Promise<Map<string, MessageRow>> {
  const until = Date.now() + LIMIT_MS;
  for (;;) {
    const { rows } = await client.call('messages.list', { filter: {}, limit: 1000 });
    const found = new Map(rows.map((row) => [row.messageId, row]));
    if (messageIds.every((id) => ENDED.has(found.get(id)?.state ?? ''))) return found;
    const missing = messageIds.filter((id) => !ENDED.has(found.get(id)?.state ?? ''));
    if (Date.now() > until) throw new Error(`These calls did not arrive: ${missing.join(', ')}`);
    await new Promise<void>((resolve) => setTimeout(resolve, 20));
  }
}
