/** Judges cells and states: those of a row must always equal what its attempts and the lanes say. */
import type { RoundView } from '../../src/core/delivery/rounds-deps.ts';
import type { AttemptRow, CommittedRows, MessageRow } from './committed-rows.ts';
import type { Expectations } from './expectations.ts';

const LETTERS: Readonly<Record<string, string>> = {
  accepted: 'a',
  failed: 'f',
  timed_out: 't',
  no_connection: 'n',
  refused_certificate: 'r',
  declined: 'd',
  throttled: 'l',
  interrupted: 'i',
};

function letterOf({ outcome, status }: AttemptRow): string {
  if (outcome === null) return 's';
  const isRedirect = outcome === 'declined' && status !== null && status >= 300 && status < 400;
  return isRedirect ? 'm' : LETTERS[outcome]!;
}

const isUnderWay = (state: string): boolean => state === 'delivering' || state === 'waiting';

export class CellRules {
  readonly #expect: Expectations;
  readonly #rows: CommittedRows;

  constructor(expect: Expectations, rows: CommittedRows) {
    this.#expect = expect;
    this.#rows = rows;
  }

  /** Runs at every commit and between two lives. */
  check(row: MessageRow): void {
    if (this.#expect.movedByHand.has(row.id)) return;
    const attempts = this.#rows.attemptsOf(row.id, row.round);
    const open = new Set(attempts.filter(({ outcome }) => outcome === null).map(({ slot }) => slot));
    const isWrong =
      attempts.some((attempt) => !this.#shows(row, attempt)) ||
      [...row.cells].some((cell, i) => cell === 's' && !open.has(i + 1));
    if (isWrong) this.#violate('cells differ from the attempts', row, attempts);
    if (isUnderWay(row.state) && (row.state === 'delivering') !== open.size > 0)
      this.#violate('a state differs from what is open', row, attempts);
  }

  /** A message that was paused without a round shows which webhooks are off. */
  #shows({ state, cells }: MessageRow, attempt: AttemptRow): boolean {
    const cell = cells[attempt.slot - 1];
    return cell === letterOf(attempt) || (cell === 'p' && attempt.outcome !== null && !isUnderWay(state));
  }

  /**
   * Runs whenever something is sent: a round that only waits holds no bytes, and waits on the lanes that its cells
   * show.
   */
  checkRounds(rounds: readonly RoundView[]): void {
    for (const { messageId, isParked, isWriting, hasBytes, waitsOn } of rounds) {
      if (isWriting || !isParked || this.#expect.movedByHand.has(messageId)) continue;
      if (hasBytes) this.#expect.violate('a round that only waits holds bytes', String(messageId));
      const row = this.#rows.message(messageId)!;
      const shown = [...row.cells].flatMap((cell, i) => (cell === 'w' ? [i + 1] : []));
      if (String(shown) !== String([...waitsOn].sort()))
        this.#expect.violate('cells differ from the lanes', `${messageId}: ${row.cells}, waits on ${waitsOn}`);
    }
  }

  #violate(what: string, { id, state, round, cells }: MessageRow, attempts: readonly AttemptRow[]): void {
    const seen = attempts.map(({ slot, outcome }) => `${slot}=${outcome}`).join(' ');
    this.#expect.violate(what, `${id}: ${state}/${round}/${cells}, ${seen || 'no attempts'}`);
  }
}
