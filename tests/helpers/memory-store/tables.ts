/** The tables of the memory store. */
import type { AudienceUser } from '../../../src/core/model/audience-user.ts';
import type { Source, Webhook } from '../../../src/core/model/records.ts';
import type {
  AttemptRecord,
  LineUpRecord,
  MessageRecord,
  ReplayJobRecord,
  ReplayRecord,
  RequestRecord,
} from '../../../src/core/model/stored.ts';
import type { StoredAudience } from '../../../src/core/store/ports/audiences.ts';
import type { DeletionRecord, DeletionUserRecord, NoticeRecord } from '../../../src/core/store/ports/deletions.ts';
import type { AttemptsRow, MetricWebhookRow, MinuteRow } from '../../../src/core/store/ports/metrics.ts';
import type { StoredReceiver } from '../../../src/core/store/ports/receivers.ts';
import type { Suppression } from '../../../src/core/store/ports/suppressions.ts';
import type { StoredCall, StoredSync } from '../../../src/core/store/ports/syncs.ts';
import { Journal, Table } from './table.ts';

/** The delivered bytes of a message, or false when a test has damaged them. */
export interface Body {
  readonly wire: Uint8Array;
  readonly isSound: boolean;
}

export interface StoredAttempt extends AttemptRecord {
  readonly responseBody: Uint8Array | null;
}

export interface StoredReplay extends ReplayRecord {
  readonly body: Uint8Array | null;
}

export interface StoredRequest extends RequestRecord {
  /** Of a refused request. */
  readonly fingerprint: string | null;
}

export interface SealedWebhook extends Omit<Webhook, 'headers'> {
  readonly sealedHeaders: Uint8Array;
}

export class Tables {
  readonly journal = new Journal();
  readonly requests = this.#table<StoredRequest>();
  readonly messages = this.#table<MessageRecord>();
  readonly bodies = this.#table<Body>();
  readonly attempts = this.#table<StoredAttempt>();
  readonly replays = this.#table<StoredReplay>();
  readonly replayJobs = this.#table<ReplayJobRecord>();
  readonly lineUps = this.#table<LineUpRecord>();
  readonly minutes = this.#table<MinuteRow>();
  readonly minuteAttempts = this.#table<AttemptsRow>();
  readonly metricWebhooks = this.#table<MetricWebhookRow>();
  readonly receivers = this.#table<StoredReceiver>();
  readonly sources = this.#table<Source & { readonly madeByKey: boolean }>();
  readonly webhooks = this.#table<SealedWebhook>();
  readonly audiences = this.#table<StoredAudience & { readonly removed: boolean }>();
  /** By audience and user. */
  readonly audienceUsers = this.#table<AudienceUser & { readonly audienceId: number }>();
  readonly syncs = this.#table<StoredSync>();
  /** By sync and position. */
  readonly syncCalls = this.#table<StoredCall & { readonly syncId: number }>();
  readonly deletionRequests = this.#table<DeletionRecord>();
  readonly deletionUsers = this.#table<DeletionUserRecord & { readonly requestId: number }>();
  readonly deletionNotices = this.#table<NoticeRecord>();
  readonly suppressions = this.#table<Suppression>();
  /** How many calls were cut out of a request. */
  readonly cuts = this.#table<number>();
  /** JSON texts. */
  readonly settings = this.#table<string>();
  readonly secrets = this.#table<Uint8Array>();

  #table<R>(): Table<R> {
    return new Table<R>(this.journal);
  }
}
