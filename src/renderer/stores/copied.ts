import { copyText } from '../lib/copy.ts';
import { showError, showToast } from './toasts.ts';

/** Copies a text and shows `title`, or says that the browser refused. True when it was copied. */
export async function copyAndSay(text: string, title: string): Promise<boolean> {
  const copied = await copyText(text);
  if (copied) showToast({ title, durationMs: 2_000 });
  else showCopyRefused();
  return copied;
}

export const showCopyRefused = (): void =>
  showError({ title: 'Could not copy', body: 'The browser refused access to the clipboard.' });
