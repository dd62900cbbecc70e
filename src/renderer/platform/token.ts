/** The bearer token of the headless shell: given once in the address, kept for this tab only. */
const KEY = 'hookbench.token';

/** Takes `#token=…` out of the address bar and keeps it; gives the token of this tab, or null. */
export function takeToken(): string | null {
  const given = /^#(?:.*&)?token=([^&]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, decodeURIComponent(given));
    history.replaceState(null, '', `${location.pathname}${location.search}`);
  }
  return sessionStorage.getItem(KEY);
}
