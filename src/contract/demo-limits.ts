/** Numbers and steps of the demo, for both sides. */
export const DEMO_LIMITS = {
  seed: 0xffff_ffff,
  /** Calls a minute. */
  rate: 1_200,
} as const;

export const DEFAULT_DEMO = { seed: 42, rate: 20 } as const;

/** Steps of the tour, in order. */
export const TOUR_STEPS = ['Calls arrive', 'A webhook fails', 'Audience sync', 'Delete notices', 'Ahead 4 h'] as const;
/** From 1. */
export type TourStep = 1 | 2 | 3 | 4 | 5;
