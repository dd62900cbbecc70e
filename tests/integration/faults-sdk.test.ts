/** The real analytics-node 3.1.0 under each kind of fault: it ends, nothing is stored twice, the report fits its policy. */
import { Analytics } from '@segment/analytics-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClientReport, FaultRuleInput } from '../../src/contract/faults.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { watchDelays } from '../helpers/timer-lasts.ts';

interface Told {
  readonly engine: RunningEngine;
  readonly report: ClientReport;
  /** What the library told of calls that it gave up. */
  readonly errors: readonly unknown[];
  /** Whether the machine kept up, so that long waits are the library's own. */
  readonly onTime: boolean;
}

const CALLS = 6;
/** The library waits at most 2 s here, and the report allows 2.8 s. */
const ON_TIME_MS = 300;

/** Sends {@link CALLS} calls in two batches under these rules, and closes the library. */
async function sendUnder(rules: FaultRuleInput[], more: { httpRequestTimeout?: number } = {}): Promise<Told> {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  onTestFinished(() => {
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });
  const engine = await startEngine({ config: configOf([]) });
  await engine.client.call('faults.save', { on: true, rules });
  const analytics = new Analytics({ writeKey: WRITE_KEY, host: engine.ingest, flushAt: CALLS / 2, ...more });
  const errors: unknown[] = [];
  const delays = watchDelays();
  analytics.on('error', (error) => errors.push(error));
  for (let n = 0; n < CALLS; n += 1) analytics.track({ userId: 'u1', event: 'Order', properties: { n } });
  await analytics.closeAndFlush({ timeout: 15_000 });
  const onTime = delays() <= ON_TIME_MS;
  const { client: report } = await engine.client.call('faults.report', {});
  return { engine, report: report!, errors, onTime };
}

const stored = async ({ engine }: Told): Promise<{ rows: number; ids: number }> => {
  const { rows } = await engine.client.call('messages.list', { filter: {}, limit: 100 });
  return { rows: rows.length, ids: new Set(rows.map(({ messageId }) => messageId)).size };
};
const lineOf = ({ report }: Told, what: string) => report.lines.find((line) => line.what === what);
/** What differs from the policy. Waits count only when the machine kept up. */
const verdicts = ({ report, onTime }: Told): string[] =>
  report.lines
    .filter(({ what, verdict }) => verdict === 'differs' && (onTime || !what.startsWith('Wait')))
    .map(({ what }) => what);
const ONCE = { mode: 'first', requests: 2 } as const;

describe('analytics-node 3.1.0', () => {
  test.each<[string, FaultRuleInput]>([
    ['503', { action: { kind: 'status', status: 503 }, when: ONCE }],
    ['a reset before reading', { action: { kind: 'reset', when: 'before' }, when: ONCE }],
    ['a reset after reading', { action: { kind: 'reset', when: 'after' }, when: ONCE }],
    ['a closed connection', { action: { kind: 'stall', ms: 100 }, when: ONCE }],
    ['a delay', { action: { kind: 'delay', ms: 200 } }],
    ['a slow answer', { action: { kind: 'drip', bytesPerSecond: 100 }, store: true }],
    ['an empty 200 of what is stored', { action: { kind: 'empty' }, store: true }],
    ['a page in place of the answer', { action: { kind: 'content_type' }, store: true }],
  ])('brings every call through %s, each stored once', async (_, rule) => {
    const told = await sendUnder([rule]);
    expect(told.errors).toEqual([]);
    expect(await stored(told)).toEqual({ rows: CALLS, ids: CALLS });
    expect(told.report).toMatchObject({ stored: CALLS, lost: 0, waiting: 0, storedTwice: 0 });
    expect(told.report.policy).toMatchObject({ name: 'analytics-node 3.1.0', exact: true });
    expect(told.report.client).toMatchObject({ library: '@segment/analytics-node', version: '3.1.0' });
    expect(verdicts(told)).toEqual([]);
  });

  test('waits the seconds of Retry-After under 429', async () => {
    const told = await sendUnder([{ action: { kind: 'status', status: 429, retryAfter: 2 }, when: ONCE }]);
    expect(told.errors).toEqual([]);
    expect(await stored(told)).toEqual({ rows: CALLS, ids: CALLS });
    const line = lineOf(told, 'Wait after Retry-After 2 on 429');
    expect(line?.policy).toContain('honours it');
    expect(line?.measured).toMatch(/^[2-9]\.\d( to [2-9]\.\d)? s after Retry-After 2, 2 waits$/);
    if (told.onTime) expect(line?.verdict).toBe('ok');
    expect(lineOf(told, 'X-Retry-Count')).toMatchObject({ verdict: 'ok', measured: 'sent, counts up by one' });
    expect(verdicts(told)).toEqual([]);
  });

  test('lost answers: every message comes again and is stored once', async () => {
    const told = await sendUnder([{ action: { kind: 'reset', when: 'after' }, when: ONCE, store: true }]);
    expect(told.errors).toEqual([]);
    expect(await stored(told)).toEqual({ rows: CALLS, ids: CALLS });
    expect(told.report).toMatchObject({ stored: CALLS, repeated: CALLS, storedTwice: 0 });
    expect(lineOf(told, 'Stored once')).toMatchObject({ verdict: 'ok' });
    const { rows } = await told.engine.client.call('messages.list', { filter: {}, limit: 100 });
    expect(rows.map(({ repeats }) => repeats)).toEqual(rows.map(() => 1));
  });

  test.each([400, 401])('gives up at once on %i, and the report names every lost message', async (status) => {
    const told = await sendUnder([{ action: { kind: 'status', status } }]);
    expect(told.errors).toHaveLength(CALLS);
    expect(await stored(told)).toEqual({ rows: 0, ids: 0 });
    expect(told.report).toMatchObject({ messages: CALLS, stored: 0, lost: CALLS });
    expect(told.report.tried.map(({ state }) => state)).toEqual(Array.from({ length: CALLS }, () => 'lost'));
    expect(lineOf(told, `Answer ${status}`)).toMatchObject({ measured: 'not retried 2×', verdict: 'ok' });
  });

  test('leaves a stalled request after its own time limit and comes again', async () => {
    const told = await sendUnder([{ action: { kind: 'stall', ms: 30_000 }, when: ONCE }], { httpRequestTimeout: 300 });
    expect(told.errors).toEqual([]);
    expect(await stored(told)).toEqual({ rows: CALLS, ids: CALLS });
    expect(told.report.tried.every(({ tries }) => tries[0]?.ending === 'client_left')).toBe(true);
    // Set to 300 ms here; its default is the policy.
    expect(lineOf(told, 'Its own time limit')).toMatchObject({ policy: 'leaves after 10.0 s', verdict: 'differs' });
  });
});
