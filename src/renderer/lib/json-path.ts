/** How a place in JSON is written: `properties.products[0].price`, `traits["first name"]`. */

const PLAIN = /^[A-Za-z_$][\w$]*$/;

/** The place of a key, or of an index of an array, in the value at `base`. An empty base is the call itself. */
export function joinPath(base: string, key: string, isIndex: boolean): string {
  if (isIndex) return `${base}[${key}]`;
  if (!PLAIN.test(key)) return `${base}[${JSON.stringify(key)}]`;
  return base === '' ? key : `${base}.${key}`;
}
