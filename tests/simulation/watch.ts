/**
 * Judges a world. It knows independently what was promised, reads committed rows of the store, and checks every
 * send. The invariants are those of the reliability notes (I1 to I11).
 */
import type { MovedEvent } from '../../src/core/delivery/moved-event.ts';
import type { AttemptRequest } from '../../src/core/ports.ts';
import { CellRules } from './cells.ts';
import type { AttemptRow, CommittedRows, MessageRow } from './committed-rows.ts';
import { Counts } from './counts.ts';
import type { Expectations } from './expectations.ts';
import { FINAL, type Known } from './known.ts';
import type { Life } from './life.ts';
import { Moves } from './moves.ts';
import type { Ending } from './receivers.ts';
import { ReplayRules } from './replay-rules.ts';
import type { SentRequest } from './requests.ts';
import { SendRules } from './send-rules.ts';
import { SentAttempts } from './sent-attempts.ts';

/** One send, as the watch saw it. */
export interface Send {
  readonly attempt: AttemptRow;
  readonly mark: string;
}

const DAY_MS = 86_400_000;

export class Watch {
  readonly #expect: Expectations;
  readonly #rows: CommittedRows;
  readonly #moves: Moves;
  readonly #cells: CellRules;
  readonly #sendRules: SendRules;
  readonly #replayRules: ReplayRules;
  readonly #sentAttempts: SentAttempts;
  readonly counts: Counts;
  /** Final moves that were reported. */
  readonly #told = new Set<number>();
  readonly #known = new Map<number, Known>();
  readonly #acknowledged = new Set<string>();
  readonly #purged = new Set<string>();
  #overdue = new Map<number, number>();
  sends = 0;

  constructor(rows: CommittedRows, expect: Expectations) {
    this.#expect = expect;
    this.#rows = rows;
    this.#moves = new Moves(expect, rows);
    this.#cells = new CellRules(expect, rows);
    this.#sendRules = new SendRules(expect, rows);
    this.#replayRules = new ReplayRules(expect, rows);
    this.#sentAttempts = new SentAttempts(expect, rows, this.#known);
    this.counts = new Counts(expect, rows);
  }

