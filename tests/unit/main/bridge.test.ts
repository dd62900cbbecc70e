/** The bridge's handlers over the double's ipcMain and ports: who is heard, and what each channel does. */
import { createRequire } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TextPort } from '../../../src/core/engine/engine-thread.ts';
import { bridge } from '../../../src/shell/bridge-names.ts';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
const { ipcMain } = (await import('electron')) as unknown as {
  ipcMain: NodeJS.EventEmitter & { call(channel: string, event: unknown, args: unknown[]): unknown };
};
const { serveBridge } = await import('../../../src/main/bridge.ts');

/** Engine ports that were asked for, and whether each is closed. */
const engines: Array<{ closed: boolean; posted: string[] }> = [];
let isRunning = true;
function connect(): TextPort | null {
  if (!isRunning) return null;
  const engine = { closed: false, posted: [] as string[] };
  engines.push(engine);
  return {
    post: (text) => void engine.posted.push(text),
    onText: () => {},
    onClose: () => {},
    close: () => {
      engine.closed = true;
    },
  };
}

const themesSet: string[] = [];
const facts = { version: '1', platform: 'linux', keyStorage: 'file', titleBar: { height: 47, buttons: 'right' } };
serveBridge({
  origins: { page: 'app://hookbench', isDevelopment: false },
  windows: new Map([[1, { connect, keyStorage: 'file' as const }]]),
  facts: ({ keyStorage }) => ({ ...facts, keyStorage, theme: 'system' }) as never,
  setTheme: (theme) => void themesSet.push(theme),
  chooseWorkspace: async (name) => (name === null ? { end: 'cancelled' } : { end: 'chosen', folder: `/w/${name}` }),
  openWorkspace: (folder) => (folder === '/w/there' ? null : 'There is no such folder.'),
  saved: async (blob) => ({ end: 'saved', path: `/tmp/${blob}` }),
});
afterEach(() => {
  engines.length = 0;
  themesSet.length = 0;
  isRunning = true;
});

interface Sent {
  readonly channel: string;
  readonly port: { on(event: 'close', listener: () => void): void; fromPage(data: unknown): void };
}

/** An IPC event as the main process gets it, and what was posted to its frame. */
function event(more: { id?: number; url?: string; parent?: object | null; frame?: null } = {}) {
  const sent: Sent[] = [];
  const { id = 1, url = 'app://hookbench/index.html#/live', parent = null } = more;
  const postMessage = (channel: string, _message: unknown, [port]: Sent['port'][]) =>
    void sent.push({ channel, port: port! });
  return { sent, sender: { id }, senderFrame: more.frame === null ? null : { parent, url, postMessage } };
}

const strangers = {
  'another window': event({ id: 2 }),
  'a child frame': event({ parent: {} }),
  'a destroyed frame': event({ frame: null }),
  'a web page': event({ url: 'https://example.com/' }),
  'an empty page': event({ url: 'about:blank' }),
  'a longer host': event({ url: 'app://hookbench.evil.com/' }),
};

describe.each(Object.entries(strangers))('%s', (_title, sender) => {
  test('gets no port, and the engine none to close', () => {
    ipcMain.emit(bridge.requestPort, sender);
    expect([sender.sent, engines]).toEqual([[], []]);
  });

  test('closes no port of the page', () => {
    ipcMain.emit(bridge.requestPort, event());
    ipcMain.emit(bridge.requestPort, sender);
    expect(engines.map(({ closed }) => closed)).toEqual([false]);
  });

  test('gets no facts', () => {
    expect(() => ipcMain.call(bridge.facts, sender, [])).toThrow('The sender is not the page.');
  });

  test('learns nothing of a saved file', () => {
    expect(() => ipcMain.call(bridge.saved, sender, ['4c1f'])).toThrow('The sender is not the page.');
  });

  test('chooses and opens no workspace', () => {
    for (const channel of [bridge.chooseWorkspace, bridge.openWorkspace])
      expect(() => ipcMain.call(channel, sender, ['/w/there'])).toThrow('The sender is not the page.');
  });

  test('sets no theme', () => {
    ipcMain.emit(bridge.setTheme, sender, 'dark');
    expect(themesSet).toEqual([]);
  });
});

describe('the page', () => {
  test('gets one port on its channel, and a second one in place of the first', () => {
    const page = event();
    ipcMain.emit(bridge.requestPort, page);
    ipcMain.emit(bridge.requestPort, page);
    expect(page.sent.map(({ channel }) => channel)).toEqual([bridge.port, bridge.port]);
    expect(engines.map(({ closed }) => closed)).toEqual([true, false]);
  });

  test('gets a port that closes at once while no engine runs', async () => {
    isRunning = false;
    const page = event();
    ipcMain.emit(bridge.requestPort, page);
    await new Promise<void>((resolve) => page.sent[0]!.port.on('close', resolve));
    expect(engines).toEqual([]);
  });

  test('gets the facts', () => {
    expect(ipcMain.call(bridge.facts, event(), [])).toEqual({ ...facts, theme: 'system' });
  });

  test('learns how a file that it saves ended', async () => {
    expect(await ipcMain.call(bridge.saved, event(), ['4c1f'])).toEqual({ end: 'saved', path: '/tmp/4c1f' });
  });

  test('chooses a workspace and opens it', async () => {
    expect(await ipcMain.call(bridge.chooseWorkspace, event(), ['there'])).toEqual({
      end: 'chosen',
      folder: '/w/there',
    });
    expect(await ipcMain.call(bridge.chooseWorkspace, event(), [null])).toEqual({ end: 'cancelled' });
    expect(ipcMain.call(bridge.openWorkspace, event(), ['/w/there'])).toBeNull();
    expect(ipcMain.call(bridge.openWorkspace, event(), ['/w/gone'])).toBe('There is no such folder.');
  });

  test('sets a theme that there is, and nothing else', () => {
    for (const theme of ['dark', 'pink', '', null, undefined, {}, ['dark'], '__proto__'])
      ipcMain.emit(bridge.setTheme, event(), theme);
    expect(themesSet).toEqual(['dark']);
  });
});
