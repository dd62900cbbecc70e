/** What the search index is bounded by, for both sides. */

/** A smaller store has no index. */
export const LEAST_SEARCHED = 4_096;
