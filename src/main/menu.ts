import { app, Menu, type MenuItemConstructorOptions } from 'electron';

const edit: MenuItemConstructorOptions = {
  label: 'Edit',
  submenu: [
    { role: 'undo' },
    { role: 'redo' },
    { type: 'separator' },
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'selectAll' },
  ],
};

const view = (devTools: boolean): MenuItemConstructorOptions => ({
  label: 'View',
  submenu: [
    ...(devTools ? [{ role: 'toggleDevTools' } as const, { type: 'separator' } as const] : []),
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ],
});

const mac: MenuItemConstructorOptions = {
  label: 'Hookbench',
  submenu: [
    { role: 'about' },
    { type: 'separator' },
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    { type: 'separator' },
    { role: 'quit' },
  ],
};

const file: MenuItemConstructorOptions = { label: 'File', submenu: [{ role: 'close' }, { role: 'quit' }] };

/** No reload: the page keeps itself up to date, and Ctrl-R belongs to it. */
export function setMenu(devTools: boolean): void {
  const isMac = process.platform === 'darwin';
  const rest = [edit, view(devTools), { role: 'windowMenu' } as const];
  app.setAboutPanelOptions({ applicationName: 'Hookbench', applicationVersion: app.getVersion() });
  Menu.setApplicationMenu(Menu.buildFromTemplate(isMac ? [mac, ...rest] : [file, ...rest]));
}
