import { performance } from 'node:perf_hooks';

/** The returned function tells the share of time, 0 to 1, in which the calling thread was not idle since it told last. */
export function busyShare(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
