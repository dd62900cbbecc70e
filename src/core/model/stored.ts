/** What a store keeps, as its readers see it. Times are epoch milliseconds; those called `clock`, `due` or `window` are of the retry clock. */
import type { AttemptResult } from './attempt.ts';
import type { Note } from './message.ts';
import type { KeptHeader } from './static-headers.ts';
import type {
  Cells,
  MessageState,
  MessageType,
  Origin,
  Outcome,
  ReplayEnd,
  ReplayJobState,
  SentBody,
} from './vocabulary.ts';

/** A message without its bodies. */
export interface MessageRecord {
  /** Grows with arrival. */
  readonly id: number;
  readonly messageId: string;
  readonly sourceId: number | null;
  readonly requestId: number;
  /** Place in its request, from 0. */
  readonly position: number;
  readonly origin: Origin;
  readonly type: MessageType;
  readonly name: string;
  readonly userId: string | null;
  readonly anonymousId: string | null;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly reasonDetail: string | null;
  readonly receivedAt: number;
  /** Bytes of the call as compact JSON. */
  readonly size: number;
  /** Rounds begun so far. */
  readonly round: number;
  readonly nextDueAt: number | null;
  readonly firstAttemptAt: number | null;
  readonly windowEndsAt: number | null;
  readonly finishedAt: number | null;
  readonly cells: Cells;
  readonly repeats: number;
  readonly replays: number;
  readonly notes: readonly Note[];
}

/** One HTTP request as it was received; secrets among its headers are lengths. */
export interface RequestRecord {
  readonly id: number;
  readonly receivedAt: number;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly KeptHeader[];
  readonly body: Uint8Array;
  readonly encoding: string | null;
  readonly decodedBytes: number;
  readonly writeKey: string | null;
  readonly sourceId: number | null;
  readonly status: number;
  readonly code: string | null;
}

/** What is kept of an attempt's result beside its outcome, status and duration. */
export interface StoredResult
  extends Pick<
    AttemptResult,
    'reason' | 'detail' | 'statusText' | 'responseHeaders' | 'responseBytes' | 'responseCut' | 'certificate'
  > {
  /** Queue, DNS, TCP, TLS, certificate, send, wait, read; milliseconds or null. */
  readonly phases: readonly (number | null)[];
  /** `[name, value]`, or `[name, null, length]` of a secret one. */
  readonly requestHeaders: readonly KeptHeader[];
}

/** One try at one webhook, which is named as it was then. */
export interface AttemptRecord {
  readonly id: number;
  /** Row id of the message. */
  readonly messageId: number;
  /** Null for the engine's own attempts. */
  readonly replayId: number | null;
  readonly webhookId: number;
  readonly slot: number;
  readonly webhookName: string;
  readonly url: string;
  readonly round: number;
  /** Wall time, epoch milliseconds. */
  readonly startedAt: number;
  /** Retry-clock time. */
  readonly clockAt: number;
  /** Null while it is open. */
  readonly outcome: Outcome | null;
  readonly status: number | null;
  readonly durationMs: number | null;
  /** Null while it is open, or when it can no longer be read. */
  readonly result: StoredResult | null;
}

export interface ReplayRecord {
  readonly id: number;
  readonly messageId: number;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  /** A target that is no webhook has a negative id: -1 is the first of this replay. */
  readonly webhookIds: readonly number[];
  readonly sent: SentBody;
  readonly signed: boolean;
  /** Retry-clock time after which no attempt begins; null for a replay that tries each target once. */
  readonly retryUntil: number | null;
  /** Retry-clock time of its next round, while it waits for one. */
  readonly nextAt: number | null;
  /** Null while it runs, and for replays from before Hookbench recorded it. */
  readonly ended: ReplayEnd | null;
}

/** A replay of many messages. `begun`, `removed` and `damaged` together never exceed `total`. */
export interface ReplayJobRecord {
  readonly id: number;
  readonly createdAt: number;
  /** Null while it runs. */
  readonly finishedAt: number | null;
  readonly state: ReplayJobState;
  /** Why it failed. */
  readonly problem: string | null;
  /** Messages to replay. */
  readonly total: number;
  /** Webhooks and URLs that each message goes to. */
  readonly targets: number;
  /** Messages a second at most. */
  readonly rate: number;
  /** Replays stored and under way, or ended. */
  readonly begun: number;
  /** Their messages were removed or erased meanwhile. */
  readonly removed: number;
  /** Nothing of them can be read that could be sent. */
  readonly damaged: number;
}

/** The webhooks in force for attempts with an id above `afterAttempt`, until the next line-up. */
export interface LineUpRecord {
  readonly afterAttempt: number;
  /** By slot. */
  readonly webhooks: ReadonlyArray<{
    readonly id: number;
    readonly slot: number;
    readonly name: string;
    readonly enabled: boolean;
  }>;
}
