/** HMAC-SHA1, and what is taken in its place. */
import { createHash, createHmac } from 'node:crypto';
import type { HashChange } from '../../contract/signature-lab.ts';

export interface Hash {
  readonly changes: readonly HashChange[];
  /** Bytes of a digest. */
  readonly length: number;
  digest(key: Uint8Array, body: Uint8Array): Buffer;
}

const LENGTHS = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 } as const;
type Algorithm = keyof typeof LENGTHS;

const hmac = (algorithm: Algorithm, change?: HashChange): Hash => ({
  changes: change === undefined ? [] : [change],
  length: LENGTHS[algorithm],
  digest: (key, body) => createHmac(algorithm, key).update(body).digest(),
});

const plain = (
  algorithm: Algorithm,
  change: HashChange,
  parts: (key: Uint8Array, body: Uint8Array) => readonly Uint8Array[],
): Hash => ({
  changes: [change],
  length: LENGTHS[algorithm],
  digest: (key, body) => {
    const hash = createHash(algorithm);
    for (const part of parts(key, body)) hash.update(part);
    return hash.digest();
  },
});

/** The right one first. */
export const HASHES: readonly Hash[] = [
  hmac('sha1'),
  hmac('sha256', 'hmac_sha256'),
  hmac('sha512', 'hmac_sha512'),
  hmac('sha384', 'hmac_sha384'),
  hmac('sha224', 'hmac_sha224'),
  hmac('md5', 'hmac_md5'),
  { ...hmac('sha1', 'swapped'), digest: (key, body) => createHmac('sha1', body).update(key).digest() },
  plain('sha1', 'sha1', (_key, body) => [body]),
  plain('sha256', 'sha256', (_key, body) => [body]),
  plain('md5', 'md5', (_key, body) => [body]),
  plain('sha1', 'sha1_secret', (key) => [key]),
  plain('sha1', 'sha1_secret_body', (key, body) => [key, body]),
  plain('sha1', 'sha1_body_secret', (key, body) => [body, key]),
  plain('sha256', 'sha256_secret_body', (key, body) => [key, body]),
  plain('sha256', 'sha256_body_secret', (key, body) => [body, key]),
  {
    ...hmac('sha1', 'hashed_again'),
    digest: (key, body) => createHmac('sha1', key).update(createHash('sha1').update(body).digest('hex')).digest(),
  },
];

/** Hex digits of the digests that some hash here makes. */
export const DIGEST_DIGITS: readonly number[] = [...new Set(HASHES.map(({ length }) => length * 2))];
