/** npm start where Electron is there, with the double in its place: never an Electron test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectControlSocket } from '../../src/core/serving/control-socket.ts';
import { chromiumPath } from '../../tools/chromium.mjs';
import { processesWith } from '../helpers/processes.ts';

const root = join(import.meta.dirname, '../..');

test.skipIf(process.platform !== 'linux' || chromiumPath() === null)(
  'npm start opens the desktop app (double) and SIGTERM ends all of it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hb-start-'));
    const workspace = join(folder, 'w');
    const args = [`--user-data-dir=${folder}/u`, `--workspace=${workspace}`, '--ingest-port=0'];
    const child = spawn(
      process.execPath,
      [join(root, 'tools/with-node.mjs'), 'node', join(root, 'tools/start.mjs'), ...args],
      {
        stdio: 'ignore',
        env: {
          ...process.env,
          DISPLAY: ':double',
          ELECTRON_OVERRIDE_DIST_PATH: join(root, 'tools/electron-double'),
          // What some editors set: it must not reach Electron.
          ELECTRON_RUN_AS_NODE: '1',
        },
      },
    );
    const exited = once(child, 'exit');
    const isUp = async (): Promise<boolean> => {
      const channel = await connectControlSocket(join(workspace, 'control.sock')).catch(() => null);
      channel?.close();
      return channel !== null;
    };
    await expect.poll(isUp).toBe(true);
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
    await expect.poll(() => processesWith(folder)).toEqual([]);
    expect(existsSync(join(workspace, 'control.sock'))).toBe(false);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
);
