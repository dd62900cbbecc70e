/** Holds requests on purpose. Each hold ends by its timer, when its client leaves, or when faults are turned off. */
import type { ServerResponse } from 'node:http';
import { FAULT_LIMITS } from '../../contract/faults.ts';
import type { IngestResponse } from '../ingest/request.ts';
import type { Timers } from '../ports.ts';

/** The shortest time between two pieces of a slow body, in real milliseconds. */
const PIECE_MS = 50;

export class Holds {
  readonly #timers: Timers;
  readonly #held = new Set<() => void>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  get full(): boolean {
    return this.#held.size >= FAULT_LIMITS.held;
  }

  /** Ends every hold at once, as if its timer had fired. */
  release(): void {
    for (const end of [...this.#held]) end();
  }

  /** Runs `then` after `ms`, or `left` if the client leaves first. It runs exactly one of them. */
  hold(response: ServerResponse, ms: number, then: (released: boolean) => void, left: () => void): void {
    if (response.destroyed) return left();
    const over = (run: () => void) => {
      if (!this.#held.delete(release)) return;
      timer.cancel();
      response.off('close', gone);
      run();
    };
    const release = (): void => over(() => then(true));
    const gone = (): void => over(left);
    const timer = this.#timers.after(ms, () => over(() => then(false)));
    this.#held.add(release);
    response.once('close', gone);
  }

  /** Writes the body of the answer piece by piece. When it is released, it writes the rest at once. */
  drip(
    response: ServerResponse,
    { status, headers, body }: IngestResponse,
    bytesPerSecond: number,
    done: () => void,
    left: () => void,
  ): void {
    const bytes = Buffer.from(body);
    const piece = Math.max(1, Math.round((bytesPerSecond * PIECE_MS) / 1000));
    response.writeHead(status, [...headers.flat(), 'Content-Length', String(bytes.length)]);
    response.flushHeaders();
    const from = (start: number): void => {
      if (start >= bytes.length) {
        response.end();
        return done();
      }
      const write = (released: boolean): void => {
        const end = released ? bytes.length : start + piece;
        response.write(bytes.subarray(start, end));
        from(end);
      };
      this.hold(response, (piece / bytesPerSecond) * 1000, write, left);
    };
    from(0);
  }
}
