/** Entry of the desktop app: what must be said before Electron is ready, then the app. */
import { app, dialog, protocol } from 'electron';
import { startFailure } from '../shell/start-failure.ts';
import { type DesktopOptions, defaultWorkspace, desktopOptions } from '../shell/start-options.ts';
import { onStopRequest } from '../shell/stop-signals.ts';
import { runApp } from './app.ts';
import { type EarlierWorkspace, earlierPlace, takeEarlierWorkspace } from './earlier-workspace.ts';
import { hardenApp } from './harden.ts';
import { log } from './log.ts';
import { SCHEME } from './origin.ts';
import { userDataOf } from './user-data.ts';

// Listens from the start: a signal while the engine starts must not end the app out of order.
onStopRequest(async () => app.quit());

function endFailed(error: unknown): void {
  const { exitCode, code, message } = startFailure(error);
  log(`${code}: ${message}`);
  dialog.showErrorBox('Hookbench could not start', message);
  app.exit(exitCode);
}

/** Only the default workspace ever had another place. */
const takeEarlier = (appFolder: string, { workspace }: DesktopOptions): EarlierWorkspace =>
  workspace === defaultWorkspace() ? takeEarlierWorkspace(earlierPlace(appFolder), workspace) : { kind: 'none' };

function start(): void {
  const options = desktopOptions(process.argv, process.env);
  const appFolder = app.getPath('userData');
  const userData = userDataOf(appFolder, options.workspace, defaultWorkspace());
  app.setPath('userData', userData);
  app.setPath('sessionData', userData);
  if (!app.requestSingleInstanceLock()) {
    const unread = options.configFile === null ? '' : ' Its config file was not read.';
    log(`${options.workspace} is open already; its window was brought to the front. This start ends.${unread}`);
    app.quit();
    return;
  }
  // Needs the lock, so that no other app has the earlier workspace open.
  const earlier = takeEarlier(appFolder, options);
  app.whenReady().then(() => runApp(options, earlier).catch(endFailed), endFailed);
}

hardenApp();
protocol.registerSchemesAsPrivileged([
  { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
]);
try {
  start();
} catch (error) {
  // On Linux, Electron shows no message before it is ready.
  app.whenReady().then(() => endFailed(error), endFailed);
}
