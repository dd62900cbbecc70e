/** Bounds of the search index, for the engine and its clients. */

/** A smaller store has no index. */
export const LEAST_SEARCHED = 4_096;
