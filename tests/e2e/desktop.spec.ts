/**
 * The desktop shell, in Electron (project `electron`) or in its double (project `electron-double`). What runs
 * in the double proves bundles, channels, the hand-over and the order of things, and nothing of the sandbox.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { connectContract } from '../../src/contract/channel.ts';
import { controlSocketPath } from '../../src/core/control-path.ts';
import { connectControlSocket } from '../../src/core/control-socket.ts';
import { bridge } from '../../src/shell/bridge-names.ts';
import { listeningPorts, processesWith } from '../helpers/processes.ts';
import {
  desktopArguments,
  desktopProgram,
  type LaunchedDesktop,
  launchDesktop,
  type Shell,
  startServer,
  temporaryFolder,
  test,
} from './launch.ts';

type DesktopShell = Exclude<Shell, 'headless'>;
const desktopShell = (shell: Shell): DesktopShell => (shell === 'headless' ? 'electron-double' : shell);

let desktop: LaunchedDesktop | null = null;
let folders: string[] = [];
test.afterEach(async () => {
  await desktop?.stop();
  desktop = null;
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders = [];
});

/** Tests that leave the app as they found it share one; those that end it or look at its start have their own. */
test.describe.configure({ mode: 'default' });
let shared: LaunchedDesktop | null = null;
const running = async (shell: Shell): Promise<LaunchedDesktop> => {
  shared ??= await launchDesktop({ shell: desktopShell(shell) });
  await isConnected(shared.page);
  return shared;
};
test.afterAll(() => shared?.stop());

const launch = async (
  shell: Shell,
  more: Partial<Parameters<typeof launchDesktop>[0]> = {},
): Promise<LaunchedDesktop> => {
  desktop = await launchDesktop({ shell: desktopShell(shell), ...more });
  return desktop;
};
const folder = (): string => {
  const made = temporaryFolder();
  folders.push(made);
  return made;
};
/** The port for calls, asked over the control socket. */
/** Of the ingest and of the test receivers, as the app says. */
const ownPortsOf = async (workspace: string): Promise<number[]> => {
  const channel = await connectControlSocket(controlSocketPath(workspace));
  const client = connectContract(channel, () => {});
  const { listener } = await client.call('app.status');
  const { http, https } = await client.call('receivers.list');
  channel.close();
  return [listener.port, ...[http, https].filter(({ state }) => state === 'listening').map(({ port }) => port)];
};
const isConnected = (page: Page) => expect(page.getByText(/^Listening/).first()).toBeVisible();

test('the page opens, reaches the engine over its port, and complains of nothing', async ({ shell }) => {
  const { page, problems } = await launch(shell);
  await isConnected(page);
  expect(problems).toEqual([]);
});

test('the page finds the named functions of the bridge and nothing of Node', async ({ shell }) => {
  const { page } = await running(shell);
  const found = await page.evaluate(() => ({
    bridge: Object.keys((window as unknown as { hookbench: object }).hookbench).sort(),
    node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer'].filter((name) => name in window),
  }));
  expect(found).toEqual({ bridge: ['facts', 'requestPort', 'setTheme'], node: [] });
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
  const text = readFileSync(join(import.meta.dirname, '../../out/preload/index.cjs'), 'utf8');
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

test('after a reload the page connects again', async ({ shell }) => {
  const { app, page, problems } = await launch(shell);
  await isConnected(page);
  const loaded = page.waitForEvent('load');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
  await loaded;
  await isConnected(page);
  expect(problems).toEqual([]);
});

test('size and theme are those of the last time, and the frame has the colours of the page', async ({ shell }) => {
  const userData = folder();
  const workspace = join(folder(), 'workspace');
  const look = (launched: LaunchedDesktop) =>
    launched.app.evaluate(({ BrowserWindow, nativeTheme }) => {
      const window = BrowserWindow.getAllWindows()[0];
      const { width, height } = window?.getNormalBounds() ?? {};
      return { width, height, theme: nativeTheme.themeSource, colour: window?.getBackgroundColor().toLowerCase() };
    });
  const first = await launch(shell, { userData, workspace });
  expect(await look(first)).toMatchObject({ width: 1440, height: 900, theme: 'system' });
  await first.page.evaluate(() =>
    (window as unknown as { hookbench: { setTheme(t: string): void } }).hookbench.setTheme('dark'),
  );
  await expect.poll(() => look(first)).toMatchObject({ theme: 'dark', colour: '#0d0f12' });
  await first.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 60, width: 1100, height: 720 }),
  );
  await first.stop();
  const second = await launch(shell, { userData, workspace });
  expect(await look(second)).toEqual({ width: 1100, height: 720, theme: 'dark', colour: '#0d0f12' });
});

