/**
 * `GET /v1/pixel/:type` (Segment HTTP API, Pixel): the query holds the call, as base64 JSON under `data` or as plain
 * keys in which dots make objects. The answer is always an image.
 */
import { type Parsed, parseJsonBytes } from '../model/json.ts';

/** A transparent GIF of one pixel, GIF89a. */
export const PIXEL_GIF: Uint8Array = Uint8Array.of(
  ...[0x47, 0x49, 0x46, 0x38, 0x39, 0x61], // GIF89a
  ...[1, 0, 1, 0, 0x80, 0, 0], // 1 x 1, two colours
  ...[0, 0, 0, 0xff, 0xff, 0xff],
  ...[0x21, 0xf9, 4, 1, 0, 0, 0, 0], // colour 0 is transparent
  ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0],
  ...[2, 2, 0x44, 1, 0], // one pixel of colour 0
  0x3b,
);

/** A key with more dots stays one key. Nobody writes such keys, and this keeps the depth limit without counting. */
const MAX_KEY_PARTS = 20;

export function pixelCall(target: string): Parsed {
  const query = target.indexOf('?');
  const parameters = new URLSearchParams(query === -1 ? '' : target.slice(query + 1));
  const data = parameters.get('data');
  // In a query `+` is a space; in base64 it is a digit.
  if (data !== null) return parseJsonBytes(Buffer.from(data.replaceAll(' ', '+'), 'base64'));
  return { ok: true, text: '', value: nested(parameters) };
}

/** Objects without prototype, so that a key named `__proto__` is a key like any other. */
type Tree = Record<string, unknown>;

function nested(parameters: URLSearchParams): Tree {
  const root: Tree = Object.create(null);
  for (const [key, value] of parameters) {
    const parts = key.split('.');
    if (parts.length > MAX_KEY_PARTS) root[key] = value;
    else put(root, parts, value);
  }
  return root;
}

function put(root: Tree, parts: readonly string[], value: string): void {
  let at = root;
  for (const part of parts.slice(0, -1)) {
    if (typeof at[part] !== 'object') at[part] = Object.create(null);
    at = at[part] as Tree;
  }
  at[parts.at(-1)!] = value;
}
