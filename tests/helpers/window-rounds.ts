/** Compares the rounds that a message had with those drawn for it. */
import type { ScheduleView } from '../../src/contract/rules.ts';
import type { AttemptView } from '../../src/contract/values.ts';

export interface RoundRow {
  readonly round: number;
  /** Retry-clock milliseconds since the first attempt; null when the round was not drawn or not made. */
  readonly drawn: number | null;
  readonly recorded: number | null;
  /** How much longer the wait before it was than drawn, in retry-clock milliseconds; null for the first round. */
  readonly late: number | null;
}

export interface Tolerance {
  readonly speed: number;
  /** Real milliseconds that an attempt and the timer after it may add to a wait. */
  readonly realMs: number;
}

/** Allowed in addition to the real lateness, which the speed multiplies. */
const ROUNDING_MS = 1_000;

/** How much a wait may exceed the drawn one, in retry-clock milliseconds. */
export const mostLate = ({ speed, realMs }: Tolerance): number => ROUNDING_MS + speed * realMs;

function recordedStarts(attempts: readonly AttemptView[]): Map<number, number> {
  const starts = new Map<number, number>();
  for (const { round, clockAt } of attempts)
    starts.set(round, Math.min(clockAt, starts.get(round) ?? Number.POSITIVE_INFINITY));
  return starts;
}

/** `schedule` as it was drawn after the first round, `attempts` as they were at the end. */
export function roundRows(schedule: ScheduleView, attempts: readonly AttemptView[]): RoundRow[] {
  const drawn = new Map(schedule.rounds.map(({ round, at }) => [round, at]));
  const recorded = recordedStarts(attempts);
  const first = recorded.get(1)!;
  const since = (starts: Map<number, number>, round: number): number | null =>
    starts.has(round) ? starts.get(round)! - first : null;
  const rounds = [...new Set([...drawn.keys(), ...recorded.keys()])].sort((a, b) => a - b);
  return rounds.map((round) => {
    const wait = (starts: Map<number, number>): number => starts.get(round)! - starts.get(round - 1)!;
    const late = wait(recorded) - wait(drawn);
    return {
      round,
      drawn: since(drawn, round),
      recorded: since(recorded, round),
      late: Number.isNaN(late) ? null : late,
    };
  });
}

/**
 * What is wrong with them; empty when nothing is. A drawn round may be missing only if lateness moved it past the
 * window.
 */
export function roundFaults(rows: readonly RoundRow[], windowMs: number, tolerance: Tolerance): string[] {
  const faults: string[] = [];
  const most = mostLate(tolerance);
  let behind = 0;
  for (const { round, drawn, recorded, late } of rows) {
    if (late !== null && (late < -ROUNDING_MS || late > most))
      faults.push(`round ${round} waited ${late} ms longer than drawn; -${ROUNDING_MS} to ${most} are allowed`);
    if (recorded !== null && recorded > windowMs) faults.push(`round ${round} started after the window`);
    if (drawn === null) faults.push(`round ${round} was not drawn`);
    else if (recorded !== null) behind = recorded - drawn;
    else if (drawn + behind + most <= windowMs) faults.push(`round ${round} was drawn and did not start`);
  }
  return faults;
}
