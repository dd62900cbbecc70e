/** Attempts as the rounds list shows them. Pure. */
import { UNDER_WAY_STATES } from '../../../contract/names.ts';
import type { AttemptView, LineUpView, MessageRow } from '../../../contract/values.ts';
import { ownAttempts } from '../../message/attempts.ts';
import { cellOf } from './chart-geometry.ts';
import { declinedWebhooks } from './lanes.ts';

/** A webhook that a round did not try, and why, by its name at the time. */
export interface Absent {
  readonly webhookId: number;
  readonly slot: number;
  readonly name: string;
  readonly cell: 'p' | 'w' | 'x' | '.';
  readonly words: string;
}

export interface Round {
  readonly round: number;
  /** Retry-clock milliseconds from the first attempt. */
  readonly offsetMs: number;
  /** Wall time of its first attempt. */
  readonly startedAt: number;
  /** By slot. */
  readonly attempts: readonly AttemptView[];
  /** By slot. Empty when the webhooks of that time are not known. */
  readonly absent: readonly Absent[];
  /** Five characters for HookCells. */
  readonly cells: string;
}

type Hook = LineUpView['webhooks'][number];
/** What the message's row shows of its newest round. */
type Newest = Pick<MessageRow, 'state' | 'cells'>;

function cellsOf(attempts: readonly AttemptView[], absent: readonly Absent[]): string {
  const cells = ['.', '.', '.', '.', '.'];
  for (const { slot, cell } of absent) if (slot >= 1 && slot <= 5) cells[slot - 1] = cell;
  for (const attempt of attempts) if (attempt.slot >= 1 && attempt.slot <= 5) cells[attempt.slot - 1] = cellOf(attempt);
  return cells.join('');
}

/** The webhooks of the round: those in force at its first attempt. */
function hooksOf(attempts: readonly AttemptView[], lineUps: readonly LineUpView[]): readonly Hook[] {
  const first = Math.min(...attempts.map(({ id }) => id));
  return lineUps.findLast(({ afterAttempt }) => afterAttempt < first)?.webhooks ?? [];
}

const PAUSED = { cell: 'p', words: 'Paused' } as const;

function whyAbsent(
  hook: Hook,
  { isSettled, declined, newest }: { isSettled: boolean; declined: ReadonlySet<number>; newest: Newest | null },
): Pick<Absent, 'cell' | 'words'> {
  const cell = newest?.cells[hook.slot - 1];
  if (!hook.enabled) return PAUSED;
  if (declined.has(hook.id)) return { cell: '.', words: 'Declined before, not tried again' };
  if (isSettled) return { cell: 'x', words: 'Not needed' };
  if (cell === 'w' && newest !== null && UNDER_WAY_STATES.has(newest.state))
    return { cell, words: 'Waiting for a free sender' };
  // Turned off while the round waited for it.
  if (cell === 'p') return PAUSED;
  return { cell: '.', words: 'Not tried' };
}

/** The engine's own rounds, newest first, each with the webhooks of its time. */
export function roundsOf(attempts: readonly AttemptView[], lineUps: readonly LineUpView[], message: Newest): Round[] {
  const own = ownAttempts(attempts);
  const byRound = Map.groupBy(own, ({ round }) => round);
  const numbers = [...byRound.keys()].sort((a, b) => b - a);
  const first = Math.min(...own.map((attempt) => attempt.clockAt));
  return numbers.map((round, index) => {
    const list = byRound.get(round)!.sort((a, b) => a.slot - b.slot || a.id - b.id);
    const facts = {
      isSettled: list.some(({ outcome }) => outcome === 'accepted'),
      declined: declinedWebhooks(own.filter((attempt) => attempt.round < round)),
      newest: index === 0 ? message : null,
    };
    const absent = hooksOf(list, lineUps)
      .filter(({ id }) => !list.some(({ webhookId }) => webhookId === id))
      .map((hook): Absent => ({ webhookId: hook.id, slot: hook.slot, name: hook.name, ...whyAbsent(hook, facts) }));
    return {
      round,
      offsetMs: Math.min(...list.map((attempt) => attempt.clockAt)) - first,
      startedAt: Math.min(...list.map((attempt) => attempt.startedAt)),
      attempts: list,
      absent,
      cells: cellsOf(list, absent),
    };
  });
}
