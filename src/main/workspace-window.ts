/** The window of a workspace: opened when it is asked for, and found again while it is open. */
import { join } from 'node:path';
import type { BrowserWindow, Session } from 'electron';
import type { EngineSupervisor } from '../shell/engine-supervisor.ts';
import type { BridgeWindow } from './bridge.ts';
import { reviveCrashedPage } from './failures.ts';
import { log } from './log.ts';
import { createWindow } from './window.ts';

export interface WorkspaceWindowParts {
  readonly session: Session;
  /** Where its place and size are kept. */
  readonly stateFile: string;
  /** True: it opens in the theme that was kept with its place. False: in the theme of the app. */
  readonly setsTheme: boolean;
  readonly devTools: boolean;
  readonly url: string;
  readonly engine: EngineSupervisor;
  readonly keyStorage: BridgeWindow['keyStorage'];
  /** Who may speak over the bridge, by the id of the web contents; the window adds and removes itself. */
  readonly windows: Map<number, BridgeWindow>;
  /** Called when a person or the app has closed it. */
  readonly onClosed?: () => void;
}

export class WorkspaceWindow {
  readonly #parts: WorkspaceWindowParts;
  #current: BrowserWindow | null = null;

  constructor(parts: WorkspaceWindowParts) {
    this.#parts = parts;
  }

  /** Null while it is closed. */
  current(): BrowserWindow | null {
    return this.#current;
  }

  /** Opens it, or brings it to the front. */
  show(): void {
    const window = this.#current;
    if (window === null) return this.#open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  close(): void {
    this.#current?.close();
  }

  #open(): void {
    const { session, stateFile, setsTheme, devTools, url, engine, keyStorage, windows, onClosed } = this.#parts;
    const preload = join(import.meta.dirname, '../preload/index.cjs');
    const window = createWindow({ session, preload, stateFile, setsTheme, devTools });
    const { id } = window.webContents;
    windows.set(id, { connect: () => engine.connect(), keyStorage });
    window.on('closed', () => {
      windows.delete(id);
      this.#current = null;
      onClosed?.();
    });
    reviveCrashedPage(window);
    this.#current = window;
    window.loadURL(url).catch((error: Error) => log(error.message));
  }
}
