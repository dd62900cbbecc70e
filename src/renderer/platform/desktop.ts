/** What only the desktop shell can tell or do; in a browser all of it is absent. */
import { create } from 'zustand';

export interface ShellFacts {
  /** `file`: the system has no safe place for the key, so it lies beside the data. */
  readonly keyStorage: 'system' | 'file';
  /** The theme chosen last time: what the window's frame has. */
  readonly theme: 'system' | 'dark' | 'light';
  /** Pixels at the top that hold the window's buttons, and on which side they are. */
  readonly titleBar: { readonly height: number; readonly buttons: 'left' | 'right' };
}

interface DesktopBridge {
  /** A `message` event of this window with data `rpc:port` and one port answers it. */
  requestPort(): void;
  facts?(): Promise<ShellFacts>;
  setTheme?(theme: 'system' | 'dark' | 'light'): void;
}

declare global {
  interface Window {
    /** Exposed by the desktop shell's preload. */
    hookbench?: DesktopBridge;
  }
}

/** What the shell told at the start; null in a browser. */
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
