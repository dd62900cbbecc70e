/** The watch's view of a memory store. */
import type { AttemptRecord, MessageRecord } from '../../src/core/model/stored.ts';
import type { StoredReplay, Tables } from '../helpers/memory-store/tables.ts';
import type { AttemptRow, CommittedRows, MessageRow, ReceivedRow, ReplayRow } from './committed-rows.ts';

const AWAITED: ReadonlySet<string> = new Set(['queued', 'retrying', 'waiting']);

const messageOf = (record: MessageRecord): MessageRow => {
  const { id, messageId, sourceId, state, round, cells } = record;
  const {
    nextDueAt: due,
    firstAttemptAt: first,
    windowEndsAt: end,
    receivedAt: received,
    finishedAt: finished,
  } = record;
  return { id, messageId, sourceId, state, round, due, first, end, cells, received, finished };
};

const attemptOf = (record: AttemptRecord): AttemptRow => {
  const { id, slot, url, round, outcome, status } = record;
  const { messageId: message, replayId: replay, webhookId: webhook, clockAt: clock, startedAt: started } = record;
  return { id, message, replay, webhook, slot, url, round, clock, started, outcome, status };
};

const replayOf = ({ id, sent, body, finishedAt, nextAt, ended }: StoredReplay): ReplayRow => {
  return { id, sent, body: body && Buffer.from(body), finished: finishedAt, next: nextAt, ended };
};

export class MemoryRows implements CommittedRows {
  readonly #all: Tables;

  constructor(tables: Tables) {
    this.#all = tables;
  }

  /** Throws inside a transaction. */
  get #tables(): Tables {
    if (!this.#all.journal.isClean) throw new Error('The watch reads what is not committed.');
    return this.#all;
  }

  message(id: number): MessageRow | undefined {
    const found = this.#tables.messages.get(id);
    return found && messageOf(found);
  }

  messages(): MessageRow[] {
    return this.#tables.messages.all().map(messageOf);
  }

  overdue(now: number): Array<{ id: number; due: number }> {
    return this.#tables.messages
      .all()
      .flatMap(({ id, state, nextDueAt: due }) =>
        due !== null && due <= now && AWAITED.has(state) ? [{ id, due }] : [],
      );
  }

  wire(message: number): Buffer | null {
    const body = this.#tables.bodies.get(message);
    return body === undefined ? null : Buffer.from(body.wire);
  }

  request(message: number): ReceivedRow {
    const { requestId, position } = this.#tables.messages.get(message)!;
    const { body, encoding } = this.#tables.requests.get(requestId)!;
    return { body: Buffer.from(body), encoding, position };
  }

  attemptsOf(message: number, round?: number): AttemptRow[] {
    return this.#tables.attempts
      .where(
        (one) => one.messageId === message && one.replayId === null && (round === undefined || one.round === round),
      )
      .map(attemptOf);
  }

  openAttempts(): AttemptRow[] {
    return this.#tables.attempts.where(({ outcome }) => outcome === null).map(attemptOf);
  }

  openReplays(): number {
    return this.#tables.replays.where(({ finishedAt }) => finishedAt === null).length;
  }

  replay(id: number): ReplayRow | undefined {
    const found = this.#tables.replays.get(id);
    return found && replayOf(found);
  }

  replays() {
    const attempts = this.#tables.attempts.where(({ replayId }) => replayId !== null);
    return this.#tables.replays.all().map((replay) => {
      const own = attempts.filter(({ replayId }) => replayId === replay.id);
      return { ...replayOf(replay), outcomes: own.map(({ outcome }) => outcome) };
    });
  }

  keptCounts(): null {
    return null;
  }

  damage(): null {
    return null;
  }

  alterWire(message: number, wire: Buffer): void {
    this.#tables.bodies.update(message, { wire, isSound: false });
    this.#all.journal.commit();
  }

  stopByHand({ id }: MessageRow, finishedAt: number): void {
    this.#tables.messages.update(id, { state: 'stopped', nextDueAt: null, finishedAt });
    this.#all.journal.commit();
  }
}
