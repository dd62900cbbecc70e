/** The report against scripted clients whose waits are known, on a simulated clock. */
import { describe, expect, test } from 'vitest';
import { reportMarkdown, reportText } from '../../../src/contract/fault-words.ts';
import type { ClientReport, FaultAction, ReportLine } from '../../../src/contract/faults.ts';
import { type ClientName, nameFromUserAgent } from '../../../src/core/faults/client-name.ts';
import { reportOf } from '../../../src/core/faults/report.ts';
import { type TriedRequest, Tries } from '../../../src/core/faults/tries.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';

const NODE: ClientName = { library: '@segment/analytics-node', version: '3.1.0' };
const status = (code: number, retryAfter: number | null = null): FaultAction => ({
  kind: 'status',
  status: code,
  retryAfter,
  retryAfterForm: 'seconds',
});

/** A client whose every move is told. */
class Script {
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

describe('what is counted', () => {
  test('messages of one batch share its waits; a request counts once', async () => {
    const script = new Script();
    const ids = Array.from({ length: 250 }, (_, n) => `m-${n}`);
    await script.request(ids, status(503));
    await script.time.advance(1_500);
    await script.request(ids, null, 0, 1);
    expect(script.report()).toMatchObject({ requests: 2, faulted: 1, messages: 250, stored: 250 });
    expect(script.line('Answer 503')?.measured).toBe('retried 1×');
    expect(script.line('Waits of its own')?.measured).toBe('1.5 s');
    expect(script.report().tried).toHaveLength(100);
  });

  test('a message stored twice, and one that came again after it was stored', async () => {
    const script = new Script();
    await script.request(['m'], null);
    await script.request(['m'], null);
    expect(script.line('Stored once')).toMatchObject({
      measured: '1 came again after being stored, 0 stored twice',
      verdict: 'ok',
    });
    script.rows.set('m', 2);
    expect(script.line('Stored once')).toMatchObject({ verdict: 'differs' });
    expect(script.report()).toMatchObject({ repeated: 1, storedTwice: 1 });
  });

  test('a message that is still open or may come again is waiting, not lost', async () => {
    const script = new Script();
    script.begin(['open'], status(503));
    await script.time.advance(3_600_000);
    expect(script.report()).toMatchObject({ waiting: 1, lost: 0 });
  });

  test('only the newest tries are kept', async () => {
    const script = new Script(NODE, 100);
    for (let n = 0; n < 30; n += 1)
      await script.request(
        Array.from({ length: 10 }, (_, i) => `${n}-${i}`),
        status(400),
      );
    expect(script.tries.size).toBe(100);
    expect(script.report()).toMatchObject({ requests: 10, messages: 100 });
    expect(script.report().tried[0]?.messageId).toBe('29-9');
  });

  test('only tries of the asked time are in it', async () => {
    const script = new Script();
    await script.request(['early'], status(400));
    await script.time.advance(10_000);
    await script.request(['late'], status(400));
    expect(script.report({ from: SIM_START + 5_000 })).toMatchObject({ messages: 1, from: SIM_START + 10_000 });
    expect(script.report({ to: SIM_START + 5_000 }).tried[0]?.messageId).toBe('early');
    expect(script.report({ from: SIM_START + 50_000 })).toMatchObject({ requests: 0, messages: 0 });
  });
});

describe('requests that were reset before reading', () => {
  const head = { path: 'batch' as const, headKey: 'wk', origin: null, userAgent: 'agent', retryCount: null };
  const RESET = { kind: 'reset', when: 'before' } as const;

  test('are counted for their client as soon as it tells its name', async () => {
    const script = new Script();
    const nameless = script.tries.clientOfHead(head, { library: '', version: '' });
    script.tries.end(script.tries.begin(nameless, { messageIds: null, retryCount: null }, RESET), 'reset', null);
    expect(script.tries.clients).toMatchObject([{ library: '', requests: 1, unread: 1 }]);
    await script.request(['m'], null, 0, 1);
    expect(script.tries.clients).toMatchObject([{ library: NODE.library, requests: 2, failed: 1, unread: 1 }]);
    expect(script.report()).toMatchObject({ requests: 2, faulted: 1, unread: 1, messages: 1 });
    expect(reportMarkdown(script.report())).toContain('1 request was reset before reading');
  });

  test('are counted in the asked time alone', async () => {
    const script = new Script();
    const client = script.tries.clientOfHead(head, NODE);
    script.tries.end(script.tries.begin(client, { messageIds: null, retryCount: null }, RESET), 'reset', null);
    await script.time.advance(10_000);
    await script.request(['m'], status(503));
    expect(script.report({ from: SIM_START + 5_000 })).toMatchObject({ requests: 1, faulted: 1, unread: 0 });
    expect(reportMarkdown(script.report({ from: SIM_START + 5_000 }))).not.toContain('reset before reading');
    expect(script.report()).toMatchObject({ requests: 2, faulted: 2, unread: 1 });
  });

  test('leave no wrong verdict: a wait that spans one is not judged', async () => {
    const script = new Script();
    await script.request(['m'], status(503));
    await script.time.advance(1_500);
    const client = script.tries.clientOfHead(head, NODE);
    script.tries.end(script.tries.begin(client, { messageIds: null, retryCount: 1 }, RESET), 'reset', null);
    await script.time.advance(3_000);
    await script.request(['m'], status(503), 0, 2);
    await script.time.advance(5_000);
    await script.request(['m'], null, 0, 3);
    expect(script.line('Waits of its own')).toMatchObject({ measured: 'retry 3: 5.0 s', verdict: 'ok' });
    expect(script.line('X-Retry-Count')).toMatchObject({ measured: 'sent, counts up', verdict: 'ok' });
  });
});

describe('a client', () => {
  test('without a policy is measured all the same', async () => {
    const script = new Script({ library: 'my-own', version: '1' });
    await script.history('m', status(503), [500], null);
    expect(script.report().policy).toBeNull();
    expect(script.line('Waits of its own')).toMatchObject({
      measured: '500 ms',
      policy: null,
      verdict: 'no_policy',
    });
  });

  test.each([
    ['analytics-ruby/2.5.0', 'analytics-ruby', '2.5.0'],
    ['analytics-go (version: 3.0.0)', 'analytics-go', '3.0.0'],
    ['analytics-node-next/latest', 'analytics-node-next', 'latest'],
    ['Mozilla/5.0 (X11) AppleWebKit/537.36', '', ''],
    ['', '', ''],
  ])('is named by its User-Agent: %s', (agent, library, version) => {
    expect(nameFromUserAgent(agent)).toEqual({ library, version });
  });

  test('is told apart by write key, and at most 200 are known', async () => {
    const tries = new Tries(new SimTime());
    const of = (writeKey: string) =>
      tries.clientOf({
        path: 'track',
        headKey: writeKey,
        origin: null,
        userAgent: 'a/1',
        retryCount: null,
        writeKey,
        name: NODE,
        messageIds: [],
        nameless: 0,
      });
    expect(of('one').key).not.toBe(of('two').key);
    for (let n = 0; n < 300; n += 1) of(`key ${n}`);
    expect(tries.clients).toHaveLength(200);
    expect(tries.clients[0]?.writeKey).toBe('key 299');
  });
});

test('the Markdown has one table, whatever the client calls itself', async () => {
  const script = new Script({ library: 'evil | lib\n\n# x', version: '1|2' });
  await script.history('m', status(503), [500], null);
  const text = reportMarkdown(script.report());
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.length).toBe(script.report().lines.length + 2);
  expect(rows.every((row) => row.replaceAll('\\|', '').split('|').length === 6)).toBe(true);
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(1);
});

