/** What a client did, measured and judged by its policy, against scripted clients on a simulated clock. */
import { describe, expect, test } from 'vitest';
import type { FaultAction } from '../../../src/contract/faults.ts';
import type { ClientName } from '../../../src/core/faults/client-name.ts';
import { NODE, Script, status } from './scripted-client.ts';

describe('waits', () => {
  test('after Retry-After are those between the answer and the next request', async () => {
    const script = new Script();
    await script.request(['m'], status(429, 2), 30);
    await script.time.advance(2_003);
    await script.request(['m'], null, 5, 1);
    expect(script.line('Wait after Retry-After 2 on 429')).toEqual({
      what: 'Wait after Retry-After 2 on 429',
      measured: '2.0 s after Retry-After 2',
      policy: 'honours it on 429, seconds only, 300 s at most, not counted as a retry',
      verdict: 'ok',
    });
    expect(script.report().tried[0]?.tries.map(({ waitMs, tookMs }) => [waitMs, tookMs])).toEqual([
      [null, 30],
      [2_003, 5],
    ]);
  });

  test.each([
    [1_000, 'differs'],
    [1_940, 'differs'],
    [1_960, 'ok'],
    [2_700, 'ok'],
    [2_900, 'differs'],
  ])('of %i ms after Retry-After 2 are %s', async (wait, verdict) => {
    const script = new Script();
    await script.history('m', status(429, 2), [wait], null);
    expect(script.line('Wait after Retry-After 2 on 429')?.verdict).toBe(verdict);
  });

  test('of its own are judged against base, factor, jitter and cap', async () => {
    const script = new Script();
    await script.history('m', status(503), [1_500, 2_000, 7_999], null);
    expect(script.line('Waits of its own')).toEqual({
      what: 'Waits of its own',
      measured: '1.5 s; 2.0 s; 8.0 s',
      policy: '1.0 to 2.0 s; 2.0 to 4.0 s; 4.0 to 8.0 s',
      verdict: 'ok',
    });
    const hasty = new Script();
    await hasty.history('m', status(503), [1_500, 300], null);
    expect(hasty.line('Waits of its own')?.verdict).toBe('differs');
  });

  test('after an honoured Retry-After do not move the number of the own ones', async () => {
    const script = new Script();
    await script.request(['m'], status(429, 1));
    await script.time.advance(1_000);
    await script.request(['m'], status(429, 1), 0, 1);
    await script.time.advance(1_000);
    await script.request(['m'], status(503), 0, 2);
    await script.time.advance(1_200);
    await script.request(['m'], null, 0, 3);
    expect(script.line('Waits of its own')).toMatchObject({
      measured: '1.2 s',
      policy: '1.0 to 2.0 s',
      verdict: 'ok',
    });
  });

  test('a header that the policy ignores leaves the own wait to be judged', async () => {
    const script = new Script({ library: 'analytics-go', version: '2.1.1' });
    await script.history('m', status(429, 2), [100, 200], null);
    expect(script.line('Wait after Retry-After 2 on 429')).toMatchObject({ policy: 'ignores it', verdict: 'ok' });
    const polite = new Script({ library: 'analytics-go', version: '2.1.1' });
    await polite.history('m', status(429, 2), [2_000], null);
    expect(polite.line('Wait after Retry-After 2 on 429')?.verdict).toBe('differs');
  });
});

