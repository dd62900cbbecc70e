import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { busyShare } from '../../../src/core/adapters/busy-share.ts';

const TURN_MS = 20;
function spin(): void {
  const end = performance.now() + TURN_MS;
  while (performance.now() < end);
}

test('the share is that of the time since it was told last', async () => {
  const told = busyShare();
  for (let turn = 0; turn < 5; turn += 1) {
    spin();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(told()).toBeGreaterThan(0.7);
  await once(new Worker('const end = Date.now() + 100; while (Date.now() < end);', { eval: true }), 'exit');
  expect(told()).toBeLessThan(0.5);
});
