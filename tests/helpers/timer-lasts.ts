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
/** No beat is quite in time on a quiet machine either. */
const ALWAYS_LATE_MS = 2;

/**
 * Tells of each beat how many milliseconds it is late, until the function that it returns is called, and then of the
 * one that is under way. What this thread itself worked meanwhile is not counted, so that code that holds its thread up
 * is not excused.
 */
function onBeats(late: (ms: number) => void): () => void {
  let last = performance.now();
  let worked = process.threadCpuUsage();
  const look = (): void => {
    const now = performance.now();
    const { user, system } = process.threadCpuUsage(worked);
    late(Math.max(0, now - last - BEAT_MS - (user + system) / 1_000));
    last = now;
    worked = process.threadCpuUsage();
  };
  const beat = setInterval(look, BEAT_MS).unref();
  return () => {
    clearInterval(beat);
    look();
  };
}

/** Watches how late timers are here. The function that it returns ends that and gives the worst in milliseconds. */
export function watchTimers(): () => number {
  let worst = 0;
  const end = onBeats((ms) => {
    worst = Math.max(worst, ms);
  });
  return () => {
    end();
    return worst;
  };
}

/** As {@link watchTimers}, but it gives all delays together: what several steps lose in turn. */
export function watchDelays(): () => number {
  let sum = 0;
  const end = onBeats((ms) => {
    if (ms > ALWAYS_LATE_MS) sum += ms;
  });
  return () => {
    end();
    return sum;
  };
}
