import {
  deliver,
  interrupt,
  interruptedCells,
  isUnderWay,
  resume,
  type Standing,
  show,
  type UnderWay,
} from '../../../src/core/model/moves.ts';
import type { Changes } from '../../../src/core/store/ports/changes.ts';
import type { RecoveryStore } from '../../../src/core/store/ports/recovery.ts';
import { MemoryDue } from './due.ts';
import { applyMove, standingOf } from './moves.ts';
import type { Tables } from './tables.ts';

export class MemoryRecovery implements RecoveryStore {
  readonly areDueTimesTrusted = true;
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  distrustDueTimes(): void {}

  recover(now: number, finishedAt: number, changes: Changes): number {
    const { attempts, messages } = this.#tables;
    const open = attempts.where(({ outcome }) => outcome === null);
    for (const { id, messageId } of open) {
      attempts.update(id, { outcome: 'interrupted' });
      changes.messages.add(messageId);
    }
    for (const message of messages.all()) {
      const { id, state, cells } = message;
      const own = open.filter(({ messageId, replayId }) => messageId === id && replayId === null);
      const slots = new Set(own.map(({ slot }) => slot));
      const standing = standingOf(message);
      if (isUnderWay(state)) applyMove(this.#tables, interrupt(standing as Standing<UnderWay>, now, slots), changes);
      else if (slots.size > 0) {
        const shown = { cells: interruptedCells(cells, slots), isOpen: false };
        applyMove(this.#tables, show(standing, shown), changes);
      }
    }
    this.finishOpenReplays(finishedAt);
    return open.length;
  }

  resumePaused(now: number, changes: Changes): void {
    for (const id of this.pausedIds()) this.resumeOne(id, now, changes);
  }

  leftOpen(): { attempts: number[]; messages: number[] } {
    const { attempts, messages } = this.#tables;
    return {
      attempts: attempts.where(({ outcome }) => outcome === null).map(({ id }) => id),
      messages: messages.where(({ state }) => isUnderWay(state)).map(({ id }) => id),
    };
  }

  interruptOne(attemptId: number): void {
    if (this.#tables.attempts.get(attemptId)?.outcome === null)
      this.#tables.attempts.update(attemptId, { outcome: 'interrupted' });
  }

  recoverOne(id: number, now: number, finishedAt: number, changes: Changes): void {
    const message = this.#tables.messages.get(id);
    if (message === undefined || !isUnderWay(message.state)) return;
    const from = standingOf(message) as Standing<UnderWay>;
    const wasAccepted = [...new MemoryDue(this.#tables).lastOutcomes(id).values()].includes('accepted');
    const move = wasAccepted
      ? deliver(from, finishedAt, interruptedCells(from.cells, null))
      : interrupt(from, now, null);
    applyMove(this.#tables, move, changes);
  }

  finishOpenReplays(finishedAt: number): void {
    const { replays, replayJobs } = this.#tables;
    for (const { id } of replays.where((replay) => replay.finishedAt === null))
      replays.update(id, { finishedAt, nextAt: null, ended: 'interrupted' });
    for (const { id } of replayJobs.where((job) => job.finishedAt === null))
      replayJobs.update(id, { state: 'interrupted', finishedAt });
  }

  pausedIds(): number[] {
    return this.#tables.messages.where(({ state }) => state === 'paused').map(({ id }) => id);
  }

  resumeOne(id: number, now: number, changes: Changes): void {
    const message = this.#tables.messages.get(id);
    if (message?.state !== 'paused') return;
    applyMove(this.#tables, resume(standingOf(message) as Standing<'paused'>, now), changes);
  }
}
