/** Everything that ingest needs, in memory: a store that records, a workspace to set up, counted ids. */
import type { Ingest } from '../../src/core/ingest/ingest.ts';
import { createIngest } from '../../src/core/ingest/ingest.ts';
import {
  type IngestParts,
  type IngestStore,
  type StoredRequest,
  StoreNotWritableError,
} from '../../src/core/ingest/ports.ts';
import type { IngestSettings, NewMessage, NewRequest, Source, StoredMessage } from '../../src/core/model/records.ts';
import type { Clock, Ids, LogLevel } from '../../src/core/ports.ts';
import type { Arrived } from '../../src/core/store/ports/ingest.ts';

/** 2026-11-20T17:33:00.000Z */
export const NOON = Date.UTC(2026, 10, 20, 17, 33, 0);
export const KEY = 'wk_test';

export interface Kept {
  readonly request: NewRequest;
  readonly messages: readonly NewMessage[];
  readonly dedupe: boolean;
}

export class MemoryStore implements IngestStore {
  readonly kept: Kept[] = [];
  /** What the next calls reject with. */
  failure: Error | null = null;
  /** When set, writes resolve only after it does, as after a slow commit. */
  gate: Promise<void> | null = null;
  #nextId = 1;
  readonly #first = new Map<string, number>();

  async storeRequest({ request, messages, dedupe }: Arrived): Promise<readonly StoredMessage[]> {
    await this.gate;
    if (this.failure !== null) throw this.failure;
    this.kept.push({ request, messages, dedupe });
    return messages.map((message) => this.#storeOne(`${request.sourceId} ${message.messageId}`, dedupe));
  }

  #storeOne(key: string, dedupe: boolean): StoredMessage {
    const first = this.#first.get(key);
    if (dedupe && first !== undefined) return { id: first, duplicate: true };
    const id = this.#nextId++;
    this.#first.set(key, id);
    return { id, duplicate: false };
  }

  get messages(): NewMessage[] {
    return this.kept.flatMap((kept) => kept.messages);
  }
}

export const notWritable = () => new StoreNotWritableError('database or disk is full');

export function sourceWith(over: Partial<Source> = {}): Source {
  const source: Source = {
    id: 1,
    name: 'checkout-api',
    writeKey: KEY,
    kind: 'server',
    enabled: true,
    webhooks: true,
    eventsOff: new Set(),
    createdAt: 0,
  };
  return { ...source, ...over };
}

export interface World extends IngestParts {
  readonly store: MemoryStore;
  readonly ingest: Ingest;
  readonly sources: Source[];
  readonly made: string[];
  readonly answered: { status: number; code: string | null; calls: number; rejected: number }[];
  readonly observed: { messages: readonly NewMessage[]; ids: readonly StoredMessage[] }[];
  readonly logged: { level: LogLevel; event: string; fields: object | undefined }[];
  settings: IngestSettings;
  destinationNow: { enabled: boolean; body: 'documented' | 'pass-through'; webhookCount: number };
  /** Epoch milliseconds of the next request. */
  now: number;
  port: number;
  allowedOrigins: string[];
  /** When set, making a source waits for it. */
  sourceGate: Promise<void> | null;
}

/** A workspace with one source and one webhook, in Segment mode. */
export function makeWorld(): World {
  const store = new MemoryStore();
  let ids = 0;
  const world: Omit<World, 'ingest'> = {
    store,
    sources: [sourceWith()],
    made: [] as string[],
    answered: [] as World['answered'],
    observed: [] as World['observed'],
    logged: [] as World['logged'],
    settings: { mode: 'segment', acceptAnyKey: false, dedupe: true, correctEveryTimestamp: false } as IngestSettings,
    destinationNow: { enabled: true, body: 'documented', webhookCount: 1 } as World['destinationNow'],
    now: NOON,
    port: 8765,
    allowedOrigins: [] as string[],
    sourceGate: null,
    clockNow: () => world.now,
    clock: { wall: () => world.now, mono: () => world.now } satisfies Clock,
    ids: {
      uuid: () => {
        ids += 1;
        return `assigned-${ids}`;
      },
      hex: (bytes: number) => 'ab'.repeat(bytes),
    } satisfies Ids,
    logger: {
      log: (level: LogLevel, event: string, fields?: object) => void world.logged.push({ level, event, fields }),
    },
    observer: {
      stored: ({ messages, stored }: StoredRequest) => void world.observed.push({ messages, ids: stored }),
      answered: (summary: World['answered'][number]) => void world.answered.push(summary),
    },
    workspace: {
      sourceByKey: (key: string) => world.sources.find((source) => source.writeKey === key),
      createSource: async (key: string) => {
        world.made.push(key);
        await world.sourceGate;
        if (world.made.length > 50) return undefined;
        const source = sourceWith({ id: world.sources.length + 1, name: key, writeKey: key });
        world.sources.push(source);
        return source;
      },
      settings: () => world.settings,
      destination: () => world.destinationNow,
      port: () => world.port,
      allowsOrigin: (origin: string) => world.allowedOrigins.includes(origin),
    },
  };
  return Object.assign(world, { ingest: createIngest(world) });
}

export const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

export const textOf = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('utf8');
