/**
 * The thread of people, which tells `bench/rules.ts` about itself every quarter of a second. It ends with the port that
 * the engine closes, so nothing here may keep it alive.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel } from 'node:worker_threads';
import '../src/core/people/people-worker.ts';
import { NEWS, type WorkerNews } from './rules-worker-news.ts';

const MB = 1024 * 1024;
const TELL_MS = 250;
const channel = new BroadcastChannel(NEWS);
channel.unref();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
setInterval(() => {
  const { heapUsed, external } = process.memoryUsage();
  const loopMaxMs = delay.max / 1e6;
  delay.reset();
  channel.postMessage({ heapMb: heapUsed / MB, externalMb: external / MB, loopMaxMs } satisfies WorkerNews);
}, TELL_MS).unref();
