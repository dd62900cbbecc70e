/** What differs between Node and browsers, and what tests put in their place. */
import type { Clock, Fetch, Ids, Logger, Timers } from './types.ts';
import { USER_AGENT } from './version.ts';

interface Page {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The parts of both platforms that the client uses. */
interface Globals {
  readonly process?: { readonly versions?: { readonly node?: string }; readonly env?: { readonly DEBUG?: string } };
  readonly window?: Page;
  readonly document?: Page & { readonly visibilityState: string };
  readonly localStorage?: { getItem(key: string): string | null };
  readonly importScripts?: unknown;
}

const globals = globalThis as unknown as Globals;

/** True in a page or its worker, and false in Node and compatible runtimes. */
export const isBrowser = globals.window !== undefined || globals.process?.versions?.node === undefined;

/** A page may not set its User-Agent, and a server would have to allow every other header first. */
export function requestHeaders(authorization: string): Record<string, string> {
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  return isBrowser ? headers : { 'User-Agent': USER_AGENT, ...headers };
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  mono: () => performance.now(),
};

/** The timers keep a Node process alive, so that it does not end before the queue is empty. */
export const systemTimers: Timers = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
};

export const systemIds: Ids = {
  uuid: () => (typeof crypto.randomUUID === 'function' ? crypto.randomUUID() : uuidFromRandomBytes()),
};

/** Pages loaded over plain http have no randomUUID. */
export function uuidFromRandomBytes(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Looks `fetch` up at each request, so that a later replacement is used. */
export const systemFetch: Fetch = (url, init) => fetch(url, init);

/**
 * DEBUG as it is now: the environment variable, or `localStorage.debug` in browsers, where reading may be forbidden.
 */
export function debugSetting(): string {
  try {
    return (isBrowser ? globals.localStorage?.getItem('debug') : globals.process?.env?.DEBUG) ?? '';
  } catch {
    return '';
  }
}

/** Standard error in Node, so that a program's output stays its own. */
export const consoleLogger: Logger = (level, text) => {
  if (level === 'warn') console.warn(text);
  else if (isBrowser) console.debug(text);
  else console.error(text);
};

/** `hidden` is the last that a phone tells of a page; `gone` when it is unloaded. */
export type PageStage = 'hidden' | 'gone';

/** Calls back when the page is about to go. Gives the function that stops it. */
export function watchPage(on: (stage: PageStage) => void): () => void {
  const { window, document } = globals;
  if (window === undefined || document === undefined) return () => {};
  const onHidden = (): void => {
    if (document.visibilityState === 'hidden') on('hidden');
  };
  const onGone = (): void => on('gone');
  document.addEventListener('visibilitychange', onHidden);
  window.addEventListener('pagehide', onGone);
  return () => {
    document.removeEventListener('visibilitychange', onHidden);
    window.removeEventListener('pagehide', onGone);
  };
}
