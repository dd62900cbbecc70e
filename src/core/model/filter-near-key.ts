/** How many letters differ, up to 2, which is enough for a typing slip. */
export function distance(a: string, b: string): number {
  let [i, j, apart] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      i += 1;
      j += 1;
      continue;
    }
    apart += 1;
    // Two swapped neighbours are one slip; of two words of other lengths one letter is too many.
    if (a.length === b.length && a[i] === b[j + 1] && a[i + 1] === b[j]) {
      i += 2;
      j += 2;
    } else {
      if (a.length >= b.length) i += 1;
      if (b.length >= a.length) j += 1;
    }
  }
  return Math.min(2, apart + (a.length - i) + (b.length - j));
}
