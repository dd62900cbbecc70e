/** The SDKs of a world. They send, get an answer or none, and retry as real ones do. */
import type { Dice } from './dice.ts';
import { Producer, type SentRequest } from './requests.ts';
import type { World } from './world.ts';

const MOST_TRIES = 10;
const names = ({ name, calls }: SentRequest): string => `${name} ${calls.map(({ messageId }) => messageId).join(' ')}`;

export class Sdks {
  readonly #world: World;
  readonly #dice: Dice;
  readonly #producer: Producer;
  /** Requests that wait for their answer, with the tries before. */
  readonly #waiting = new Map<SentRequest, number>();
  #planned = 0;

  constructor(world: World, dice: Dice) {
    this.#world = world;
    this.#dice = dice;
    this.#producer = new Producer(dice.fork());
  }

  /** True when nothing more will be sent. */
  get areDone(): boolean {
    return this.#planned === 0 && this.#waiting.size === 0;
  }

  /** Schedules a new request after this many milliseconds. */
  plan(inMs: number): void {
    this.#in(inMs, () => this.#send(this.#producer.next(this.#world.time.wall()), 0));
  }

  /** The process died. Nobody knows what it stored, so every SDK retries. */
  serverGone(): void {
    this.#answersUnknown();
    const unanswered = [...this.#waiting];
    this.#waiting.clear();
    for (const [sent, tries] of unanswered) this.#again(sent, tries);
  }

  #in(ms: number, run: () => void): void {
    this.#planned += 1;
    this.#world.time.after(ms, () => {
      this.#planned -= 1;
      run();
    });
  }

  #send(sent: SentRequest, tries: number): void {
    const { life } = this.#world;
    if (life === null || !life.up) return this.#again(sent, tries);
    this.#answersUnknown();
    this.#waiting.set(sent, tries);
    this.#world.say(`request ${names(sent)}`);
    life.handle(sent.request).then(
      ({ status }) => {
        this.#waiting.delete(sent);
        this.#answered(sent, status, tries);
      },
      (error: unknown) => this.#world.thrown(error),
    );
  }

  /** A request under way may already be stored when another with the same calls is refused. */
  #answersUnknown(): void {
    for (const { calls } of this.#waiting.keys())
      for (const { messageId } of calls) this.#world.expect.mayBeStored.add(messageId);
  }

  #answered(sent: SentRequest, status: number, tries: number): void {
    this.#world.say(`answer ${status} ${names(sent)}`);
    this.#world.watch.answered(sent, status);
    if (status >= 500 || (status === 429 && this.#world.plan.faults.includes('storage'))) this.#again(sent, tries);
    else if (status !== 200 && status !== 400) this.#world.violate('an answer of another kind', String(status));
    else if (status === 400 && sent.calls.length > 0) this.#world.violate('a good request refused', sent.name);
  }

  #again(sent: SentRequest, tries: number): void {
    if (tries < MOST_TRIES) this.#in(this.#dice.between(500, 60_000), () => this.#send(sent, tries + 1));
  }
}
