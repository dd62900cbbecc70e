/** Typed arrays that grow. */

type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

const SMALLEST = 1024;

/** The array itself when it has room for `length` values, else a copy with half as much room again, filled with `rest`. */
export function grown<T extends Numbers>(array: T, length: number, rest = 0): T {
  if (length <= array.length) return array;
  const room = Math.max(SMALLEST, length, Math.ceil(array.length * 1.5));
  const larger = new (array.constructor as new (length: number) => T)(room);
  larger.set(array);
  if (rest !== 0) larger.fill(rest, array.length);
  return larger;
}