  get ids(): number[] {
    return [...this.#known.keys()];
  }

  /** True when every message is final and no attempt is open. */
  get isQuiet(): boolean {
    for (const { row } of this.#known.values()) if (!FINAL.has(row.state)) return false;
    return this.#rows.openAttempts().length === 0 && this.#rows.openReplays() === 0;
  }

  /** Rows that are not final. */
  get waiting(): number[] {
    return this.ids.filter((id) => !FINAL.has(this.#known.get(id)!.row.state));
  }

  /** Flips one bit of a stored body, as a bad disk does. False when there is none. */
  flipBit(id: number, at: number): boolean {
    const wire = this.#known.get(id)?.wire;
    if (wire === undefined || wire === null) return false;
    const altered = Buffer.from(wire);
    altered[at % altered.length]! ^= 1;
    this.#rows.alterWire(id, altered);
    this.#expect.damaged.add(id);
    return true;
  }

  /** Something other than the engine stops a message that is not final. The engine must notice the lost move. */
  stopByHand(life: Life, id: number): void {
    const row = this.#rows.message(id);
    if (row === undefined || FINAL.has(row.state)) return;
    this.#expect.stops.add(id);
    this.#expect.movedByHand.add(id);
    this.#rows.stopByHand(row, this.#expect.wall);
    this.committed(life, [id]);
  }

  /** A move was reported. It must have taken place, and a final one is reported only once. */
  told({ messageId, to }: MovedEvent): void {
    const row = this.#rows.message(messageId);
    if (row === undefined || !FINAL.has(to)) return;
    if (row.state !== to)
      this.#violate('a move was told that did not take place', `${messageId}: ${to}, is ${row.state}`);
    if (this.#told.has(messageId)) this.#violate('the end of a message was told twice', String(messageId));
    this.#told.add(messageId);
  }

  /** I1: every call of a request answered with 200 is stored; those of a refused request are not. */
  answered({ calls, name }: SentRequest, status: number): void {
    const rows = this.#rows.messages();
    for (const { messageId } of calls) {
      const stored = rows.filter((row) => row.messageId === messageId).length;
      if (status === 200) {
        if (stored === 0) this.#violate('I1 acknowledged and not stored', `${messageId} (${name})`);
        this.#acknowledged.add(messageId);
      } else if (status !== 200 && stored > 0 && !this.#expect.mayBeStored.has(messageId)) {
        this.#violate('refused and stored', messageId);
      }
    }
    if (status === 200) for (const { messageId } of calls) this.#expect.mayBeStored.add(messageId);
  }

  // Commits

  committed(life: Life, ids: Iterable<number>): string {
    const seen: string[] = [];
    for (const id of ids) {
      const row = this.#rows.message(id);
      if (row === undefined) continue;
      this.#see(life, row);
      seen.push(
        `${id}=${row.state}/${row.round}/${row.cells}${row.due === null ? '' : `@${row.due - this.#expect.start}`}`,
      );
    }
    return seen.join(' ');
  }

  /** I10: only final messages may be removed, to make room or because their call was ingested again. */
  removed(ids: Iterable<number>): void {
    for (const id of ids) {
      const known = this.#known.get(id);
      if (known === undefined) continue;
      const { state, messageId } = known.row;
      if (!FINAL.has(state)) this.#violate('I10 a waiting message was purged', `${id} is ${state}`);
      this.#purged.add(messageId);
      this.#known.delete(id);
    }
  }

  /** Runs between two lives, because the last commit of the previous one may not have been reported. */
  catchUp(): void {
    const rows = this.#rows.messages();
    const left = new Set(rows.map(({ id }) => id));
    this.removed(this.ids.filter((id) => !left.has(id)));
    for (const row of rows) this.#see(null, row);
    this.#replayRules.lifeEnded();
  }

  #see(life: Life | null, row: MessageRow): void {
    this.#cells.check(row);
    const before = this.#known.get(row.id);
    if (before === undefined) this.#known.set(row.id, this.#first(row));
    else this.#moved(life, before, row);
  }

  #first(row: MessageRow): Known {
    const wire = this.#rows.wire(row.id);
    const known = { row, wire, firstSentAt: null, results: new Map(), lastEndAt: -1, lastAttempt: 0 };
    if (row.state === 'queued' && wire === null) this.#violate('queued without a body', String(row.id));
    return known;
  }

  #moved(life: Life | null, known: Known, row: MessageRow): void {
    const before = known.row;
    known.row = row;
    if (row.state !== before.state) {
      if (FINAL.has(before.state))
        this.#violate('I2 a final message moved', `${row.id}: ${before.state} to ${row.state}`);
      if (FINAL.has(row.state)) known.lastAttempt = this.#newestAttempt(row);
      if (life !== null) this.#moves.check(life, known, before.state);
    }
    if (FINAL.has(before.state) && row.finished !== before.finished)
      this.#violate('I2 a message ended twice', `${row.id}: at ${before.finished} and ${row.finished}`);
    if (before.end !== null && (row.end !== before.end || row.first !== before.first))
      this.#violate(
        'I4 the window moved',
        `${row.id}: from ${before.first}..${before.end} to ${row.first}..${row.end}`,
      );
    if (row.end !== null && !this.#expect.windows.has(row.end - row.first!))
      this.#violate('I4 a window of another length', `${row.id}: ${row.end - row.first!} ms`);
    if (row.round < before.round || row.round > before.round + 1)
      this.#violate('rounds do not count by one', `${row.id}: ${before.round} to ${row.round}`);
    if (row.round > before.round) known.results = new Map();
  }

  // Sends

  /** I2, I3, I4, I6, I7 and the signature, at the moment of the send. Null when the attempt is not known. */
  sent(life: Life, request: AttemptRequest): Send | null {
    this.sends += 1;
    const body = Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
    const attempt = this.#sentAttempts.add(request.url, body);
    if (attempt === null) return null;
    const known = this.#known.get(attempt.message)!;
    this.#sendRules.checkRequest(request, body, attempt);
    this.#cells.checkRounds(life.engine.parts.dispatcher.rounds());
    this.#sendRules.checkMoment(life, request, attempt, known);
    return { attempt, mark: `${attempt.message}.${attempt.round}${attempt.replay === null ? '' : 'r'}` };
  }

  /** The receiver answered, or the transport gave up. */
  ended({ attempt }: Send, ending: Pick<Ending, 'outcome' | 'asks'>): void {
    const known = this.#known.get(attempt.message);
    if (known === undefined || attempt.replay !== null || attempt.round !== known.row.round) return;
    known.results.set(attempt.webhook, { outcome: ending.outcome, asksMs: ending.asks(this.#expect.wall) });
    known.lastEndAt = this.#expect.real;
  }

  /** Runs every 30 s. A message that was due at the last check and still is, with nothing in its way, was forgotten. */
  lookForStuck(life: Life, wasImpeded: boolean): void {
    const now = life.engine.parts.retryClock.now();
    const overdue = new Map<number, number>();
    for (const { id, due } of this.#rows.overdue(now)) {
      if (!wasImpeded && this.#overdue.get(id) === due)
        this.#violate('stuck', `message ${id}, due ${now - due} ms ago`);
      overdue.set(id, due);
    }
    this.#overdue = overdue;
  }

  /** A life began. Nothing from the previous one may still be open. */
  begun(): void {
    const open = this.#rows.openAttempts().filter((attempt) => this.#sentAttempts.has(attempt));
    if (open.length > 0)
      this.#violate('an attempt of the life before is still open', open.map(({ id }) => id).join(' '));
    this.#replayRules.check();
    this.#replayRules.checkCut();
    this.counts.checkKept();
  }

  // The end

  /** Nothing happens any more. The store must agree with what the watch saw. */
  atEnd(): void {
    const rows = this.#rows.messages();
    for (const row of rows) this.#checkLast(row);
    const stored = new Set(rows.map(({ messageId }) => messageId));
    for (const messageId of this.#acknowledged)
      if (!this.#purged.has(messageId) && !stored.has(messageId)) this.#violate('I1 lost', messageId);
    this.counts.checkKept();
    const copies = copiesAmong(rows);
    if (copies.length > 0) this.#violate('a repeat was stored again', copies.join(' '));
    if (this.#rows.openAttempts().length > 0) this.#violate('attempts left open', '');
    if (this.#rows.openReplays() > 0) this.#violate('replays left open', '');
    this.#replayRules.check();
    this.#moves.checkJitter();
    const damage = this.#rows.damage();
    if (damage !== null) this.#violate('the store is damaged', damage);
  }

  #newestAttempt({ id }: MessageRow): number {
    return this.#rows.attemptsOf(id).at(-1)?.id ?? 0;
  }

  #checkLast(row: MessageRow): void {
    const known = this.#known.get(row.id);
    if (known === undefined) return this.#violate('a message that no commit told of', String(row.id));
    if (row.state !== known.row.state)
      this.#violate('a move that no commit told of', `${row.id}: ${known.row.state} to ${row.state}`);
    if (!FINAL.has(row.state)) this.#violate('a message that does not end', `${row.id} is ${row.state}`);
    const attempts = this.#rows.attemptsOf(row.id);
    if ((attempts.at(-1)?.id ?? 0) > known.lastAttempt)
      this.#violate('I2 an attempt after the end', `${row.id}, ${row.state}`);
    const tried = attempts.map(({ round, webhook }) => `${round} ${webhook}`);
    if (new Set(tried).size < tried.length) this.#violate('two attempts of one round', `${row.id}`);
    const wasAccepted = attempts.some(({ outcome }) => outcome === 'accepted');
    if (wasAccepted && row.state !== 'delivered' && row.state !== 'stopped')
      this.#violate('accepted and not delivered', `${row.id} is ${row.state}`);
    if (/[sw]/.test(row.cells) && !this.#expect.movedByHand.has(row.id))
      this.#violate('a final message shows a webhook under way', `${row.id}: ${row.cells}`);
  }

  /** Rows by id, as the interface would see them. */
  rows(): Array<{ id: number; state: string; round: number; cells: string }> {
    return this.#rows.messages().map(({ id, state, round, cells }) => ({
      id,
      state,
      round,
      cells,
    }));
  }

  #violate(what: string, detail: string): void {
    this.#expect.violate(what, detail);
  }
}

/** Message ids that one source sent twice within a day and that were stored twice. */
function copiesAmong(rows: readonly MessageRow[]): string[] {
  const bySender = Map.groupBy(
    rows.filter(({ state }) => state !== 'rejected'),
    ({ messageId, sourceId }) => `${messageId} ${sourceId}`,
  );
  return [...bySender.values()].flatMap((same) =>
    same.some((a) => same.some((b) => a.id < b.id && Math.abs(a.received - b.received) < DAY_MS))
      ? [same[0]!.messageId]
      : [],
  );
}
