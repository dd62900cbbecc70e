/** Finds the committed attempt of each send, by its address and by the bytes that the store says it sends. */
import { gunzipSync } from 'node:zlib';
import type { AttemptRow, CommittedRows, ReceivedRow } from './committed-rows.ts';
import type { Expectations } from './expectations.ts';
import type { Known } from './known.ts';

const keyOf = ({ message, round, webhook, replay }: AttemptRow): string => `${message} ${round} ${webhook} ${replay}`;

export class SentAttempts {
  readonly #expect: Expectations;
  readonly #rows: CommittedRows;
  readonly #known: ReadonlyMap<number, Known>;
  /** Sends by attempt. */
  readonly #sent = new Map<number, string>();

  constructor(expect: Expectations, rows: CommittedRows, known: ReadonlyMap<number, Known>) {
    this.#expect = expect;
    this.#rows = rows;
    this.#known = known;
  }

  has(attempt: AttemptRow): boolean {
    return this.#sent.get(attempt.id) === keyOf(attempt);
  }

  /** I3 and I6. Null when no open attempt sends this. */
  add(url: string, body: Buffer): AttemptRow | null {
    const open = this.#rows.openAttempts().filter((attempt) => attempt.url === url && !this.has(attempt));
    const own = open.find((attempt) => this.#bytesOf(attempt)?.equals(body));
    if (own === undefined) {
      const bodies = [...this.#known.values()].some(({ wire }) => wire?.equals(body));
      this.#expect.violate(
        bodies ? 'I3 sent without a committed attempt' : 'I6 bytes that are not the stored ones',
        `${url}, ${open.length} open`,
      );
      return null;
    }
    if (this.#sent.has(own.id)) this.#expect.violate('the id of an attempt is used again', String(own.id));
    this.#sent.set(own.id, keyOf(own));
    return own;
  }

  /** What the store says that this attempt sends. */
  #bytesOf({ message, replay }: AttemptRow): Buffer | null {
    const row = replay === null ? undefined : this.#rows.replay(replay);
    if (row?.sent === 'received') return receivedCall(this.#rows.request(message));
    return row?.sent === 'edited' ? row.body : (this.#known.get(message)?.wire ?? null);
  }
}

/** As clients of these worlds write it: a batch without blanks. */
function receivedCall({ body, encoding, position }: ReceivedRow): Buffer {
  const whole = encoding === null ? body : gunzipSync(body);
  const call = callAt(whole.toString(), position);
  return call === undefined ? whole : Buffer.from(JSON.stringify(call));
}

/** Undefined where the whole body stands for the call: without a batch or a call in it, or when it is not JSON. */
function callAt(text: string, position: number): unknown {
  try {
    return (JSON.parse(text) as { readonly batch?: readonly unknown[] }).batch?.[position];
  } catch {
    return undefined;
  }
}
