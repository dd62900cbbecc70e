/** What the page of the desktop shell may do, and what it finds. All of it leaves the app as it was: one launch. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { bridge } from '../../../src/shell/bridge-names.ts';
import { listeningPorts } from '../../helpers/processes.ts';
import { type LaunchedDesktop, root, type Shell, test } from '../launch.ts';
import { ask, isConnected, opener } from './open.ts';

test.describe.configure({ mode: 'default' });
const { launch, closeAll } = opener();
test.afterAll(closeAll);
let shared: LaunchedDesktop | null = null;
const running = async (shell: Shell): Promise<LaunchedDesktop> => {
  shared ??= await launch(shell);
  await isConnected(shared.page);
  return shared;
};

/** Of the ingest and of the test receivers, as the app says. */
const ownPortsOf = (workspace: string): Promise<number[]> =>
  ask(workspace, async (client) => {
    const { listener } = await client.call('app.status');
    const { http, https } = await client.call('receivers.list');
    return [listener.port, ...[http, https].filter(({ state }) => state === 'listening').map(({ port }) => port)];
  });

test('the page opens, reaches the engine over its port, and complains of nothing', async ({ shell }) => {
  const { problems } = await running(shell);
  expect(problems).toEqual([]);
});

test('the page finds the named functions of the bridge and nothing of Node', async ({ shell }) => {
  const { page } = await running(shell);
  const found = await page.evaluate(() => ({
    bridge: Object.keys((window as unknown as { hookbench: object }).hookbench).sort(),
    node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].filter((name) => name in window),
  }));
  expect(found).toEqual({
    bridge: ['chooseWorkspace', 'facts', 'openWorkspace', 'requestPort', 'saved', 'setTheme'],
    node: [],
  });
});

test('the window has every required preference', async ({ shell }) => {
  const { app } = await running(shell);
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
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
  });
  expect(preferences.enableBlinkFeatures ?? '').toBe('');
});

test('the channels in use are those of the list (U5)', async ({ shell }) => {
  const { app } = await running(shell);
  const channels = await app.evaluate(({ ipcMain }) => {
    const { _invokeHandlers } = ipcMain as unknown as { _invokeHandlers: Map<string, unknown> };
    return [...ipcMain.eventNames(), ..._invokeHandlers.keys()].map(String);
  });
  const toMain = Object.values(bridge).filter((name) => name !== bridge.port);
  expect(channels.sort()).toEqual([...toMain].sort());
});

test('the built preload is CommonJS that requires electron alone', () => {
  const text = readFileSync(join(root, 'out/preload/index.cjs'), 'utf8');
  const required = [...text.matchAll(/\brequire\(([^)]*)\)/g)].map((match) => match[1]);
  expect(new Set(required)).toEqual(new Set(['"electron"']));
  expect(text).not.toMatch(/^\s*(import|export)\b|\bimport\(/m);
});

test('the page leads nowhere else, whatever it tries (U2)', async ({ shell }) => {
  const { app, page } = await running(shell);
  await isConnected(page);
  const before = page.url();
  await page.evaluate(() => {
    const add = (tag: string, attributes: Record<string, string>): HTMLElement => {
      const element = document.createElement(tag);
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      document.body.append(element);
      return element;
    };
    const away = 'https://example.com/';
    window.open(away);
    window.open('about:blank');
    add('a', { href: away, target: '_blank' }).click();
    add('a', { href: away }).click();
    add('iframe', { src: away });
    add('webview', { src: away });
    add('meta', { 'http-equiv': 'refresh', content: `0;url=${away}` });
    const form = add('form', { action: away, method: 'post' }) as HTMLFormElement;
    form.submit();
    window.location.assign(away);
  });
  await expect(page.locator('iframe')).toHaveCount(1);
  await isConnected(page);
  expect(page.url()).toBe(before);
  await expect.poll(() => app.windows().length).toBe(1);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  expect(page.frames().filter((frame) => frame.url().includes('example.com'))).toEqual([]);
});

test('the page has no network', async ({ shell }) => {
  const { page } = await running(shell);
  const reached = await page.evaluate(async () => {
    const urls = ['http://127.0.0.1:8765/health', 'https://example.com/', 'file:///etc/passwd', 'data:text/plain,x'];
    const fetched = await Promise.all(
      urls.map((url) =>
        fetch(url, { mode: 'no-cors' }).then(
          () => url,
          () => null,
        ),
      ),
    );
    const sockets = await Promise.all(
      ['ws://127.0.0.1:8765/'].map(
        (url) =>
          new Promise((resolve) => {
            try {
              const socket = new WebSocket(url);
              socket.onopen = () => resolve(url);
              socket.onerror = () => resolve(null);
            } catch {
              resolve(null);
            }
          }),
      ),
    );
    return [...fetched, ...sockets].filter((url) => url !== null);
  });
  expect(reached).toEqual([]);
});

test('the app scheme answers its files and nothing else, always with the policy (U6)', async ({ shell }) => {
  const { page } = await running(shell);
  const paths = [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/..%5cindex.html',
    '/INDEX.HTML',
    '/index.html%00',
    '/x',
    '/preload/index.cjs',
    '/__proto__',
  ];
  const answers = await page.evaluate(
    (all) =>
      Promise.all(
        all.map(async (path) => {
          const response = await fetch(path);
          return [response.status, response.headers.get('content-security-policy')?.includes("default-src 'none'")];
        }),
      ),
    paths,
  );
  expect(answers).toEqual(paths.map(() => [404, true]));
});

test('a new port closes the one before, and the page of its own accord connects again', async ({ shell }) => {
  const { page } = await running(shell);
  await isConnected(page);
  const isClosed = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const { hookbench } = window as unknown as { hookbench: { requestPort(): void } };
        const onMessage = (event: MessageEvent) => {
          if (event.data !== 'rpc:port') return;
          window.removeEventListener('message', onMessage);
          const port = event.ports[0];
          port?.addEventListener('close', () => resolve(true));
          port?.start();
          hookbench.requestPort();
        };
        window.addEventListener('message', onMessage);
        hookbench.requestPort();
      }),
  );
  expect(isClosed).toBe(true);
  await isConnected(page);
});

test('a text that is none ends the port and nothing else', async ({ shell }) => {
  const { page, app } = await running(shell);
  const isClosed = await page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        window.addEventListener(
          'message',
          ({ ports: [port] }) => {
            port?.addEventListener('close', () => resolve(true));
            port?.start();
            port?.postMessage({ not: 'a text' });
          },
          { once: true },
        );
        (window as unknown as { hookbench: { requestPort(): void } }).hookbench.requestPort();
      }),
  );
  expect(isClosed).toBe(true);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  await isConnected(page);
});

test('the app listens for calls and for what its receivers take, and on nothing else: no control port (C8)', async ({
  shell,
}) => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const { app, workspace } = await running(shell);
  // Playwright drives the app through its inspector.
  const inspector = await app.evaluate(() => process.getBuiltinModule('node:inspector').url() ?? '');
  const debugging = [Number(new URL(inspector).port)];
  const pid = app.process().pid ?? 0;
  const listening = () => listeningPorts(pid).filter((port) => !debugging.includes(port));
  await expect.poll(async () => (await ownPortsOf(workspace)).length).toBeGreaterThan(1);
  expect(listening().sort()).toEqual((await ownPortsOf(workspace)).sort());
});
