/**
 * What a window may do, as pure decisions; `harden.ts` applies them to Electron (reliability, section 6).
 * Everything that is not named here is refused.
 */
import { isOfOrigin } from './origin.ts';

export interface Origins {
  /** `app://hookbench`, or the development server's. */
  readonly page: string;
  readonly isDevelopment: boolean;
}

const webSocketForm = (origin: string): string => origin.replace('http:', 'ws:');

/** The renderer needs no network: only its own files, and `data:` below the top level. */
export function isRequestAllowed(url: string, resourceType: string, origins: Origins): boolean {
  if (isOfOrigin(url, origins.page)) return true;
  if (url.startsWith('data:')) return resourceType === 'image' || resourceType === 'font';
  if (url.startsWith('devtools://')) return origins.isDevelopment;
  return origins.isDevelopment && isOfOrigin(url, webSocketForm(origins.page));
}

/** Writing text to the clipboard is the only permission, and only of our own page. */
export const isPermissionAllowed = (permission: string, url: string, origins: Origins): boolean =>
  permission === 'clipboard-sanitized-write' && isOfOrigin(url, origins.page);

/** A file that our own page made. Only an origin itself can make a blob of it. */
export const isDownloadAllowed = (url: string, origins: Origins): boolean =>
  url.startsWith('blob:') && isOfOrigin(url.slice('blob:'.length), origins.page);

/** What is known of the sender of an IPC message; a destroyed frame is null. */
export interface Sender {
  readonly webContentsId: number;
  readonly frame: { readonly isMainFrame: boolean; readonly url: string } | null;
}

/** True for the main frame of our window while it shows our page, without exceptions for empty or about:blank URLs. */
export const isSenderAllowed = (
  sender: Sender,
  knownIds: Pick<ReadonlySet<number>, 'has'>,
  origins: Origins,
): boolean =>
  sender.frame?.isMainFrame === true &&
  isOfOrigin(sender.frame.url, origins.page) &&
  knownIds.has(sender.webContentsId);
