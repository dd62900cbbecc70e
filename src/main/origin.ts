/** The one origin that the windows show. */

export const SCHEME = 'app';
export const appOrigin = `${SCHEME}://hookbench`;

/** The development server's origin, only in an unpackaged app that electron-vite started. */
export function developmentOrigin(url: string | undefined, isPackaged: boolean): string | null {
  if (isPackaged || url === undefined || url === '') return null;
  const { protocol, hostname, origin } = new URL(url);
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  return protocol === 'http:' && isLoopback ? origin : null;
}

/** True for a URL of exactly this origin; `new URL` gives custom schemes the origin `null`, so text is compared. */
export const isOfOrigin = (url: string, origin: string): boolean => url === origin || url.startsWith(`${origin}/`);
