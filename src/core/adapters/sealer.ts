import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Sealer } from '../ports.ts';

/** Bytes of the key that {@link createSealer} takes. */
export const SEAL_KEY_BYTES = 32;

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Why a sealed value could not be opened. */
export type SealProblem = 'truncated' | 'unknown_version' | 'wrong_key_or_altered';

/** Thrown by {@link Sealer.open}: the secret is not available, so nothing that needs it may be sent. */
export class SealError extends Error {
  readonly code = 'seal_unreadable';
  readonly problem: SealProblem;
  constructor(problem: SealProblem, options?: ErrorOptions) {
    super(`A sealed secret cannot be opened (${problem}).`, options);
    this.name = 'SealError';
    this.problem = problem;
  }
}

/**
 * AES-256-GCM with a fresh nonce for every value. Layout: version (1 byte, also authenticated),
 * nonce (12), tag (16), ciphertext. Throws a RangeError when the key is not 32 bytes long.
 */
export function createSealer(key: Uint8Array): Sealer {
  if (key.length !== SEAL_KEY_BYTES) throw new RangeError(`The sealing key must be ${SEAL_KEY_BYTES} bytes long.`);
  const ownKey = Uint8Array.from(key);
  return {
    seal(plain: string): Uint8Array {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', ownKey, nonce);
      cipher.setAAD(Uint8Array.of(VERSION));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Uint8Array.from(Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), text]));
    },
    open(sealed: Uint8Array): string {
      if (sealed.length < HEAD_BYTES) throw new SealError('truncated');
      if (sealed[0] !== VERSION) throw new SealError('unknown_version');
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', ownKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Uint8Array.of(VERSION));
      decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new SealError('wrong_key_or_altered', { cause });
      }
    },
  };
}
