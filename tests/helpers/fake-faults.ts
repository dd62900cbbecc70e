/** Ingest faults for the fake engine: the real rules, and reports of the requests that a test passes to it. */
import type { FaultsView } from '../../src/contract/faults.ts';
import { Faults } from '../../src/core/faults/faults.ts';
import { createFaultHandlers } from '../../src/core/faults/handlers.ts';
import type { IngestRequest, IngestResponse } from '../../src/core/ingest/request.ts';
import { SimTime, seededRandom } from './sim-ports.ts';

export interface FakeFaults {
  readonly handlers: ReturnType<typeof createFaultHandlers>;
  view(): FaultsView;
  readonly time: SimTime;
  /**
   * Passes a batch with these messageIds through the rules. Returns the answer's status, 0 when the fault is on the
   * wire.
   */
  send(messageIds: readonly string[], options?: SendOptions): Promise<number>;
}

export interface SendOptions {
  readonly retryCount?: number;
  readonly library?: { readonly name: string; readonly version: string };
  readonly userAgent?: string;
  readonly writeKey?: string;
}

export const NODE_SDK = { name: '@segment/analytics-node', version: '3.1.0' } as const;

export function createFakeFaults(changed: (view: FaultsView) => void = () => {}, start?: number): FakeFaults {
  const time = new SimTime(start);
  const rows = new Map<string, number>();
  const handle = async (request: IngestRequest): Promise<IngestResponse> => {
    const { batch } = JSON.parse(Buffer.from(request.body).toString()) as { batch: { messageId: string }[] };
    for (const { messageId } of batch) rows.set(messageId, 1);
    return { status: 200, headers: [], body: '{"success":true}' };
  };
  const faults: Faults = new Faults({
    handle,
    clock: time,
    timers: time,
    random: seededRandom(1),
    stored: undefined,
    save: async () => {},
    rowsOf: (messageId) => rows.get(messageId) ?? 0,
    changed: () => changed(faults.view()),
  });
  const send: FakeFaults['send'] = async (messageIds, options = {}) => {
    const { library = NODE_SDK, userAgent = 'analytics-node-next/latest', writeKey = 'wk_test', retryCount } = options;
    const answer = await faults.handle({
      method: 'POST',
      target: '/v1/batch',
      headers: [
        ['Host', 'localhost'],
        ['User-Agent', userAgent],
        ['Authorization', `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`],
        ...(retryCount === undefined ? [] : [['X-Retry-Count', String(retryCount)] as const]),
      ],
      body: Buffer.from(
        JSON.stringify({
          batch: messageIds.map((messageId) => ({
            type: 'track',
            event: 'E',
            userId: 'u',
            messageId,
            context: { library },
          })),
        }),
      ),
      remote: '127.0.0.1',
      secure: false,
    });
    return answer.write === undefined ? answer.status : 0;
  };
  return { handlers: createFaultHandlers(faults), view: () => faults.view(), time, send };
}

/** Plays an SDK under 429 with Retry-After, then under 503, for the report. */
export async function tellStory(
  fake: FakeFaults,
  ids: readonly string[] = ['node-next-1', 'node-next-2'],
): Promise<void> {
  const { handlers, time, send } = fake;
  const before = fake.view();
  const story = (action: { kind: 'status'; status: number; retryAfter: number | null; retryAfterForm: 'seconds' }) =>
    handlers['faults.save']({
      on: true,
      rules: [{ on: true, when: { mode: 'first', requests: 2 }, action, writeKey: null, paths: [], store: false }],
    });
  await story({ kind: 'status', status: 429, retryAfter: 2, retryAfterForm: 'seconds' });
  await send(ids);
  await time.advance(2_004);
  await send(ids, { retryCount: 1 });
  await time.advance(2_011);
  await send(ids, { retryCount: 2 });
  await story({ kind: 'status', status: 503, retryAfter: null, retryAfterForm: 'seconds' });
  const more = ids.map((id) => `${id}-b`);
  await send(more);
  await time.advance(1_620);
  await send(more, { retryCount: 1 });
  await time.advance(2_910);
  await send(more, { retryCount: 2 });
  await handlers['faults.save']({ on: before.on, rules: before.rules });
}
