import { copyText } from '../lib/copy.ts';
import { showError, showToast } from './toasts.ts';

/** Copies a text and shows `title`, or says that the browser refused. */
export async function copyAndSay(text: string, title: string): Promise<void> {
  if (await copyText(text)) showToast({ title, durationMs: 2_000 });
  else showCopyRefused();
}

export const showCopyRefused = (): void =>
  showError({ title: 'Could not copy', body: 'The browser refused access to the clipboard.' });
