/**
 * What the desktop's tests share. They run in Electron (project `electron`) or in its double (project
 * `electron-double`). What runs in the double proves bundles, channels, the hand-over and the order of things,
 * and nothing of the sandbox.
 */
import { expect, type Page } from '@playwright/test';
import { type Client, connectContract } from '../../../src/contract/channel.ts';
import { controlSocketPath } from '../../../src/core/serving/control-path.ts';
import { connectControlSocket } from '../../../src/core/serving/control-socket.ts';
import { removeFolder } from '../../../tools/remove-folder.mjs';
import { type DesktopOptions, type LaunchedDesktop, launchDesktop, type Shell, temporaryFolder } from '../launch.ts';
import { postCall } from '../post-call.ts';

type DesktopShell = DesktopOptions['shell'];
export const desktopShell = (shell: Shell): DesktopShell => (shell === 'headless' ? 'electron-double' : shell);

/** Starts apps and makes folders for a test, and ends and removes them after it. */
export function opener() {
  const launched: LaunchedDesktop[] = [];
  const folders: string[] = [];
  return {
    launch: async (shell: Shell, more: Omit<DesktopOptions, 'shell'> = {}): Promise<LaunchedDesktop> => {
      const desktop = await launchDesktop({ shell: desktopShell(shell), ...more });
      launched.push(desktop);
      return desktop;
    },
    folder: (): string => {
      const made = temporaryFolder();
      folders.push(made);
      return made;
    },
    closeAll: async (): Promise<void> => {
      for (const desktop of launched.splice(0)) await desktop.stop();
      for (const folder of folders.splice(0)) await removeFolder(folder);
    },
  };
}

export const isConnected = (page: Page) => expect(page.getByText(/^Listening/).first()).toBeVisible();

/** Asks the running app over its control socket. */
export async function ask<T>(workspace: string, question: (client: Client) => Promise<T>): Promise<T> {
  const channel = await connectControlSocket(controlSocketPath(workspace));
  const client = connectContract(channel, () => {});
  try {
    return await question(client);
  } finally {
    channel.close();
  }
}

const ingestOf = (workspace: string) =>
  ask(workspace, async (client) => {
    const { status, sources } = (await client.call('app.hello', {})).parts;
    return { url: `http://127.0.0.1:${status.listener.port}`, writeKey: sources[0]?.writeKey ?? '' };
  });

/** Sends one track call as an SDK would, to the port that the app listens on. */
export async function post({ workspace }: Pick<LaunchedDesktop, 'workspace'>, event: string): Promise<void> {
  const { url, writeKey } = await ingestOf(workspace);
  await postCall(url, writeKey, 'track', { userId: 'usr_8f21', event });
}
