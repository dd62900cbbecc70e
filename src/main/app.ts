/** The running desktop app: engine, window, bridge, and the order in which they end. */
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, nativeTheme, safeStorage, session } from 'electron';
import { type EngineThread, startEngineThread } from '../core/engine-thread.ts';
import workerPath from '../core/engine-worker.ts?modulePath';
import receiversWorker from '../core/receivers/receivers-worker.ts?modulePath';
import type { Theme } from '../shell/bridge-names.ts';
import { type EngineState, type EngineSupervisor, superviseEngine } from '../shell/engine-supervisor.ts';
import { readRendererFiles } from '../shell/renderer-files.ts';
import { terminalText } from '../shell/terminal.ts';
import { answerAppRequest } from './app-scheme.ts';
import { ingestPortArgument, portArgument } from './arguments.ts';
import { serveBridge } from './bridge.ts';
import type { Origins } from './guards.ts';
import { hardenSession } from './harden.ts';
import { setMenu } from './menu.ts';
import { appOrigin, developmentOrigin, scheme } from './origin.ts';
import { type WorkspaceKey, workspaceKey } from './sealed-key.ts';
import { createWindow, titleBarHeight } from './window.ts';

/** Kept between starts for the view's settings; nothing is cached. */
const partition = 'persist:hookbench';
const quitLimitMs = 5_000;
const pageCrashLimit = 3;

const log = (text: string): void => void process.stderr.write(`hookbench: ${terminalText(text)}\n`);

const originsOf = (): Origins => {
  const development = developmentOrigin(process.env.ELECTRON_RENDERER_URL, app.isPackaged);
  return { page: development ?? appOrigin, isDevelopment: development !== null };
};

/** After a crash the ingest comes back on the port it had, also when that was any free one. */
async function startEngine(workspace: string, key: WorkspaceKey): Promise<EngineSupervisor> {
  let ingestPort = ingestPortArgument(process.argv);
  const start = async (): Promise<EngineThread> => {
    const thread = await startEngineThread(workerPath, {
      workspace,
      version: app.getVersion(),
      shell: 'electron',
      secretKeyBase64: key.key.toString('base64'),
      ingestPort,
      receiversWorker,
      receiversPort: portArgument(process.argv, 'receivers-port'),
      receiversHttpsPort: portArgument(process.argv, 'receivers-https-port'),
    });
    if (ingestPort === 0) ingestPort = thread.info.listener.port;
    return thread;
  };
  return superviseEngine({ start });
}

function openSession(origins: Origins) {
  const own = session.fromPartition(partition, { cache: false });
  hardenSession(own, origins);
  if (!origins.isDevelopment) {
    const files = readRendererFiles(join(import.meta.dirname, '../renderer'));
    own.protocol.handle(scheme, (request) => answerAppRequest(files, request.url, request.method));
  }
  return own;
}

/** A page that crashes is loaded again, but not for ever. */
function reviveCrashedPage(window: BrowserWindow): void {
  let crashes = 0;
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return;
    log(`the page ended (${details.reason}, ${details.exitCode})`);
    crashes += 1;
    if (crashes <= pageCrashLimit) window.webContents.reload();
    else dialog.showErrorBox('Hookbench', `The window's page ended ${crashes} times. Please start Hookbench again.`);
  });
  window.webContents.on('unresponsive', () => log('the page does not answer'));
}

async function tellEngineFailed(window: BrowserWindow, message: string, retry: () => void): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The engine ended 5 times in a minute.',
    detail: `${message}\n\nNo calls are received and nothing is delivered.`,
    buttons: ['Start it again', 'Quit'],
    defaultId: 0,
    cancelId: 0,
  });
  if (response === 1) app.quit();
  else retry();
}

/** Stops the engine before the app ends, for at most five seconds: what SIGKILL survives, this does too. */
function quitInOrder(engine: EngineSupervisor): void {
  let isStopped = false;
  app.on('will-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    const limit = new Promise<void>((resolve) => void setTimeout(resolve, quitLimitMs));
    void Promise.race([engine.stop(), limit]).then(() => {
      isStopped = true;
      app.exit(0);
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** Rejects when the engine cannot start; the message says why. */
export async function runApp(workspace: string): Promise<void> {
  const origins = originsOf();
  const devTools = !app.isPackaged;
  const key = await workspaceKey(workspace, safeStorage);
  if (key.storage === 'file') log(`the key of the secrets lies in ${join(workspace, 'key')}: this system seals none`);
  const engine = await startEngine(workspace, key);
  quitInOrder(engine);
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
      titleBar: { height: titleBarHeight, buttons: process.platform === 'darwin' ? 'left' : 'right' },
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

  engine.onState((state: EngineState) => {
    if (state.state === 'restarting') log(`the engine ended (${state.message}); it starts again`);
    if (state.state === 'stopped' && state.message !== null && current !== null)
      void tellEngineFailed(current, state.message, () => engine.retry());
  });
  app.on('second-instance', showWindow);
  app.on('activate', showWindow);
  app.on('child-process-gone', (_event, details) => log(`the ${details.type} process ended (${details.reason})`));
  setMenu(devTools);
  openWindow();
}
