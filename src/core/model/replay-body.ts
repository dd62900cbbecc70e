/** The body of a replay that carries the time of its sending. Every other byte stays. */
import { memberSpan } from './batch-spans.ts';
import { isJsonObject } from './call.ts';
import { parseJsonBytes } from './json.ts';
import { formatTimestamp } from './timestamp.ts';

/**
 * Replaces the `timestamp` of a call by `at`, epoch milliseconds. Bytes that are no JSON object with a `timestamp` come
 * back as they are.
 */
export function withTimestamp(body: Uint8Array, at: number): Uint8Array {
  const parsed = parseJsonBytes(body);
  if (!parsed.ok || !isJsonObject(parsed.value)) return body;
  const span = memberSpan(parsed.text, 'timestamp');
  if (span === null) return body;
  const text = parsed.text;
  return Buffer.from(`${text.slice(0, span[0])}${JSON.stringify(formatTimestamp(at))}${text.slice(span[1])}`);
}
