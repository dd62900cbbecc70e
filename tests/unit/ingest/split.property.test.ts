/** What holds for any batch; apart from the tables, because it takes seconds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Calls, splitCalls } from '../../../src/core/ingest/split.ts';

const split = (text: string): Calls => {
  const result = splitCalls({ route: { kind: 'batch' }, target: '/v1/batch', body: Buffer.from(text), encoding: null });
  if (!result.ok) throw new Error(result.rejection.reason);
  return result;
};
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('the envelope of a batch', () => {
  /** What is neither a call nor a comma between two: the whole search for changed numbers and keys rests on it. */
  const envelopeOf = (text: string): number => {
    const { batch } = JSON.parse(text) as { batch: unknown[] };
    return Buffer.byteLength(text) - batch.reduce<number>((sum, call) => sum + bytesOf(call), 0) - (batch.length - 1);
  };

  it('is all that is not a call, for any batch as compact JSON', () => {
    const key = fc.string({ unit: 'binary' }).filter((one) => one !== 'batch' && one !== '__proto__');
    const fields = fc.dictionary(key, fc.jsonValue());
    const calls = fc.array(fc.dictionary(key, fc.jsonValue()), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fields, calls, fields, (before, batch, after) => {
        const text = JSON.stringify({ ...before, batch, ...after });
        expect(split(text).envelopeBytes).toBe(envelopeOf(text));
      }),
    );
  });
});
