/** Delivers messages: takes what is due, decides what becomes of it, and begins its round. */
import type { Outcome } from '../model/attempt.ts';
import type { Cells, DeliveryReason, MessageState } from '../model/message.ts';
import { asksForAnotherRound, isLeftOut } from '../model/rules.ts';
import { mayStart } from '../model/schedule.ts';
import type { Logger, Timers } from '../ports.ts';
import type { DueMessage } from '../store/deliveries.ts';
import { Breaker } from './breaker.ts';
import { DueQueue } from './due-queue.ts';
import { Rounds, type RoundsDeps } from './rounds.ts';
import { StoreGuard } from './store-guard.ts';
import type { DeliveryWebhook } from './webhooks.ts';

/** Rounds under way at once, but for those that only wait for a sender; the rest waits in the table. */
const MAX_ROUNDS = 2_000;
/** Rounds that wait for a sender of a slow webhook: small, and many, so that the others go on without it. */
const MAX_PARKED = 20_000;

const NO_OUTCOMES: ReadonlyMap<number, Outcome> = new Map();

/** How long a stop waits for results to be recorded; what is not is `interrupted` at the next start. */
const STOP_LIMIT_MS = 2_000;

export interface DispatcherDeps extends RoundsDeps {
  readonly timers: Timers;
  readonly logger: Logger;
}

/** A paused message needs no round; it is looked at again when its window has ended. */
const afterWindow = ({ windowEndsAt }: DueMessage): number | null => (windowEndsAt === null ? null : windowEndsAt + 1);

