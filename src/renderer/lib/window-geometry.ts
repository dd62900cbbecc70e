/** The arithmetic of {@link useFixedWindow}: which slots are drawn where. Lengths in px. */

/** How many slots are drawn beyond each edge, so that small scrolls draw nothing new. */
const OVERSCAN = 6;

/** The tallest element that browsers lay out correctly: Firefox 17.8, Chromium 33.5 million px. */
const MAX_HEIGHT = globalThis.CSS?.supports?.('-moz-appearance', 'none') ? 15_000_000 : 32_000_000;

const BASE_STEP = 256;

/** Slots to draw; `last` is exclusive. */
export interface SlotRange {
  readonly first: number;
  readonly last: number;
}

/** Height of the element that gives the scroller its length. */
export const scrollHeight = (full: number): number => Math.min(full, MAX_HEIGHT);

/** Scroller px per px of the list. Below 1 when the list is taller than an element can be. */
export function scrollScale(full: number, viewHeight: number): number {
  if (full <= MAX_HEIGHT) return 1;
  return (MAX_HEIGHT - viewHeight) / (full - viewHeight);
}

/** The slots to draw for a view that begins `top` px below the top of the list. */
export function rangeAt(top: number, viewHeight: number, slotHeight: number, count: number): SlotRange {
  const first = Math.max(0, Math.floor(top / slotHeight) - OVERSCAN);
  const last = Math.min(count, Math.ceil((top + viewHeight) / slotHeight) + OVERSCAN);
  return { first: Math.min(first, last), last };
}

/**
 * The slot from which rows count their distance in the layer. It keeps its distance from the end of the list and
 * moves in long steps, so that rows that stay need no new distance when the list scrolls or grows at the top.
 */
export const baseSlot = (first: number, count: number): number =>
  count - Math.ceil((count - first) / BASE_STEP) * BASE_STEP;
