import { type ReactNode, useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { ToastRegion } from '../components/toast-region.tsx';
import { cx } from '../lib/cx.ts';
import type { ScreenId } from '../stores/route.ts';
import { useView } from '../stores/view.ts';
import css from './app-frame.module.css';
import { TourBar } from './demo/tour-bar.tsx';
import { useDemoTitle } from './demo/use-demo.ts';
import { useGlobalKeys } from './keys.ts';
import type { ScreenEntry } from './screen-entry.ts';
import { type ShortcutGroup, ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Sidebar } from './sidebar.tsx';
import { StatusBar } from './status-bar.tsx';

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
  const showHelp = useCallback(() => setHelpOpen(true), []);
  const railWanted = useView((state) => state.railWanted);
  const narrow = useMedia('(max-width: 1279px)');
  const rail = narrow || railWanted;
  const byKey = useMemo(() => new Map(screens.map((screen) => [screen.key, screen.id])), [screens]);
  useGlobalKeys(byKey, showHelp);
  useDemoTitle();
  return (
    <div className={cx(css.app, rail && css.withRail)}>
      <button type="button" className={css.skip} onClick={skipToMain}>
        Skip to content
      </button>
      <Sidebar screens={screens} current={current} rail={rail} onShortcuts={showHelp} />
      <div className={css.content}>
        {children}
        <TourBar />
      </div>
      <StatusBar />
      <ToastRegion />
      <ShortcutsDialog open={helpOpen} onClose={() => setHelpOpen(false)} screens={screens} groups={shortcuts} />
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
