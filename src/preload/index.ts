/**
 * The page's only way to the desktop shell: named functions, no raw ipcRenderer, no event objects. A port cannot
 * cross the context bridge, so the page gets it as a message of its own window.
 */
import { contextBridge, ipcRenderer } from 'electron';
import { bridge, type DesktopBridge } from '../shell/bridge-names.ts';

ipcRenderer.on(bridge.port, (event) => {
  // The target is this window, which can show nothing but our own page.
  window.postMessage(bridge.port, '*', event.ports);
});

const api: DesktopBridge = {
  requestPort: () => ipcRenderer.send(bridge.requestPort),
  facts: () => ipcRenderer.invoke(bridge.facts),
  setTheme: (theme) => ipcRenderer.send(bridge.setTheme, String(theme)),
  chooseWorkspace: (name) => ipcRenderer.invoke(bridge.chooseWorkspace, name === null ? null : String(name)),
  openWorkspace: (folder) => ipcRenderer.invoke(bridge.openWorkspace, String(folder)),
  saved: (blob) => ipcRenderer.invoke(bridge.saved, String(blob)),
};

contextBridge.exposeInMainWorld('hookbench', api);
