/** What {@link Rounds} needs from outside. */
import type { AttemptResult } from '../model/attempt.ts';
import type { DeliveryRules } from '../model/rules.ts';
import type { Clock } from '../ports.ts';
import type { DueStore } from '../store/ports/due.ts';
import type { RoundStore } from '../store/ports/rounds.ts';
import type { LostMoves } from './lost-moves.ts';
import type { MovedEvent } from './moved-event.ts';
import type { RetryClock } from './retry-clock.ts';
import type { Sender } from './sender.ts';
import type { StoreGuard } from './store-guard.ts';
import type { DeliveryWebhook } from './webhooks.ts';

export interface RoundsDeps {
  readonly stores: { readonly rounds: RoundStore; readonly due: DueStore };
  readonly sender: Sender;
  readonly clock: Clock;
  readonly retryClock: RetryClock;
  rules(): DeliveryRules;
  /** Called with each result, after its commit. */
  recorded(webhook: DeliveryWebhook, result: AttemptResult, startedAt: number): void;
  /** Called after the commit of a whole round when the message is at rest or is to have a second round. */
  moved(event: MovedEvent): void;
}

/** What rounds ask of the dispatcher around them. */
export interface RoundsContext {
  readonly guard: StoreGuard;
  readonly lostMoves: LostMoves;
  /** All webhooks, on or off. */
  webhooks(): readonly DeliveryWebhook[];
  /** False while nothing new may be sent. */
  maySend(): boolean;
  isStopping(): boolean;
  /** An attempt ended: more may begin in this turn, and so in the transaction of its result. */
  attemptEnded(): void;
  /** A round ended: more may begin later. */
  roundEnded(): void;
  /** A message waits for `dueAt` on the retry clock. */
  waitsFor(dueAt: number): void;
  /** Someone else moved a message before its round began. It may be due at another time. */
  wasTaken(): void;
  /** This message cannot be written, because its place in the store is damaged. */
  isStuck(messageId: number): void;
}

/** What a look at a round shows, for those who check it from outside. */
export interface RoundView {
  readonly messageId: number;
  readonly isParked: boolean;
  readonly hasBytes: boolean;
  /** True while a write of it is under way: the store may not show it as it is. */
  readonly isWriting: boolean;
  /** Slots of the webhooks whose lanes it waits on. */
  readonly waitsOn: readonly number[];
}
