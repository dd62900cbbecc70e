/**
 * One-time codes that open the interface in a browser. A program's arguments can be read by other users of
 * the machine, so the address given to the browser carries a code in place of the token. The code works once, within
 * a minute; the
 * answer redirects to the page with the token in the fragment.
 */
import { randomBytes } from 'node:crypto';
import { sameToken } from './access.ts';

const CODE_LIFETIME_MS = 60_000;
const LAUNCH_PREFIX = '/launch/';

export interface LaunchCodes {
  /** Makes the path to open. Any earlier code becomes invalid. */
  make(): string;
  /** True once, for the newest path. */
  take(path: string): boolean;
}

export function launchCodes(now: () => number = () => performance.now()): LaunchCodes {
  let open: { code: string; until: number } | null = null;
  return {
    make: () => {
      open = { code: randomBytes(32).toString('base64url'), until: now() + CODE_LIFETIME_MS };
      return LAUNCH_PREFIX + open.code;
    },
    take: (path) => {
      if (open === null || !path.startsWith(LAUNCH_PREFIX) || now() > open.until) return false;
      if (!sameToken(path.slice(LAUNCH_PREFIX.length), open.code)) return false;
      open = null;
      return true;
    },
  };
}

export const isLaunchPath = (path: string): boolean => path.startsWith(LAUNCH_PREFIX);
