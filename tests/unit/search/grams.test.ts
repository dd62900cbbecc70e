/** The bits of many texts, set in two ways. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addText, BITS, BitSetter, bitsOf, fill, hasBit, newSignature } from '../../../src/core/search/grams.ts';

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

test('letters from A to Z have the bits of their lower case, and any other byte has its own', () => {
  const bitsOfByte = (byte: number): number => bitsOf(Uint8Array.of(byte, byte, byte))[0]!;
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const isUpper = (byte: number): boolean => /[A-Z]/.test(String.fromCharCode(byte));
  for (const byte of bytes.filter(isUpper)) {
    const lower = String.fromCharCode(byte).toLowerCase().charCodeAt(0);
    expect(bitsOfByte(byte), String.fromCharCode(byte)).toBe(bitsOfByte(lower));
  }
  expect(new Set(bytes.map(bitsOfByte)).size).toBe(256 - 26);
});

test('a signature has a bit for each of 65,536, and a text that cannot be read has them all', () => {
  const signature = newSignature();
  expect(signature).toHaveLength(2_048);
  fill(signature);
  expect(signature.every((word) => word === 0xffff_ffff)).toBe(true);
});
