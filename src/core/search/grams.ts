/**
 * What the index keeps of a text: one bit for every three and every four bytes that follow each other, with the letters A
 * to Z in lower case. A text can only hold a part whose bits are all set. Bits cannot be turned back into text.
 */

/** Bits of one block of messages. With 64 messages of 700 bytes about a fifth of them is set. */
export const BITS = 65_536;

/** A bit for each {@link BITS}. */
export type Signature = Uint32Array<ArrayBuffer>;

export const newSignature = (): Signature => new Uint32Array(BITS / 32);

const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/** Odd numbers that spread neighbouring values over all bits. */
const THREE = 0x85ebca6b;
const FOUR = 0x9e3779b1;

/** Sets the bits of a text. A loop over bytes without a call: it runs for every byte that is stored. */
export function addText(signature: Signature, bytes: Uint8Array): void {
  let four = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    four = (four << 8) | FOLDED[bytes[i]!]!;
    if (i < 2) continue;
    const third = Math.imul(four & 0xffffff, THREE) >>> 16;
    signature[third >>> 5]! |= 1 << (third & 31);
    if (i < 3) continue;
    const fourth = Math.imul(four, FOUR) >>> 16;
    signature[fourth >>> 5]! |= 1 << (fourth & 31);
  }
}

/** The bits that a text with this part has. None for a part that is too short. Those of four bytes come first. */
export function bitsOf(part: string): number[] {
  const bytes = Buffer.from(Buffer.from(part).map((byte) => FOLDED[byte]!));
  const bits = new Set<number>();
  for (let i = 0; i + 4 <= bytes.length; i += 1) bits.add(Math.imul(bytes.readInt32BE(i), FOUR) >>> 16);
  for (let i = 0; i + 3 <= bytes.length; i += 1) bits.add(Math.imul(bytes.readUIntBE(i, 3), THREE) >>> 16);
  return [...bits];
}

export const hasBit = (signature: Signature, bit: number): boolean => (signature[bit >>> 5]! & (1 << (bit & 31))) !== 0;

export function* bitsIn(signature: Signature): Generator<number> {
  for (let word = 0; word < signature.length; word += 1)
    for (let left = signature[word]!; left !== 0; left &= left - 1) yield word * 32 + (31 - Math.clz32(left & -left));
}

/** Stands for texts that cannot be read: they may hold anything. */
export const fullSignature = (): Signature => newSignature().fill(0xffff_ffff);
