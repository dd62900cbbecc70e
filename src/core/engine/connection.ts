/** One connection of a client: its commands, and its subscription to what changes. */
import type { Channel, ClientPeer } from '../../contract/channel.ts';
import type { WorkspaceInfo } from '../../contract/live.ts';
import { serveContract } from '../../contract/serve.ts';
import type { FeedReader, Subscription } from '../serving/feed.ts';
import type { Connection } from '../serving/handlers/app.ts';
import type { Surface } from '../serving/handlers/webhooks.ts';
import { allParts, batchOf, type LiveReaders } from '../serving/live.ts';
import { createHandlers } from './handlers.ts';
import { liveReaders } from './live-readers.ts';
import type { EngineParts } from './parts.ts';

export interface ServedEngine {
  readonly parts: EngineParts;
  /** New at each start. */
  readonly epoch: string;
  readonly info: WorkspaceInfo;
}

/** Serves the contract on a channel. Returns a function to call when the channel has closed. */
export function serveClient(engine: ServedEngine, channel: Channel, surface: Surface): () => void {
  const { badTexts, ports } = engine.parts;
  const subscriber = new Subscriber(engine, () => peer);
  const peer = serveContract(
    channel,
    createHandlers(engine.parts, subscriber, surface),
    (error) => ports.logger.log('error', 'contract_bug', { error: textOf(error) }),
    (problem) => badTexts.add({ problem }),
  );
  return () => {
    subscriber.close();
    peer.close();
  };
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

class Subscriber implements Connection {
  readonly #engine: ServedEngine;
  readonly #readers: LiveReaders;
  readonly #reader: FeedReader;
  #subscription: Subscription | null = null;

  constructor(engine: ServedEngine, peer: () => ClientPeer) {
    this.#engine = engine;
    this.#readers = liveReaders(engine.parts);
    const { lists } = engine.parts.stores;
    this.#reader = { take: (pending) => peer().changes(batchOf(pending, lists, this.#readers)) };
  }

  hello(since: { epoch: string; seq: number } | undefined): ReturnType<Connection['hello']> {
    const { epoch, info, parts } = this.#engine;
    this.#subscription?.close();
    const { subscription, resumed } = parts.feed.subscribe(this.#reader, since?.epoch === epoch ? since.seq : null);
    this.#subscription = subscription;
    return {
      epoch,
      seq: parts.feed.seq,
      reset: since !== undefined && !resumed,
      workspace: info,
      parts: allParts(this.#readers),
    };
  }

  setHidden(hidden: boolean): void {
    this.#subscription?.setHidden(hidden);
  }

  close(): void {
    this.#subscription?.close();
  }
}
