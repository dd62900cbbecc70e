/** A scripted client whose waits are known, on a simulated clock, and the report on it. */
import type { ClientReport, FaultAction, ReportLine } from '../../../src/contract/faults.ts';
import type { ClientName } from '../../../src/core/faults/client-name.ts';
import { reportOf } from '../../../src/core/faults/report.ts';
import { type TriedRequest, Tries } from '../../../src/core/faults/tries.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

export const NODE: ClientName = { library: '@segment/analytics-node', version: '3.1.0' };
export const status = (code: number, retryAfter: number | null = null): FaultAction => ({
  kind: 'status',
  status: code,
  retryAfter,
  retryAfterForm: 'seconds',
});

/** A client whose every move is told. */
export class Script {
  readonly time = new SimTime();
  readonly tries: Tries;
  readonly rows = new Map<string, number>();
  readonly #name: ClientName;

  constructor(name: ClientName = NODE, max?: number) {
    this.#name = name;
    this.tries = new Tries(this.time, max);
  }

  begin(ids: readonly string[], fault: FaultAction | null, retryCount: number | null = null): TriedRequest {
    const facts = {
      path: 'batch' as const,
      headKey: 'wk',
      origin: null,
      userAgent: 'agent',
      retryCount,
      writeKey: 'wk',
      name: this.#name,
      messageIds: ids,
      nameless: 0,
    };
    return this.tries.begin(this.tries.clientOf(facts), facts, fault);
  }

  /** A request that is answered after `tookMs`; 200 is taken when there was no fault. */
  async request(
    ids: readonly string[],
    fault: FaultAction | null,
    tookMs = 0,
    retryCount: number | null = null,
  ): Promise<void> {
    const tried = this.begin(ids, fault, retryCount);
    await this.time.advance(tookMs);
    if (fault === null) {
      tried.taken = true;
      for (const id of ids) this.rows.set(id, 1);
    }
    this.tries.end(
      tried,
      fault?.kind === 'reset' ? 'reset' : 'answered',
      fault?.kind === 'status' ? fault.status : fault?.kind === 'reset' ? null : 200,
    );
  }

  /** First `fault` and then these waits, each followed by another; the last one gets `end`. */
  async history(id: string, fault: FaultAction, waits: readonly number[], end: FaultAction | null): Promise<void> {
    await this.request([id], fault);
    for (const [i, wait] of waits.entries()) {
      await this.time.advance(wait);
      await this.request([id], i === waits.length - 1 ? end : fault, 0, i + 1);
    }
  }

  report(asked: { from?: number; to?: number; client?: string } = {}): ClientReport {
    const client = this.tries.clients[0]!.key;
    const now = { wall: this.time.wall(), mono: this.time.mono(), rowsOf: (id: string) => this.rows.get(id) ?? 0 };
    return reportOf(this.tries, { client, ...asked }, now).client!;
  }

  line(what: string): ReportLine | undefined {
    return this.report().lines.find((line) => line.what === what);
  }
}
