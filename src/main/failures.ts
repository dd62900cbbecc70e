/** What the app does when its page or engine ends, and what it asks a person if that does not help. */
import { app, type BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { CrashCount } from '../shell/crash-count.ts';
import type { EngineState, EngineSupervisor } from '../shell/engine-supervisor.ts';
import { log } from './log.ts';

/** Reloads of a crashed page in a minute before a person is asked. */
const PAGE_CRASH_LIMIT = 4;

/** Shows the message without a parent if there is no window. */
async function askToGoOn(window: BrowserWindow | null, words: { message: string; detail: string; again: string }) {
  const { message, detail, again } = words;
  const options: MessageBoxOptions = {
    type: 'error',
    message,
    detail,
    buttons: [again, 'Quit'],
    defaultId: 0,
    cancelId: 0,
  };
  const { response } = await (window === null
    ? dialog.showMessageBox(options)
    : dialog.showMessageBox(window, options));
  if (response === 0) return true;
  app.quit();
  return false;
}

/** Reloads a page that crashes. If it keeps crashing, asks a person first. */
export function reviveCrashedPage(window: BrowserWindow): void {
  const { webContents } = window;
  const crashes = new CrashCount(PAGE_CRASH_LIMIT, () => performance.now());
  const load = (): void => {
    if (!window.isDestroyed()) webContents.reload();
  };
  webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log(`the page ended (${reason}, ${exitCode})`);
    if (!crashes.add()) return load();
    const words = {
      message: `The window's page ended ${PAGE_CRASH_LIMIT} times in a minute.`,
      detail: 'Calls are still received and delivered.',
      again: 'Load it again',
    };
    void askToGoOn(window, words).then((isAsked) => {
      crashes.forget();
      if (isAsked) load();
    });
  });
  webContents.on('unresponsive', () => log('the page does not answer'));
}

/** Logs what happened to the engine. Once restarting has ended, a person decides. */
export function watchEngine(engine: EngineSupervisor, currentWindow: () => BrowserWindow | null): void {
  const ask = async (reason: string): Promise<void> => {
    const isAsked = await askToGoOn(currentWindow(), {
      message: 'The engine ended 5 times in a minute.',
      detail: `${reason}\n\nNo calls are received and nothing is delivered.`,
      again: 'Start it again',
    });
    if (isAsked) engine.retry();
  };
  engine.onState((state: EngineState) => {
    if (state.state === 'restarting' && state.message !== '')
      log(`the engine ended (${state.message}); it starts again`);
    if (state.state !== 'stopped' || state.message === null) return;
    log(`the engine ended 5 times in a minute (${state.message}); it is left alone`);
    void ask(state.message);
  });
}
