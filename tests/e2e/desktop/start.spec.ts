/** What a start of the desktop shell finds and keeps: its key, the window's place, the port of calls. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { desktopArguments, desktopProgram, type LaunchedDesktop, type Shell, test } from '../launch.ts';
import { ask, isConnected, opener, post } from './open.ts';

const { launch, folder, closeAll } = opener();
test.afterEach(closeAll);

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

test('after a restart everything is there: messages, size and theme, and the frame has the colours of the page', async ({
  shell,
}) => {
  const userData = folder();
  const workspace = join(folder(), 'workspace');
  const look = (launched: LaunchedDesktop) =>
    launched.app.evaluate(({ BrowserWindow, nativeTheme }) => {
      const window = BrowserWindow.getAllWindows()[0];
      const { width, height } = window?.getNormalBounds() ?? {};
      return { width, height, theme: nativeTheme.themeSource, colour: window?.getBackgroundColor().toLowerCase() };
    });
  const first = await launch(shell, { userData, workspace });
  await expect.poll(() => look(first)).toMatchObject({ width: 1440, height: 900, theme: 'system' });
  await first.page.evaluate(() =>
    (window as unknown as { hookbench: { setTheme(t: string): void } }).hookbench.setTheme('dark'),
  );
  await expect.poll(() => look(first)).toMatchObject({ theme: 'dark', colour: '#0d0f12' });
  await first.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 60, width: 1100, height: 720 }),
  );
  await isConnected(first.page);
  await post(first, 'Before the restart');
  await expect(first.page.getByText('Before the restart').first()).toBeVisible();
  await first.stop();
  const second = await launch(shell, { userData, workspace });
  await expect(second.page.getByRole('row').filter({ hasText: 'Before the restart' })).toBeVisible();
  await post(second, 'After the restart');
  await expect(second.page.getByRole('row').filter({ hasText: 'After the restart' })).toBeVisible();
  await expect.poll(() => look(second)).toEqual({ width: 1100, height: 720, theme: 'dark', colour: '#0d0f12' });
});

/** The message boxes that the double kept. */
const messagesOf = ({ app }: LaunchedDesktop) =>
  app.evaluate(({ dialog }) =>
    (dialog as unknown as { shown: { message: string; detail: string }[] }).shown.map(
      ({ message, detail }) => `${message} ${detail}`,
    ),
  );

test('a config file gives sources and webhooks, and HOOKBENCH_WORKSPACE the workspace', async ({ shell }) => {
  const workspace = join(folder(), 'from the environment');
  const { page } = await launch(shell, {
    workspace: null,
    env: { HOOKBENCH_WORKSPACE: workspace },
    config: {
      sources: [{ name: 'checkout-api', writeKey: 'wk_1', kind: 'server', enabled: true, webhooks: true }],
      webhooks: { paused: true, entries: [{ name: 'CRM', url: 'http://127.0.0.1:9/', headers: {}, enabled: true }] },
    },
  });
  await isConnected(page);
  const { parts, workspace: opened } = await ask(workspace, (client) => client.call('app.hello', {}));
  expect(parts.sources.map(({ name, writeKey }) => [name, writeKey])).toEqual([['checkout-api', 'wk_1']]);
  expect(parts.webhooks.map(({ name }) => name)).toEqual(['CRM']);
  expect(opened.folder).toBe(workspace);
});

test.describe('a store that is not the one that was here', () => {
  /** A workspace with a message, whose store was then deleted. */
  async function replaced(shell: Shell) {
    const [userData, workspace] = [folder(), join(folder(), 'workspace')];
    const first = await launch(shell, { userData, workspace });
    await isConnected(first.page);
    await post(first, 'In the store that went away');
    await first.stop();
    for (const name of readdirSync(workspace)) if (name.startsWith('store.sqlite')) rmSync(join(workspace, name));
    return { userData, workspace };
  }

  test('is named, and the app ends with exit code 1 when a person chooses to quit', async ({ shell }) => {
    test.skip(shell !== 'electron-double', 'a message waits for a person');
    const args = desktopArguments(await replaced(shell));
    const program = spawn(desktopProgram('electron-double'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    program.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [ended] = await once(program, 'close');
    expect(said).toContain('DIALOG The store is not the one that was here.');
    expect(ended).toBe(1);
  });

  test('is opened as it is when a person chooses so, and takes calls', async ({ shell }) => {
    test.skip(shell !== 'electron-double', 'a message waits for a person');
    const before = await replaced(shell);
    const second = await launch(shell, { ...before, env: { ELECTRON_DOUBLE_ANSWER: '1' } });
    await isConnected(second.page);
    await post(second, 'In the new store');
    await expect(second.page.getByText('In the new store').first()).toBeVisible();
    await expect(second.page.getByText('In the store that went away')).toHaveCount(0);
    expect(await messagesOf(second)).toEqual([expect.stringContaining('The store is not the one that was here.')]);
  });
});

test.describe('a start that cannot be', () => {
  const config = { webhooks: { entries: [{ name: 'CRM', url: 'ftp://x/' }] } };
  for (const [title, more, code, words] of [
    ['a field of the config file', ['--config', 'hookbench.json'], 2, 'webhooks.entries[0].url'],
    ['a config file that is not there', ['--config', 'other.json'], 2, 'other.json'],
    ['an option without its value', ['--workspace'], 2, '--workspace'],
    ['a port that is none', ['--https-port', 'x'], 2, '--https-port takes a port from 0 to 65535'],
  ] as const)
    test(`${title} is named, and the exit code is ${code}`, async ({ shell }) => {
      test.skip(shell !== 'electron-double', 'the message of a real app waits for a person');
      const own = folder();
      writeFileSync(join(own, 'hookbench.json'), JSON.stringify(config));
      const named = more[0] === '--workspace' ? null : join(own, 'workspace');
      const args = [...desktopArguments({ userData: own, workspace: named }), ...more];
      const program = spawn(desktopProgram('electron-double'), args, { cwd: own, stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      program.stderr.on('data', (chunk) => {
        said += chunk;
      });
      const [ended] = await once(program, 'close');
      expect(ended).toBe(code);
      expect(said).toContain('DIALOG Hookbench could not start');
      expect(said).toContain(words);
    });
});

test('the workspace of an earlier version is moved to where the command line looks, with a word', async ({ shell }) => {
  test.skip(shell !== 'electron-double', 'a message waits for a person');
  const home = folder();
  const userData = join(home, 'user-data');
  const [earlier, now] = [join(userData, 'workspaces/default'), join(home, '.hookbench/default')];
  const first = await launch(shell, { userData, workspace: earlier });
  await isConnected(first.page);
  await post(first, 'Before the move');
  await first.stop();

  const options = { userData, workspace: null, env: { HOME: home, HOOKBENCH_WORKSPACE: '' } };
  const second = await launch(shell, options);
  await isConnected(second.page);
  await expect(second.page.getByText('Before the move').first()).toBeVisible();
  expect(await second.userData()).toBe(userData);
  expect([existsSync(earlier), existsSync(now)]).toEqual([false, true]);
  expect(await messagesOf(second)).toEqual([
    `Your workspace was moved. It is now in ${now}, where the command line looks for it too. It was in ${earlier}.`,
  ]);
  await second.stop();

  // An earlier version was started once more.
  cpSync(now, earlier, { recursive: true });
  const third = await launch(shell, options);
  await isConnected(third.page);
  expect(await messagesOf(third)).toEqual([expect.stringContaining('There are two workspaces.')]);
  expect([existsSync(earlier), existsSync(now)]).toEqual([true, true]);
});
