/** One turn's share of a long job. The thread hears of new calls between two slices. */
/** A slice ends after so much real time. */
export const SLICE_MS = 4;
/** It ends after so many units as well, on a clock that stands still too. */
export const SLICE_UNITS = 32;
/** Messages, bodies or people of one unit: well under a millisecond, since a slice can only end between two units. */
export const UNIT = 32;

export interface Slice {
  /** Asked after each unit of work. */
  isOver(): boolean;
}

/** A slice that begins now. */
export function beginSlice(clock: { mono(): number }): Slice {
  const endsAt = clock.mono() + SLICE_MS;
  let units = 0;
  return {
    isOver: () => {
      units += 1;
      return units >= SLICE_UNITS || clock.mono() >= endsAt;
    },
  };
}
