/** Files that the page saves. */
import { onTestFinished, vi } from 'vitest';

export interface Saved {
  readonly name: string;
  readonly blob: Blob;
}

/** Keeps what the running test saves from becoming downloads. The list grows with each file. */
export function watchSavedFiles(): readonly Saved[] {
  const saved: Saved[] = [];
  let last: Blob | undefined;
  const spies = [
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      last = blob as Blob;
      return 'blob:saved';
    }),
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {}),
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (last !== undefined) saved.push({ name: this.download, blob: last });
    }),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return saved;
}
