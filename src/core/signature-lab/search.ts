/**
 * The search for the change that gives a digest, in steps small enough for a thread that has other work. A step makes
 * one body or hashes about as many bytes as `STEP_BYTES`. What the search keeps is bounded, whatever the body.
 */
import { Bodies, type ChangedBody } from './bodies.ts';
import { HASHES, type Hash } from './hashes.ts';
import { type ChangedSecret, secretsOf } from './secret-changes.ts';

/** The most changes that are tried together. */
const MAX_CHANGES = 3;
export interface SearchLimits {
  /** The search gives up after hashing this much. */
  readonly hashedBytes: number;
  /** Of changed bodies that wait to be tried with other secrets. Bodies beyond it are tried with the right one only. */
  readonly keptBytes: number;
}
/**
 * When nothing fits, two cores with other work take 0.5 s and 17 MB for a body of 1 KB, 1.6 s and 40 MB for 8 KB, and
 * 6 s and 97 MB for 32 KB, most of it to write JSON. The longest steps are 5, 7 and 18 ms, with garbage collection.
 */
const LIMITS: SearchLimits = { hashedBytes: 400_000_000, keptBytes: 10_000_000 };
/** An HMAC of a short text takes as long as that of this many bytes. */
const LEAST_BYTES = 2_000;
/** Hashed in one step; a step ends with the hash that reaches it. */
export const STEP_BYTES = 500_000;

export interface Found {
  readonly body: ChangedBody;
  readonly secret: ChangedSecret;
  readonly hash: Hash;
}

export class Search {
  readonly bodies: Bodies;
  /** Digests compared so far. */
  tried = 0;
  /** Bytes of the changed bodies that are kept. */
  keptBytes = 0;
  /** Bytes hashed so far; a short text counts as `LEAST_BYTES`. */
  hashedBytes = 0;
  readonly #secrets: readonly ChangedSecret[];
  readonly #hashes: readonly Hash[];
  readonly #wanted: Buffer;
  readonly #limits: SearchLimits;
  /** Bodies by the number of their changes. */
  readonly #byCost: ChangedBody[][] = [];

  constructor(body: Uint8Array, secret: string, wanted: Buffer, limits: SearchLimits = LIMITS) {
    this.bodies = new Bodies(body);
    this.#secrets = secretsOf(secret);
    this.#hashes = HASHES.filter(({ length }) => length === wanted.length);
    this.#wanted = wanted;
    this.#limits = limits;
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
    this.#byCost.push([]);
    for (const body of this.bodies.ofCost(cost)) {
      yield;
      if (body === null) continue;
      this.#keep(body, cost);
      const found = yield* this.#tryAll(body, 0);
      if (found !== null || this.#isSpent()) return found;
    }
    for (let others = 1; others <= Math.min(cost, 2); others += 1)
      for (const body of this.#byCost[cost - others] ?? []) {
        const found = yield* this.#tryAll(body, others);
        if (found !== null || this.#isSpent()) return found;
      }
    return null;
  }

  /** Nothing follows the last cost, so its bodies are not kept. */
  #keep(body: ChangedBody, cost: number): void {
    if (cost === MAX_CHANGES || this.keptBytes + body.bytes.length > this.#limits.keptBytes) return;
    this.keptBytes += body.bytes.length;
    this.#byCost[cost]!.push(body);
  }

  /** With `count` changes of secret and hash. */
  *#tryAll(body: ChangedBody, count: number): Generator<void, Found | null> {
    const weight = Math.max(LEAST_BYTES, body.bytes.length);
    let inStep = 0;
    for (const secret of this.#secrets)
      for (const hash of this.#hashes) {
        if (secret.changes.length + hash.changes.length !== count) continue;
        this.tried += 1;
        this.hashedBytes += weight;
        if (hash.digest(secret.key, body.bytes).equals(this.#wanted)) return { body, secret, hash };
        inStep += weight;
        if (inStep < STEP_BYTES) continue;
        inStep = 0;
        yield;
      }
    yield;
    return null;
  }

  #isSpent(): boolean {
    return this.hashedBytes > this.#limits.hashedBytes;
  }
}
