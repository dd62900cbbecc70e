/** What the report counts, and of which clients, against scripted clients on a simulated clock. */
import { describe, expect, test } from 'vitest';
import { reportMarkdown } from '../../../src/contract/fault-words.ts';
import { nameFromUserAgent } from '../../../src/core/faults/client-name.ts';
import { Tries } from '../../../src/core/faults/tries.ts';
import { SIM_START, SimTime } from '../../helpers/sim-ports.ts';
import { NODE, Script, status } from './scripted-client.ts';

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
