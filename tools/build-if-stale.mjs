// Builds out/ when it is absent or older than the sources, or out-failpoints/, which kill runs take. Only in a checkout: an installed package has no src/.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { environment, root } from './pinned-node.mjs';
import { runStep } from './run-child.mjs';

const inputs = ['src', 'electron.vite.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json'];
const outputs = ['main/cli.js', 'main/index.js', 'main/headless.js', 'renderer/index.html'];
/** Folder of each kind of build, which electron.vite.config.ts knows by HOOKBENCH_BUILD. */
const folders = { shipped: 'out', failpoints: 'out-failpoints' };

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce((time, name) => Math.max(time, newest(join(path, name))), stat.mtimeMs);
}

const isStale = (kind) => {
  const built = outputs.map(
    (path) => statSync(join(root, folders[kind], path), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
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

/** Two starts at the same time build once: the second waits for the first. */
async function withLock(run) {
  for (let tries = 0; ; tries++) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST' || tries > 1200) throw error;
      const owner = existsSync(join(lock, 'pid')) ? Number(readFileSync(join(lock, 'pid'), 'utf8')) : 0;
      if (owner > 0 ? !isAlive(owner) : tries > 20) rmSync(lock, { recursive: true, force: true });
      else await wait(100);
    }
  }
  writeFileSync(join(lock, 'pid'), String(process.pid));
  try {
    return await run();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function build(kind) {
  const tool = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  const { code, output } = await runStep('node', [tool, 'build'], {
    cwd: root,
    env: { ...environment(), HOOKBENCH_BUILD: kind },
    shell: process.platform === 'win32',
  });
  if (code === 0) return true;
  console.error(output);
  console.error('hookbench: the build failed.');
  return false;
}

/** Resolves with true when the build of this kind is fit to run. */
export async function buildIfStale(kind = 'shipped') {
  const isCheckout = existsSync(join(root, 'src')) && existsSync(join(root, 'node_modules', 'electron-vite'));
  if (!isCheckout || !isStale(kind)) return true;
  return withLock(() => (isStale(kind) ? build(kind) : true));
}