test('where the system keeps no secret, the key lies in a 0600 file and the page is told', async ({ shell }) => {
  test.skip(shell !== 'electron-double', 'a real system decides by itself where its key lies');
  const { page, workspace } = await launch(shell, { env: { ELECTRON_DOUBLE_KEYRING: 'basic_text' } });
  const facts = await page.evaluate(() =>
    (window as unknown as { hookbench: { facts(): Promise<unknown> } }).hookbench.facts(),
  );
  expect(facts).toMatchObject({ keyStorage: 'file', theme: 'system' });
  expect(statSync(join(workspace, 'key')).mode & 0o777).toBe(0o600);
  expect(statSync(workspace).mode & 0o777).toBe(0o700);
});

test('where it does, only the sealed key is stored', async ({ shell }) => {
  test.skip(shell !== 'electron-double', 'a real system decides by itself where its key lies');
  const { page, workspace } = await launch(shell, { env: { ELECTRON_DOUBLE_KEYRING: 'gnome_libsecret' } });
  const facts = await page.evaluate(() =>
    (window as unknown as { hookbench: { facts(): Promise<unknown> } }).hookbench.facts(),
  );
  expect(facts).toMatchObject({ keyStorage: 'system' });
  expect([existsSync(join(workspace, 'key')), existsSync(join(workspace, 'key.sealed'))]).toEqual([false, true]);
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

test('a second start with the same workspace ends and leaves the first one alone', async ({ shell }) => {
  const own = folder();
  const options = { shell: desktopShell(shell), userData: join(own, 'user-data'), workspace: join(own, 'workspace') };
  const { page, app } = await launch(shell, options);
  await isConnected(page);
  const second = spawn(desktopProgram(options.shell), desktopArguments(options), { stdio: 'ignore' });
  const [code] = await once(second, 'exit');
  expect(code).toBe(0);
  await isConnected(page);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a workspace that the headless shell has is left alone: the double says why and ends', async ({ shell }) => {
  test.skip(shell !== 'electron-double', 'the message of a real app waits for a person');
  const own = folder();
  const workspace = join(own, 'workspace');
  const server = await startServer({ workspace });
  const program = spawn(desktopProgram('electron-double'), desktopArguments({ userData: own, workspace }), {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  program.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(program, 'close');
  expect(code).toBe(1);
  expect(said).toContain('DIALOG Hookbench could not start');
  expect((await fetch(`${server.ingestUrl}/health`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});

test.describe('quitting', () => {
  for (const way of ['the window', 'SIGTERM'] as const)
    test(`by ${way} ends in order and leaves no process`, async ({ shell }) => {
      test.skip(process.platform !== 'linux', 'reads /proc');
      const own = folder();
      const { app, page, workspace } = await launch(shell, { userData: own, workspace: join(own, 'workspace') });
      await isConnected(page);
      const child = app.process();
      const exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve([child.exitCode]);
      if (way === 'SIGTERM') child.kill('SIGTERM');
      else await app.evaluate(({ BrowserWindow }) => setTimeout(() => BrowserWindow.getAllWindows()[0]?.close(), 0));
      expect((await exited)[0]).toBe(0);
      expect(existsSync(join(workspace, 'control.sock'))).toBe(false);
      await expect.poll(() => processesWith(own)).toEqual([]);
    });
});
