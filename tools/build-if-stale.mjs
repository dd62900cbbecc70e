// Builds out/ when it is absent or older than the sources. Only in a checkout: an installed package has no src/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, root } from './pinned-node.mjs';

const inputs = ['src', 'electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];
const outputs = ['out/main/cli.js', 'out/main/index.js', 'out/main/headless.js', 'out/renderer/index.html'];

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((time, name) => Math.max(time, newest(join(path, name))), stat.mtimeMs);
}

const isStale = () => {
  const built = outputs.map((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.min(...built) < Math.max(...inputs.map((path) => newest(join(root, path))));
};

const lock = join(root, 'node_modules', '.hookbench-build');

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Two starts at the same time build once: the second waits for the first. */
function withLock(run) {
  for (let tries = 0; ; tries++) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST' || tries > 1200) throw error;
      const owner = existsSync(join(lock, 'pid')) ? Number(readFileSync(join(lock, 'pid'), 'utf8')) : 0;
      if (owner > 0 ? !isAlive(owner) : tries > 20) rmSync(lock, { recursive: true, force: true });
      else wait(100);
    }
  }
  writeFileSync(join(lock, 'pid'), String(process.pid));
  try {
    return run();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function build() {
  const tool = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { status, output } = spawnSync('node', [tool, 'build'], {
    cwd: root,
    env: environment(),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return true;
  console.error((output ?? []).filter(Boolean).join(''));
  console.error('hookbench: the build failed.');
  return false;
}

/** True when out/ is fit to run. */
export function buildIfStale() {
  const isCheckout = existsSync(join(root, 'src')) && existsSync(join(root, 'node_modules', 'electron-vite'));
  if (!isCheckout || !isStale()) return true;
  return withLock(() => (isStale() ? build() : true));
}
