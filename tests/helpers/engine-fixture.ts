/**
 * The real engine in this process, with real ports, sockets and store. Tests give a config and get the ingest URL, and
 * contract clients over channels in memory. `stop` (or the end of the test) undoes everything.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { type Channel, type Client, connectContract } from '../../src/contract/channel.ts';
import type { Config, ConfigHeader } from '../../src/contract/config.ts';
import type { ChangeBatch, Hello } from '../../src/contract/live.ts';
import type { AttemptView, MessageRow } from '../../src/contract/values.ts';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { systemIds } from '../../src/core/adapters/ids.ts';
import { createSystemRandom } from '../../src/core/adapters/random.ts';
import { createSealer } from '../../src/core/adapters/sealer.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import { Engine } from '../../src/core/engine/engine.ts';
import { openStores } from '../../src/core/store/stores.ts';
import { tempWorkspace } from './temp-workspace.ts';

export const WRITE_KEY = 'wk_test';

type GivenConfig = NonNullable<EngineSetup['config']>;
type Entry = { name?: string; url: string; headers?: Record<string, ConfigHeader>; enabled?: boolean };

/** A config as a user writes it. Fields with a default may be left out. */
export interface EngineSetup {
  /** A folder that the test keeps. By default a temporary one. */
  readonly workspace?: string;
  /** 32 bytes that seal the secrets. */
  readonly key?: Uint8Array;
  readonly config?: Config;
  /** By default 0, any free port. */
  readonly ingestPort?: number;
  readonly acceptAnyKey?: boolean;
  readonly acceptStore?: boolean;
  /** Opens the local socket of the command line too. */
  readonly controlSocket?: boolean;
  /** True keeps the search index and the moves of the store's log in the background thread. By default this one has both. */
  readonly backgroundThread?: boolean;
  /** True keeps people in their own thread. By default they are in that of the test. */
  readonly peopleThread?: boolean;
  /** From how many messages on there is a search index, by default 4,096. */
  readonly searchFrom?: number;
  /** True starts the receivers' worker, on any free ports unless the ports are given. */
  readonly receivers?: boolean | { readonly port?: number; readonly httpsPort?: number; readonly worker?: URL };
}

/** One source with {@link WRITE_KEY} and these webhooks. By default the clock runs 240 times as fast. */
export function configOf(
  urls: readonly (string | Entry)[],
  more: { secret?: string; speed?: 1 | 10 | 60 | 240; body?: 'documented' | 'pass-through' } = {},
): GivenConfig {
  const entries = urls.map((one, i) => {
    const {
      name = `webhook ${i + 1}`,
      url,
      headers = {},
      enabled = true,
    } = typeof one === 'string' ? { url: one } : one;
    return { name, url, headers, enabled };
  });
  return {
    sources: [{ name: 'test', writeKey: WRITE_KEY, kind: 'server', enabled: true, webhooks: true }],
    webhooks: { entries, body: more.body, sharedSecret: more.secret },
    clock: { speed: more.speed ?? 240 },
  };
}

export interface EngineClient {
  readonly client: Client;
  /** The answer to `app.hello`. */
  readonly hello: Hello;
  readonly batches: readonly ChangeBatch[];
  /** Looks now and after every batch until there is something. */
  until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T>;
  close(): void;
}

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface RunningEngine extends EngineClient {
  readonly engine: Engine;
  readonly workspace: string;
  readonly key: Uint8Array;
  readonly port: number;
  /** `http://127.0.0.1:PORT`; what an SDK takes as its host. */
  readonly ingest: string;
  readonly log: readonly LogLine[];
  /** Every text that went to a client. */
  readonly texts: readonly string[];
  connect(since?: { epoch: string; seq: number }): Promise<EngineClient>;
  /** Posts a call (or a batch) with {@link WRITE_KEY} and returns the status. */
  post(path: string, body: unknown, writeKey?: string): Promise<number>;
  /** Posts a track call and returns its messageId. */
  track(event: string, over?: Readonly<Record<string, unknown>>): Promise<string>;
  message(messageId: string): Promise<MessageRow | undefined>;
  /** The message once it satisfies `when`. */
  messageWhen(messageId: string, when: (row: MessageRow) => boolean): Promise<MessageRow>;
  /** The message in its final state. */
  final(messageId: string): Promise<MessageRow>;
  attempts(messageId: string): Promise<AttemptView[]>;
  /** Harmless when repeated. */
  stop(): Promise<void>;
}

const FINAL: ReadonlySet<string> = new Set(['rejected', 'not_selected', 'delivered', 'failed', 'expired', 'stopped']);

/** Two ends of a channel in memory. A text arrives in a later turn, as over a port. */
function channelPair(onText: (text: string) => void): [engine: Channel, client: Channel, cut: () => void] {
  const listeners: [engine: (text: string) => void, client: (text: string) => void] = [() => {}, () => {}];
  let isOpen = true;
  const end = (own: 0 | 1, heard: (text: string) => void): Channel => ({
    post: (text) => {
      heard(text);
      setImmediate(() => {
        if (isOpen) listeners[own === 0 ? 1 : 0](text);
      });
    },
    onText: (listener) => {
      listeners[own] = listener;
    },
    close: () => {
      isOpen = false;
    },
  });
  return [
    end(0, onText),
    end(1, () => {}),
    () => {
      isOpen = false;
    },
  ];
}