test('requests whose calls have no messageId are counted, and the report says what it cannot know of them', async () => {
  const script = new Script();
  const client = { messageIds: ['m'], nameless: 2, retryCount: null };
  const of = script.begin(['m'], null).client;
  script.tries.end(script.tries.begin(of, client, status(503)), 'answered', 503);
  const taken = script.tries.begin(of, { messageIds: [], nameless: 1, retryCount: null }, null);
  taken.taken = true;
  script.tries.end(taken, 'answered', 200);
  const report = script.report();
  expect(report).toMatchObject({ requests: 3, faulted: 1, messages: 1, nameless: { calls: 3, taken: 1 } });
  expect(reportMarkdown(report)).toContain('3 calls came without a messageId, 1 of them taken');
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

test('on a terminal nothing is escaped, and what a client chose stays in its line', async () => {
  const script = new Script({ library: 'my_own*lib|\n## x', version: '1' });
  await script.history('m', status(503, 2), [2_000], null);
  const text = reportText(script.report());
  expect(text.split('\n')[0]).toBe('my_own*lib| ## x 1');
  expect(text).not.toContain('\\');
  expect(text).toContain('\n  no policy known  Wait after Retry-After 2 on 503: 2.0 s after Retry-After 2\n');
  expect(text).not.toMatch(/^\|/m);
});

test('a client of another version, and one whose name another shares, are told so', () => {
  const of = (library: string, version: string) => {
    const script = new Script({ library, version });
    void script.request(['m'], status(503));
    return reportMarkdown(script.report());
  };
  expect(of('analytics-go', '1.2.0')).toContain(
    'Compared with analytics-go 2.0.0, measured with the real client. That is another version of it',
  );
  expect(of('analytics-go', '2.1.1')).not.toContain('another version');
  expect(of('analytics-python', '2.1.4')).toContain("RudderStack's Python library names itself analytics-python too");
});
