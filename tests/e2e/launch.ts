/**
 * Starts the built shells for browser tests: `launchHeadless` the headless one in the system's Chromium,
 * `launchDesktop` the desktop one in Electron or in its double. Each start has a workspace of its own and free
 * ports; `stop` ends everything it started.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  _electron,
  type Browser,
  type BrowserContextOptions,
  test as base,
  chromium,
  type ElectronApplication,
  type Page,
} from '@playwright/test';
import type { Config } from '../../src/contract/config.ts';
import { chromiumArguments, chromiumPath } from '../../tools/chromium.mjs';
import { electronBinary, hasDisplay } from '../../tools/electron-binary.mjs';
import { removeFolder } from '../../tools/remove-folder.mjs';

export const root = join(import.meta.dirname, '../..');
const double = join(root, 'tools/electron-double/electron');

export type Shell = 'headless' | 'electron' | 'electron-double';
export interface ShellOptions {
  /** Set by each project of playwright.config.ts. */
  shell: Shell;
}

/** Why a shell cannot be started on this machine, or null. */
export function cannotRun(shell: Shell): string | null {
  if (shell !== 'electron')
    return chromiumPath() === null ? 'no Chromium: set CHROMIUM_PATH or install chromium' : null;
  if (electronBinary() === null) return "Electron's program is not installed: npx install-electron";
  return hasDisplay() ? null : 'Electron needs a display';
}

/** Skips, with the reason, where the project's shell cannot be started. */
export const test = base.extend<ShellOptions & { runnable: undefined }>({
  shell: ['headless', { option: true }],
  runnable: [
    async ({ shell }, use, info) => {
      const reason = cannotRun(shell);
      info.skip(reason !== null, reason ?? '');
      if (!existsSync(join(root, 'out/renderer/index.html'))) throw new Error('out/ is not built: npm run build');
      await use(undefined);
    },
    { auto: true },
  ],
});

