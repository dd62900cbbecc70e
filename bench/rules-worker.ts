/**
 * The thread of people, which tells a benchmark about itself: its memory every quarter of a second, and its longest turn
 * since the last time, over a broadcast channel.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel } from 'node:worker_threads';
import '../src/core/people/people-worker.ts';

export interface WorkerNews {
  readonly heapMb: number;
  readonly externalMb: number;
  readonly loopMaxMs: number;
}
export const NEWS = 'bench-people';

const MB = 1024 * 1024;
const channel = new BroadcastChannel(NEWS);
channel.unref();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
setInterval(() => {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  const loopMaxMs = delay.max / 1e6;
  delay.reset();
  channel.postMessage({ heapMb: heapUsed / MB, externalMb: (external + arrayBuffers) / MB, loopMaxMs });
}, 250).unref();
