/** Edits that save a whole row or list, although a person changed only a part of it. */

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs such edits one after the other. Each must read what is saved when it begins: on a busy engine a person can make
 * the next edit before the answer to the one before is here.
 */
export function inOrder<T>(edit: () => Promise<T>): Promise<T> {
  const done = last.then(edit);
  last = done.catch(() => {});
  return done;
}

/** The row as it is saved now; `seen` when it is gone. */
export const newest = <T extends { readonly id: number | string }>(rows: readonly T[] | undefined, seen: T): T =>
  rows?.find(({ id }) => id === seen.id) ?? seen;
