/** Which rows to ask for, given what is on screen and how fast it moves. Positions count rows, newest first. */

/** Rows of one request when the list stands still or moves slowly. */
export const CHUNK = 100;
/** The contract's limit for one window. */
export const MAX_WINDOW = 500;
/** Rows kept ready behind the screen, and ahead of it until the first scroll shows the speed. */
const BEHIND = 2 * CHUNK;
const AHEAD = 5 * CHUNK;
/** How many frames of travel are fetched ahead: a round trip plus the time to draw a screen of rows. */
const FRAMES_AHEAD = 12;
const MAX_AHEAD = 3_000;

export interface Screenful {
  readonly from: number;
  readonly to: number;
  /** Rows a frame, positive towards older rows. */
  readonly speed: number;
  readonly count: number;
}

export interface WantedRun {
  readonly from: number;
  readonly to: number;
  /** Rows on screen are fetched even when many other requests are under way. */
  readonly onScreen: boolean;
  /** True to fill from `to` down to `from`, because the list moves towards newer rows. */
  readonly toNewer: boolean;
  /** Rows of one request. */
  readonly limit: number;
}

/** The runs of positions to fetch, most urgent first: the screen, then ahead, then behind. */
export function wantedRuns({ from, to, speed, count }: Screenful): WantedRun[] {
  const last = count - 1;
  if (last < 0) return [];
  const ahead = Math.min(MAX_AHEAD, Math.max(AHEAD, Math.ceil(Math.abs(speed) * FRAMES_AHEAD)));
  const limit = Math.abs(speed) * FRAMES_AHEAD > BEHIND ? MAX_WINDOW : CHUNK;
  const off = { onScreen: false, limit };
  const down = { ...off, from: to + 1, to: Math.min(last, to + (speed < 0 ? BEHIND : ahead)), toNewer: false };
  const up = {
    ...off,
    from: Math.max(0, from - (speed < 0 ? ahead : BEHIND)),
    to: Math.min(last, from - 1),
    toNewer: true,
  };
  const sides = speed < 0 ? [up, down] : [down, up];
  const screen = { from: Math.max(0, from), to: Math.min(last, to), onScreen: true, toNewer: false, limit: CHUNK };
  return [screen, ...sides].filter((run) => run.from <= run.to);
}
