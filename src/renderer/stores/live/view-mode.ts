/**
 * Whether new rows enter the list (design/ui, section 8).
 *
 * - Following: at the top and not paused; new rows enter.
 * - Reading: scrolled away, text selected, a menu open, or a row focused by keyboard; new rows are held.
 * - Paused: by the person; new rows are held wherever the list stands.
 */
export type ViewMode = 'following' | 'reading' | 'paused';

export interface ViewState {
  readonly atTop: boolean;
  readonly textSelected: boolean;
  readonly menuOpen: boolean;
  readonly keyboardFocus: boolean;
  /** Wall time of the pause, or null. */
  readonly pausedAt: number | null;
  /** This many held rows were inserted above. A user who scrolls through them to the top follows again. */
  readonly catchingUp: number | null;
}

export const startView: ViewState = {
  atTop: true,
  textSelected: false,
  menuOpen: false,
  keyboardFocus: false,
  pausedAt: null,
  catchingUp: null,
};

export function modeOf(view: ViewState): ViewMode {
  if (view.pausedAt !== null) return 'paused';
  return view.atTop && !view.textSelected && !view.menuOpen && !view.keyboardFocus ? 'following' : 'reading';
}

/** What to do with held rows after a scroll. */
export type HeldRows =
  | 'keep'
  /** Show them above the rows on screen, which keep their place. */
  | 'above'
  /** Show them at the top. */
  | 'enter';

/**
 * The list was scrolled so that `topSlot` is the first slot on screen; 0 is the top. When the user scrolls to the top,
 * the held rows are first inserted above, so that nothing moves under the cursor. A user who then scrolls on to the new
 * top follows. Without this second step nobody could catch up with a busy stream.
 */
export function scrolled(view: ViewState, topSlot: number, held: number): { view: ViewState; held: HeldRows } {
  const atTop = topSlot === 0;
  const strayed = view.catchingUp !== null && topSlot > view.catchingUp + 1;
  const moved = { ...view, atTop, catchingUp: strayed ? null : view.catchingUp };
  if (!atTop || view.atTop || view.pausedAt !== null) return { view: moved, held: 'keep' };
  if (modeOf(moved) !== 'following') return { view: moved, held: 'keep' };
  const following = { ...moved, catchingUp: null };
  if (held === 0) return { view: following, held: 'keep' };
  if (view.catchingUp !== null) return { view: following, held: 'enter' };
  return { view: { ...moved, atTop: false, catchingUp: held }, held: 'above' };
}

/** The strip's count: `12`, at most `999+`. */
export const heldText = (held: number): string => (held > 999 ? '999+' : String(held));
