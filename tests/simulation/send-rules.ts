/** Judges sends: the request itself, and whether the engine may send it at this moment. */
import { createHmac } from 'node:crypto';
import type { AttemptRequest } from '../../src/core/ports.ts';
import type { AttemptRow, CommittedRows } from './committed-rows.ts';
import type { Expectations } from './expectations.ts';
import type { Known } from './known.ts';
import type { Life } from './life.ts';

export class SendRules {
  readonly #expect: Expectations;
  readonly #rows: CommittedRows;

  constructor(expect: Expectations, rows: CommittedRows) {
    this.#expect = expect;
    this.#rows = rows;
  }

  /** I6: the signature, and a body that a person edited. */
  checkRequest(request: AttemptRequest, body: Buffer, attempt: AttemptRow): void {
    this.#checkSignature(request, body);
    const replayed = attempt.replay === null ? undefined : this.#rows.replay(attempt.replay);
    if (replayed?.sent === 'edited' && !this.#expect.edits.has(body.toString()))
      this.#violate('an edited body that nobody asked for', body.toString());
  }

  #checkSignature({ headers }: AttemptRequest, body: Buffer): void {
    const given = headers.filter(([name]) => name.toLowerCase() === 'x-signature').map(([, value]) => value);
    const right = this.#expect.secrets.some((secret) =>
      secret === null
        ? given.length === 0
        : given.length === 1 && given[0] === createHmac('sha1', secret).update(body).digest('hex'),
    );
    if (!right) this.#violate(given.length === 0 ? 'sent unsigned' : 'I6 a wrong signature', String(given));
  }

  /** The time limit, the secrets that it needs, and for an attempt of a round all that holds for rounds. */
  checkMoment(life: Life, { limitMs }: AttemptRequest, attempt: AttemptRow, known: Known): void {
    if (!this.#expect.limits.has(limitMs)) this.#violate('I5 another time limit', `${limitMs} ms`);
    // A replay to another address has no static header, and needs no secret where none is set.
    if (attempt.webhook > 0 && this.#expect.isUnreadable(life))
      this.#violate('sent while a secret cannot be read', `message ${attempt.message}`);
    if (attempt.replay === null) this.#checkRound(life, attempt, known);
  }

  #checkRound(life: Life, attempt: AttemptRow, known: Known): void {
    const { row } = known;
    const what = `message ${row.id} round ${attempt.round} to webhook ${attempt.webhook}`;
    if (row.state !== 'delivering') this.#violate(`I2 sent while ${row.state}`, what);
    const now = life.engine.parts.retryClock.now();
    const isLate = row.end === null || now > row.end || attempt.clock > row.end;
    const isLast = isLate && this.#isLastRound(life, attempt, known);
    if (isLate && !isLast) this.#violate('I4 sent after the window', `${what}: ${now - (row.end ?? 0)} ms late`);
    const scaled = this.#expect.scaled;
    known.firstSentAt ??= scaled;
    if (!isLast && row.end !== null && scaled - known.firstSentAt > row.end - row.first! + this.#expect.slackMs)
      this.#violate('T1 sent after the window in real time', `${what}: ${scaled - known.firstSentAt} ms`);
    const attempts = this.#rows.attemptsOf(row.id).filter(({ webhook }) => webhook === attempt.webhook);
    if (attempts.filter(({ round }) => round === attempt.round).length > 1)
      this.#violate('tried twice in one round', what);
    if (attempts.filter(({ outcome }) => outcome === null).length > 1) this.#violate('two attempts at once', what);
    if (attempts.some(({ outcome }) => outcome === 'declined') && !this.#expect.mayRetryDeclined)
      this.#violate('a webhook that declined was tried again', what);
    const off = this.#expect.offSince(attempt.webhook);
    if (off !== null && off < this.#expect.real && attempt.started > this.#expect.wall - 1)
      this.#violate('sent to a webhook that is off', what);
    if (this.#expect.isHeld) this.#violate('sent while a person holds delivery', what);
  }

  /** A window that ended in a sleep leaves one round, and only one. */
  #isLastRound(life: Life, attempt: AttemptRow, known: Known): boolean {
    const { end } = known.row;
    if (end === null || !this.#expect.leavesLastRound(end, life)) return false;
    known.lastRound ??= attempt.round;
    return known.lastRound === attempt.round;
  }

  #violate(what: string, detail: string): void {
    this.#expect.violate(what, detail);
  }
}
