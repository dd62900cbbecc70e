/** One seed gives one sequence of numbers in [0, 1): a Weyl sequence through a 32-bit mix. */
export function seededRandom(seed: number): { next(): number } {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x9e3779b9) >>> 0;
      let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
      return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
    },
  };
}
