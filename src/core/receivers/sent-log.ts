/**
 * Remembers which attempt sent each request to a receiver, in memory and within bounds, so that a request in the log
 * leads to its attempt and back.
 *
 * The tie is the place on the wire, which is exact: two equal bodies sent at once have different places. A later
 * connection may get the port of one that has closed, so the time and the length of the body must fit too.
 */
import { MAX_HITS } from './hit-log.ts';
import { type ArrivedRequest, arrivalWindow, isSame, type SentRequest } from './same-request.ts';

/** Of one receiver. More than the log has of its requests, because some requests break off before they are whole. */
export const MAX_SENT = MAX_HITS + 200;
export class SentLog {
  /** Oldest first. */
  readonly #byReceiver = new Map<string, Set<SentRequest>>();
  readonly #byAttempt = new Map<number, SentRequest[]>();
  /** By receiver, the time of the newest request that was forgotten. */
  readonly #forgottenAt = new Map<string, number>();

  add(sent: SentRequest): void {
    const log = this.#byReceiver.get(sent.receiver) ?? new Set();
    this.#byReceiver.set(sent.receiver, log.add(sent));
    const ofAttempt = this.#byAttempt.get(sent.attempt);
    if (ofAttempt === undefined) this.#byAttempt.set(sent.attempt, [sent]);
    else ofAttempt.push(sent);
    if (log.size > MAX_SENT) this.#forget(log, log.values().next().value!);
  }

  /** The request as it was sent. `elsewhere`: no attempt sent it. `unknown`: that is forgotten. */
  senderOf(arrived: ArrivedRequest): SentRequest | 'elsewhere' | 'unknown' {
    const newestFirst = [...(this.#byReceiver.get(arrived.receiver) ?? [])].reverse();
    const found = newestFirst.find((sent) => isSame(sent, arrived));
    if (found !== undefined) return found;
    const { to } = arrivalWindow({
      at: this.#forgottenAt.get(arrived.receiver) ?? Number.NEGATIVE_INFINITY,
      limitMs: 0,
    });
    return arrived.at <= to ? 'unknown' : 'elsewhere';
  }

  /** The requests of an attempt in the order sent: more than one when it followed redirects. */
  ofAttempt(attempt: number): readonly SentRequest[] {
    return this.#byAttempt.get(attempt) ?? [];
  }

  #forget(log: Set<SentRequest>, sent: SentRequest): void {
    log.delete(sent);
    const left = this.ofAttempt(sent.attempt).filter((one) => one !== sent);
    if (left.length === 0) this.#byAttempt.delete(sent.attempt);
    else this.#byAttempt.set(sent.attempt, [...left]);
    this.#forgottenAt.set(sent.receiver, Math.max(sent.at, this.#forgottenAt.get(sent.receiver) ?? 0));
  }
}
