/** What holds for any batch; apart from the tables, because it takes seconds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Calls, splitCalls } from '../../../src/core/ingest/split.ts';

const split = (text: string): Calls => {
  const result = splitCalls({ route: { kind: 'batch' }, target: '/v1/batch', body: Buffer.from(text), encoding: null });
  if (!result.ok) throw new Error(result.rejection.reason);
  return result;
};

describe('what stands around the calls of a batch', () => {
  it('makes with them what JSON.stringify gives: the whole search for changed numbers and keys rests on it', () => {
    const key = fc.string({ unit: 'binary' }).filter((one) => one !== 'batch' && one !== '__proto__');
    const fields = fc.dictionary(key, fc.jsonValue());
    const calls = fc.array(fc.dictionary(key, fc.jsonValue()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fields, calls, fields, (before, batch, after) => {
        const text = JSON.stringify({ ...before, batch, ...after });
        const { calls: parsed, around } = split(text);
        expect(around.before + parsed.map((call) => JSON.stringify(call)).join(',') + around.after).toBe(text);
      }),
    );
  });
});
