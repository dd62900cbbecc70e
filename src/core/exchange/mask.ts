/**
 * Masks chosen fields of exported messages. A value that stands at a chosen path is gone from the whole message: the
 * body that came, the delivered body, the row, headers and what webhooks answered.
 */
import { isJsonObject } from '../model/call.ts';
import type { Exported, ExportedBytes } from './exported.ts';

export const MASKED = '[masked]';

/** Shorter texts are masked where they are a whole value, also of JSON in a text. Alone they are found by chance. */
const MIN_FOUND_INSIDE = 4;
const MIN_DIGITS_FOUND_INSIDE = 6;

export type Mask = (message: Exported) => Exported;

/** `paths` lead into the call: `userId`, `traits.email`, `properties.products.name`, `context.*`. */
export function createMask(paths: readonly string[]): Mask {
  if (paths.length === 0) return (message) => message;
  const parts = paths.map((path) => path.split('.'));
  return (message) => masked(message, parts);
}

type Paths = readonly (readonly string[])[];

function masked(message: Exported, paths: Paths): Exported {
  const values = new Set<string>();
  const delivered = message.delivered === null ? null : maskedJson(message.delivered, paths, values);
  const request = message.request === null ? null : maskedBytes(message.request, paths, values);
  const attempts = message.attempts.map((attempt) => ({
    ...attempt,
    response: readable(attempt.response),
    ...(attempt.sentBody !== undefined && { sentBody: maskedBytes(attempt.sentBody, paths, values) }),
  }));
  return withoutValues({ ...message, delivered, request, attempts }, values);
}

function maskedBytes<T extends ExportedBytes>(bytes: T, paths: Paths, values: Set<string>): T {
  if ('bodyLeftOut' in bytes) return bytes;
  const body = 'body' in bytes ? maskedJson(bytes.body, paths, values) : null;
  if (body !== null) return { ...bytes, body };
  const { body: _, bodyBase64: __, ...rest } = bytes as T & { body?: string; bodyBase64?: string };
  return { ...rest, bodyLeftOut: 'masked' } as unknown as T;
}

/** A value cannot be found in bytes that are no text. */
const readable = (bytes: ExportedBytes): ExportedBytes => ('bodyBase64' in bytes ? { bodyLeftOut: 'masked' } : bytes);

/** Null when the text is not JSON: then nobody knows where its fields are. Untouched text keeps its bytes. */
function maskedJson(text: string, paths: Paths, values: Set<string>): string | null {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(root)) return null;
  const calls = [root, ...(Array.isArray(root.batch) ? root.batch : [])];
  let hits = 0;
  for (const path of paths) for (const call of calls) hits += maskAt(call, path, values);
  return hits === 0 ? text : JSON.stringify(root);
}

/** Masks what stands at the path, in each element of an array on the way. Returns how many values that were. */
function maskAt(holder: unknown, [key, ...rest]: readonly string[], values: Set<string>): number {
  if (Array.isArray(holder))
    return holder.reduce<number>((hits, one) => hits + maskAt(one, [key!, ...rest], values), 0);
  if (!isJsonObject(holder)) return 0;
  const object = holder as Record<string, unknown>;
  const whole = [key, ...rest].join('.');
  // A key may itself have dots.
  const keys = key === '*' ? Object.keys(object) : rest.length > 0 && Object.hasOwn(object, whole) ? [whole] : [key!];
  let hits = 0;
  for (const one of keys) {
    if (!Object.hasOwn(object, one)) continue;
    if (rest.length > 0 && one !== whole) hits += maskAt(object[one], rest, values);
    else if (object[one] !== null) {
      collect(object[one], values);
      object[one] = MASKED;
      hits += 1;
    }
  }
  return hits;
}

function collect(value: unknown, values: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') values.add(String(value));
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collect(inner, values);
}

/** In what follows from the values and is no text of a person: times, states and the like. */
const KEPT = new Set([
  'receivedAt',
  'startedAt',
  'state',
  'type',
  'origin',
  'outcome',
  'method',
  'code',
  'bodyLeftOut',
]);

function withoutValues<T>(message: T, values: ReadonlySet<string>): T {
  const texts = [...values].filter((text) => text !== '' && text !== MASKED).sort((a, b) => b.length - a.length);
  if (texts.length === 0) return message;
  const inside = texts.flatMap(replacements);
  const clean = (text: string): string =>
    values.has(text) ? MASKED : inside.reduce((found, [from, to]) => found.replaceAll(from, to), text);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, KEPT.has(key) ? one : walk(one)]));
  };
  return walk(message) as T;
}

const isFoundInside = (text: string): boolean =>
  text.length >= (/^[\d.-]+$/.test(text) ? MIN_DIGITS_FOUND_INSIDE : MIN_FOUND_INSIDE);

/** How a value may be spelled inside another text, and what stands there then. */
function replacements(text: string): Array<readonly [from: string, to: string]> {
  const inJson = inner(text);
  if (!isFoundInside(text)) return [quoted(inJson), quoted(inner(inJson), '\\"')];
  // As it is, in JSON, in JSON within JSON, and in a URL.
  const spellings = new Set([text, inJson, inner(inJson), encodeURIComponent(text.toWellFormed())]);
  return [...spellings].map((one) => [one, MASKED]);
}

const quoted = (text: string, quote = '"') => [quote + text + quote, quote + MASKED + quote] as const;

const inner = (text: string): string => JSON.stringify(text).slice(1, -1);
