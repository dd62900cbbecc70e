/** What only the desktop shell can tell or do; in a browser all of it is absent. */

export interface ShellFacts {
  /** `file`: the system has no safe place for the key, so it lies beside the data. */
  readonly keyStorage: 'system' | 'file';
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

/** Leaves room for the window's buttons; base styles read `data-buttons` and `--title-bar`. */
export async function fitTitleBar(): Promise<void> {
  const facts = await window.hookbench?.facts?.().catch(() => undefined);
  if (facts === undefined) return;
  const root = document.documentElement;
  root.dataset.buttons = facts.titleBar.buttons;
  root.style.setProperty('--title-bar', `${facts.titleBar.height}px`);
}
