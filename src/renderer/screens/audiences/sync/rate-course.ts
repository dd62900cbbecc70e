/** The rate of a sync over time, from how many calls were settled by when. Pure. Times are epoch milliseconds. */
import type { SyncDetail, SyncEvent } from '../../../../contract/audiences.ts';

export interface Stop {
  readonly from: number;
  readonly to: number;
}

export interface RatePoint {
  readonly at: number;
  /** Settled calls a second since the point before. */
  readonly perSecond: number;
}

export interface RateCourse {
  readonly from: number;
  /** The newest time that is known. */
  readonly to: number;
  /** Stretches between stops, oldest first. None is empty. */
  readonly runs: ReadonlyArray<readonly RatePoint[]>;
  readonly stops: readonly Stop[];
  readonly highest: number;
}

/** Null before two points are known. */
export function rateCourse({ series, events }: Pick<SyncDetail, 'series' | 'events'>): RateCourse | null {
  const first = series[0];
  const last = series.at(-1);
  if (first === undefined || last === undefined || last[0] <= first[0]) return null;
  const to = Math.max(last[0], events.at(-1)?.at ?? 0);
  const stops = stopsOf(events, to);
  const runs: RatePoint[][] = [];
  let run: RatePoint[] = [];
  const endRun = () => {
    if (run.length > 1) runs.push(run);
    run = [];
  };
  for (const [i, [at, settled]] of series.entries()) {
    const before = series[i - 1];
    if (before === undefined || at <= before[0]) continue;
    // Requests that were open at a stop still end in it; their calls belong to no rate.
    if (stops.some((stop) => before[0] >= stop.from && at <= stop.to)) {
      endRun();
      continue;
    }
    const perSecond = ((settled - before[1]) * 1_000) / (at - before[0]);
    if (run.length === 0) run.push({ at: before[0], perSecond });
    run.push({ at, perSecond });
  }
  endRun();
  const highest = Math.max(0, ...runs.flat().map((point) => point.perSecond));
  return { from: first[0], to, runs, stops, highest };
}

/** A stop that has not ended lasts until `to`. */
export function stopsOf(events: readonly SyncEvent[], to: number): Stop[] {
  const stops: Stop[] = [];
  let from: number | null = null;
  for (const { at, what } of events) {
    if (what === 'stopped') from ??= at;
    else if (from !== null && what !== 'left_out') {
      stops.push({ from, to: at });
      from = null;
    }
  }
  if (from !== null && to > from) stops.push({ from, to });
  return stops;
}
