/**
 * Finds the program that listens on a port, from /proc where there is one. Only an error message uses it: best
 * effort.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

export interface PortHolder {
  /** Name of the program as the system shows it. */
  readonly name: string;
  readonly pid: number;
}

const LISTENING = '0A';

/** Null when it finds none: another user's program holds the port, or the system has no /proc. */
export async function findPortHolder(port: number, procRoot = '/proc'): Promise<PortHolder | null> {
  try {
    const sockets = await listeningSockets(port, procRoot);
    return sockets.size === 0 ? null : await ownerOf(sockets, procRoot);
  } catch {
    return null;
  }
}

/** The sockets as the links of open files name them, such as `socket:[22]`. */
async function listeningSockets(port: number, procRoot: string): Promise<Set<string>> {
  const sockets = new Set<string>();
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['tcp', 'tcp6']) {
    for (const line of (await readOrEmpty(join(procRoot, 'net', table))).split('\n')) {
      const columns = line.trim().split(/\s+/);
      const inode = columns[9];
      if (columns[1]?.endsWith(wanted) && columns[3] === LISTENING && inode !== undefined)
        sockets.add(`socket:[${inode}]`);
    }
  }
  return sockets;
}

async function ownerOf(sockets: ReadonlySet<string>, procRoot: string): Promise<PortHolder | null> {
  for (const entry of await readdir(procRoot)) {
    if (!/^\d+$/.test(entry) || !(await holdsOne(join(procRoot, entry, 'fd'), sockets))) continue;
    return { name: await nameOf(join(procRoot, entry)), pid: Number(entry) };
  }
  return null;
}

/** The program's file name; `comm` is only that of its first thread, which Node calls MainThread. */
async function nameOf(folder: string): Promise<string> {
  const program = (await readOrEmpty(join(folder, 'cmdline'))).split('\0')[0] ?? '';
  return basename(program) || (await readOrEmpty(join(folder, 'comm'))).trim();
}

async function holdsOne(folder: string, sockets: ReadonlySet<string>): Promise<boolean> {
  try {
    for (const descriptor of await readdir(folder)) {
      if (sockets.has(await readlink(join(folder, descriptor)).catch(() => ''))) return true;
    }
  } catch {
    // The process belongs to another user, or has just ended.
  }
  return false;
}

function readOrEmpty(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
