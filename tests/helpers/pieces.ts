/** The bytes of a text in Latin-1, cut at the places given; places beyond its end wrap around. */
export function pieces(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  return [...ends, bytes.length].map((end) => {
    const piece = Buffer.from(bytes.subarray(from, end));
    from = end;
    return piece;
  });
}
