/** Whether a request that an attempt sent and one that a receiver got are the same. */
import { type WirePlace, wireKey } from '../model/wire-place.ts';

/** Clocks are read a little apart, and a busy receiver takes a request a little late. */
const SLACK_MS = 1_000;

export interface SentRequest {
  /** Row ids. */
  readonly attempt: number;
  readonly message: number;
  readonly receiver: string;
  readonly place: WirePlace;
  readonly bodyBytes: number;
  /** Wall time at which its head was written. */
  readonly at: number;
  /** The time limit of its attempt. */
  readonly limitMs: number;
}

/** What the receiver knows of a request. */
export interface ArrivedRequest {
  readonly receiver: string;
  /** Made by {@link wireKey}. */
  readonly wire: string;
  readonly bodyBytes: number;
  /** Wall time at which it was whole. */
  readonly at: number;
}

/** The earliest and latest time at which a request arrives. */
export const arrivalWindow = ({ at, limitMs }: Pick<SentRequest, 'at' | 'limitMs'>) => ({
  from: at - SLACK_MS,
  to: at + limitMs + SLACK_MS,
});

/** Whether these two are the same request. */
export function isSame(sent: SentRequest, arrived: ArrivedRequest): boolean {
  const { from, to } = arrivalWindow(sent);
  return (
    sent.receiver === arrived.receiver &&
    sent.bodyBytes === arrived.bodyBytes &&
    arrived.at >= from &&
    arrived.at <= to &&
    wireKey(sent.place) === arrived.wire
  );
}
