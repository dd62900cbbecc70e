import { expect, test } from 'vitest';
import { launchCodes } from '../../../src/headless/launch-codes.ts';

test('a code opens once, and a replayed one does not', () => {
  const codes = launchCodes(() => 0);
  const path = codes.make();
  expect(codes.take(path)).toBe(true);
  expect(codes.take(path)).toBe(false);
});

test('a code ends after a minute', () => {
  let now = 0;
  const codes = launchCodes(() => now);
  const path = codes.make();
  now = 60_001;
  expect(codes.take(path)).toBe(false);
});

test('a newer code ends the older one', () => {
  const codes = launchCodes(() => 0);
  const [older, newer] = [codes.make(), codes.make()];
  expect(codes.take(older)).toBe(false);
  expect(codes.take(newer)).toBe(true);
});

test.each(['/launch/', '/launch', '/', `/launch/${'A'.repeat(43)}`])('%s opens nothing', (path) => {
  const codes = launchCodes(() => 0);
  expect(codes.take(path)).toBe(false);
  codes.make();
  expect(codes.take(path)).toBe(false);
});
