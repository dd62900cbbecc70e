/** The handlers of the bridge's channels; each checks its sender first (reliability, section 6, IPC). */
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, MessageChannelMain } from 'electron';
import type { TextPort } from '../core/engine/engine-thread.ts';
import {
  bridge,
  type ChosenWorkspace,
  type SavedFile,
  type ShellFacts,
  THEMES,
  type Theme,
} from '../shell/bridge-names.ts';
import { isSenderAllowed, type Origins } from './guards.ts';
import { relay } from './relay.ts';

/** What a window is answered about its own workspace. */
export interface BridgeWindow {
  /** Null while its engine does not run. */
  readonly connect: () => TextPort | null;
  readonly keyStorage: ShellFacts['keyStorage'];
}

export interface BridgeParts {
  readonly origins: Origins;
  /** Our windows by the ids of their web contents. */
  readonly windows: ReadonlyMap<number, BridgeWindow>;
  readonly facts: (window: BridgeWindow) => ShellFacts;
  readonly setTheme: (theme: Theme) => void;
  readonly saved: (blob: string) => Promise<SavedFile>;
  readonly chooseWorkspace: (name: string | null) => Promise<ChosenWorkspace>;
  readonly openWorkspace: (folder: string) => string | null;
}

type Event = IpcMainEvent | IpcMainInvokeEvent;

/** The window that sent an event; null when it comes from anything but the page of one of our windows. */
function windowOf(event: Event, { windows, origins }: BridgeParts): BridgeWindow | null {
  const frame = event.senderFrame;
  const facts = frame === null ? null : { isMainFrame: frame.parent === null, url: frame.url };
  const isAllowed = isSenderAllowed({ webContentsId: event.sender.id, frame: facts }, windows, origins);
  return isAllowed ? (windows.get(event.sender.id) ?? null) : null;
}

/** Each window has one contract port: a new request closes the earlier one. */
export function serveBridge(parts: BridgeParts): void {
  const open = new Map<number, () => void>();
  ipcMain.on(bridge.requestPort, (event) => {
    const window = windowOf(event, parts);
    if (window === null) return;
    const { id } = event.sender;
    open.get(id)?.();
    open.delete(id);
    const engine = window.connect();
    const { port1, port2 } = new MessageChannelMain();
    event.senderFrame?.postMessage(bridge.port, null, [port2]);
    // Without an engine the port closes at once, and the page tries again.
    if (engine === null) port1.close();
    else open.set(id, relay(port1, engine));
  });
  /** Answers our page, and throws to anybody else. */
  const answer = (channel: string, give: (window: BridgeWindow, asked: unknown) => unknown): void =>
    ipcMain.handle(channel, (event, asked: unknown) => {
      const window = windowOf(event, parts);
      if (window === null) throw new Error('The sender is not the page.');
      return give(window, asked);
    });
  answer(bridge.facts, (window) => parts.facts(window));
  answer(bridge.saved, (_window, blob) => parts.saved(String(blob)));
  answer(bridge.chooseWorkspace, (_window, name) => parts.chooseWorkspace(name === null ? null : String(name)));
  answer(bridge.openWorkspace, (_window, folder) => parts.openWorkspace(String(folder)));
  ipcMain.on(bridge.setTheme, (event, theme: unknown) => {
    const known = THEMES.find((name) => name === theme);
    if (windowOf(event, parts) !== null && known !== undefined) parts.setTheme(known);
  });
}
