/**
 * The files that the page saves. Electron asks a person where each one goes, and the page learns how it ended. Nothing
 * else is downloaded.
 */
import type { DownloadItem, Session } from 'electron';
import type { SavedFile } from '../shell/bridge-names.ts';
import { isDownloadAllowed, type Origins } from './guards.ts';

/** Ends that the page has not asked for yet, and questions about downloads that have not ended. */
const MAX_KEPT = 100;

/** What follows the last slash of a blob's URL names it alone. */
const blobOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

function endOf(item: DownloadItem, state: 'completed' | 'cancelled' | 'interrupted'): SavedFile {
  if (state === 'completed') return { end: 'saved', path: item.getSavePath() };
  return { end: state === 'cancelled' ? 'cancelled' : 'failed' };
}

/** A page may ask how a download ended before or after its end. */
export class Downloads {
  readonly #ended = new Map<string, SavedFile>();
  readonly #asked = new Map<string, (saved: SavedFile) => void>();

  /** Every other download of the session is prevented. */
  take(session: Session, origins: Origins): void {
    session.on('will-download', (event, item) => {
      const url = item.getURL();
      if (!isDownloadAllowed(url, origins)) return event.preventDefault();
      item.once('done', (_event, state) => this.#end(blobOf(url), endOf(item, state)));
    });
  }

  /** `blob` is the last part of the blob's URL. Each end is told once. */
  endOf(blob: string): Promise<SavedFile> {
    const saved = this.#ended.get(blob);
    this.#ended.delete(blob);
    if (saved !== undefined) return Promise.resolve(saved);
    return new Promise((resolve) => keep(this.#asked, blob, resolve));
  }

  #end(blob: string, saved: SavedFile): void {
    const tell = this.#asked.get(blob);
    this.#asked.delete(blob);
    if (tell === undefined) keep(this.#ended, blob, saved);
    else tell(saved);
  }
}

/** The oldest goes when there are too many. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
}
