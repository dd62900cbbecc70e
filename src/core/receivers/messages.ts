/** What passes between the engine and the receivers' worker: plain values only. */
import type { Hit } from './hit-log.ts';
import type { ListenerState } from './listen.ts';
import type { Receiver } from './program.ts';
import type { ReceiverState } from './receiver-set.ts';
import type { SentRequest } from './same-request.ts';
import type { Scheme } from './server.ts';

export interface HitPage {
  readonly rows: readonly Hit[];
  readonly kept: number;
  readonly nextBefore: number | null;
}

export interface HitBytes {
  readonly hit: Hit;
  /** Names and values as received, flat. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Its place on the wire, made by `wireKey`. */
  readonly wire: string;
}

/** What can be asked, each with its argument and answer. */
export interface Questions {
  /** The whole set. Answered once it is served. */
  configure: [readonly Receiver[], null];
  listen: [{ readonly scheme: Scheme; readonly port: number }, ListenerState];
  hits: [{ readonly id: string; readonly before: number; readonly limit: number }, HitPage];
  /** Null: it left the log, or never was in it. */
  hit: [{ readonly id: string; readonly hit: number }, HitBytes | 'of_log_before' | null];
  /** The id of the request of this attempt, or null when it is not kept. */
  find: [SentRequest, number | null];
  restart: [{ readonly id: string }, null];
  clear: [{ readonly id: string }, null];
  /** Counts the kept requests that are about these users, notices of their deletion excepted; `forGood` removes them. */
  erase: [{ readonly userIds: readonly string[]; readonly forGood: boolean }, number];
}
export type QuestionName = keyof Questions;

export type ToReceivers =
  /** Never logged, never sent back. */
  | { readonly type: 'secret'; readonly secret: string | null }
  | { readonly type: 'ask'; readonly n: number; readonly name: QuestionName; readonly argument: unknown };

export type FromReceivers =
  | { readonly type: 'answer'; readonly n: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly n: number; readonly message: string }
  | { readonly type: 'changed'; readonly states: readonly ReceiverState[] };
