import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

let known: string | undefined;

/** The commit that the sources are at, or `unknown` outside a checkout. */
export function sourceHash(): string {
  known ??= readHash();
  return known;
}

function readHash(): string {
  try {
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}

/** A seed from the commit, so that each commit tries a new one. */
export const seedOfHash = (hash: string): number =>
  /^[0-9a-f]{8}/.test(hash) ? Number.parseInt(hash.slice(0, 8), 16) : 0;
