import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome, WireMessage } from '../../../src/client/index.ts';
import { afterTry, backoffMs, isRetried, retryAfterMs } from '../../../src/client/retry-rule.ts';
import { numbered, numbersOf, type SimAnswer, simClient } from './sim-client.ts';

const rules = { maxTries: 10, backoffMs: 100, backoffCapMs: 10_000, retryAfterCapMs: 300_000 };
const NOW = Date.parse('2026-11-20T12:00:00Z');

const numberOf = (message: WireMessage): number => (message.properties as { n: number }).n;

describe('the retry rule', () => {
  it('doubles from 100 ms to 10 s', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 900].map((tries) => backoffMs(tries, rules));
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 10_000, 10_000, 10_000]);
  });

  it('repeats what another try can change, and nothing else', () => {
    const repeated = Array.from({ length: 500 }, (_, i) => 100 + i).filter(isRetried);
    const lasting = [501, 505, 511];
    const server = Array.from({ length: 100 }, (_, i) => 500 + i).filter((status) => !lasting.includes(status));
    expect(repeated).toEqual([408, 410, 429, 460, ...server]);
  });

  it.each([200, 201, 204, 299])('takes %i for success', (status) => {
    expect(afterTry({ status, retryAfter: null }, 1, rules, NOW)).toBe('sent');
  });

  it.each([101, 199, 300, 302, 304, 400, 401, 404, 413, 501])('does not repeat %i', (status) => {
    expect(afterTry({ status, retryAfter: '5' }, 1, rules, NOW)).toBe('rejected');
  });

  it('gives up after the last try', () => {
    expect(afterTry({ status: 503, retryAfter: null }, 9, rules, NOW)).toEqual({ waitMs: 10_000 });
    expect(afterTry({ status: 503, retryAfter: null }, 10, rules, NOW)).toBe('retries_exhausted');
    expect(afterTry({ status: null, retryAfter: null }, 10, rules, NOW)).toBe('retries_exhausted');
  });

  it('waits for Retry-After where it is the longer, at most five minutes', () => {
    const wait = (retryAfter: string): unknown => afterTry({ status: 429, retryAfter }, 3, rules, NOW);
    expect(wait('2')).toEqual({ waitMs: 2_000 });
    expect(wait('0')).toEqual({ waitMs: 400 });
    expect(wait('86400')).toEqual({ waitMs: 300_000 });
    expect(wait('9'.repeat(400))).toEqual({ waitMs: 300_000 });
    expect(wait('Fri, 20 Nov 2026 12:00:07 GMT')).toEqual({ waitMs: 7_000 });
    expect(wait('Fri, 20 Nov 2020 12:00:07 GMT')).toEqual({ waitMs: 400 });
  });

  const broken = ['Fri, 99 Nov 2026 12:00:07 GMT', 'Fri, 20 Nov 2026 12:00:07 GMT+1'];
  it.each(['', '-1', '1.5', '1e9', 'soon', '2026-11-20', '0x10', ...broken])('ignores the Retry-After %j', (text) => {
    expect(retryAfterMs(text, NOW)).toBeNull();
  });
});

