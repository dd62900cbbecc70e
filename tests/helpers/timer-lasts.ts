/**
 * How long a timer of `ms` milliseconds takes here and now: later when the machine is busy. A test that bounds a wait
 * starts one beside it and adds what the code under test may take on top.
 */
export async function timerLasts(ms: number): Promise<number> {
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, ms));
  return performance.now() - startedAt;
}

const BEAT_MS = 20;

/** Watches how late timers are here. The function that it returns ends that and gives the worst in milliseconds. */
export function watchTimers(): () => number {
  let worst = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    const now = performance.now();
    worst = Math.max(worst, now - last - BEAT_MS);
    last = now;
  }, BEAT_MS);
  return () => {
    clearInterval(beat);
    return worst;
  };
}
