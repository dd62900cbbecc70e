import { MAX_RESPONSE_BODY_BYTES } from '../../model/attempt.ts';

/**
 * The part of a response body that is kept. Bytes are copied as they arrive. The chunks are slices of the socket's
 * large read buffers and would keep those alive, and a body may arrive in 65,536 chunks of one byte.
 */
export class KeptBody {
  #bytes = new Uint8Array(0);
  #kept = 0;
  /** All bytes that came, kept or not. */
  received = 0;

  get isFull(): boolean {
    return this.received > MAX_RESPONSE_BODY_BYTES;
  }

  append(chunk: Uint8Array): void {
    this.received += chunk.length;
    const part = chunk.subarray(0, MAX_RESPONSE_BODY_BYTES - this.#kept);
    this.#makeRoom(this.#kept + part.length);
    this.#bytes.set(part, this.#kept);
    this.#kept += part.length;
  }

  /** The kept bytes. */
  take(): Uint8Array {
    const bytes = this.#bytes.length === this.#kept ? this.#bytes : this.#bytes.slice(0, this.#kept);
    this.#bytes = new Uint8Array(0);
    this.#kept = 0;
    return bytes;
  }

  /** Most bodies are one chunk and fit exactly. For the others the buffer doubles. */
  #makeRoom(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, Math.min(2 * this.#bytes.length, MAX_RESPONSE_BODY_BYTES)));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