describe('a batch that fails', () => {
  it('is tried ten times over 32.7 s with the same messages, then reported with what it held', async () => {
    const { client, time, requests, losses, setAnswer } = simClient();
    setAnswer(() => ({ status: 503, body: '{"code":"store_not_writable"}' }));
    client.track(numbered(1));
    client.identify({ userId: 'u', traits: { n: 2 } });
    const closed = client.close();
    await time.advance(60_000);
    expect(requests.map(({ at }) => at)).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700, 22_700, 32_700]);
    expect(new Set(requests.map(({ body }) => JSON.stringify(body.batch))).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body.messageId)).size).toBe(1);
    expect(losses).toHaveLength(1);
    const [loss] = losses;
    expect(loss).toMatchObject({
      name: 'LossError',
      code: 'retries_exhausted',
      count: 2,
      tries: 10,
      status: 503,
      answer: '{"code":"store_not_writable"}',
      message: '2 messages lost after 10 tries: status 503',
    });
    expect(loss!.messages).toEqual(requests[0]!.body.batch);
    expect(await closed).toEqual({ sent: 0, lost: 2, losses: [loss] });
  });

  it('says in sentAt when the try was made, not when the batch was', async () => {
    const { client, time, requests, setAnswer } = simClient({ size: 1 });
    setAnswer(({ tries }) => ({ status: tries === 1 ? 429 : 200, retryAfter: '60' }));
    client.track(numbered(1));
    await time.advance(60_000);
    expect(requests.map(({ at, body }) => [at, body.sentAt])).toEqual([
      [0, '2025-01-15T12:00:00.000Z'],
      [60_000, '2025-01-15T12:01:00.000Z'],
    ]);
    expect(requests.map(({ body }) => body.batch[0]!.timestamp)).toEqual(Array(2).fill('2025-01-15T12:00:00.000Z'));
  });

  it('is not tried again after a refusal, and the next one goes on', async () => {
    const { client, time, requests, losses, setAnswer } = simClient({ size: 1 });
    setAnswer(({ body }) => ({ status: body.batch[0]!.properties?.n === 1 ? 401 : 200, body: 'no such key' }));
    client.track(numbered(1));
    client.track(numbered(2));
    const outcome = client.flush();
    await time.settle(100);
    expect(numbersOf(requests)).toEqual([1, 2]);
    expect(losses.map(({ code, status, answer, tries }) => ({ code, status, answer, tries }))).toEqual([
      { code: 'rejected', status: 401, answer: 'no such key', tries: 1 },
    ]);
    expect(await outcome).toMatchObject({ sent: 1, lost: 1 });
  });

  it('keeps the beginning of a long answer, cut between characters', async () => {
    const { client, time, losses, setAnswer } = simClient({ size: 1 });
    setAnswer(() => ({ status: 400, body: `${'é'.repeat(5_000)}end` }));
    client.track(numbered(1));
    await time.settle();
    expect(losses[0]!.answer).toBe('é'.repeat(1_000));
  });

  it('keeps its place: nothing overtakes it', async () => {
    const { client, time, requests, setAnswer } = simClient({ size: 1 });
    setAnswer(({ tries, body }) => ({ status: body.batch[0]!.properties?.n === 0 && tries < 4 ? 500 : 200 }));
    for (let n = 0; n < 3; n++) client.track(numbered(n));
    await time.advance(10_000);
    expect(numbersOf(requests)).toEqual([0, 0, 0, 0, 1, 2]);
  });

  it('is let overtake where several requests may be open', async () => {
    const { client, time, requests, setAnswer } = simClient({ size: 1, concurrency: 2 });
    setAnswer(({ tries, body }) => ({ status: body.batch[0]!.properties?.n === 0 && tries < 2 ? 500 : 200 }));
    for (let n = 0; n < 4; n++) client.track(numbered(n));
    await time.advance(10_000);
    expect(numbersOf(requests)).toEqual([0, 1, 2, 3, 0]);
  });

  it('ends a request that nobody answers at its time limit, also when fetch does not heed the signal', async () => {
    const { client, time, requests, setAnswer } = simClient({ size: 1, timeoutMs: 2_000 });
    setAnswer(({ tries }) => (tries < 3 ? 'hang' : { status: 200 }));
    client.track(numbered(1));
    const done = client.flush();
    await time.advance(10_000);
    expect(requests.map(({ at }) => at)).toEqual([0, 2_100, 4_300]);
    expect(requests.map(({ init }) => init.signal.aborted)).toEqual([true, true, false]);
    expect(await done).toMatchObject({ sent: 1, lost: 0 });
  });

  it('never throws into the program, whatever fetch and onError do', async () => {
    const heard: string[] = [];
    const { client, time, log } = simClient({
      size: 1,
      maxTries: 1,
      fetch: () => {
        throw new Error('no network here');
      },
      onError: ({ message }) => {
        heard.push(message);
        throw new Error('from the callback');
      },
    });
    client.track(numbered(1));
    const done = client.flush();
    await time.advance(1_000);
    expect(await done).toMatchObject({ lost: 1 });
    expect(heard).toEqual(['1 message lost after 1 try: no network here']);
    expect(log).toEqual(['warn analytics: onError threw: Error: from the callback']);
  });

  it('is warned of where there is no onError', async () => {
    const { client, time, log, setAnswer } = simClient({ size: 1, maxTries: 2, onError: undefined });
    setAnswer(() => 'network');
    client.track(numbered(1));
    await time.advance(1_000);
    expect(log).toEqual(['warn analytics: 1 message lost after 2 tries: fetch failed']);
  });
});

