// npm start: the desktop app where Electron and a display are there, else the same interface in a browser.
import { join } from 'node:path';
import { buildIfStale } from './build-if-stale.mjs';
import { electronBinary, hasDisplay, installElectron } from './electron-binary.mjs';
import { root } from './pinned-node.mjs';
import { becomeChild, endAsAsked, passSignals } from './run-child.mjs';

passSignals();

const args = process.argv.slice(2);
const rest = args.filter((argument) => argument !== '--headless');

/** npm runs a script in the package's folder; a relative path means where the person was. */
const cwd = process.cwd() === root ? (process.env.INIT_CWD ?? root) : process.cwd();

/** Why the desktop app cannot run, or its executable. */
async function desktop() {
  if (args.includes('--headless') || process.env.HOOKBENCH_SHELL === 'headless') return { reason: null };
  if (!hasDisplay()) return { reason: 'there is no display' };
  const binary = electronBinary() ?? (await installElectron());
  return binary === null ? { reason: "Electron's program is not installed and could not be fetched" } : { binary };
}

if (!(await buildIfStale())) endAsAsked(1);
const { binary, reason } = await desktop();
if (binary === undefined) {
  if (reason !== null) console.error(`Hookbench runs in the browser: ${reason}.`);
  becomeChild(process.execPath, [join(root, 'out', 'main', 'headless.js'), ...rest], { watched: true, cwd });
} else {
  // Set in the terminals of some editors; it would turn Electron into a plain Node.
  const { ELECTRON_RUN_AS_NODE: _unwanted, ...env } = process.env;
  becomeChild(binary, [root, ...rest], { env, cwd });
}
