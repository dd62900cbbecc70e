/**
 * Whole steps of 1, 2 or 5 times a power of ten, from 0 to at least the highest value. At most `most` of them; the last
 * is the top.
 */
export function countTicks(highest: number, most = 4): { ticks: number[]; top: number } {
  const wanted = Math.max(1, highest) / most;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wanted)!);
  const ticks: number[] = [];
  for (let tick = 0; tick < Math.max(1, highest) + step; tick += step) ticks.push(tick);
  return { ticks, top: ticks.at(-1)! };
}
