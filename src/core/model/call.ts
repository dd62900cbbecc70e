/**
 * A call as a client sends it, and the limits it must keep (decisions, Ingest; Segment HTTP API, Limits).
 * Calls stay plain parsed JSON: unknown fields pass through, and `__proto__` or `constructor` are ordinary own keys.
 */
import { CALL_TYPES, type CallType } from './vocabulary.ts';

export type JsonObject = { readonly [key: string]: unknown };

/** One call as compact JSON, in bytes. */
export const MAX_CALL_BYTES = 32 * 1024;
/** One request after its content encoding was undone, in bytes. */
export const MAX_REQUEST_BYTES = 500 * 1024;
/** Calls in one request. */
export const MAX_CALLS = 2500;
/** A messageId is under 100 characters. */
export const MAX_MESSAGE_ID_CHARACTERS = 99;
/** No source has a longer key. */
export const MAX_WRITE_KEY_CHARACTERS = 200;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How PHP writes an empty map. It counts as an empty object where one belongs. */
export function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const SDK_TYPES: ReadonlySet<unknown> = new Set(CALL_TYPES.filter((type) => type !== 'delete'));

/** The type named in a call. `delete` notices are made by Hookbench, never taken from a client. */
export function callTypeOf(value: unknown, allowDelete: boolean): CallType | null {
  if (SDK_TYPES.has(value)) return value as CallType;
  return allowDelete && value === 'delete' ? 'delete' : null;
}

/**
 * An id as text: a number is accepted (Ruby and PHP clients send one). Null when absent, null or empty;
 * undefined when it cannot be an id.
 */
export function idText(value: unknown): string | null | undefined {
  if (typeof value === 'string') return value === '' ? null : value;
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return undefined;
}

/** True when `text` has more than `limit` characters. A surrogate pair counts as one. */
export function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  if (text.length > limit * 2) return true;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters > limit;
}

/** The messageId of a call when it can be used: text or a number, 1 to 99 characters. Else null. */
export function usableMessageId(value: unknown): string | null {
  const id = idText(value);
  return id === null || id === undefined || isLongerThan(id, MAX_MESSAGE_ID_CHARACTERS) ? null : id;
}

/** Cuts `text` for a list row; never splits a surrogate pair. */
export function clip(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 2 : maxLength - 1;
  return `${text.slice(0, end)}…`;
}
