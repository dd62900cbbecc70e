import './desktop.ts';

/** True in a browser, where the page can start a download. The desktop window refuses downloads. */
export const canSaveFile = (): boolean => window.hookbench === undefined;

/** Downloads a file; text is UTF-8. */
export function saveFile(name: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
