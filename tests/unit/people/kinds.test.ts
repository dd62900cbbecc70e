import { expect, test } from 'vitest';
import { IDENTIFY, Kinds } from '../../../src/core/people/kinds.ts';

test('every track event has a number of its own, and so has every other type', () => {
  const kinds = new Kinds();
  const numbers = [kinds.of('identify', 'x'), kinds.of('track', 'x'), kinds.of('track', 'y'), kinds.of('page', 'x')];
  expect(numbers[0]).toBe(IDENTIFY);
  expect(new Set(numbers).size).toBe(4);
  expect([kinds.ofEvent('x'), kinds.of('page', 'y'), kinds.of('identify', '')]).toEqual([
    numbers[1],
    numbers[3],
    IDENTIFY,
  ]);
});

test('events with calls are listed most frequent first, then by name, and only so many', () => {
  const kinds = new Kinds();
  for (const event of ['b', 'c', 'gone', 'a', 'c', 'd']) kinds.count(kinds.ofEvent(event), 1);
  kinds.count(kinds.ofEvent('gone'), -1);
  kinds.count(kinds.of('page', 'b'), 1);
  const listed = (limit: number) => kinds.events(limit).map(({ event, calls }) => `${event} ${calls}`);
  expect(listed(9)).toEqual(['c 2', 'a 1', 'b 1', 'd 1']);
  expect(listed(2)).toEqual(['c 2', 'a 1']);
});
