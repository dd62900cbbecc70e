/** Every channel between the desktop shell's main process and its preload. A test compares the handlers with it. */
export const bridge = {
  /** Page to main: asks for a contract port; any earlier one is closed. */
  requestPort: 'rpc:connect',
  /** Main to page: carries the port. */
  port: 'rpc:port',
  /** Page to main, answered: {@link ShellFacts}. */
  facts: 'shell:facts',
  /** Page to main: the chosen theme, for the window's frame and the next start. */
  setTheme: 'shell:theme',
  /** Page to main, answered once a file that the page saves has its end: {@link SavedFile}. */
  saved: 'shell:saved',
  /** Page to main, answered: {@link ChosenWorkspace}. */
  chooseWorkspace: 'shell:choose-workspace',
  /** Page to main, answered with null when the app begins to end, else with the reason why not. */
  openWorkspace: 'shell:open-workspace',
} as const;

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** How a download of the page ended. `cancelled`: a person closed the dialog. */
export type SavedFile =
  | { readonly end: 'saved'; readonly path: string }
  | { readonly end: 'cancelled' }
  | { readonly end: 'failed' };

/** A folder to open as a workspace. `cancelled`: a person closed the dialog. */
export type ChosenWorkspace =
  | { readonly end: 'chosen'; readonly folder: string }
  | { readonly end: 'cancelled' }
  | { readonly end: 'refused'; readonly problem: string };

/** What only the desktop shell knows. Plain values. */
export interface ShellFacts {
  readonly version: string;
  readonly platform: string;
  /** `file`: the system has no safe place for the key, so it lies beside the data with mode 0600. */
  readonly keyStorage: 'system' | 'file';
  /** Pixels at the top that hold the window's buttons; which side they are on. */
  readonly titleBar: { readonly height: number; readonly buttons: 'left' | 'right' };
  readonly theme: Theme;
}

/** What the page finds as `window.hookbench`. */
export interface DesktopBridge {
  /** A `message` event of this window with data `rpc:port` and one port answers it. */
  requestPort(): void;
  facts(): Promise<ShellFacts>;
  setTheme(theme: Theme): void;
  /** `blob` is the last part of the URL of the blob that is downloaded. */
  saved(blob: string): Promise<SavedFile>;
  /** With a name, the folder of a new workspace; null asks a person for a folder. */
  chooseWorkspace(name: string | null): Promise<ChosenWorkspace>;
  /** Opens a known or chosen folder in place of this workspace. */
  openWorkspace(folder: string): Promise<string | null>;
}
