import type { Sealer } from '../../src/core/ports.ts';

/** Seals to bytes turned round and marked; opens nothing while its key is lost. Notes what it has sealed. */
export class TurningSealer implements Sealer {
  readonly sealed: string[] = [];
  isLost = false;

  seal(plain: string): Uint8Array {
    this.sealed.push(plain);
    return Buffer.from(`sealed:${[...plain].reverse().join('')}`);
  }

  open(sealed: Uint8Array): string {
    const text = Buffer.from(sealed).toString();
    if (this.isLost || !text.startsWith('sealed:')) throw new Error('sealed with another key');
    return [...text.slice('sealed:'.length)].reverse().join('');
  }
}
