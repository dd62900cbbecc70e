import { type SaveEnd, saveFile } from '../platform/save-file.ts';
import { showError, showToast } from './toasts.ts';

/**
 * Saves a file and says how that ended: `title` when it was saved, or when the browser has begun. A person who closes
 * the dialog knows. True when the file was saved or a browser saves it.
 */
export async function saveAndSay(name: string, content: string | Blob, title?: string): Promise<boolean> {
  const saved: SaveEnd = await saveFile(name, content).catch(() => ({ end: 'failed' }));
  if (saved.end === 'saved') showToast({ title: title ?? 'File saved', body: saved.path });
  else if (saved.end === 'begun' && title !== undefined) showToast({ title });
  else if (saved.end === 'failed') showError({ title: 'Could not save the file', body: `${name} was not written.` });
  return saved.end === 'saved' || saved.end === 'begun';
}