/** What a message shows of webhooks that it will not wait for any more. */
const unwaited = (cells: Cells): Cells => cells.replaceAll('w', '.');

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #rounds: Rounds;
  readonly #breaker = new Breaker();
  /** Messages on their way to a state without a round. */
  readonly #moving = new Set<number>();
  readonly #due: DueQueue;
  /** Shared with replays. */
  readonly guard: StoreGuard;
  #webhooks: readonly DeliveryWebhook[] = [];
  #held = true;
  #pumpPlanned = false;
  /** True when something due had to wait for others to end. */
  #wantsRoom = true;
  #stopping = false;
  /** Looks, while stopping, whether that is done. */
  #ended: () => void = () => {};

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#due = new DueQueue(
      deps.store,
      deps.retryClock,
      deps.timers,
      (id) => this.#rounds.has(id) || this.#moving.has(id),
      () => this.#planPump(),
    );
    const probe = (): void => deps.store.probe(deps.clock.wall());
    this.guard = new StoreGuard({ ...deps, write: deps.write, probe }, () => this.#due.refresh());
    this.#rounds = new Rounds(this.#watched(deps), {
      guard: this.guard,
      webhooks: () => this.#webhooks,
      maySend: () => !this.#stopping && !this.#held,
      isStopping: () => this.#stopping,
      progress: () => this.#pump(),
      freed: () => {
        if (this.#stopping) this.#ended();
        else if (this.#wantsRoom) this.#planPump();
      },
      expect: (dueAt) => this.#due.expect(dueAt),
    });
  }

  /** The breaker hears of every result. */
  #watched(deps: DispatcherDeps): RoundsDeps {
    return {
      ...deps,
      write: (job, rows) => deps.write(job, rows),
      rules: () => deps.rules(),
      moved: (event) => deps.moved(event),
      recorded: (webhook, result, startedAt) => {
        this.#breaker.record(deps.rules().breaker, webhook.id, result.outcome, deps.retryClock.now());
        deps.recorded(webhook, result, startedAt);
      },
    };
  }

  get inFlight(): number {
    return this.#rounds.inFlight;
  }

  /** Rounds in memory and messages ready for one. */
  get queued(): number {
    return this.#due.size + this.#rounds.size;
  }

  /** The enabled and disabled webhooks as they are now. */
  setWebhooks(webhooks: readonly DeliveryWebhook[]): void {
    const before = this.#webhooks;
    this.#webhooks = webhooks;
    this.#rounds.setWebhooks(before, webhooks);
    this.#due.refresh();
  }

  /** Holds all new attempts (a person's pause, a secret that cannot be read), or lets them go on. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#due.refresh();
  }

  /** Messages that ingest has just committed as due. */
  offer(messages: readonly DueMessage[]): void {
    for (const message of messages) this.#due.offer(message);
    this.#pump();
  }

  /** The table or the clock changed under a person's command: look again. */
  refresh(): void {
    this.#due.refresh();
  }

  /**
   * Ends the retries of a message. False when it is final already. Attempts in flight finish and are recorded.
   * Rejects with a StoreNotWritableError when that cannot be written now.
   */
  async stopMessage(id: number): Promise<boolean> {
    const stopping = this.#rounds.stopMessage(id);
    if (stopping !== undefined) return stopping;
    this.#due.remove(id);
    const { store, clock } = this.#deps;
    const moved = await this.#deps.write((changes) => {
      const now = store.stateOf(id);
      if (now === undefined || !['queued', 'retrying', 'paused'].includes(now.state)) return null;
      const settled = { id, from: now.state, to: 'stopped' as const, nextDueAt: null, finishedAt: clock.wall() };
      return store.settle({ ...settled, cells: unwaited(now.cells) }, changes) ? now : null;
    });
    if (moved !== null)
      this.#deps.moved({
        messageId: id,
        receivedAt: moved.receivedAt,
        from: moved.state,
        to: 'stopped',
        round: moved.round,
        at: clock.wall(),
        missed: [],
      });
    return moved !== null;
  }

  /** No new attempts; what is open must be ended by the transport. Resolves when every round is recorded. */
  async stop(endAttempts: () => Promise<void>): Promise<void> {
    this.#stopping = true;
    this.guard.stop();
    this.#due.stop();
    this.#rounds.interruptWaiting();
    await endAttempts();
    this.#rounds.concludeDone();
    await new Promise<void>((resolve) => {
      const end = (): void => {
        limit.cancel();
        resolve();
      };
      const limit = this.#deps.timers.after(STOP_LIMIT_MS, end);
      this.#ended = (): void => {
        if (this.#rounds.size === 0) end();
      };
      this.#ended();
    });
  }

  #planPump(): void {
    if (this.#pumpPlanned || this.#stopping) return;
    this.#pumpPlanned = true;
    this.#deps.timers.soon(() => {
      this.#pumpPlanned = false;
      this.#pump();
    });
  }

  /** Never throws: ingest calls it for what it has committed. */
  #pump(): void {
    if (this.#held || this.#stopping || this.guard.down) return;
    try {
      this.#startDue();
    } catch (error) {
      this.guard.readFailed(error);
    }
  }

  #startDue(): void {
    for (const webhook of this.#webhooks) if (webhook.enabled) this.#rounds.openWaiting(webhook);
    this.#wantsRoom = true;
    while (this.#hasRoom() && this.#anyLaneFree()) {
      const message = this.#due.take();
      if (message === undefined) {
        this.#wantsRoom = false;
        return;
      }
      this.#start(message);
    }
  }

  #hasRoom(): boolean {
    const { size, parked } = this.#rounds;
    return size - parked + this.#moving.size < MAX_ROUNDS && parked < MAX_PARKED;
  }

  #anyLaneFree(): boolean {
    const on = this.#webhooks.filter((webhook) => webhook.enabled);
    return on.length === 0 || on.some((webhook) => this.#rounds.hasFree(webhook.id));
  }

  #start(message: DueMessage): void {
    const now = this.#deps.retryClock.now();
    if (!mayStart(message.windowEndsAt, now)) return this.#move(message, 'expired');
    if (message.wire === null) {
      this.#deps.logger.log('error', 'body_damaged', { message: message.id });
      return this.#move(message, 'failed', 'body_damaged');
    }
    const on = this.#webhooks.filter((webhook) => webhook.enabled);
    if (on.length === 0) return this.#move(message, 'paused');
    const { breaker } = this.#deps.rules();
    const outcomes = message.round === 0 ? NO_OUTCOMES : this.#deps.store.lastOutcomes(message.id);
    const wanted = on.filter(({ id }) => !this.#isLeftOut(outcomes.get(id)));
    if (wanted.length === 0) return this.#move(message, this.#waitsForOneThatIsOff(outcomes) ? 'paused' : 'failed');
    const targets = wanted.filter(({ id }) => this.#breaker.allows(breaker, id, now));
    // Rules with a breaker count a message that no webhook may be tried for as delivered.
    if (targets.length === 0) return this.#move(message, 'delivered', 'every_webhook_left_out');
    this.#rounds.begin(message, message.wire, targets);
  }

  #isLeftOut(outcome: Outcome | undefined): boolean {
    return outcome !== undefined && isLeftOut(this.#deps.rules(), outcome);
  }

  /** Whether a webhook that was turned off would be tried again if it were on. */
  #waitsForOneThatIsOff(outcomes: ReadonlyMap<number, Outcome>): boolean {
    return this.#webhooks.some(({ id, enabled }) => {
      const outcome = outcomes.get(id);
      return !enabled && outcome !== undefined && asksForAnotherRound(this.#deps.rules(), outcome);
    });
  }

  /** A move that needs no round. */
  #move(
    message: DueMessage,
    to: Extract<MessageState, 'expired' | 'failed' | 'delivered' | 'paused'>,
    reason?: DeliveryReason,
  ): void {
    const at = this.#deps.clock.wall();
    const { id, receivedAt, round, state: from } = message;
    const settled =
      to === 'paused'
        ? { cells: message.cells, nextDueAt: afterWindow(message), finishedAt: null }
        : {
            cells: unwaited(message.cells),
            nextDueAt: null,
            finishedAt: at,
          };
    this.#moving.add(id);
    this.guard
      .persist((changes) => this.#deps.store.settle({ id, from, to, reason, ...settled }, changes), 1)
      .then(
        (moved) => {
          this.#moving.delete(id);
          if (moved && to !== 'paused')
            this.#deps.moved({ messageId: id, receivedAt, from, to, round, at, missed: [] });
          if (settled.nextDueAt !== null) this.#due.expect(settled.nextDueAt);
          this.#planPump();
        },
        () => this.#moving.delete(id),
      );
  }
}
