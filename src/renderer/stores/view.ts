/** The user's preferences: theme, pane widths. Kept in localStorage. */
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { CurlShell } from '../../contract/curl-file.ts';
import type { PeopleSort } from '../../contract/persons.ts';
import type { TimeZone } from '../lib/format.ts';
import { forgivingStorage } from './forgiving-storage.ts';

export type ThemeChoice = 'system' | 'dark' | 'light';

export interface View {
  theme: ThemeChoice;
  /** Width of the detail pane in px (design/ui, section 4: 508, at least 420). */
  detailWidth: number;
  /** True to show the sidebar as a rail even when there is room. */
  railWanted: boolean;
  /** Single-letter shortcuts (WCAG 2.1.4). */
  letterKeys: boolean;
  /** Zone of times in lists and details. Copied times are always UTC. */
  timeZone: TimeZone;
  /** How the tab Received and delivered shows a call, and whether with its unchanged fields. */
  changesAs: 'fields' | 'sides' | 'inline';
  changesAll: boolean;
  /** The order of the list of people. */
  peopleSort: PeopleSort;
  /** The shell that curl commands are copied for. */
  curlShell: CurlShell;
}

export const DEFAULT_DETAIL_WIDTH = 508;
export const MIN_DETAIL_WIDTH = 420;

export const useView = create<View>()(
  persist(
    (): View => ({
      theme: 'system',
      detailWidth: DEFAULT_DETAIL_WIDTH,
      railWanted: false,
      letterKeys: true,
      timeZone: 'local',
      changesAs: 'fields',
      changesAll: false,
      peopleSort: 'last_seen',
      curlShell: navigator.platform.startsWith('Win') ? 'powershell' : 'sh',
    }),
    { name: 'hookbench.view', version: 1, storage: createJSONStorage<View>(() => forgivingStorage) },
  ),
);

export function setTheme(theme: ThemeChoice): void {
  useView.setState({ theme });
}

const prefersLight = () => window.matchMedia?.('(prefers-color-scheme: light)');

/** What `system` means right now. */
export function resolveTheme(choice: ThemeChoice): 'dark' | 'light' {
  if (choice !== 'system') return choice;
  return prefersLight()?.matches ? 'light' : 'dark';
}

/**
 * Keeps the page's `data-theme` at the chosen theme and tells the desktop shell each choice. Returns a function that
 * stops. At the start the shell's theme wins (`takeShellFacts`), because the shell has already painted the window's
 * frame.
 */
export function watchTheme(): () => void {
  const apply = () => {
    document.documentElement.dataset.theme = resolveTheme(useView.getState().theme);
  };
  apply();
  const query = prefersLight();
  query?.addEventListener('change', apply);
  const tellShell = (view: View) => window.hookbench?.setTheme?.(view.theme);
  const stop = useView.subscribe((view, before) => {
    apply();
    if (view.theme !== before.theme) tellShell(view);
  });
  return () => {
    query?.removeEventListener('change', apply);
    stop();
  };
}
