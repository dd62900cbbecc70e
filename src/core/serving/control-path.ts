import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a workspace's local control socket: `control.sock` in its folder. When that path is too long for a socket
 * address, it is a name in the temporary folder, made from the workspace folder. A named pipe on Windows.
 */
export function controlSocketPath(workspace: string, platform: NodeJS.Platform = process.platform): string {
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 24);
  if (platform === 'win32') return `\\\\.\\pipe\\hookbench-${name}`;
  const inFolder = join(workspace, 'control.sock');
  return Buffer.byteLength(inFolder) <= 100 ? inFolder : join(tmpdir(), `hookbench-${name}.sock`);
}
