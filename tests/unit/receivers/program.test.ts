import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUILT_IN } from '../../../src/core/receivers/built-in.ts';
import { positionOf } from '../../../src/core/receivers/program.ts';

type Times = { times: number | 'forever' };
const counted = fc.array(fc.record({ times: fc.integer({ min: 1, max: 50 }) }), { minLength: 1, maxLength: 8 });
const any = fc.array(fc.record({ times: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant('forever' as const)) }), {
  minLength: 1,
  maxLength: 8,
});

/** The slow way: one step after the other, one request after the other. */
function played(steps: readonly Times[], n: number): { step: number; hit: number } {
  let step = 0;
  let hit = 0;
  for (let i = 0; i < n; i++) {
    hit += 1;
    if (steps[step]!.times === hit) {
      step = (step + 1) % steps.length;
      hit = 0;
    }
  }
  return { step, hit };
}

describe('which step answers a request', () => {
  it('runs the steps in order, each as often as it says, and then begins again', () => {
    const flaky = BUILT_IN.find(({ id }) => id === 'flaky')!;
    const answered = Array.from({ length: 9 }, (_unused, n) => positionOf(flaky.steps, n));
    expect(answered.map(({ step }) => step)).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(answered.map(({ hit }) => hit)).toEqual([0, 1, 2, 0, 0, 1, 2, 0, 0]);
  });

  it('keeps every later request in a step that runs for ever', () => {
    const steps = [{ times: 2 }, { times: 'forever' as const }, { times: 1 }];
    expect([0, 1, 2, 1_000_000].map((n) => positionOf(steps, n))).toEqual([
      { step: 0, hit: 0 },
      { step: 0, hit: 1 },
      { step: 1, hit: 0 },
      { step: 1, hit: 999_998 },
    ]);
  });

  it('is what playing it request by request gives, for any program', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 2_000 }), (steps, n) => {
        expect(positionOf(steps, n)).toEqual(played(steps, n));
      }),
    );
  });

  it('gives each step exactly its share of every whole sequence', () => {
    fc.assert(
      fc.property(counted, fc.integer({ min: 1, max: 3 }), (steps, rounds) => {
        const length = steps.reduce((sum, { times }) => sum + times, 0);
        const hits = steps.map(() => 0);
        for (let n = 0; n < length * rounds; n++) hits[positionOf(steps, n).step]! += 1;
        expect(hits).toEqual(steps.map(({ times }) => times * rounds));
      }),
    );
  });

  it('refuses a program without steps', () => {
    expect(() => positionOf([], 0)).toThrow(RangeError);
  });
});
