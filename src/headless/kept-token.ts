/**
 * The token of the interface. A workspace keeps it for a day in a file that only this user can read, so that an open
 * tab can connect again after a restart. Where it cannot be kept, the token is good for one start.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const TOKEN_FILE = 'interface-token';
const KEPT_MS = 86_400_000;

interface Kept {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

/** The kept token, unless others could have read it or the file holds none. */
function read(path: string): Kept | null {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || (process.platform !== 'win32' && (stat.mode & 0o077) !== 0)) return null;
    const { token, madeAt } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Kept>;
    const isToken = typeof token === 'string' && /^[\w-]{43}$/.test(token);
    return isToken && typeof madeAt === 'number' ? { token, madeAt } : null;
  } catch {
    return null;
  }
}

function keep(path: string, kept: Kept): void {
  const draft = `${path}.${process.pid}`;
  try {
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(kept)}\n`, { flag: 'wx', mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** 256 bits as text: the kept token, or a new one after a day. `now` in epoch milliseconds. */
export function interfaceToken(workspace: string, now: number = Date.now()): string {
  const path = join(workspace, TOKEN_FILE);
  const kept = read(path);
  // A token from the future was made under another clock, so its age is unknown.
  if (kept !== null && kept.madeAt <= now && now < kept.madeAt + KEPT_MS) return kept.token;
  const token = randomBytes(32).toString('base64url');
  keep(path, { token, madeAt: now });
  return token;
}
