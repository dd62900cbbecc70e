/** A window: hidden title bar with the system's buttons, in the page's colours from the first frame. */
import { join } from 'node:path';
import { BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme, type Session, screen } from 'electron';
import { FIRST_SIZE, LEAST_SIZE, readWindowState, type WindowState, writeWindowState } from './window-state.ts';

/** The canvas and text tokens of both THEMES (ui, section 3). */
const colours = {
  dark: { canvas: '#0d0f12', text: '#ededea' },
  light: { canvas: '#f3f4f6', text: '#191c21' },
} as const;

/** One less than the header, whose lower line stays visible. */
export const TITLE_BAR_HEIGHT = 47;

const currentColours = () => (nativeTheme.shouldUseDarkColors ? colours.dark : colours.light);

const overlay = () => ({
  color: currentColours().canvas,
  symbolColor: currentColours().text,
  height: TITLE_BAR_HEIGHT,
});

export interface WindowParts {
  readonly session: Session;
  readonly preload: string;
  readonly stateFile: string;
  /** True: the app takes the theme that was kept with the place. */
  readonly setsTheme: boolean;
  readonly devTools: boolean;
}

/** Reliability, section 6, requires every value, and a test reads them back. */
const webPreferences = (parts: WindowParts): BrowserWindowConstructorOptions['webPreferences'] => ({
  preload: parts.preload,
  session: parts.session,
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  experimentalFeatures: false,
  disableBlinkFeatures: 'Auxclick',
  navigateOnDragDrop: false,
  plugins: false,
  spellcheck: false,
  devTools: parts.devTools,
});

const frameOptions = (): BrowserWindowConstructorOptions =>
  process.platform === 'darwin'
    ? { titleBarStyle: 'hidden', trafficLightPosition: { x: 16, y: 16 } }
    : {
        titleBarStyle: 'hidden',
        titleBarOverlay: overlay(),
        icon: join(import.meta.dirname, '../../resources/icon.png'),
      };

/** Saves place and size half a second after they change, and at the end. */
function keepState(window: BrowserWindow, file: string, read: () => WindowState): void {
  let timer: NodeJS.Timeout | null = null;
  const write = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (!window.isDestroyed()) writeWindowState(file, read());
  };
  const soon = (): void => {
    timer ??= setTimeout(write, 500);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', write);
}

export function createWindow(parts: WindowParts): BrowserWindow {
  const areas = screen.getAllDisplays().map((display) => display.workArea);
  const state = readWindowState(parts.stateFile, areas);
  if (parts.setsTheme) nativeTheme.themeSource = state.theme;
  const window = new BrowserWindow({
    ...FIRST_SIZE,
    ...(state.bounds ?? {}),
    minWidth: LEAST_SIZE.width,
    minHeight: LEAST_SIZE.height,
    show: false,
    title: 'Hookbench',
    backgroundColor: currentColours().canvas,
    ...frameOptions(),
    webPreferences: webPreferences(parts),
  });
  if (state.maximised) window.maximize();
  window.once('ready-to-show', () => window.show());
  keepState(window, parts.stateFile, () => ({
    bounds: window.getNormalBounds(),
    maximised: window.isMaximized(),
    theme: nativeTheme.themeSource,
  }));
  const recolour = (): void => {
    if (window.isDestroyed()) return;
    window.setBackgroundColor(currentColours().canvas);
    if (process.platform !== 'darwin') window.setTitleBarOverlay(overlay());
  };
  nativeTheme.on('updated', recolour);
  window.on('closed', () => nativeTheme.off('updated', recolour));
  return window;
}
