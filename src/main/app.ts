/** The running desktop app: engine, window, bridge, the demo beside them, and the order in which they end. */

import { join } from 'node:path';
import { app, type BrowserWindow, dialog, nativeTheme, type Session, safeStorage, session } from 'electron';
import backgroundWorker from '../core/engine/background-worker.ts?modulePath';
import { choicesOf } from '../core/engine/engine-options.ts';
import { type EngineShell, EngineStartError, type EngineStartOptions } from '../core/engine/engine-thread.ts';
import workerPath from '../core/engine/engine-worker.ts?modulePath';
import peopleWorker from '../core/people/people-worker.ts?modulePath';
import receiversWorker from '../core/receivers/receivers-worker.ts?modulePath';
import { readConfigFile } from '../shell/config-file.ts';
import { engineStarts } from '../shell/engine-starts.ts';
import { type EngineSupervisor, superviseEngine } from '../shell/engine-supervisor.ts';
import { KnownWorkspaces, knownPlace } from '../shell/known-workspaces.ts';
import { readRendererFiles } from '../shell/renderer-files.ts';
import type { DesktopOptions } from '../shell/start-options.ts';
import { answerAppRequest } from './app-scheme.ts';
import { type BridgeWindow, serveBridge } from './bridge.ts';
import { DesktopDemo } from './demo.ts';
import { Downloads } from './downloads.ts';
import { type EarlierWorkspace, earlierWorkspaceText } from './earlier-workspace.ts';
import { watchEngine } from './failures.ts';
import type { Origins } from './guards.ts';
import { hardenSession } from './harden.ts';
import { log } from './log.ts';
import { setMenu } from './menu.ts';
import { appOrigin, developmentOrigin, SCHEME } from './origin.ts';
import { quitInOrder } from './quit.ts';
import { type WorkspaceKey, workspaceKey } from './sealed-key.ts';
import { WorkspaceSwitch } from './switch.ts';
import { TITLE_BAR_HEIGHT } from './window.ts';
import { WorkspaceWindow } from './workspace-window.ts';

/** Kept between starts for the view's settings; nothing is cached. */
const PARTITION = 'persist:hookbench';
/** The demo has its own settings of the view. */
const DEMO_PARTITION = 'persist:hookbench-demo';

const originsOf = (): Origins => {
  const development = developmentOrigin(process.env.ELECTRON_RENDERER_URL, app.isPackaged);
  return { page: development ?? appOrigin, isDevelopment: development !== null };
};

function startEngine(
  options: DesktopOptions,
  key: WorkspaceKey,
  shell: EngineShell,
  acceptStore: boolean,
): Promise<EngineSupervisor> {
  const own: EngineStartOptions = {
    workspace: options.workspace,
    version: app.getVersion(),
    shell: 'electron',
    secretKeyBase64: key.key.toString('base64'),
    keyStorage: key.storage,
    config: options.configFile === null ? undefined : readConfigFile(options.configFile),
    ...choicesOf(options),
    acceptStore,
    receiversWorker: options.receivers ? receiversWorker : undefined,
    peopleWorker,
    backgroundWorker,
  };
  return superviseEngine({ start: engineStarts(workerPath, own, shell) });
}

/** If the store is not the one that was here before, asks a person whether to open it; otherwise the app ends. */
async function startEngineOrAsk(
  options: DesktopOptions,
  key: WorkspaceKey,
  shell: EngineShell,
): Promise<EngineSupervisor> {
  try {
    return await startEngine(options, key, shell, options.acceptStore);
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
    if (response === 1) return startEngine(options, key, shell, true);
    app.exit(1);
    return new Promise(() => {});
  }
}

/** Call it once for each partition: a second one would register the scheme again. */
function openSession(partition: string, origins: Origins, downloads: Downloads): Session {
  const own = session.fromPartition(partition, { cache: false });
  hardenSession(own, origins);
  downloads.take(own, origins);
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
  const downloads = new Downloads();
  const devTools = !app.isPackaged;
  const { workspace } = options;
  const key = await workspaceKey(workspace, safeStorage, options);
  if (key.storage === 'file') log(`the key of the secrets lies in ${join(workspace, 'key')}`);
  const windows = new Map<number, BridgeWindow>();
  const stateFile = (name: string): string => join(app.getPath('userData'), name);
  const known = new KnownWorkspaces(knownPlace(process.env));
  const windowParts = { url: `${origins.page}/index.html`, devTools, windows };
  let demoSession: Session | null = null;
  const demo = new DesktopDemo({
    workerPath,
    receiversWorker,
    peopleWorker,
    backgroundWorker,
    windowOf: (demoEngine, keyStorage, onClosed) => {
      demoSession ??= openSession(DEMO_PARTITION, origins, downloads);
      return new WorkspaceWindow({
        ...windowParts,
        session: demoSession,
        stateFile: stateFile('demo-window.json'),
        setsTheme: false,
        engine: demoEngine,
        keyStorage,
        onClosed,
      });
    },
    opened: (folder) => known.remember(folder),
    leadBack: () => main.show(),
  });
  const workspaces = async () => known.others(workspace);
  const starting = startEngineOrAsk(options, key, { ...demo.shell, workspaces });
  const quit = quitInOrder(starting, () => demo.stop());
  const engine = await starting;
  if (quit.isUnderWay()) return;
  known.remember(workspace);
  const switching = new WorkspaceSwitch({ workspace, known, argv: process.argv, startAgain: quit.startAgain });
  serveBridge({
    origins,
    windows,
    facts: ({ keyStorage }) => ({
      version: app.getVersion(),
      platform: process.platform,
      keyStorage,
      titleBar: { height: TITLE_BAR_HEIGHT, buttons: process.platform === 'darwin' ? 'left' : 'right' },
      theme: nativeTheme.themeSource,
    }),
    setTheme: (theme) => {
      nativeTheme.themeSource = theme;
    },
    saved: (blob) => downloads.endOf(blob),
    chooseWorkspace: (name) => switching.choose(name),
    openWorkspace: (folder) => switching.open(folder),
  });
  const main = new WorkspaceWindow({
    ...windowParts,
    session: openSession(PARTITION, origins, downloads),
    stateFile: stateFile('window.json'),
    setsTheme: true,
    engine,
    keyStorage: key.storage,
  });

  watchEngine(engine, () => main.current());
  app.on('second-instance', () => (quit.isUnderWay() ? quit.comeBack() : main.show()));
  app.on('activate', () => {
    if (!quit.isUnderWay()) main.show();
  });
  app.on('child-process-gone', (_event, details) => log(`the ${details.type} process ended (${details.reason})`));
  setMenu(devTools);
  main.show();
  tellOfEarlier(earlier, main.current());
}
