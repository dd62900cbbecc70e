/**
 * Finds out why a verifier's digest is not that of the body that was sent: which change of the body, the secret or the
 * hash gives it. Fewer changes come first, so that the first variant that fits is the simplest. A digest of 160 bits
 * fits no variant by chance, so no verdict accuses wrongly.
 */
import type { LabVerdict } from '../../contract/signature-lab.ts';
import { readDigest } from './digest-text.ts';
import { firstDifference } from './first-difference.ts';
import { Search } from './search.ts';

export interface Asked {
  /** The bytes that were sent. */
  readonly body: Uint8Array;
  readonly secret: string;
  /** As pasted: hex in either case, with a prefix, or base64. */
  readonly digest: string;
}

/** How far a search is. */
export interface Progress {
  /** Digests compared so far. */
  readonly tried: number;
}

export function explain(asked: Asked): LabVerdict {
  const steps = explaining(asked);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in small steps, for a thread that has other work. Each yields the search itself, which says how far it is. */
export function* explaining({ body, secret, digest }: Asked): Generator<Progress, LabVerdict> {
  const read = readDigest(digest);
  if (!read.ok) return { kind: 'not_a_digest', problem: read.problem };
  const { bytes: wanted, form } = read;
  const search = new Search(body, secret, wanted);
  const found = yield* reporting(search, search.run());
  if (found === null) return { kind: 'unexplained', form, tried: search.tried };
  const changes = [...found.body.changes, ...found.secret.changes, ...found.hash.changes];
  if (changes.length === 0) return { kind: 'match', form };
  if (found.body.changes.length === 0) return { kind: 'explained', form, changes, writers: [], hashed: null };
  const { bytes } = found.body;
  const writers = yield* reporting(search, search.bodies.writersOf(bytes));
  const hashed = { base64: Buffer.from(bytes).toString('base64'), difference: firstDifference(body, bytes) };
  return { kind: 'explained', form, changes, writers, hashed };
}

function* reporting<T>(search: Search, steps: Generator<void, T>): Generator<Progress, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield search;
  }
}
