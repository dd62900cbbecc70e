/**
 * The property that a sync sends, made from the name of an audience or trait (delivery specification, section 6:
 * snake_case of the name). The specification gives one example; the rest is our choice.
 */

/** Characters of a property. */
export const MAX_PROPERTY = 100;

/**
 * Lower case without marks (é becomes e); each run of other signs is one underscore, none at either end; an underscore
 * before a leading digit. Null when no Latin letter or digit is left.
 */
export function propertyOf(name: string): string | null {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const joined = plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  if (joined === '') return null;
  return cut(/^\d/.test(joined) ? `_${joined}` : joined, MAX_PROPERTY);
}

/** `property_2`, or the next number that is free. */
export function freeProperty(property: string, isTaken: (property: string) => boolean): string {
  for (let n = 2; ; n++) {
    const end = `_${n}`;
    const free = cut(property, MAX_PROPERTY - end.length) + end;
    if (!isTaken(free)) return free;
  }
}

/** The property, and the first `count` with a number that are not taken. */
export function propertiesLike(property: string, count: number, isTaken: (property: string) => boolean): string[] {
  const all = [property];
  while (all.length <= count) all.push(freeProperty(property, (one) => all.includes(one) || isTaken(one)));
  return all;
}

/** At most `length` characters, with no underscore at the end. */
const cut = (text: string, length: number): string => text.slice(0, length).replace(/_+$/, '');
