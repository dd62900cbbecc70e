import './desktop.ts';
import type { SavedFile } from './desktop.ts';

/** A browser saves by itself and does not say how that ended. */
export type SaveEnd = SavedFile | { readonly end: 'begun' };

/** Downloads a file; text is UTF-8. In the desktop window a person is asked where it goes. */
export function saveFile(name: string, content: string | Blob): Promise<SaveEnd> {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  const ended = window.hookbench?.saved?.(url.slice(url.lastIndexOf('/') + 1));
  if (ended !== undefined) return ended.finally(() => URL.revokeObjectURL(url));
  // The download has begun by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
  return Promise.resolve({ end: 'begun' });
}
