/** A time axis of the retry window, in pixels of a plot: for the attempt chart and the schedule drawing. Pure. */
import { formatSpan } from './format.ts';

/** Below this offset the axis is linear, because a log scale has no place for the first attempt at 0. */
const LINEAR_UNTIL_MS = 6_000;
const LINEAR_PX = 22;
const MIN_TICK_GAP_PX = 36;

/** In order of priority for room: rounder ones first. */
const TICKS: readonly (readonly [ms: number, label: string])[] = [
  [10_000, '10 s'],
  [60_000, '1 min'],
  [600_000, '10 min'],
  [3_600_000, '1 h'],
  [100, '100 ms'],
  [1_000, '1 s'],
  [14_400_000, '4 h'],
  [43_200_000, '12 h'],
  [86_400_000, '1 d'],
];

/** Maps an offset in milliseconds to the plot. Offsets outside it are clamped to its edges. */
export type Axis = (offsetMs: number) => number;

/** Log from 6 s (earlier for short windows) to the window's end, linear before. Never decreases. */
export function timeAxis(windowMs: number, width: number): Axis {
  const end = Math.max(1, windowMs);
  const knee = Math.min(LINEAR_UNTIL_MS, end / 2_400);
  const linear = Math.min(LINEAR_PX, width / 4);
  const span = Math.log10(end / knee);
  return (offsetMs) => {
    const at = Math.min(end, Math.max(0, offsetMs));
    return at <= knee ? (at / knee) * linear : linear + (Math.log10(at / knee) / span) * (width - linear);
  };
}

export interface Tick {
  readonly x: number;
  readonly label: string;
}

/** Always zero and the window's end. The others where they have room, rounder ones first. */
export function axisTicks(windowMs: number, width: number): Tick[] {
  const axis = timeAxis(windowMs, width);
  const ticks: Tick[] = [
    { x: 0, label: '0' },
    { x: width, label: formatSpan(windowMs) },
  ];
  for (const [ms, label] of TICKS) {
    if (ms >= windowMs) continue;
    const x = axis(ms);
    if (ticks.every((tick) => Math.abs(tick.x - x) >= MIN_TICK_GAP_PX)) ticks.push({ x, label });
  }
  return ticks.sort((a, b) => a.x - b.x);
}
