/**
 * Masks chosen fields of exported messages. A value that stands at a chosen path is gone from the whole message: the
 * body that came, the delivered body, the row, headers and what webhooks answered.
 */
import { isJsonObject } from '../model/call.ts';
import type { Note } from '../model/message.ts';
import type { Exported, ExportedBytes } from './exported.ts';
import { hasRepeatedKey } from './repeated-keys.ts';
import { withoutValues } from './values-gone.ts';

export const MASKED = '[masked]';

export type Mask = (message: Exported) => Exported;

/**
 * `paths` lead into the call: `userId`, `traits.email`, `properties.products.name`, `context.*`. Those at which something
 * was masked are added to `used`.
 */
export function createMask(paths: readonly string[], used: Set<string> = new Set()): Mask {
  if (paths.length === 0) return (message) => message;
  const parts = paths.map((path) => path.split('.'));
  return (message) => {
    const hits = new Set<readonly string[]>();
    const safe = masked(message, { all: parts, hits });
    paths.forEach((path, i) => {
      if (hits.has(parts[i]!)) used.add(path);
    });
    return safe;
  };
}

interface Paths {
  readonly all: readonly (readonly string[])[];
  /** Those that led to something. */
  readonly hits: Set<readonly string[]>;
}

function masked(message: Exported, paths: Paths): Exported {
  const values = new Set<string>();
  const delivered = message.delivered === null ? null : maskedJson(message.delivered, paths, values);
  const request = message.request === null ? null : maskedBytes(message.request, paths, values);
  const attempts = message.attempts.map((attempt) => ({
    ...attempt,
    response: readable(attempt.response),
    ...(attempt.sentBody !== undefined && { sentBody: maskedBytes(attempt.sentBody, paths, values) }),
  }));
  const notes = message.notes.map((note) => maskedNote(note, paths));
  return withoutValues({ ...message, notes, delivered, request, attempts }, values, MASKED);
}

/** A note about a number quotes the number as it came. */
function maskedNote(note: Note, { all, hits }: Paths): Note {
  const { field, detail } = note;
  if (field === undefined || detail === undefined) return note;
  const leading = all.filter((path) => leadsTo(path, field));
  for (const path of leading) hits.add(path);
  return leading.length > 0 ? { ...note, detail: MASKED } : note;
}

/** Whether a field, such as `properties.products[0].price`, is at the path or under it. */
function leadsTo(path: readonly string[], field: string): boolean {
  const parts = field.replace(/\[\d+\]/g, '').split('.');
  return path.length <= parts.length && path.every((key, i) => key === '*' || key === parts[i]);
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

/**
 * Null when the text is not JSON: then nobody knows where its fields are. Untouched text keeps its bytes, unless a key
 * repeats: parsing does not see the earlier ones.
 */
function maskedJson(text: string, { all, hits: led }: Paths, values: Set<string>): string | null {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isJsonObject(root)) return null;
  const calls = [root, ...(Array.isArray(root.batch) ? root.batch : [])];
  let hits = 0;
  for (const path of all)
    for (const call of calls) {
      const more = maskAt(call, path, values);
      if (more > 0) led.add(path);
      hits += more;
    }
  return hits === 0 && !hasRepeatedKey(text, root) ? text : JSON.stringify(root);
}

/** Masks what stands at the path, in each element of an array on the way. Returns how many values that were. */
function maskAt(holder: unknown, path: readonly string[], values: Set<string>): number {
  if (Array.isArray(holder)) return holder.reduce<number>((hits, one) => hits + maskAt(one, path, values), 0);
  if (!isJsonObject(holder)) return 0;
  const object = holder as Record<string, unknown>;
  let hits = 0;
  for (const [key, rest] of stepsInto(object, path)) {
    if (rest.length > 0) hits += maskAt(object[key], rest, values);
    else if (object[key] !== null) {
      collect(object[key], values);
      object[key] = MASKED;
      hits += 1;
    }
  }
  return hits;
}

/** The keys that the path may begin with, each with the rest of the path: a key may itself have dots. */
function stepsInto(object: Record<string, unknown>, path: readonly string[]): Array<[string, readonly string[]]> {
  const steps = path.map((_, i): [string, readonly string[]] => [path.slice(0, i + 1).join('.'), path.slice(i + 1)]);
  const all =
    path[0] === '*' ? Object.keys(object).map((key): [string, readonly string[]] => [key, path.slice(1)]) : [];
  return [...steps, ...all].filter(([key]) => Object.hasOwn(object, key));
}

/** An object or a list also as a whole, because its keys may say something. */
function collect(value: unknown, values: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') values.add(String(value));
  else if (typeof value === 'object' && value !== null) {
    if (Object.keys(value).length > 0) values.add(JSON.stringify(value));
    for (const inner of Object.values(value)) collect(inner, values);
  }
}
