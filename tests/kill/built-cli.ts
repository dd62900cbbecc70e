/** The built command line, built first when it is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Path of `out/main/cli.js`. Throws with the build's words when it cannot be built. */
export function builtCli(): string {
  const cli = join(root, 'out/main/cli.js');
  if (existsSync(cli)) return cli;
  const tool = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
  const { status, stderr } = spawnSync(process.execPath, [tool, 'build'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`out/ could not be built: ${stderr}`);
  return cli;
}
