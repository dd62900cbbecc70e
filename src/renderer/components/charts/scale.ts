/** Whole steps of 1, 2 or 5 times a power of ten from 0, at most `most` of them, and the value at the top of the chart. */
export function countTicks(highest: number, most = 4): { ticks: number[]; top: number } {
  const wanted = Math.max(1, highest) / most;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wanted)!);
  const ticks: number[] = [];
  for (let tick = 0; tick <= highest; tick += step) ticks.push(tick);
  // A little air above the highest bar, so that it does not touch what stands over the chart.
  return { ticks: ticks.length === 1 ? [0, step] : ticks, top: Math.max(highest * 1.06, step) };
}
