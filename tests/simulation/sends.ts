/** The sends of a world: what the receiver of each answers and when, and how many are open. */
import type { AttemptRequest } from '../../src/core/ports.ts';
import type { Life, Surroundings } from './life.ts';
import { resultOf } from './receivers.ts';
import type { Send } from './watch.ts';
import type { World } from './world.ts';

/** Senders of one webhook. An attempt without a free sender waits. */
const SENDERS = 16;

export class Sends {
  readonly #world: World;
  /** By webhook. */
  readonly #open = new Map<number, number>();

  constructor(world: World) {
    this.#world = world;
  }

  sent(life: Life, request: AttemptRequest): ReturnType<Surroundings['sent']> {
    const world = this.#world;
    if (world.disasters.endsAtSend(life)) return null;
    const send = this.#watched(life, request);
    if (send === null) return null;
    const { id, webhook, message } = send.attempt;
    if (world.isHandNear && !world.isStoreWeak) this.#stopByHand(message);
    const receiver = world.plan.receiverOf(request.url);
    const ending = receiver.answer({ at: world.time.real, wall: world.time.wall() });
    const { afterMs, result } = resultOf(ending, request);
    world.disasters.sent(life);
    if (this.#openAt(webhook, 1) >= SENDERS) world.impede();
    world.say(`send ${send.mark} #${id} to ${webhook} ${receiver.name}`);
    return {
      afterMs,
      result,
      ended: (outcome) => {
        this.#openAt(webhook, -1);
        world.say(`end ${send.mark} #${id} ${outcome}`);
        const isAnswer = outcome === result.outcome && result.status !== null;
        world.watch.ended(send, { outcome, asks: isAnswer ? ending.asks : () => null });
      },
    };
  }

  /** The process died, and with it whatever was open. */
  serverGone(): void {
    this.#open.clear();
  }

  /** Nobody in the engine expects a transport to throw, so an error of the watch would be lost there. */
  #watched(life: Life, request: AttemptRequest): Send | null {
    try {
      return this.#world.watch.sent(life, request);
    } catch (error) {
      this.#world.thrown(error);
      return null;
    }
  }

  #stopByHand(message: number): void {
    const world = this.#world;
    world.isHandNear = false;
    world.time.after(0, () => {
      if (world.life?.up !== true) return;
      world.say(`another hand stops ${message}`);
      world.watch.stopByHand(world.life, message);
    });
  }

  #openAt(webhookId: number, more: number): number {
    const open = (this.#open.get(webhookId) ?? 0) + more;
    this.#open.set(webhookId, open);
    return open;
  }
}