describe('flush and close', () => {
  it('tell what happened to what was queued before, and nothing of what came after', async () => {
    const { client, time, setAnswer } = simClient({ size: 2, concurrency: 3 });
    setAnswer(({ body }) => ({ status: 200, afterMs: Number(body.batch[0]!.properties?.n) === 0 ? 5_000 : 10 }));
    for (let n = 0; n < 3; n++) client.track(numbered(n));
    let first: Outcome | null = null;
    void client.flush().then((outcome) => {
      first = outcome;
    });
    for (let n = 3; n < 7; n++) client.track(numbered(n));
    await time.advance(4_000);
    expect(first).toBeNull();
    await time.advance(1_000);
    expect(first).toEqual({ sent: 3, lost: 0, losses: [] });
  });

  it.each(['flush', 'close'] as const)(
    '%s in onError waits for what is still queued, and does not count the loss',
    async (end) => {
      let outcome: Promise<Outcome> | null = null;
      const { client, time, setAnswer } = simClient({
        size: 2,
        maxTries: 1,
        onError: () => {
          outcome ??= client[end]();
        },
      });
      setAnswer(({ body }) => ({ status: body.batch[0]!.properties?.n === 0 ? 500 : 200, afterMs: 1_000 }));
      for (let n = 0; n < 3; n++) client.track(numbered(n));
      await time.advance(10_000);
      expect(await Promise.race([outcome, 'never'])).toEqual({ sent: 1, lost: 0, losses: [] });
    },
  );

  it('resolve at once on an empty queue, without a request', async () => {
    const { client, requests } = simClient();
    expect(await client.flush()).toEqual({ sent: 0, lost: 0, losses: [] });
    expect(await client.close()).toEqual({ sent: 0, lost: 0, losses: [] });
    expect(requests).toEqual([]);
  });

  it('refuse calls after close, and give the same answer again', async () => {
    const { client, time } = simClient();
    client.track(numbered(1));
    const first = client.close();
    expect(client.track(numbered(2))?.code).toBe('client_closed');
    expect(client.close()).toBe(first);
    await time.settle();
    expect(await first).toMatchObject({ sent: 1 });
    expect(client.stats).toMatchObject({ accepted: 1, refused: 1, sent: 1, queued: 0 });
  });

  it('give up at the time limit of close, and report what was open, waiting and not begun', async () => {
    const { client, time, losses, setAnswer, requests } = simClient({ size: 1, concurrency: 2, backoffCapMs: 60_000 });
    setAnswer(({ body }) => (body.batch[0]!.properties?.n === 0 ? 'hang' : { status: 503, retryAfter: '100' }));
    for (let n = 0; n < 4; n++) client.track(numbered(n));
    const closed = client.close({ timeoutMs: 1_500 });
    await time.advance(1_499);
    expect(losses).toEqual([]);
    await time.advance(1);
    expect((await closed).lost).toBe(4);
    const told = losses.flatMap(({ code, tries, messages }) =>
      messages.map((message) => [numberOf(message), code, tries]),
    );
    expect(told.sort()).toEqual([
      [0, 'closed', 1],
      [1, 'closed', 1],
      [2, 'closed', 0],
      [3, 'closed', 0],
    ]);
    const before = requests.length;
    await time.advance(600_000);
    expect(requests).toHaveLength(before);
    expect(time.pending).toBe(0);
  });

  it('leave no timer behind when close was in time', async () => {
    const { client, time } = simClient();
    client.track(numbered(1));
    void client.close({ timeoutMs: 30_000 });
    await time.settle(100);
    expect(time.pending).toBe(0);
  });
});

describe('any server', () => {
  const answer = fc.oneof(
    { weight: 4, arbitrary: fc.constant<SimAnswer>({ status: 200 }) },
    { weight: 1, arbitrary: fc.constant<SimAnswer>('network') },
    { weight: 1, arbitrary: fc.constant<SimAnswer>('hang') },
    {
      weight: 4,
      arbitrary: fc.record({
        status: fc.constantFrom(200, 204, 302, 400, 401, 408, 413, 429, 500, 501, 503),
        retryAfter: fc.constantFrom(undefined, '0', '3', '999999', 'junk'),
        afterMs: fc.integer({ min: 0, max: 12_000 }),
      }),
    },
  );

  it('every accepted message is sent or reported, once; nothing is repeated but after a failed try', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 60 }),
        async (answers, size, concurrency, calls) => {
          const { client, time, requests, losses, setAnswer } = simClient({ size, concurrency, maxTries: 4 });
          const given: { request: (typeof requests)[number]; answer: SimAnswer }[] = [];
          setAnswer((request) => {
            const chosen = answers[given.length % answers.length]!;
            given.push({ request, answer: chosen });
            return chosen;
          });
          for (let n = 0; n < calls; n++) expect(client.track(numbered(n))).toBeNull();
          let outcome: Outcome | null = null;
          void client.close().then((result) => {
            outcome = result;
          });
          await time.settle(2_000);
          while (outcome === null && (await time.step())) await time.settle(2_000);
          const { sent, lost } = outcome as unknown as Outcome;
          expect(sent + lost).toBe(calls);
          const succeeded = given.filter(({ answer: a }) => isTaken(a)).flatMap(({ request }) => numbersOf([request]));
          const reported = losses.flatMap(({ messages }) => messages.map(numberOf));
          expect(new Set(succeeded).size).toBe(succeeded.length);
          expect([...succeeded, ...reported].sort((a, b) => Number(a) - Number(b))).toEqual(
            Array.from({ length: calls }, (_, n) => n),
          );
          expect(client.stats).toMatchObject({ accepted: calls, sent, lost, queued: 0, queuedBytes: 0 });
          // An answer that nobody waits for any more.
          await time.advance(12_000);
          expect(time.pending).toBe(0);
          if (concurrency === 1) {
            const firsts = requests.filter(({ tries }) => tries === 1);
            expect(numbersOf(firsts)).toEqual(Array.from({ length: calls }, (_, n) => n));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** 2xx within the client's 10 s. */
const isTaken = (answer: SimAnswer): boolean =>
  typeof answer === 'object' && answer.status < 300 && (answer.afterMs ?? 0) < 10_000;
