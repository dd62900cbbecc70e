/** The handlers of the bridge's channels; each checks its sender first (reliability, section 6, IPC). */
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, MessageChannelMain } from 'electron';
import type { TextPort } from '../core/engine/engine-thread.ts';
import { bridge, type ShellFacts, THEMES, type Theme } from '../shell/bridge-names.ts';
import { isSenderAllowed, type Origins } from './guards.ts';
import { relay } from './relay.ts';

export interface BridgeParts {
  readonly origins: Origins;
  /** The ids of our windows' web contents. */
  readonly windows: ReadonlySet<number>;
  readonly connect: () => TextPort | null;
  readonly facts: () => ShellFacts;
  readonly setTheme: (theme: Theme) => void;
}

type Event = IpcMainEvent | IpcMainInvokeEvent;

const isAllowed = (event: Event, parts: BridgeParts): boolean => {
  const frame = event.senderFrame;
  const facts = frame === null ? null : { isMainFrame: frame.parent === null, url: frame.url };
  return isSenderAllowed({ webContentsId: event.sender.id, frame: facts }, parts.windows, parts.origins);
};

/** Each window has one contract port: a new request closes the earlier one. */
export function serveBridge(parts: BridgeParts): void {
  const open = new Map<number, () => void>();
  ipcMain.on(bridge.requestPort, (event) => {
    if (!isAllowed(event, parts)) return;
    const { id } = event.sender;
    open.get(id)?.();
    open.delete(id);
    const engine = parts.connect();
    const { port1, port2 } = new MessageChannelMain();
    event.senderFrame?.postMessage(bridge.port, null, [port2]);
    // Without an engine the port closes at once, and the page tries again.
    if (engine === null) port1.close();
    else open.set(id, relay(port1, engine));
  });
  ipcMain.handle(bridge.facts, (event) => {
    if (!isAllowed(event, parts)) throw new Error('The sender is not the page.');
    return parts.facts();
  });
  ipcMain.on(bridge.setTheme, (event, theme: unknown) => {
    const known = THEMES.find((name) => name === theme);
    if (isAllowed(event, parts) && known !== undefined) parts.setTheme(known);
  });
}