describe('retries', () => {
  const tenWaits = Array.from({ length: 10 }, (_, n) => Math.min(60_000, 1_000 * 2 ** n));

  test('of a message that was given up are compared with the policy', async () => {
    const script = new Script();
    await script.history('m', status(503), tenWaits, status(503));
    expect(script.report()).toMatchObject({ messages: 1, lost: 1, stored: 0 });
    expect(script.line('Retries')).toEqual({
      what: 'Retries',
      measured: '10 retries at most, gave 1 up',
      policy: '10 retries',
      verdict: 'ok',
    });
  });

  test('that end too early differ, once no further one is to be expected', async () => {
    const script = new Script();
    await script.history('m', status(503), [1_200, 2_400, 4_800], status(503));
    expect(script.report()).toMatchObject({ waiting: 1, lost: 0 });
    expect(script.line('Retries')).toMatchObject({ measured: '3 retries at most, never gave up', verdict: 'unseen' });
    await script.time.advance(600_000);
    expect(script.report()).toMatchObject({ waiting: 0, lost: 1 });
    expect(script.line('Retries')).toMatchObject({ measured: '3 retries at most, gave 1 up', verdict: 'differs' });
    expect(script.line('Answer 503')).toMatchObject({ measured: 'retried 3×, not retried 1×', verdict: 'differs' });
  });

  test('after an honoured Retry-After do not count where the policy says so', async () => {
    const script = new Script();
    await script.history(
      'm',
      status(429, 1),
      Array.from({ length: 15 }, () => 1_000),
      null,
    );
    expect(script.line('Retries')).toMatchObject({ measured: '15 retries at most, never gave up', verdict: 'unseen' });
    expect(script.report().lines.filter(({ verdict }) => verdict === 'differs')).toEqual([]);
  });

  test('of an answer that the policy drops differ, and none are ok', async () => {
    const script = new Script();
    await script.history('again', status(400), [1_000], null);
    expect(script.line('Answer 400')).toMatchObject({ policy: 'gives the message up', verdict: 'differs' });
    const right = new Script();
    await right.request(['m'], status(400));
    expect(right.line('Answer 400')).toMatchObject({ measured: 'not retried 1×', verdict: 'ok' });
    expect(right.report()).toMatchObject({ lost: 1 });
  });

  test('count up in X-Retry-Count, or the line says where not', async () => {
    const script = new Script();
    await script.history('m', status(503), [1_000, 2_000], null);
    expect(script.line('X-Retry-Count')).toMatchObject({ measured: 'sent, counts up by one', verdict: 'ok' });
    await script.request(['n'], status(503));
    await script.time.advance(1_000);
    await script.request(['n'], null, 0, 7);
    expect(script.line('X-Retry-Count')).toMatchObject({ measured: 'right on 2 of 3', verdict: 'differs' });
  });
});

describe('a 200 that a client cannot read', () => {
  const RUBY: ClientName = { library: 'analytics-ruby', version: '2.5.0' };
  const PAGE: FaultAction = { kind: 'content_type', contentType: 'text/html; charset=utf-8' };

  /** Taken before the answer misbehaves, as with `store`. */
  async function takenThen(fault: FaultAction, again: boolean, name: ClientName): Promise<Script> {
    const script = new Script(name);
    const tried = script.begin(['m'], fault);
    tried.taken = true;
    script.rows.set('m', 1);
    script.tries.end(tried, 'answered', 200);
    await script.time.advance(100);
    if (again) await script.request(['m'], null);
    return script;
  }

  test.each([
    ['empty', { kind: 'empty' } as FaultAction, 'Answer: an empty 200'],
    ['a page', PAGE, 'Answer: 200 as text/html; charset=utf-8'],
  ])('is %s to it although its calls were taken', async (_, fault, what) => {
    // Ruby retries such an answer, Node takes it for success.
    expect((await takenThen(fault, true, RUBY)).line(what)).toMatchObject({ policy: 'retries', verdict: 'ok' });
    expect((await takenThen(fault, false, RUBY)).line(what)).toMatchObject({ policy: 'retries', verdict: 'differs' });
    expect((await takenThen(fault, false, NODE)).line(what)).toMatchObject({
      policy: 'counts as success',
      verdict: 'ok',
    });
  });

  test('is not one with the usual body under another type', async () => {
    const other: FaultAction = { kind: 'content_type', contentType: 'text/plain' };
    const script = await takenThen(other, false, RUBY);
    expect(script.line('Answer: 200 as text/plain')).toMatchObject({ policy: 'counts as success', verdict: 'ok' });
  });
});

test.each([
  ['given up at once', NODE, status(400), 'gave 3 up'],
  ['taken for sent', { library: 'analytics-go', version: '2.1.1' }, status(302), 'took 3 for sent'],
  ['without a policy', { library: 'my-own', version: '1' }, status(400), 'gave 3 up'],
])('what is lost is not "never gave up": %s', async (_, name, fault, ends) => {
  const script = new Script(name);
  for (const id of ['a', 'b', 'c']) await script.request([id], fault);
  await script.time.advance(200_000);
  expect(script.report()).toMatchObject({ lost: 3 });
  expect(script.line('Retries')?.measured).toBe(`0 retries at most, ${ends}`);
});
