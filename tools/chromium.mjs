// The system's Chromium for the double and for the browser tests. Nothing is downloaded.
import { existsSync } from 'node:fs';

/**
 * Debian's, the quicker one first: the headless shell draws the same pages with a third less processor time, because it
 * has no window of its own. Its script in /usr/bin is left out, because a signal would end the script alone.
 */
const PROGRAMS = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'];

/** CHROMIUM_PATH, or Debian's; null when there is none. */
export function chromiumPath() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  return PROGRAMS.find((path) => existsSync(path)) ?? null;
}

const isRoot = process.getuid?.() === 0;

/** Chromium's own sandbox does not start as root. */
export const chromiumArguments = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
];
