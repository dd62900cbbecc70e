/**
 * The layout of the attempt chart, in pixels of its plot. Pure: the component only draws. Time is the retry clock's,
 * counted from the first attempt (delivery specification, section 5).
 */
import type { ScheduleView } from '../../../contract/rules.ts';
import type { AttemptView, LineUpView } from '../../../contract/values.ts';
import type { CellMark } from '../../components/cell-marks.tsx';
import { axisTicks, type Tick, timeAxis } from '../../lib/time-axis.ts';
import { ATTEMPT_WORDS, attemptKind } from '../../lib/words/attempts.ts';
import { ownAttempts } from '../../message/attempts.ts';
import { type HookNow, type LaneHook, laneKey, lanesOf, placeOf } from './lanes.ts';

/** The list's character for one attempt (see `MessageRow.cells`). */
export const cellOf = (attempt: Pick<AttemptView, 'outcome' | 'status'>): CellMark =>
  ATTEMPT_WORDS[attemptKind(attempt)].cell;

export interface Mark {
  readonly x: number;
  /** The cell character of the group: an acceptance if there is one, otherwise the newest. */
  readonly cell: CellMark;
  readonly count: number;
  readonly firstRound: number;
  readonly lastRound: number;
}

/** Distance in px that a mark needs to its right neighbour. The count of a merged mark is written under it. */
const roomFor = (count: number): number => (count >= 100 ? 22 : count >= 10 ? 16 : 12);

/** Merges points closer together than 12 px into one mark with a count. `points` are in order of x. */
export function mergeMarks(points: readonly { x: number; cell: CellMark; round: number }[]): Mark[] {
  const marks: Mark[] = [];
  for (const point of points) {
    const last = marks.at(-1);
    if (last === undefined || point.x - last.x >= roomFor(last.count)) {
      marks.push({ x: point.x, cell: point.cell, count: 1, firstRound: point.round, lastRound: point.round });
      continue;
    }
    const cell = last.cell === 'a' ? 'a' : point.cell;
    marks[marks.length - 1] = { ...last, cell, count: last.count + 1, lastRound: point.round };
  }
  return marks;
}

export interface Lane extends LaneHook {
  readonly marks: readonly Mark[];
  /** True when the next round will try it. */
  readonly waiting: boolean;
}

export interface ChartInput {
  /** Attempts of rounds and replays. Those of replays are left out here. */
  readonly attempts: readonly AttemptView[];
  readonly webhooks: readonly HookNow[];
  readonly lineUps: readonly LineUpView[];
  /** Retry-clock times. */
  readonly firstAt: number;
  readonly windowEndsAt: number;
  readonly nowAt: number;
  /** The engine's schedule. Due and planned rounds are read from it. */
  readonly schedule: ScheduleView | null;
  /** True once no round follows. There is no now line then. */
  readonly final: boolean;
  /** Whether a webhook that declined is tried again (the delivery rules). */
  readonly retriesDeclined: boolean;
  /** Width of the plot, without the lane names. */
  readonly width: number;
}

export interface Chart {
  readonly windowMs: number;
  readonly ticks: readonly Tick[];
  readonly lanes: readonly Lane[];
  /** Null when the message is final. */
  readonly now: { readonly x: number; readonly offsetMs: number } | null;
  readonly next: { readonly x: number; readonly offsetMs: number } | null;
  /** Merged like marks, so that planned rounds never pile up. */
  readonly later: readonly number[];
}

/** Offsets of the rounds still to come, from the first attempt, in order. */
function roundsAhead({ schedule, final, firstAt }: ChartInput): { due: number | null; planned: number[] } {
  if (schedule === null || final) return { due: null, planned: [] };
  const offsets = (kind: 'due' | 'planned') =>
    schedule.rounds.filter((round) => round.kind === kind).map(({ at }) => Math.max(0, at - firstAt));
  return { due: offsets('due')[0] ?? null, planned: offsets('planned') };
}

/** Everything that the chart draws. */
export function chartOf(input: ChartInput): Chart {
  const own = ownAttempts(input.attempts);
  const windowMs = input.windowEndsAt - input.firstAt;
  const axis = timeAxis(windowMs, input.width);
  const nowX = axis(input.nowAt - input.firstAt);
  const { due, planned } = roundsAhead(input);
  const ahead = due !== null || planned.length > 0;
  const byLane = Map.groupBy(own, (attempt) => laneKey(placeOf(attempt)));
  const lanes = lanesOf({ ...input, attempts: own }).map((lane): Lane => {
    const points = (byLane.get(laneKey(lane)) ?? [])
      .map((attempt) => ({
        x: axis(attempt.clockAt - input.firstAt),
        cell: cellOf(attempt),
        round: attempt.round,
      }))
      .sort((a, b) => a.x - b.x || a.round - b.round);
    return { ...lane, marks: mergeMarks(points), waiting: ahead && lane.isNow && lane.note === null };
  });
  return {
    windowMs,
    ticks: axisTicks(windowMs, input.width),
    lanes,
    now: input.final ? null : { x: nowX, offsetMs: Math.max(0, input.nowAt - input.firstAt) },
    next: due === null ? null : { x: axis(due), offsetMs: due },
    later: spread(planned.map(axis), due === null ? nowX : Math.max(axis(due), nowX)),
  };
}

/** Keeps the positions after `after` that are at least a mark's width apart, also from `after` itself. */
function spread(positions: readonly number[], after: number): number[] {
  const kept: number[] = [];
  for (const x of positions) if (x - (kept.at(-1) ?? after) >= roomFor(1)) kept.push(x);
  return kept;
}
