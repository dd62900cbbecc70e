/** Judges the moves of messages: whether each round ended as the rules say. */
import type { CommittedRows } from './committed-rows.ts';
import type { Expectations } from './expectations.ts';
import type { Known } from './known.ts';
import type { Life } from './life.ts';

/** A round that Retry-After would delay past the window keeps this much of the window. */
const LAST_CHANCE_MS = 60_000;
/** How many waits without Retry-After are needed before their jitter is judged. */
const ENOUGH_WAITS = 12;

export class Moves {
  readonly #expect: Expectations;
  readonly #rows: CommittedRows;
  #waits = 0;
  #exactWaits = 0;

  constructor(expect: Expectations, rows: CommittedRows) {
    this.#expect = expect;
    this.#rows = rows;
  }

  /** `from` is the state before. */
  check(life: Life, known: Known, from: string): void {
    const { row } = known;
    const now = life.engine.parts.retryClock.now();
    switch (row.state) {
      case 'retrying':
        if ((from === 'delivering' || from === 'waiting') && life.up) this.#checkWait(life, known, now);
        return;
      case 'delivered':
        if (this.#rows.attemptsOf(row.id).every(({ outcome }) => outcome !== 'accepted'))
          this.#violate('delivered without a 2xx', String(row.id));
        return;
      case 'stopped':
        if (!this.#expect.stops.has(row.id)) this.#violate('stopped by nobody', String(row.id));
        return;
      case 'failed':
        return this.#checkFailed(known);
      case 'expired':
        return this.#checkExpired(known, now);
    }
  }

  #checkFailed({ row, results }: Known): void {
    if (this.#expect.damaged.has(row.id) || this.#expect.areRulesUnsure) return;
    // Under rules that leave declined webhooks out, one that declined under other rules before is left out too.
    if (this.#expect.mayRetryDeclined) return;
    for (const [webhook, { outcome }] of results)
      if (this.#expect.asks(outcome) && this.#expect.offSince(webhook) === null)
        this.#violate('given up while a webhook asks for another round', `${row.id}: ${outcome}`);
  }

  #checkExpired({ row }: Known, now: number): void {
    if (row.end === null) return this.#violate('expired before the first attempt', String(row.id));
    if (now > row.end || this.#expect.areRulesUnsure) return;
    const nominal = this.#expect.nominal(row.round);
    if (nominal !== null && now + nominal * (1 + this.#expect.jitter) + 1 < row.end)
      this.#violate('expired too early', `${row.id}: ${row.end - now} ms before its end`);
  }

  /** The wait after a round: within the jitter, lengthened by a Retry-After, never past the window. */
  #checkWait(life: Life, { row, results, lastEndAt }: Known, now: number): void {
    const { due, end } = row;
    if (due === null || end === null) return this.#violate('retrying without a time', String(row.id));
    if (due > end && !this.#expect.leavesLastRound(end, life))
      this.#violate('due after the window', `${row.id}: ${due - end} ms`);
    const known = [...results.values()];
    const isInterrupted = known.length === 0 || known.some(({ outcome }) => outcome === 'interrupted');
    const nominal = this.#expect.nominal(row.round);
    if (isInterrupted || nominal === null || lastEndAt !== this.#expect.real || this.#expect.areRulesUnsure) return;
    const swing = nominal * this.#expect.jitter;
    const asks = known.map(({ outcome, asksMs }) => (this.#expect.asks(outcome) ? (asksMs ?? 0) : 0));
    const asked = this.#expect.honoursRetryAfter ? Math.min(now + Math.max(0, ...asks), end - LAST_CHANCE_MS) : 0;
    const least = Math.max(now + nominal - swing, asked) - 2;
    const most = Math.max(now + nominal + swing, asked) + 2;
    if (due < least || due > most)
      this.#violate(
        'a wait out of bounds',
        `${row.id} round ${row.round}: ${due - now} ms, not ${least - now} to ${most - now}`,
      );
    if (asked > now + nominal - swing || swing === 0) return;
    this.#waits += 1;
    if (Math.abs(due - now - nominal) <= 1) this.#exactWaits += 1;
  }

  /** Over a whole world. */
  checkJitter(): void {
    if (this.#waits >= ENOUGH_WAITS && this.#exactWaits * 2 > this.#waits)
      this.#violate('waits without jitter', `${this.#exactWaits} of ${this.#waits}`);
  }

  #violate(what: string, detail: string): void {
    this.#expect.violate(what, detail);
  }
}
