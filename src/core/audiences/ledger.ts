/** The sum of a sync: expected = delivered + failed + unsent + retrying + open, at every moment. */
import type { SyncLedger } from '../../contract/audiences.ts';
import type { MessageState } from '../model/vocabulary.ts';

/** A call whose message is stored and not settled. */
export interface OpenCall {
  readonly position: number;
  state: MessageState;
}

/** States in which no request is due: the message waits for a later round. */
const RETRYING: ReadonlySet<MessageState> = new Set(['retrying', 'paused']);

export interface LedgerFacts {
  readonly expected: number | null;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly open: Iterable<OpenCall>;
}

export function ledgerOf({ expected, sent, delivered, failed, open }: LedgerFacts): SyncLedger {
  let retrying = 0;
  let isOpen = 0;
  for (const { state } of open) {
    if (RETRYING.has(state)) retrying += 1;
    else isOpen += 1;
  }
  const unsent = expected === null ? 0 : expected - sent;
  return { expected, delivered, failed, waiting: unsent + retrying + isOpen, unsent, retrying, open: isOpen };
}

/** At most this many points are kept. */
const MAX_POINTS = 300;
const SAMPLE_MS = 1_000;
const RATE_MS = 10_000;

type Point = [at: number, settled: number];

/** How many calls were settled by when. */
export class Course {
  #points: Point[];
  #everyMs = SAMPLE_MS;
  /** The last 10 s, a point a second. */
  #recent: Point[] = [];

  constructor(points: readonly unknown[] = []) {
    this.#points = points.filter(isPoint).map(([at, settled]) => [at, settled]);
    const [first, last] = [this.#points[0], this.#points.at(-1)];
    // As far apart as they are already.
    if (first !== undefined && last !== undefined && this.#points.length > MAX_POINTS / 2)
      this.#everyMs = Math.max(SAMPLE_MS, (last[0] - first[0]) / this.#points.length);
  }

  /** `isTurn`: the sync begins, stops or ends, which a drawing must show. */
  add(at: number, settled: number, isTurn = false): void {
    const recent = this.#recent.at(-1);
    if (recent === undefined || at - recent[0] >= SAMPLE_MS) this.#recent.push([at, settled]);
    while (this.#recent.length > 1 && at - this.#recent[0]![0] > RATE_MS) this.#recent.shift();
    const last = this.#points.at(-1);
    if (!isTurn && last !== undefined && at - last[0] < this.#everyMs) return;
    this.#points.push([at, settled]);
    if (this.#points.length <= MAX_POINTS) return;
    const end = this.#points.length - 1;
    this.#points = this.#points.filter((_, i) => i % 2 === 0 || i === end);
    this.#everyMs *= 2;
  }

  points(): Point[] {
    return this.#points.map(([at, settled]) => [at, settled]);
  }

  /** Settled calls a second over the last 10 s. */
  perSecond(at: number, settled: number): number {
    const first = this.#recent.find(([since]) => at - since <= RATE_MS);
    if (first === undefined || at <= first[0]) return 0;
    return ((settled - first[1]) * 1_000) / (at - first[0]);
  }
}

const isPoint = (value: unknown): value is Point =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'number');
