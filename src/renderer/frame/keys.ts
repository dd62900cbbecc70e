/** Shortcuts of the whole window (design/ui, section 9). Screens add their own. */
import { useRef } from 'react';
import { lastRoute, navigate, type ScreenId } from '../stores/route.ts';
import { useView } from '../stores/view.ts';
import { useWindowKeys } from './use-window-keys.ts';
import { type FrameDoors, WINDOW_ACTIONS } from './window-actions.ts';

/** How long G waits for its letter, in milliseconds. */
const CHORD_MS = 1500;

/** True where letters are text, so that single-letter keys do nothing. */
export function typesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** True while a dialog or menu is open, which then handles the keys. */
export const layerOpen = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;

/** True when a single-letter shortcut may run: no field has focus, no modifier, no dialog or menu open, not turned off. */
export function letterAllowed(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  if (!useView.getState().letterKeys || typesText(event.target)) return false;
  return !layerOpen();
}

export function useGlobalKeys(screens: ReadonlyMap<string, ScreenId>, doors: FrameDoors): void {
  const chordUntil = useRef(0);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'F6') return moveRegion(event);
    if (event.ctrlKey || event.metaKey) return runHeld(event, doors);
    if (!letterAllowed(event)) return;
    const letter = event.key.toLowerCase();
    const target = event.timeStamp < chordUntil.current ? screens.get(letter) : undefined;
    chordUntil.current = 0;
    if (target !== undefined) {
      event.preventDefault();
      // The letter of the chord must not also trigger the screen's own shortcut.
      event.stopImmediatePropagation();
      navigate(lastRoute(target));
    } else if (letter === 'g' && !event.shiftKey) chordUntil.current = event.timeStamp + CHORD_MS;
    else {
      const action = WINDOW_ACTIONS.find((one) => !one.ctrl && one.key === letter);
      const isLetter = /^[a-z]$/.test(letter);
      if (action !== undefined && !(isLetter && event.shiftKey) && (action.repeats || !event.repeat)) action.run(doors);
    }
  };
  useWindowKeys(onKey, { early: true });
}

/** With Ctrl or Command. */
function runHeld(event: KeyboardEvent, doors: FrameDoors): void {
  if (event.altKey || event.shiftKey) return;
  const action = WINDOW_ACTIONS.find((one) => one.ctrl && one.key === event.key.toLowerCase());
  if (action === undefined || (layerOpen() && !action.overLayers)) return;
  event.preventDefault();
  if (action.repeats || !event.repeat) action.run(doors);
}

/**
 * F6 and Shift F6 cycle through the regions: sidebar, header, what the screen marks with `data-region`, status bar,
 * notices. Base UI's own F6 would jump to the notices whenever there is one.
 */
function moveRegion(event: KeyboardEvent): void {
  event.stopImmediatePropagation();
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter((r) => r.offsetParent !== null);
  if (regions.length === 0) return;
  event.preventDefault();
  // Regions may be nested. The innermost one has the focus.
  const at = regions.findLastIndex((region) => region.contains(document.activeElement));
  for (let step = 1; step <= regions.length; step += 1) {
    const region = regions[(at + (event.shiftKey ? -step : step) + regions.length * 2) % regions.length];
    if (region !== undefined && focusInside(region, at === -1 ? undefined : regions[at])) return;
  }
}

const STOPS = 'a[href], button:not([disabled]):not([tabindex="-1"]), input:not([disabled]), [tabindex="0"]';

/** False when only `from`, the region being left, has something to focus. */
function focusInside(region: HTMLElement, from: HTMLElement | undefined): boolean {
  if (region.matches('[tabindex]')) {
    region.focus();
    return true;
  }
  const stops = [...region.querySelectorAll<HTMLElement>(STOPS)];
  const stop = stops.find((one) => one.closest('[data-region]') === region) ?? stops[0];
  if (stop === undefined || (from !== region && from?.contains(stop) && region.contains(from))) return false;
  stop.focus();
  return true;
}
