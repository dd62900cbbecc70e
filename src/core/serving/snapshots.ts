/** What a client is told at a moment: the whole at first, then batches; with the counters that only memory has. */
import type { ChangeBatch, Hello, HttpsView, StatusView, WebhookView, WorkspaceInfo } from '../../contract/values.ts';
import type { Dispatcher } from '../delivery/dispatcher.ts';
import type { RetryClock } from '../delivery/retry-clock.ts';
import type { Doors } from '../ingest/server.ts';
import type { AttemptResult } from '../model/attempt.ts';
import { type NotSendingReason, notSending } from '../model/not-sending.ts';
import type { Webhook } from '../model/records.ts';
import type { Ports } from '../ports.ts';
import type { ReceiversLab } from '../receivers/lab.ts';
import type { Retention } from '../retention/retention.ts';
import type { Stores } from '../store/stores.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Pending } from './feed.ts';
import { RecentAttempts, refusal } from './recent-attempts.ts';
import { type Counters, MinuteRate } from './status.ts';
import type { Tally } from './tally.ts';
import { messageRow, sourceView, webhookView } from './views.ts';

/** The size is read for every batch, so it is kept for this long. */
const STORE_BYTES_MS = 1_000;

/** What snapshots are taken of. */
export interface Observed {
  readonly ports: Ports;
  readonly stores: Stores;
  readonly workspace: Workspace;
  readonly dispatcher: Dispatcher;
  readonly retryClock: RetryClock;
  readonly retention: Retention;
  readonly receivers: ReceiversLab;
  readonly doors: Doors;
  readonly badTexts: Tally;
}

/** The status is told at any time, also while the store cannot be read. */
function readable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

export class Snapshots {
  readonly #of: Observed;
  readonly #counters: Counters;
  readonly #info: Omit<WorkspaceInfo, 'name'>;
  readonly #rate: MinuteRate;
  readonly #recent: RecentAttempts;
  #storeBytes = { at: Number.NEGATIVE_INFINITY, bytes: 0 };
  #requestsSeen = 0;
  #rejectedSeen = 0;

  constructor(of: Observed, counters: Counters, info: Omit<WorkspaceInfo, 'name'>) {
    this.#of = of;
    this.#counters = counters;
    this.#info = info;
    this.#rate = new MinuteRate(of.ports.clock);
    this.#recent = new RecentAttempts(of.stores.lists.recentAttempts(RecentAttempts.READ));
  }

  /** Messages were stored. */
  received(messages: number): void {
    this.#rate.add(messages);
  }

  /** A request was answered. */
  answered(rejected: number): void {
    this.#requestsSeen += 1;
    this.#rejectedSeen += rejected;
  }

  /** An attempt at `webhook`, as it was then, ended. */
  recorded(
    webhook: Pick<Webhook, 'id' | 'name' | 'url'>,
    { outcome, status, reason, certificate }: AttemptResult,
    at: number,
  ): void {
    this.#recent.add(webhook, { outcome, status, reason, at });
    if (certificate !== null)
      this.#recent.saw(webhook.id, webhook.url, { info: certificate, reason: refusal(outcome, reason), at });
  }

  status(): StatusView {
    const { dispatcher, workspace, retention, stores, doors } = this.#of;
    const { writer } = stores;
    return {
      listener: doors.listening,
      https: this.https(),
      tlsHellos: doors.tlsHellos.seen,
      badTexts: this.#of.badTexts.seen,
      storeWritable: writer.writable,
      notSending: this.#notSending(),
      counts: this.#counters.byState(),
      total: this.#counters.total(),
      storeBytes: this.storeBytes(),
      storage: { ...workspace.storageLimits, full: retention.full },
      inFlight: dispatcher.inFlight,
      nextDueAt: this.#nextDueAt(),
      perMinute: this.#rate.total(),
      requestsSeen: this.#requestsSeen,
      rejectedSeen: this.#rejectedSeen,
    };
  }

  https(): HttpsView {
    return { ...this.#of.doors.https.state, authority: this.#of.doors.authority.known() };
  }

  #notSending(): NotSendingReason[] {
    const { dispatcher, workspace, retention, retryClock, stores } = this.#of;
    const store = {
      writable: stores.writer.writable,
      readable: !dispatcher.guard.unreadable,
      damaged: stores.damage.known,
      full: retention.full,
    };
    return notSending({
      stopping: dispatcher.stopping,
      store,
      secretReadable: workspace.secret.state !== 'unreadable',
      destination: workspace.destinationSettings,
      webhooks: workspace.webhooks,
      clockPaused: retryClock.state.paused,
    });
  }

  /** Bytes in use in the store's file, at most a second old. Never throws: what was known stands in. */
  storeBytes(): number {
    const now = this.#of.ports.clock.mono();
    if (now - this.#storeBytes.at < STORE_BYTES_MS) return this.#storeBytes.bytes;
    const bytes = readable(() => this.#of.stores.lists.bytes(), this.#storeBytes.bytes);
    this.#storeBytes = { at: now, bytes };
    return bytes;
  }

  #nextDueAt(): number | null {
    const { stores, retryClock } = this.#of;
    return readable(() => stores.deliveries.nextRoundAfter(retryClock.now()), null);
  }

  /** Differs when something changed that no commit tells of. */
  fingerprint(): string {
    const { perMinute, inFlight, nextDueAt, listener, notSending, storage } = this.status();
    return JSON.stringify([perMinute, inFlight, nextDueAt, listener, notSending, storage.full]);
  }

  webhook(id: number): WebhookView {
    const webhook = this.#of.workspace.webhooks.find((one) => one.id === id)!;
    return this.#webhookView(webhook);
  }

  hello(epoch: string, seq: number, reset: boolean): Hello {
    const { workspace, retryClock } = this.#of;
    const name = this.#info.folder.split(/[\\/]/).filter(Boolean).at(-1) ?? 'workspace';
    return {
      epoch,
      seq,
      reset,
      workspace: { name, ...this.#info },
      status: this.status(),
      clock: retryClock.state,
      sources: workspace.sources.map(sourceView),
      webhooks: this.#webhooks(),
      destination: workspace.destinationView(),
      ingest: workspace.ingestView(),
      receivers: this.#of.receivers.view(),
      faults: this.#of.doors.faults.view(),
    };
  }

  batch({ messages, removed, parts, reset }: Pending, seq: number): ChangeBatch {
    const { stores, workspace, retryClock } = this.#of;
    return {
      seq,
      reset,
      messages: stores.lists.messages(messages).map(messageRow),
      removedMessages: [...removed],
      ...(parts.has('sources') && { sources: workspace.sources.map(sourceView) }),
      ...(parts.has('webhooks') && { webhooks: this.#webhooks() }),
      ...(parts.has('destination') && { destination: workspace.destinationView() }),
      ...(parts.has('ingest') && { ingest: workspace.ingestView() }),
      ...(parts.has('receivers') && { receivers: this.#of.receivers.view() }),
      ...(parts.has('faults') && { faults: this.#of.doors.faults.view() }),
      ...(parts.has('clock') && { clock: retryClock.state }),
      status: this.status(),
    };
  }

  #webhooks(): WebhookView[] {
    return this.#of.workspace.webhooks.map((webhook) => this.#webhookView(webhook));
  }

  #webhookView(webhook: Webhook): WebhookView {
    const { id, url } = webhook;
    return webhookView(webhook, this.#recent.of(webhook), this.#recent.certificateOf(id, url));
  }
}
