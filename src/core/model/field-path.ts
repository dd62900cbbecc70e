/** Paths into parsed JSON, such as `address.country` or `properties.total`. */
import { isJsonObject, type JsonObject } from './call.ts';

/** Reads the value at one path; undefined where there is none. */
export type ReadPath = (object: JsonObject) => unknown;

/**
 * A key that itself has dots is found too: of `a.b.c`, the key `a.b.c` is tried first, then `a` with `b.c` in it, then
 * `a.b` with `c`. Only own keys count. Array elements have no path.
 */
export function pathReader(path: string): ReadPath {
  if (!path.includes('.')) return (object) => own(object, path);
  return (object) => valueAt(object, path);
}

function valueAt(object: JsonObject, path: string): unknown {
  const whole = own(object, path);
  if (whole !== undefined) return whole;
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const inner = own(object, path.slice(0, dot));
    if (!isJsonObject(inner)) continue;
    const found = valueAt(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Every value at a path, as above, and through lists: `products.price` is the price of each product. */
export function valuesAtPath(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAtPath(item, path));
  if (!isJsonObject(value)) return [];
  const whole = own(value, path);
  if (whole !== undefined) return Array.isArray(whole) ? [whole, ...whole] : [whole];
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const inner = own(value, path.slice(0, dot));
    const found = inner === undefined ? [] : valuesAtPath(inner, path.slice(dot + 1));
    if (found.length > 0) return found;
  }
  return [];
}

const own = (object: JsonObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);
