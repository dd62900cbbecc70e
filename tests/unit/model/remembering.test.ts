/** Functions that remember their last results. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { remembering } from '../../../src/core/model/remembering.ts';

/** A function that remembers two results, and what it had to work out. */
function doubled() {
  const asked: string[] = [];
  const of = remembering(2, (text: string) => {
    asked.push(text);
    return { twice: text + text };
  });
  return { of, asked };
}

test('the same argument gives the same result, worked out once', () => {
  const { of, asked } = doubled();
  const first = of('a');
  expect(of(['a', ''].join(''))).toBe(first);
  expect(asked).toEqual(['a']);
});

test('the oldest result gives way when there is one too many', () => {
  const { of, asked } = doubled();
  for (const text of ['a', 'b', 'a', 'c', 'b', 'c', 'a']) expect(of(text)).toEqual({ twice: text + text });
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('a result may be null or undefined', () => {
  let asked = 0;
  const of = remembering(1, (value: null | undefined) => {
    asked += 1;
    return value;
  });
  expect([of(null), of(null), of(undefined), of(undefined)]).toEqual([null, null, undefined, undefined]);
  expect(asked).toBe(2);
});

test('nothing is known before it was asked, not even of undefined', () => {
  expect(remembering(1, String)(undefined)).toBe('undefined');
});

test('it answers as the function itself does, whatever it is asked', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(fc.integer({ min: 0, max: 6 })), (most, numbers) => {
      const of = remembering(most, (n: number) => ({ square: n * n }));
      for (const n of numbers) expect(of(n)).toEqual({ square: n * n });
    }),
  );
});
