/** A receiver's id from its name. */

const MAX_LENGTH = 40;

/** `VIP Käufer (EU)` gives `vip-kaufer-eu`; a name without a letter or digit gives `receiver`. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'receiver' : plain;
}

/** The slug, with a number behind it if it is taken. */
export function freeSlug(name: string, taken: (id: string) => boolean): string {
  const slug = slugOf(name);
  if (!taken(slug)) return slug;
  for (let n = 2; ; n++) if (!taken(`${slug}-${n}`)) return `${slug}-${n}`;
}
