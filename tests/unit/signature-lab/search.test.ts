import { expect, test } from 'vitest';
import { Search, STEP_BYTES } from '../../../src/core/signature-lab/search.ts';

const ITEM = {
  name: 'Zoë & <b>',
  price: 1.5,
  list: [],
  map: {},
  none: null,
  10: 'https://shop.test/a',
  big: 12345678901234567890n.toString(),
};
const bodyOf = (items: number): Buffer =>
  Buffer.from(JSON.stringify({ type: 'track', properties: { items: Array.from({ length: items }, () => ITEM) } }));
const NOBODYS = Buffer.alloc(20);

/** Calls `look` after each step, and returns the number of steps. */
function walk(search: Search, look: () => void): number {
  const steps = search.run();
  let count = 0;
  while (steps.next().done !== true) {
    count += 1;
    look();
  }
  return count;
}

test('a step makes at most one body and hashes little more than its share', () => {
  const body = bodyOf(200);
  const search = new Search(body, 'whsec_c2VjcmV0', NOBODYS, { hashedBytes: 60_000_000, keptBytes: 10_000_000 });
  let [made, hashed, mostMade, mostHashed] = [0, 0, 0, 0];
  walk(search, () => {
    mostMade = Math.max(mostMade, search.bodies.made - made);
    mostHashed = Math.max(mostHashed, search.hashedBytes - hashed);
    [made, hashed] = [search.bodies.made, search.hashedBytes];
  });
  expect(mostMade).toBe(1);
  expect(mostHashed).toBeGreaterThanOrEqual(STEP_BYTES);
  // The largest changed body is the hex form of the largest JSON, a few times as long as the body.
  expect(mostHashed).toBeLessThan(STEP_BYTES + 10 * body.length);
});

test('bodies are kept up to a sum of bytes, and none of those with the most changes', () => {
  const body = bodyOf(2);
  const bounded = new Search(body, 'key', NOBODYS, { hashedBytes: 60_000_000, keptBytes: 100_000 });
  walk(bounded, () => expect(bounded.keptBytes).toBeLessThanOrEqual(100_000));
  expect(bounded.keptBytes).toBeGreaterThan(95_000);

  const free = new Search(body, 'key', NOBODYS, { hashedBytes: 60_000_000, keptBytes: 1e9 });
  let madeWhenLastKept = 0;
  let kept = 0;
  walk(free, () => {
    if (free.keptBytes > kept) madeWhenLastKept = free.bodies.made;
    kept = free.keptBytes;
  });
  expect(free.bodies.made).toBeGreaterThan(madeWhenLastKept + 1_000);
});

test('it ends when it has hashed enough', () => {
  const search = new Search(bodyOf(1), 'key', NOBODYS, { hashedBytes: 1_000_000, keptBytes: 100_000 });
  walk(search, () => {});
  expect(search.hashedBytes).toBeGreaterThan(1_000_000);
  expect(search.hashedBytes).toBeLessThan(1_000_000 + STEP_BYTES);
});
