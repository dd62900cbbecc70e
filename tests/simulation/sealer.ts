import type { Sealer } from '../../src/core/ports.ts';

const MASK = 0x5a;
const masked = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ MASK);

/** Seals without randomness, so that a world's store is the same each time. When locked, it opens nothing. */
export class SimSealer implements Sealer {
  isLocked = false;

  seal(plain: string): Uint8Array {
    return masked(Buffer.from(plain));
  }

  open(sealed: Uint8Array): string {
    if (this.isLocked) throw new Error('The key is another one.');
    return Buffer.from(masked(sealed)).toString('utf8');
  }
}
