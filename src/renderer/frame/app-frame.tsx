import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { ToastRegion } from '../components/toast-region.tsx';
import { cx } from '../lib/cx.ts';
import type { ScreenId } from '../stores/route.ts';
import { useView } from '../stores/view.ts';
import css from './app-frame.module.css';
import { TourBar } from './demo/tour-bar.tsx';
import { layerOpen, useGlobalKeys } from './keys.ts';
import { Palette } from './palette/palette.tsx';
import type { ScreenEntry } from './screen-entry.ts';
import { type ShortcutGroup, ShortcutGroups, shortcutGroups } from './shortcut-list.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';
import { useTitle } from './use-title.ts';
import type { FrameDoors } from './window-actions.ts';

/** Sidebar, the screen, status bar, toasts. Below 1280 px the sidebar is a rail (design/ui, section 4). */
export function AppFrame({
  screens,
  current,
  shortcuts,
  children,
}: {
  screens: readonly ScreenEntry[];
  current: ScreenId;
  shortcuts: readonly ShortcutGroup[];
  children: ReactNode;
}) {
  const [helpOpen, setHelpOpen] = useState(false);
  const [paletteOpen, setPaletteOpen] = useState(false);
  const doors = useMemo(
    (): FrameDoors => ({
      showShortcuts: () => setHelpOpen(true),
      // It does not open over another dialog, but its key closes it.
      togglePalette: () => setPaletteOpen((open) => !open && !layerOpen()),
    }),
    [],
  );
  const railWanted = useView((state) => state.railWanted);
  const narrow = useMedia('(max-width: 1279px)');
  const rail = narrow || railWanted;
  const byKey = useMemo(() => new Map(screens.map((screen) => [screen.key, screen.id])), [screens]);
  const groups = useMemo(() => shortcutGroups(screens, shortcuts), [screens, shortcuts]);
  useGlobalKeys(byKey, doors);
  useTitle(screens);
  return (
    <div className={cx(css.app, rail && css.withRail)}>
      <button type="button" className={css.skip} onClick={skipToMain}>
        Skip to content
      </button>
      <Sidebar screens={screens} current={current} rail={rail} doors={doors} />
      <div className={css.content}>
        <ShortcutGroups value={groups}>{children}</ShortcutGroups>
        <TourBar />
      </div>
      <StatusBar />
      <ToastRegion />
      <Palette open={paletteOpen} onClose={() => setPaletteOpen(false)} screens={screens} doors={doors} />
      <ShortcutGroups value={groups}>
        <ShortcutsDialog open={helpOpen} onClose={() => setHelpOpen(false)} />
      </ShortcutGroups>
    </div>
  );
}

/** The hash is the route, so the skip link is a button that moves the focus. */
function skipToMain(): void {
  document.getElementById('main')?.focus();
}

/** Whether a media query matches, kept up to date. */
export function useMedia(query: string): boolean {
  const list = useMemo(() => window.matchMedia?.(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      list?.addEventListener('change', listener);
      return () => list?.removeEventListener('change', listener);
    },
    [list],
  );
  return useSyncExternalStore(subscribe, () => list?.matches ?? false);
}
