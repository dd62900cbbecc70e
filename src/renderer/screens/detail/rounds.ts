/** Attempts as the rounds list shows them. Pure. */
import type { AttemptView, WebhookView } from '../../../contract/values.ts';
import { cellOf, declinedWebhooks, ownAttempts } from './chart-geometry.ts';

/** A webhook that a round did not try, and why. */
export interface Absent {
  readonly slot: number;
  readonly name: string;
  readonly cell: 'p' | '.';
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
  /** Known for the newest round only: what is on or off now says nothing of older ones. */
  readonly absent: readonly Absent[];
  /** Five characters for HookCells. */
  readonly cells: string;
}

type Hook = Pick<WebhookView, 'id' | 'slot' | 'name' | 'enabled'>;

function cellsOf(attempts: readonly AttemptView[], absent: readonly Absent[]): string {
  const cells = ['.', '.', '.', '.', '.'];
  for (const { slot, cell } of absent) if (slot >= 1 && slot <= 5) cells[slot - 1] = cell;
  for (const attempt of attempts) if (attempt.slot >= 1 && attempt.slot <= 5) cells[attempt.slot - 1] = cellOf(attempt);
  return cells.join('');
}

function absentOf(
  attempts: readonly AttemptView[],
  earlier: readonly AttemptView[],
  webhooks: readonly Hook[],
): Absent[] {
  const tried = new Set(attempts.map((attempt) => attempt.webhookId));
  const declined = declinedWebhooks(earlier);
  return webhooks
    .filter((webhook) => !tried.has(webhook.id))
    .map((webhook): Absent => {
      const words = !webhook.enabled
        ? 'Paused by you'
        : declined.has(webhook.id)
          ? 'Declined before, not tried again'
          : 'Not tried';
      return { slot: webhook.slot, name: webhook.name, cell: webhook.enabled ? '.' : 'p', words };
    })
    .sort((a, b) => a.slot - b.slot);
}

/** The engine's own rounds, newest first; `final` leaves out what a next round would have tried. */
export function roundsOf(attempts: readonly AttemptView[], webhooks: readonly Hook[], final: boolean): Round[] {
  const own = ownAttempts(attempts);
  const byRound = new Map<number, AttemptView[]>();
  for (const attempt of own) byRound.set(attempt.round, [...(byRound.get(attempt.round) ?? []), attempt]);
  const numbers = [...byRound.keys()].sort((a, b) => b - a);
  const first = Math.min(...own.map((attempt) => attempt.clockAt));
  return numbers.map((round, index) => {
    const list = (byRound.get(round) ?? []).sort((a, b) => a.slot - b.slot || a.id - b.id);
    const newest = index === 0 && !final;
    const absent = newest
      ? absentOf(
          list,
          own.filter((attempt) => attempt.round < round),
          webhooks,
        )
      : [];
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
