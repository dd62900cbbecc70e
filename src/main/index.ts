/** Entry of the desktop app: what must be said before Electron is ready, then the app. */
import { app, dialog, protocol } from 'electron';
import { runApp } from './app.ts';
import { userDataOf, workspaceArgument } from './arguments.ts';
import { hardenApp } from './harden.ts';
import { scheme } from './origin.ts';

const { userData, workspace } = userDataOf(app.getPath('userData'), workspaceArgument(process.argv, process.cwd()));
app.setPath('userData', userData);
app.setPath('sessionData', userData);
hardenApp();
protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }]);

if (app.requestSingleInstanceLock()) {
  app.whenReady().then(
    () =>
      runApp(workspace).catch((error: unknown) => {
        dialog.showErrorBox('Hookbench could not start', error instanceof Error ? error.message : String(error));
        app.exit(1);
      }),
    () => app.exit(1),
  );
} else app.quit();
