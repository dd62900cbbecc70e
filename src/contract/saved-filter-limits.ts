/** Limits of saved filters, for both sides. */
export const SAVED_FILTER_LIMITS = { filters: 50, name: 60 } as const;

/** Filters that every workspace has. They can be hidden. */
export const BUILT_IN_FILTERS = ['dropped', 'replays', 'slow', 'deletions'] as const;
export type BuiltInFilter = (typeof BUILT_IN_FILTERS)[number];
