/** npm start where Electron is there, with the double in its place: never an Electron test. */
import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { connectControlSocket } from '../../src/core/serving/control-socket.ts';
import { chromiumPath } from '../../tools/chromium.mjs';
import { removeFolder } from '../../tools/remove-folder.mjs';
import { processesWith } from '../helpers/processes.ts';

const root = join(import.meta.dirname, '../..');
const PORTS = ['--ingest-port=0', '--receivers-port=0', '--receivers-https-port=0'];

async function isUp(workspace: string): Promise<boolean> {
  const channel = await connectControlSocket(join(workspace, 'control.sock')).catch(() => null);
  channel?.close();
  return channel !== null;
}

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
        stdio: ['ignore', 'ignore', 'pipe'],
        env: {
          ...process.env,
          DISPLAY: ':double',
          ELECTRON_OVERRIDE_DIST_PATH: join(root, 'tools/electron-double'),
          // What some editors set: it must not reach Electron.
          ELECTRON_RUN_AS_NODE: '1',
        },
      },
    );
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const closed = once(child, 'close');
    await expect.poll(() => isUp(workspace)).toBe(true);
    child.kill('SIGTERM');
    expect((await closed)[0], said).toBe(0);
    await expect.poll(() => processesWith(folder)).toEqual([]);
    expect(existsSync(join(workspace, 'control.sock'))).toBe(false);
    await removeFolder(folder);
  },
);

/** What an expression is in the program, as its debugger says at once, whatever the program is doing. */
async function evaluated(address: string, expression: string): Promise<unknown> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  socket.send(
    JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression, includeCommandLineAPI: true } }),
  );
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return (JSON.parse(answer.toString()) as { result: { result: { value?: unknown } } }).result.result.value;
}

test.skipIf(process.platform !== 'linux' || chromiumPath() === null)(
  'the double has loaded its module whole before it tells the address of its browser',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hb-whole-'));
    const workspace = join(folder, 'w');
    const args = ['--inspect=0', root, `--user-data-dir=${folder}/u`, `--workspace=${workspace}`, ...PORTS];
    const child = spawn(join(root, 'tools/electron-double/electron'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const exited = once(child, 'exit');
    onTestFinished(async () => {
      // Before it is up, a signal would leave its browser behind.
      await expect.poll(() => isUp(workspace)).toBe(true);
      child.kill('SIGTERM');
      await exited;
      await removeFolder(folder);
    });
    const lines = createInterface({ input: child.stderr });
    const addressOf = async (name: string): Promise<string> => {
      for await (const [line] of on(lines, 'line', { close: ['close'] })) {
        const start = `${name} listening on `;
        if (String(line).startsWith(start)) return String(line).slice(start.length);
      }
      throw new Error('It ended before.');
    };
    const [debuggerAddress] = await Promise.all([addressOf('Debugger'), addressOf('DevTools')]);
    const isLoaded = "Object.values(require.cache).some(({ id, loaded }) => id.endsWith('electron.cjs') && loaded)";
    expect(await evaluated(debuggerAddress, isLoaded)).toBe(true);
  },
);