/** What a page complained of: errors, console errors and refused resources. A test of a healthy page expects none. */
export function watchProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`pageerror: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  return problems;
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'hookbench-e2e-'));

export interface HeadlessServer {
  readonly ingestUrl: string;
  /** With the token in its fragment. */
  readonly uiUrl: string;
  readonly workspace: string;
  readonly child: ChildProcess;
  /** What it wrote to standard error so far. */
  errors(): string;
  /** Asks it to stop and gives the exit code; harmless when repeated. */
  stop(): Promise<number | null>;
}

export interface HeadlessOptions {
  /** Kept after the test; a temporary one is made and removed when left out. */
  readonly workspace?: string;
  readonly config?: Config;
  /** More arguments of `hookbench serve`. */
  readonly arguments?: readonly string[];
  /** The folder of another build than `out`. */
  readonly build?: string;
}

function serveArguments(workspace: string, own: string, options: HeadlessOptions): string[] {
  const ports = ['--ingest-port', '0', '--ui-port', '0', '--receivers-port', '0', '--receivers-https-port', '0'];
  const args = ['serve', '--json', '--no-open', '--workspace', workspace, ...ports, ...(options.arguments ?? [])];
  if (options.config === undefined) return args;
  const file = join(own, 'hookbench.json');
  writeFileSync(file, JSON.stringify(options.config));
  return [...args, '--config', file];
}

/** `hookbench serve` without a browser. Rejects with what it wrote when it does not become ready. */
export async function startServer(options: HeadlessOptions = {}): Promise<HeadlessServer> {
  const own = temporaryFolder();
  const workspace = options.workspace ?? join(own, 'workspace');
  const cli = join(options.build ?? join(root, 'out'), 'main/cli.js');
  const child = spawn(process.execPath, [cli, ...serveArguments(workspace, own, options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line').then(([line]) => String(line)), exited.then(() => null)]);
  if (first === null) {
    await removeFolder(own);
    throw new Error(`hookbench serve did not start: ${errors}`);
  }
  const ready = JSON.parse(first) as { ingest: string; ui: string };
  return {
    ingestUrl: ready.ingest,
    uiUrl: ready.ui,
    workspace,
    child,
    errors: () => errors,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const code = await exited;
      await removeFolder(own);
      return code;
    },
  };
}

export interface LaunchedHeadless extends HeadlessServer {
  readonly page: Page;
  readonly browser: Browser;
  readonly problems: string[];
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath() ?? undefined, args: chromiumArguments, headless: true });

/** Scripts that are no tests start a browser of their own, which ends with their shell. */
const inWorker = process.env.TEST_WORKER_INDEX !== undefined;
let shared: Promise<Browser> | null = null;

/** One browser for all tests of a worker, with which it ends. What a page keeps is in its context, which is new. */
async function sharedChromium(): Promise<Browser> {
  const browser = inWorker ? await shared?.catch(() => null) : null;
  if (browser?.isConnected()) return browser;
  shared = launchChromium();
  return shared;
}

/** The headless shell, opened in a context of its own. `page` options such as `colorScheme` go to it. */
export async function launchHeadless(
  options: HeadlessOptions & { readonly page?: BrowserContextOptions } = {},
): Promise<LaunchedHeadless> {
  const server = await startServer(options);
  const browser = await sharedChromium();
  const others = new Set(browser.contexts());
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options.page });
  const problems = watchProblems(page);
  await page.goto(server.uiUrl);
  return {
    ...server,
    page,
    browser,
    problems,
    stop: async () => {
      if (inWorker) await Promise.all(browser.contexts().map((one) => others.has(one) || one.close()));
      else await browser.close();
      return server.stop();
    },
  };
}

export interface LaunchedDesktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly problems: string[];
  readonly workspace: string;
  /** Where the app keeps its own state for this workspace. */
  userData(): Promise<string>;
  /** Quits; harmless when repeated. */
  stop(): Promise<void>;
}

export interface DesktopOptions {
  readonly shell: 'electron' | 'electron-double';
  /** Kept after the test; null: none is named. */
  readonly workspace?: string | null;
  /** The app's user data folder; kept after the test. */
  readonly userData?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Config;
  /** More arguments of the app. */
  readonly arguments?: readonly string[];
  /** Modules that the program loads before the app. */
  readonly required?: readonly string[];
}

export const desktopProgram = (shell: DesktopOptions['shell']): string =>
  shell === 'electron' ? (electronBinary() ?? 'electron') : double;

export const desktopArguments = (folders: { readonly userData: string; readonly workspace: string | null }) => [
  root,
  `--user-data-dir=${folders.userData}`,
  ...(folders.workspace === null ? [] : [`--workspace=${folders.workspace}`]),
  '--ingest-port=0',
  '--receivers-port=0',
  '--receivers-https-port=0',
];

/** `own` holds the config file. */
function argumentsOf(options: DesktopOptions, own: string, workspace: string | null): string[] {
  const userData = options.userData ?? join(own, 'user-data');
  const required = (options.required ?? []).flatMap((path) => ['-r', path]);
  const args = [...required, ...desktopArguments({ userData, workspace }), ...(options.arguments ?? [])];
  if (options.config === undefined) return args;
  const file = join(own, 'hookbench.json');
  writeFileSync(file, JSON.stringify(options.config));
  return [...args, '--config', file];
}

/** The desktop shell in Electron, or in its double: never call the latter an Electron test. */
export async function launchDesktop(options: DesktopOptions): Promise<LaunchedDesktop> {
  const own = temporaryFolder();
  const workspace = options.workspace === undefined ? join(own, 'workspace') : options.workspace;
  const app = await _electron.launch({
    executablePath: desktopProgram(options.shell),
    args: argumentsOf(options, own, workspace),
    env: { ...(process.env as Record<string, string>), ...options.env },
  });
  const child = app.process();
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const page = await app.firstWindow().catch((error: Error) => {
    const { exitCode, signalCode } = child;
    throw new Error(`${error.message}; the program (exit ${exitCode ?? signalCode ?? 'none yet'}) wrote: ${errors}`);
  });
  const problems = watchProblems(page);
  await page.waitForURL((url) => url.protocol !== 'about:');
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await app.close();
    await removeFolder(own);
  };
  return {
    app,
    page,
    problems,
    workspace: workspace ?? '',
    userData: () => app.evaluate(({ app: electronApp }) => electronApp.getPath('userData')),
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}
