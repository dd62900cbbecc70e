/** The digests of all single changes and whole libraries: what a list of variants shows. */
import type { Variant } from '../../contract/signature-lab.ts';
import { Bodies } from './bodies.ts';
import { HASHES } from './hashes.ts';
import { secretsOf } from './secret-changes.ts';

/** In steps that make and hash one body each, the unchanged one first, then the likeliest. */
export function* variantsOf(body: Uint8Array, secret: string): Generator<void, Variant[]> {
  const variants: Variant[] = [];
  const bodies = new Bodies(body);
  const [right, ...secrets] = secretsOf(secret);
  const [hmac, ...hashes] = HASHES;
  const add = ({ changes, library }: Omit<Variant, 'digest'>, digest: Buffer): void => {
    variants.push({ changes, library, digest: digest.toString('hex') });
  };
  for (const cost of [0, 1])
    for (const made of bodies.ofCost(cost)) {
      yield;
      if (made !== null) add({ ...made, library: made.library ?? null }, hmac!.digest(right!.key, made.bytes));
    }
  for (const { changes, key } of secrets) {
    yield;
    add({ changes, library: null }, hmac!.digest(key, body));
  }
  for (const hash of hashes) {
    yield;
    add({ changes: hash.changes, library: null }, hash.digest(right!.key, body));
  }
  return variants;
}
