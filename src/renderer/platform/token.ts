/** The bearer token of the headless shell: given once in the address, kept for this tab only. */
const KEY = 'hookbench.token';

const inAddress = (): string | undefined => /^#(?:.*&)?token=([^&]+)/.exec(location.hash)?.[1];

/** Takes `#token=…` out of the address bar and keeps it; gives the token of this tab, or null. */
export function takeToken(): string | null {
  const given = inAddress();
  if (given !== undefined) {
    sessionStorage.setItem(KEY, decodeURIComponent(given));
    history.replaceState(null, '', `${location.pathname}${location.search}`);
  }
  return sessionStorage.getItem(KEY);
}

/** An address with a token that is opened in this very tab loads no page by itself: only its fragment differs. */
export function watchToken(reload: () => void = () => location.reload()): void {
  window.addEventListener('hashchange', () => {
    if (inAddress() === undefined) return;
    takeToken();
    reload();
  });
}
