// The system's Chromium for the double and for the browser tests. Nothing is downloaded.
import { existsSync } from 'node:fs';

/** CHROMIUM_PATH, or Debian's; null when there is none. */
export function chromiumPath() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : null;
  return existsSync('/usr/bin/chromium') ? '/usr/bin/chromium' : null;
}

const isRoot = process.getuid?.() === 0;

/** Chromium's own sandbox does not start as root. */
export const chromiumArguments = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
];
