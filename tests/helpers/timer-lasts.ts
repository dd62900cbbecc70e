/**
 * How long a timer of `ms` milliseconds takes here and now: later when the machine is busy. A test that bounds a wait
 * starts one beside it and adds what the code under test may take on top.
 */
export async function timerLasts(ms: number): Promise<number> {
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ms));
  return performance.now() - startedAt;
}
