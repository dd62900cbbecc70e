/** Reads a whole export, slice by slice. */
import type { CommandInput } from '../../../contract/commands.ts';
import { call } from '../../platform/connect.ts';

export type ExportAsked = Omit<CommandInput<'messages.export'>, 'cursor'>;

export interface ExportProgress {
  /** Messages so far. */
  readonly written: number;
  /** From 0 to 1. */
  readonly share: number;
}

export interface Exported {
  readonly file: Blob;
  readonly written: number;
}

/** Null when `isStopped` became true. Rejects with the engine's error. */
export async function runExport(
  asked: ExportAsked,
  onProgress: (progress: ExportProgress) => void,
  isStopped: () => boolean,
): Promise<Exported | null> {
  // A blob for each slice: the browser may keep a large one on the disk.
  const parts: Blob[] = [];
  for (let cursor: CommandInput<'messages.export'>['cursor']; ; ) {
    const slice = await call('messages.export', { ...asked, cursor });
    if (isStopped()) return null;
    parts.push(new Blob([slice.text]));
    onProgress({ written: slice.written, share: slice.progress });
    if (slice.next === null) return { file: new Blob(parts), written: slice.written };
    cursor = slice.next;
  }
}
