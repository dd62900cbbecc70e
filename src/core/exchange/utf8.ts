const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null when the bytes are not UTF-8. A byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
