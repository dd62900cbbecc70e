/**
 * Finds out why a verifier's digest is not that of the body that was sent: which change of the body, the secret or the
 * hash gives it. Fewer changes come first, so that the first variant that fits is the simplest. A digest of 160 bits
 * fits no variant by chance, so no verdict accuses wrongly.
 */
import type { LabVerdict } from '../../contract/signature-lab.ts';
import { Bodies, type ChangedBody } from './bodies.ts';
import { readDigest } from './digest-text.ts';
import { firstDifference } from './first-difference.ts';
import { HASHES, type Hash } from './hashes.ts';
import { type ChangedSecret, secretsOf } from './secret-changes.ts';

export interface Asked {
  /** The bytes that were sent. */
  readonly body: Uint8Array;
  readonly secret: string;
  /** As pasted: hex in either case, with a prefix, or base64. */
  readonly digest: string;
}

/** The most changes that are tried together. */
const MAX_CHANGES = 3;
/** It gives up after hashing this much, which takes about a second. */
const MAX_HASHED_BYTES = 400_000_000;
/** An HMAC of a short text takes as long as that of this many bytes. */
const LEAST_BYTES = 2_000;

interface Found {
  readonly body: ChangedBody;
  readonly secret: ChangedSecret;
  readonly hash: Hash;
}

export function explain(asked: Asked): LabVerdict {
  const steps = explaining(asked);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in steps of a few milliseconds at most, for a thread that has other work. */
export function* explaining({ body, secret, digest }: Asked): Generator<void, LabVerdict> {
  const read = readDigest(digest);
  if (!read.ok) return { kind: 'not_a_digest', problem: read.problem };
  const { bytes: wanted, form } = read;
  const search = new Search(body, secret, wanted);
  const found = yield* search.run();
  if (found === null) return { kind: 'unexplained', form, tried: search.tried };
  const changes = [...found.body.changes, ...found.secret.changes, ...found.hash.changes];
  if (changes.length === 0) return { kind: 'match', form };
  if (found.body.changes.length === 0) return { kind: 'explained', form, changes, writers: [], hashed: null };
  const { bytes } = found.body;
  const hashed = { base64: Buffer.from(bytes).toString('base64'), difference: firstDifference(body, bytes) };
  return { kind: 'explained', form, changes, writers: search.bodies.writersOf(bytes), hashed };
}

class Search {
  readonly bodies: Bodies;
  tried = 0;
  readonly #secrets: readonly ChangedSecret[];
  readonly #hashes: readonly Hash[];
  readonly #wanted: Buffer;
  /** Bodies by the number of their changes. */
  readonly #byCost: ChangedBody[][] = [];
  #hashedBytes = 0;

  constructor(body: Uint8Array, secret: string, wanted: Buffer) {
    this.bodies = new Bodies(body);
    this.#secrets = secretsOf(secret);
    this.#hashes = HASHES.filter(({ length }) => length === wanted.length);
    this.#wanted = wanted;
  }

  *run(): Generator<void, Found | null> {
    for (let cost = 0; cost <= MAX_CHANGES; cost += 1) {
      const found = yield* this.#withChanges(cost);
      if (found !== null) return found;
    }
    return null;
  }

  /** Bodies with fewer changes were hashed with the right secret already, so they come with other ones. */
  *#withChanges(cost: number): Generator<void, Found | null> {
    const fresh: ChangedBody[] = [];
    this.#byCost.push(fresh);
    for (const body of this.bodies.ofCost(cost)) {
      fresh.push(body);
      const found = this.#tryAll(body, 0);
      if (found !== null || this.#isSpent()) return found;
      yield;
    }
    for (let others = 1; others <= Math.min(cost, 2); others += 1)
      for (const body of this.#byCost[cost - others] ?? []) {
        const found = this.#tryAll(body, others);
        if (found !== null || this.#isSpent()) return found;
        yield;
      }
    return null;
  }

  /** With `count` changes of secret and hash. */
  #tryAll(body: ChangedBody, count: number): Found | null {
    for (const secret of this.#secrets)
      for (const hash of this.#hashes) {
        if (secret.changes.length + hash.changes.length !== count) continue;
        this.tried += 1;
        this.#hashedBytes += Math.max(LEAST_BYTES, body.bytes.length);
        if (hash.digest(secret.key, body.bytes).equals(this.#wanted)) return { body, secret, hash };
      }
    return null;
  }

  #isSpent(): boolean {
    return this.#hashedBytes > MAX_HASHED_BYTES;
  }
}
