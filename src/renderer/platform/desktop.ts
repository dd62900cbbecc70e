/** What only the desktop shell can tell or do. Absent in a browser. */
import { create } from 'zustand';

export interface ShellFacts {
  /** `file`: the system has no key store, so the key lies beside the data. */
  readonly keyStorage: 'system' | 'file';
  /** The last chosen theme, which the window's frame uses. */
  readonly theme: 'system' | 'dark' | 'light';
  /** Height of the strip at the top with the window's buttons, in px, and their side. */
  readonly titleBar: { readonly height: number; readonly buttons: 'left' | 'right' };
}

/** How a file that this page saved ended. `cancelled`: a person closed the dialog. */
export type SavedFile =
  | { readonly end: 'saved'; readonly path: string }
  | { readonly end: 'cancelled' }
  | { readonly end: 'failed' };

/** A folder to open as a workspace. `cancelled`: a person closed the dialog. */
export type ChosenWorkspace =
  | { readonly end: 'chosen'; readonly folder: string }
  | { readonly end: 'cancelled' }
  | { readonly end: 'refused'; readonly problem: string };

interface DesktopBridge {
  /** The answer is a `message` event of this window with data `rpc:port` and one port. */
  requestPort(): void;
  facts?(): Promise<ShellFacts>;
  setTheme?(theme: 'system' | 'dark' | 'light'): void;
  /** With a name, the folder of a new workspace; null asks a person for a folder. */
  chooseWorkspace?(name: string | null): Promise<ChosenWorkspace>;
  /** Opens a known or chosen folder in place of this workspace. Answers why not, or null when the app begins to end. */
  openWorkspace?(folder: string): Promise<string | null>;
  /** Answers once the download of this blob has its end. `blob` is the last part of its URL. */
  saved?(blob: string): Promise<SavedFile>;
}

declare global {
  interface Window {
    /** Exposed by the desktop shell's preload. */
    hookbench?: DesktopBridge;
  }
}

/** The shell's facts at the start; null in a browser. */
export const useShellFacts = create<{ facts: ShellFacts | null }>(() => ({ facts: null }));

/** Keeps the facts, takes over the shell's theme and leaves room for the window's buttons; base styles read `data-buttons` and `--title-bar`. */
export async function takeShellFacts(setTheme: (theme: ShellFacts['theme']) => void): Promise<void> {
  const facts = await window.hookbench?.facts?.().catch(() => undefined);
  if (facts === undefined) return;
  useShellFacts.setState({ facts });
  setTheme(facts.theme);
  const root = document.documentElement;
  root.dataset.buttons = facts.titleBar.buttons;
  root.style.setProperty('--title-bar', `${facts.titleBar.height}px`);
}
