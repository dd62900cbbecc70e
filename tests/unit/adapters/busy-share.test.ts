import { performance } from 'node:perf_hooks';
import { expect, test, vi } from 'vitest';
import { busyShare } from '../../../src/core/adapters/busy-share.ts';

const TURN_MS = 20;
function spin(): void {
  const end = performance.now() + TURN_MS;
  while (performance.now() < end);
}

test('a thread that works without a pause is busy', async () => {
  const told = busyShare();
  for (let turn = 0; turn < 5; turn += 1) {
    spin();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(told()).toBeGreaterThan(0.7);
});

test('the share is that of the time since it was told last', () => {
  const between = performance.eventLoopUtilization;
  const readings = [
    { idle: 1_000, active: 500, utilization: 0 },
    { idle: 1_010, active: 590, utilization: 0 },
    { idle: 1_100, active: 600, utilization: 0 },
  ];
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((now, last) =>
    now === undefined ? readings.shift()! : between(now, last),
  );
  const told = busyShare();
  expect([told(), told()]).toEqual([0.9, 0.1]);
  vi.restoreAllMocks();
});
