/** The bearer token of the headless shell: passed once in the address, kept for this tab only. */
const KEY = 'hookbench.token';

const inAddress = (): string | undefined => /^#(?:.*&)?token=([^&]+)/.exec(location.hash)?.[1];

/** Removes `#token=…` from the address bar and keeps the token. Returns this tab's token, or null. */
export function takeToken(): string | null {
  const given = inAddress();
  if (given !== undefined) {
    sessionStorage.setItem(KEY, decodeURIComponent(given));
    history.replaceState(null, '', `${location.pathname}${location.search}`);
  }
  return sessionStorage.getItem(KEY);
}

/** Opening an address with a token in this same tab does not load the page, because only the fragment differs. */
export function watchToken(reload: () => void = () => location.reload()): void {
  window.addEventListener('hashchange', () => {
    if (inAddress() === undefined) return;
    takeToken();
    reload();
  });
}
