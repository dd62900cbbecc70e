/**
 * Hookbench does some work after the load: its search index waits while the engine is busy. A benchmark waits for it
 * before it measures, so that it does not fall into another measurement, and before it reads the processor time.
 */
import { readFileSync } from 'node:fs';

/** For so long a process must use no more than {@link IDLE_SHARE} of a processor. Longer than any pause of the index. */
const IDLE_MS = 1_000;
const IDLE_SHARE = 0.02;
const LOOK_MS = 50;
const LIMIT_MS = 60_000;

/** Seconds of processor time that a process has used, its threads included: in its own code and in the kernel. */
export function cpuOf(pid: number): { readonly user: number; readonly system: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return { user: Number(fields[11]) / 100, system: Number(fields[12]) / 100 };
}

/** The same together. */
export function cpuSecondsOf(pid: number): number {
  const { user, system } = cpuOf(pid);
  return user + system;
}

/** Resolves when the process has had next to nothing to do for a while. One that is profiled never comes to rest. */
export async function untilIdle(pid: number): Promise<void> {
  if (process.env.HOOKBENCH_BENCH_PROFILE) return;
  const limit = performance.now() + LIMIT_MS;
  for (let used = cpuSecondsOf(pid), since = performance.now(); performance.now() - since < IDLE_MS; ) {
    if (performance.now() > limit) throw new Error(`process ${pid} did not come to rest`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = cpuSecondsOf(pid);
    if (now - used > (IDLE_SHARE * IDLE_MS) / 1000) [used, since] = [now, performance.now()];
  }
}
