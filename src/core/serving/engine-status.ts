/** The status that clients get: counters, listeners, room in the store, and why nothing is sent. */
import type { HttpsView, ListenerView, StatusView } from '../../contract/values.ts';
import type { Dispatcher } from '../delivery/dispatcher.ts';
import type { RetryClock } from '../delivery/retry-clock.ts';
import { notSending } from '../model/not-sending.ts';
import type { NotSendingReason } from '../model/vocabulary.ts';
import type { Retention } from '../retention/retention.ts';
import type { Writer } from '../store/ports/changes.ts';
import type { DueStore } from '../store/ports/due.ts';
import type { Store } from '../store/ports/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RequestCounts } from './request-counts.ts';
import type { Counters } from './status.ts';
import { readable, type StoreSize } from './store-size.ts';
import type { TallyCount } from './tally.ts';

export interface StatusSources {
  readonly counters: Pick<Counters, 'byState' | 'total'>;
  readonly requests: Pick<RequestCounts, 'seen' | 'rejected' | 'storedInMinute'>;
  readonly store: Pick<Store, 'damage'>;
  readonly stores: {
    readonly writer: Pick<Writer, 'writable'>;
    readonly due: Pick<DueStore, 'nextRoundAfter'>;
  };
  readonly storeSize: StoreSize;
  readonly workspace: Workspace;
  readonly dispatcher: Pick<Dispatcher, 'inFlight' | 'stopping' | 'guard' | 'lostMoves'>;
  readonly retention: Pick<Retention, 'full'>;
  readonly retryClock: RetryClock;
  listener(): ListenerView;
  https(): HttpsView;
  /** Clients that spoke TLS to the plain http port. */
  readonly tlsHellos: { readonly seen: TallyCount | null };
  /** Contract texts that were neither a call nor an answer. */
  readonly badTexts: { readonly seen: TallyCount | null };
}

export class EngineStatus {
  readonly #of: StatusSources;

  constructor(of: StatusSources) {
    this.#of = of;
  }

  view(): StatusView {
    const { counters, requests, dispatcher, retention, stores, storeSize, workspace } = this.#of;
    return {
      listener: this.#of.listener(),
      https: this.#of.https(),
      tlsHellos: this.#of.tlsHellos.seen,
      badTexts: this.#of.badTexts.seen,
      lostMoves: dispatcher.lostMoves.count,
      storeWritable: stores.writer.writable,
      notSending: this.notSending(),
      counts: counters.byState(),
      total: counters.total(),
      storeBytes: storeSize.bytes(),
      storage: { ...workspace.storage.limits, full: retention.full },
      inFlight: dispatcher.inFlight,
      nextDueAt: this.#nextDueAt(),
      perMinute: requests.storedInMinute(),
      requestsSeen: requests.seen,
      rejectedSeen: requests.rejected,
    };
  }

  /** A value that changes with the status, even when no commit changes it. */
  fingerprint(): string {
    const { perMinute, inFlight, nextDueAt, listener, notSending: reasons, storage, lostMoves } = this.view();
    return JSON.stringify([perMinute, inFlight, nextDueAt, listener, reasons, storage.full, lostMoves]);
  }

  /** Every reason why nothing, or not everything, is sent. */
  notSending(): NotSendingReason[] {
    const { dispatcher, workspace, retention, retryClock, store, stores } = this.#of;
    const condition = {
      writable: stores.writer.writable,
      readable: !dispatcher.guard.unreadable,
      damaged: store.damage.known,
      full: retention.full,
    };
    return notSending({
      stopping: dispatcher.stopping,
      store: condition,
      secretReadable: workspace.destination.secret.state !== 'unreadable',
      destination: workspace.destination.settings,
      webhooks: workspace.webhooks.all,
      clockPaused: retryClock.state.paused,
    });
  }

  #nextDueAt(): number | null {
    const { stores, retryClock } = this.#of;
    return readable(() => stores.due.nextRoundAfter(retryClock.now()), null);
  }
}
