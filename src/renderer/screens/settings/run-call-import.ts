/** Sends a file of calls to the engine, piece by piece. */
import { ContractError } from '../../../contract/errors.ts';
import type { CallImportView } from '../../../contract/exchange.ts';
import { EXCHANGE_LIMITS } from '../../../contract/exchange-limits.ts';
import { call } from '../../platform/connect.ts';

/** Bytes that are read at once. */
const READ_BYTES = 256 * 1024;

/**
 * Calls `onProgress` after each piece. Ends early when `isStopped` becomes true; what was imported until then stays.
 * Rejects with a {@link ContractError}, also for a file that is too large or no UTF-8.
 */
export async function runCallImport(
  file: File,
  deliver: boolean,
  onProgress: (view: CallImportView) => void,
  isStopped: () => boolean,
): Promise<CallImportView> {
  if (file.size > EXCHANGE_LIMITS.fileBytes)
    throw new ContractError('import_too_large', 'The file has more than 100 MB. Nothing was imported.');
  let view = await call('messages.importOpen', { deliver });
  try {
    for await (const { text, last } of piecesOf(file)) {
      if (isStopped()) break;
      view = await call('messages.importText', { import: view.import, text, last });
      onProgress(view);
    }
    return view;
  } finally {
    await call('messages.importClose', { import: view.import });
  }
}

/** The text of the file in pieces that one command takes; the last one may be empty. */
async function* piecesOf(file: File): AsyncGenerator<{ text: string; last: boolean }> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let at = 0; at === 0 || at < file.size; at += READ_BYTES) {
    const isEnd = at + READ_BYTES >= file.size;
    const bytes = await file.slice(at, at + READ_BYTES).arrayBuffer();
    const text = decoded(decoder, bytes, isEnd);
    for (let from = 0; from < text.length; from += EXCHANGE_LIMITS.pieceText)
      yield { text: text.slice(from, from + EXCHANGE_LIMITS.pieceText), last: false };
  }
  yield { text: '', last: true };
}

function decoded(decoder: TextDecoder, bytes: ArrayBuffer, isEnd: boolean): string {
  try {
    return decoder.decode(bytes, { stream: !isEnd });
  } catch {
    throw new ContractError('invalid_argument', 'The file is not UTF-8 text. What came before is imported.');
  }
}
