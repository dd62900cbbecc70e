/** The bits of many texts, set in two ways. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addText, BITS, BitSetter, bitsOf, hasBit, newSignature } from '../../../src/core/search/grams.ts';

const text = fc.uint8Array({ maxLength: 40 });

test('a setter sets the bits of its texts and no other, again and again', () => {
  const setter = new BitSetter();
  const written = newSignature();
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
      setter.clear();
      const added = newSignature();
      for (const one of texts) {
        setter.add(one);
        addText(added, one);
      }
      setter.writeTo(written);
      expect(written).toEqual(added);
    }),
  );
});

test('the bits of a text are those that a search looks for', () => {
  fc.assert(
    fc.property(text, (one) => {
      const signature = newSignature();
      addText(signature, one);
      const set = Array.from({ length: BITS }, (_, bit) => bit).filter((bit) => hasBit(signature, bit));
      expect(set).toEqual(bitsOf(one).sort((a, b) => a - b));
    }),
    { numRuns: 50 },
  );
});
