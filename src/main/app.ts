/** The running desktop app: engine, window, bridge, and the order in which they end. */

import { join } from 'node:path';
import { app, type BrowserWindow, dialog, nativeTheme, safeStorage, session } from 'electron';
import { choicesOf } from '../core/engine/engine-options.ts';
import { EngineStartError } from '../core/engine/engine-thread.ts';
import workerPath from '../core/engine/engine-worker.ts?modulePath';
import peopleWorker from '../core/people/people-worker.ts?modulePath';
import receiversWorker from '../core/receivers/receivers-worker.ts?modulePath';
import type { Theme } from '../shell/bridge-names.ts';
import { readConfigFile } from '../shell/config-file.ts';
import { engineStarts } from '../shell/engine-starts.ts';
import { type EngineSupervisor, superviseEngine } from '../shell/engine-supervisor.ts';
import { readRendererFiles } from '../shell/renderer-files.ts';
import type { DesktopOptions } from '../shell/start-options.ts';
import { answerAppRequest } from './app-scheme.ts';
import { serveBridge } from './bridge.ts';
import { type EarlierWorkspace, earlierWorkspaceText } from './earlier-workspace.ts';
import { reviveCrashedPage, watchEngine } from './failures.ts';
import type { Origins } from './guards.ts';
import { hardenSession } from './harden.ts';
import { log } from './log.ts';
import { setMenu } from './menu.ts';
import { appOrigin, developmentOrigin, SCHEME } from './origin.ts';
import { quitInOrder } from './quit.ts';
import { type WorkspaceKey, workspaceKey } from './sealed-key.ts';
import { createWindow, TITLE_BAR_HEIGHT } from './window.ts';

/** Kept between starts for the view's settings; nothing is cached. */
const PARTITION = 'persist:hookbench';

const originsOf = (): Origins => {
  const development = developmentOrigin(process.env.ELECTRON_RENDERER_URL, app.isPackaged);
  return { page: development ?? appOrigin, isDevelopment: development !== null };
};

const startEngine = (options: DesktopOptions, key: WorkspaceKey, acceptStore: boolean): Promise<EngineSupervisor> =>
  superviseEngine({
    start: engineStarts(workerPath, {
      workspace: options.workspace,
      version: app.getVersion(),
      shell: 'electron',
      secretKeyBase64: key.key.toString('base64'),
      config: options.configFile === null ? undefined : readConfigFile(options.configFile),
      ...choicesOf(options),
      acceptStore,
      receiversWorker: options.receivers ? receiversWorker : undefined,
      peopleWorker,
    }),
  });

/** If the store is not the one that was here before, asks a person whether to open it; otherwise the app ends. */
async function startEngineOrAsk(options: DesktopOptions, key: WorkspaceKey): Promise<EngineSupervisor> {
  try {
    return await startEngine(options, key, options.acceptStore);
  } catch (error) {
    if (!(error instanceof EngineStartError) || error.code !== 'store_replaced') throw error;
    const quitting = new AbortController();
    app.once('will-quit', () => quitting.abort());
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      signal: quitting.signal,
      message: 'The store is not the one that was here.',
      detail: `${error.message}\n\nHookbench can open it as it is. What the other file held is then not here.`,
      buttons: ['Quit', 'Open it as it is'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1) return startEngine(options, key, true);
    app.exit(1);
    return new Promise(() => {});
  }
}

function openSession(origins: Origins) {
  const own = session.fromPartition(PARTITION, { cache: false });
  hardenSession(own, origins);
  if (!origins.isDevelopment) {
    const files = readRendererFiles(join(import.meta.dirname, '../renderer'));
    own.protocol.handle(SCHEME, (request) => answerAppRequest(files, request.url, request.method));
  }
  return own;
}

/** Shows the message once, and logs it at every start. */
function tellOfEarlier(earlier: EarlierWorkspace, window: BrowserWindow | null): void {
  const told = earlierWorkspaceText(earlier);
  if (told === null) return;
  log(`${told.message} ${told.detail}`);
  const isSaid = earlier.kind === 'both' && !earlier.isNew;
  if (!isSaid && window !== null) void dialog.showMessageBox(window, { type: 'info', buttons: ['OK'], ...told });
}

/** Rejects when the engine cannot start; the message says why. */
export async function runApp(options: DesktopOptions, earlier: EarlierWorkspace): Promise<void> {
  const origins = originsOf();
  const devTools = !app.isPackaged;
  const { workspace } = options;
  const key = await workspaceKey(workspace, safeStorage, options);
  if (key.storage === 'file') log(`the key of the secrets lies in ${join(workspace, 'key')}`);
  const starting = startEngineOrAsk(options, key);
  const quit = quitInOrder(starting);
  const engine = await starting;
  if (quit.isUnderWay()) return;
  const own = openSession(origins);
  const windows = new Set<number>();
  let current: BrowserWindow | null = null;

  const setTheme = (theme: Theme): void => {
    nativeTheme.themeSource = theme;
  };
  serveBridge({
    origins,
    windows,
    connect: () => engine.connect(),
    facts: () => ({
      version: app.getVersion(),
      platform: process.platform,
      keyStorage: key.storage,
      titleBar: { height: TITLE_BAR_HEIGHT, buttons: process.platform === 'darwin' ? 'left' : 'right' },
      theme: nativeTheme.themeSource,
    }),
    setTheme,
  });

  const openWindow = (): void => {
    const window = createWindow({
      session: own,
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      stateFile: join(app.getPath('userData'), 'window.json'),
      devTools,
    });
    const { id } = window.webContents;
    windows.add(id);
    window.on('closed', () => {
      windows.delete(id);
      current = null;
    });
    reviveCrashedPage(window);
    current = window;
    window.loadURL(`${origins.page}/index.html`).catch((error: Error) => log(error.message));
  };
  const showWindow = (): void => {
    if (current === null) openWindow();
    else {
      if (current.isMinimized()) current.restore();
      current.show();
      current.focus();
    }
  };

  watchEngine(engine, () => current);
  app.on('second-instance', () => (quit.isUnderWay() ? quit.comeBack() : showWindow()));
  app.on('activate', () => {
    if (!quit.isUnderWay()) showWindow();
  });
  app.on('child-process-gone', (_event, details) => log(`the ${details.type} process ended (${details.reason})`));
  setMenu(devTools);
  openWindow();
  tellOfEarlier(earlier, current);
}
