/** Two starts: of one workspace, of two, and beside the headless shell. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { desktopArguments, desktopProgram, type Shell, startServer, test } from '../launch.ts';
import { desktopShell, isConnected, opener, post } from './open.ts';

const { launch, folder, closeAll } = opener();
test.afterEach(closeAll);

/** Starts the app without Playwright; gives its exit code and what it said. */
async function startAgain(shell: Shell, args: readonly string[], env: Record<string, string> = {}) {
  const program = spawn(desktopProgram(desktopShell(shell)), [...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  program.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(program, 'close');
  return { code, said };
}

test('a second start of one workspace brings the first one to the front and ends; another runs beside it', async ({
  shell,
}) => {
  const own = folder();
  const [userData, workspace] = [join(own, 'user-data'), join(own, 'workspace')];
  const first = await launch(shell, { userData, workspace });
  await isConnected(first.page);
  const look = () =>
    first.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((window) => ({
        minimised: window.isMinimized(),
        visible: window.isVisible(),
        focused: window.isFocused(),
      })),
    );
  await first.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]!;
    window.blur();
    window.minimize();
  });
  await expect.poll(look).toEqual([expect.objectContaining({ minimised: true, focused: false })]);

  symlinkSync(workspace, join(own, 'link'));
  const again = await startAgain(shell, desktopArguments({ userData, workspace: null }), {
    HOOKBENCH_WORKSPACE: join(own, 'link'),
  });
  expect(again.code).toBe(0);
  expect(again.said).toContain('is open already; its window was brought to the front.');
  await expect.poll(look).toEqual([{ minimised: false, visible: true, focused: true }]);
  await isConnected(first.page);

  const other = await launch(shell, { userData, workspace: join(own, 'other') });
  await isConnected(other.page);
  await post(first, 'Of the first');
  await post(other, 'Of the other');
  for (const [{ page }, here, there] of [
    [first, 'Of the first', 'Of the other'],
    [other, 'Of the other', 'Of the first'],
  ] as const) {
    await expect(page.getByText(here).first()).toBeVisible();
    await expect(page.getByText(there)).toHaveCount(0);
  }
});

test('a workspace that the headless shell has is left alone: the double says why and ends', async ({ shell }) => {
  test.skip(shell !== 'electron-double', 'the message of a real app waits for a person');
  const own = folder();
  const workspace = join(own, 'workspace');
  const server = await startServer({ workspace });
  const { code, said } = await startAgain(shell, desktopArguments({ userData: own, workspace }));
  expect(code).toBe(4);
  expect(said).toContain('DIALOG Hookbench could not start');
  expect((await fetch(`${server.ingestUrl}/health`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});
