/**
 * One-time codes that open the interface in a browser. A program's arguments can be read by other users of
 * the machine, so the address given to the browser carries a code in place of the token. The code works once, within a
 * minute; the answer redirects to the page with the token in the fragment.
 */
import { randomBytes } from 'node:crypto';
import { sameToken } from './access.ts';
import { isLaunchPath, LAUNCH_PREFIX } from './launch-path.ts';

export { isLaunchPath } from './launch-path.ts';

const CODE_LIFETIME_MS = 60_000;

export class LaunchCodes {
  readonly #now: () => number;
  #open: { readonly code: string; readonly until: number } | null = null;

  /** `now` in milliseconds that never run backwards. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Makes the path to open. Any earlier code becomes invalid. */
  make(): string {
    const code = randomBytes(32).toString('base64url');
    this.#open = { code, until: this.#now() + CODE_LIFETIME_MS };
    return LAUNCH_PREFIX + code;
  }

  /** True once, for the newest path. */
  take(path: string): boolean {
    if (this.#open === null || !isLaunchPath(path) || this.#now() > this.#open.until) return false;
    if (!sameToken(path.slice(LAUNCH_PREFIX.length), this.#open.code)) return false;
    this.#open = null;
    return true;
  }
}
