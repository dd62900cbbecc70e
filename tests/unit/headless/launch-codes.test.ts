import { expect, test, vi } from 'vitest';
import { isLaunchPath, LaunchCodes } from '../../../src/headless/launch-codes.ts';

test('a code opens once, and a replayed one does not', () => {
  const codes = new LaunchCodes(() => 0);
  const path = codes.make();
  expect(codes.take(path)).toBe(true);
  expect(codes.take(path)).toBe(false);
});

test('a code ends after a minute', () => {
  let now = 0;
  const codes = new LaunchCodes(() => now);
  const path = codes.make();
  now = 60_001;
  expect(codes.take(path)).toBe(false);
  const last = codes.make();
  now += 60_000;
  expect(codes.take(last)).toBe(true);
});

test('without a clock given, a code made now opens now, and ends after a minute', () => {
  const codes = new LaunchCodes();
  expect(codes.take(codes.make())).toBe(true);
  const path = codes.make();
  const later = performance.now() + 60_001;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
  expect(codes.take(path)).toBe(false);
  clock.mockRestore();
});

test('a newer code ends the older one', () => {
  const codes = new LaunchCodes(() => 0);
  const [older, newer] = [codes.make(), codes.make()];
  expect(codes.take(older)).toBe(false);
  expect(codes.take(newer)).toBe(true);
});

test.each(['/launch/', '/launch', '/', `/launch/${'A'.repeat(43)}`])('%s opens nothing', (path) => {
  const codes = new LaunchCodes(() => 0);
  expect(codes.take(path)).toBe(false);
  codes.make();
  expect(codes.take(path)).toBe(false);
});

test.each([
  ['/launch/x', true],
  ['/launch/', true],
  ['/launch', false],
  ['/a/launch/x', false],
])('%s is the path of a code: %s', (path, is) => {
  expect(isLaunchPath(path)).toBe(is);
});

test('a path to open holds a code of 256 bits, another one each time', () => {
  const codes = new LaunchCodes(() => 0);
  const [one, two] = [codes.make(), codes.make()];
  expect(one).toMatch(/^\/launch\/[\w-]{43}$/);
  expect(two).not.toBe(one);
});
