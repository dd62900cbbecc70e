// npm start: the desktop app where Electron and a display are there, else the same interface in a browser.
import { join } from 'node:path';
import { buildIfStale } from './build-if-stale.mjs';
import { electronBinary, hasDisplay, installElectron } from './electron-binary.mjs';
import { root } from './pinned-node.mjs';
import { becomeChild } from './run-child.mjs';

const args = process.argv.slice(2);
const rest = args.filter((argument) => argument !== '--headless');

/** Why the desktop app cannot run, or its executable. */
function desktop() {
  if (args.includes('--headless') || process.env.HOOKBENCH_SHELL === 'headless') return { reason: null };
  if (!hasDisplay()) return { reason: 'there is no display' };
  const binary = electronBinary() ?? installElectron();
  return binary === null ? { reason: "Electron's program is not installed and could not be fetched" } : { binary };
}

if (!buildIfStale()) process.exit(1);
const { binary, reason } = desktop();
if (binary === undefined) {
  if (reason !== null) console.error(`Hookbench runs in the browser: ${reason}.`);
  becomeChild(process.execPath, [join(root, 'out', 'main', 'headless.js'), ...rest], { watched: true });
} else {
  // Set in the terminals of some editors; it would turn Electron into a plain Node.
  const { ELECTRON_RUN_AS_NODE: _unwanted, ...env } = process.env;
  becomeChild(binary, [root, ...rest], { env });
}
