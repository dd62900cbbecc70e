// Finds Electron's executable without importing 'electron': that import would start a download.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root } from './pinned-node.mjs';
import { runStep } from './run-child.mjs';

const folder = join(root, 'node_modules', 'electron');

/** The path of the installed executable, or null. */
export function electronBinary() {
  const nameFile = join(folder, 'path.txt');
  const name = existsSync(nameFile) ? readFileSync(nameFile, 'utf8') : null;
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const path = override ? join(override, name ?? 'electron') : name === null ? null : join(folder, 'dist', name);
  return path !== null && existsSync(path) ? path : null;
}

/** Tries to fetch it, once and for a bounded time. Gives the path, or null. */
export async function installElectron() {
  if (!existsSync(join(folder, 'install.js'))) return null;
  await runStep('node', [join(folder, 'install.js')], {
    cwd: root,
    env: environment(),
    timeout: 120_000,
    shell: process.platform === 'win32',
  });
  return electronBinary();
}

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY);
