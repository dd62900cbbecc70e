import { randomFillSync } from 'node:crypto';
import type { Random } from '../ports.ts';

const POOL_NUMBERS = 256;

/** Numbers from the system's generator, drawn in blocks because each call into it costs microseconds. */
export function createSystemRandom(): Random {
  const pool = new BigUint64Array(POOL_NUMBERS);
  let used = POOL_NUMBERS;
  return {
    next(): number {
      if (used === POOL_NUMBERS) {
        randomFillSync(pool);
        used = 0;
      }
      const bits = pool[used] ?? 0n;
      used += 1;
      // The upper 53 bits fill a double's mantissa exactly, so every value in [0, 1) is equally likely.
      return Number(bits >> 11n) / 2 ** 53;
    },
  };
}