async function connectTo(
  engine: Engine,
  texts: string[],
  since?: { epoch: string; seq: number },
): Promise<EngineClient> {
  const batches: ChangeBatch[] = [];
  const waiting = new Set<() => void>();
  const [engineEnd, clientEnd, cut] = channelPair((text) => texts.push(text));
  const disconnect = engine.connect(engineEnd, 'app');
  const client = connectContract(clientEnd, (batch) => {
    batches.push(batch);
    for (const wake of [...waiting]) wake();
  });
  const hello = await client.call('app.hello', since === undefined ? {} : { since });
  const nextBatch = (seen: number): Promise<void> =>
    new Promise((resolve) => {
      if (batches.length > seen) return resolve();
      const wake = (): void => {
        waiting.delete(wake);
        resolve();
      };
      waiting.add(wake);
    });
  return {
    client,
    hello,
    batches,
    until: async (look) => {
      for (;;) {
        const seen = batches.length;
        const found = await look();
        if (found !== undefined) return found;
        await nextBatch(seen);
      }
    },
    close: () => {
      cut();
      disconnect();
      client.close();
    },
  };
}

export const RECEIVERS_WORKER = new URL('../../src/core/receivers/receivers-worker.ts', import.meta.url);

export const BACKGROUND_WORKER = new URL('../../src/core/engine/background-worker.ts', import.meta.url);

export const PEOPLE_WORKER = new URL('../../src/core/people/people-worker.ts', import.meta.url);

function receiverOptions(wanted: EngineSetup['receivers'] = false) {
  if (wanted === false) return {};
  const { port, httpsPort, worker = RECEIVERS_WORKER } = wanted === true ? { port: 0, httpsPort: 0 } : wanted;
  return { receiversWorker: worker, receiversPort: port, receiversHttpsPort: httpsPort };
}

/** Starts an engine, which the end of the test stops. Rejects as the engine does, and then leaves nothing running. */
export async function startEngine(setup: EngineSetup = {}): Promise<RunningEngine> {
  const workspace = setup.workspace ?? tempWorkspace();
  const key = setup.key ?? randomBytes(32);
  const log: LogLine[] = [];
  const texts: string[] = [];
  const options = {
    workspace,
    version: '0.0.0-test',
    shell: 'headless' as const,
    config: setup.config,
    ingestPort: setup.ingestPort ?? 0,
    acceptAnyKey: setup.acceptAnyKey,
    acceptStore: setup.acceptStore,
    controlSocket: setup.controlSocket ?? false,
    ...receiverOptions(setup.receivers),
    peopleWorker: setup.peopleThread === true ? PEOPLE_WORKER : undefined,
    backgroundWorker: setup.backgroundThread === true ? BACKGROUND_WORKER : undefined,
    searchFrom: setup.searchFrom,
  };
  const engine = new Engine(options, {
    clock: systemClock,
    timers: systemTimers,
    random: createSystemRandom(),
    ids: systemIds,
    logger: { log: (level, event, fields = {}) => void log.push({ level, event, fields }) },
    sealer: createSealer(key),
    transport: ({ ownPorts, authorities }) =>
      createHttpTransport({ clock: systemClock, timers: systemTimers, ownPorts, ca: authorities }),
    readFile: readFileSync,
    openStore: openStores,
  });
  const clients = new Set<EngineClient>();
  const stop = async (): Promise<void> => {
    for (const client of clients) client.close();
    await engine.stop();
  };
  onTestFinished(stop);
  const info = await engine.start().catch(async (error: unknown) => {
    await engine.stop();
    throw error;
  });
  const connect = async (since?: { epoch: string; seq: number }): Promise<EngineClient> => {
    const client = await connectTo(engine, texts, since);
    clients.add(client);
    return client;
  };
  const main = await connect();
  const { client, until } = main;
  const ingest = `http://127.0.0.1:${info.listener.port}`;

  const message = async (messageId: string): Promise<MessageRow | undefined> => {
    const rows = await client.call('messages.find', { messageId });
    return rows.toSorted((a, b) => b.id - a.id)[0];
  };
  const messageWhen = (messageId: string, when: (row: MessageRow) => boolean): Promise<MessageRow> =>
    until(async () => {
      const row = await message(messageId);
      return row !== undefined && when(row) ? row : undefined;
    });
  const post = async (path: string, body: unknown, writeKey: string = WRITE_KEY): Promise<number> => {
    const answer = await fetch(`${ingest}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`,
      },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  return {
    ...main,
    engine,
    workspace,
    key,
    port: info.listener.port,
    ingest,
    log,
    texts,
    connect,
    post,
    track: async (event, over = {}) => {
      const messageId = `m-${randomBytes(8).toString('hex')}`;
      const status = await post('/v1/track', { userId: 'user-1', event, messageId, ...over });
      if (status !== 200) throw new Error(`ingest answered ${status}`);
      return messageId;
    },
    message,
    messageWhen,
    final: (messageId) => messageWhen(messageId, ({ state }) => FINAL.has(state)),
    attempts: async (messageId) => {
      const row = await message(messageId);
      if (row === undefined) return [];
      return (await client.call('messages.attempts', { id: row.id })).attempts;
    },
    stop,
  };
}
