/** One request: whatever fetch does, its end is told and nothing is left behind. */
import { expect, onTestFinished, test } from 'vitest';
import { GiveUp } from '../../../src/client/give-up.ts';
import { MAX_ANSWER_BYTES } from '../../../src/client/limits.ts';
import { post } from '../../../src/client/post.ts';
import type { Fetch, FetchAnswer, FetchInit } from '../../../src/client/types.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const request = { url: 'http://a.test/', headers: { A: 'b' }, body: '{}', keepalive: true };
const bytes = (text: string) => new TextEncoder().encode(text);

function start(fetch: Fetch, giveUp = new GiveUp()) {
  const time = new SimTime();
  return { time, giveUp, done: post(request, { fetch, timers: time, timeoutMs: 2_000 }, giveUp) };
}

const answerWith = (over: Partial<FetchAnswer>): FetchAnswer => ({
  status: 200,
  headers: { get: () => null },
  body: null,
  ...over,
});
const answered = (over: Partial<FetchAnswer>) => start(() => Promise.resolve(answerWith(over))).done;
const streamOf = (...parts: Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

test('the request is a POST that follows no redirect and sends no cookies', async () => {
  const sent: [string, FetchInit][] = [];
  const { done, time } = start((url, init) => {
    sent.push([url, init]);
    return Promise.resolve(answerWith({ status: 204 }));
  });
  expect(await done).toEqual({ status: 204, retryAfter: null, answer: '', text: 'status 204' });
  const { signal, ...init } = sent[0]![1];
  expect([sent[0]![0], init]).toEqual([
    'http://a.test/',
    {
      method: 'POST',
      headers: { A: 'b' },
      body: '{}',
      redirect: 'manual',
      credentials: 'omit',
      keepalive: true,
    },
  ]);
  expect(signal.aborted).toBe(false);
  expect(time.pending).toBe(0);
});

test('a fetch that throws at once after the end was given up leaves no rejection behind', async () => {
  const unhandled: unknown[] = [];
  const listener = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  const giveUp = new GiveUp();
  giveUp.now();
  const { done, time } = start(() => {
    throw new Error('no fetch here');
  }, giveUp);
  expect(await done).toMatchObject({ status: null, text: 'no fetch here' });
  await new Promise(setImmediate);
  expect([unhandled, time.pending]).toEqual([[], 0]);
});

test('a redirect that the platform hides is one', async () => {
  expect(await answered({ type: 'opaqueredirect', status: 0 })).toMatchObject({ status: 302, text: 'a redirect' });
});

test('Retry-After is read from the answer, and no other header', async () => {
  const get = (name: string) => (name === 'retry-after' ? '7' : 'other');
  expect((await answered({ headers: { get } })).retryAfter).toBe('7');
});

test('characters that two parts of an answer share come out whole', async () => {
  const [text] = [bytes('aé')];
  expect((await answered({ body: streamOf(text!.slice(0, 2), text!.slice(2)) })).answer).toBe('aé');
});

test.each([
  [999, 999],
  [1_000, 1_000],
  [1_001, 1_000],
])('of an answer of %i characters %i are kept', async (length, kept) => {
  expect((await answered({ body: streamOf(bytes('x'.repeat(length))) })).answer).toHaveLength(kept);
  expect((await answered({ body: streamOf(bytes('x'.repeat(length - 1)), bytes('x')) })).answer).toHaveLength(kept);
});

test('an answer is read to its end up to 64 KiB, and dropped beyond it', async () => {
  for (const [size, dropped] of [
    [MAX_ANSWER_BYTES, false],
    [MAX_ANSWER_BYTES + 1, true],
  ] as const) {
    let cancelled = false;
    let reads = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          reads += 1;
          if (reads === 1) controller.enqueue(new Uint8Array(size - 1).fill(0x78));
          else if (reads === 2) controller.enqueue(new Uint8Array(1).fill(0x78));
          else controller.close();
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    expect((await answered({ body })).answer).toBe('x'.repeat(1_000));
    expect([size, cancelled, reads]).toEqual([size, dropped, dropped ? 2 : 3]);
  }
});

test('an answer that breaks off after its status has that status', async () => {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('cut')) });
  expect(await answered({ status: 400, body })).toMatchObject({ status: 400, answer: '', text: 'status 400' });
});

test.each([
  [new TypeError('fetch failed', { cause: new Error('refused') }), 'fetch failed: refused'],
  [new TypeError('fetch failed', { cause: new Error('') }), 'fetch failed'],
  [new TypeError('fetch failed', { cause: 'text' }), 'fetch failed'],
  ['text', 'text'],
])('no answer is told with its cause: %s', async (cause, text) => {
  const { done, time } = start(() => Promise.reject(cause));
  expect(await done).toEqual({ status: null, retryAfter: null, answer: null, text, cause });
  expect(time.pending).toBe(0);
});

test('after its time a request has ended, and its signal says why', async () => {
  let signal: AbortSignal | undefined;
  const { done, time } = start((_, init) => {
    signal = init.signal;
    return new Promise(() => {});
  });
  await time.advance(1_999);
  expect(signal!.aborted).toBe(false);
  await time.advance(1);
  expect(await done).toMatchObject({ status: null, text: 'no answer within 2000 ms' });
  expect(signal!.reason).toMatchObject({ message: 'no answer within 2000 ms' });
});

test('an answer whose body never ends has its status after its time', async () => {
  const { done, time } = start(() => Promise.resolve(answerWith({ status: 503, body: new ReadableStream() })));
  await time.advance(2_000);
  expect(await done).toMatchObject({ status: 503, answer: '' });
});

test('a request that is given up ends at once, one that comes later too', async () => {
  const { done, giveUp, time } = start(() => new Promise(() => {}));
  giveUp.now();
  expect(await done).toMatchObject({ status: null, text: 'given up' });
  expect(time.pending).toBe(0);
  const late = start(() => new Promise(() => {}), giveUp);
  expect(await late.done).toMatchObject({ status: null, text: 'given up' });
});

test('a request that has ended no longer listens', async () => {
  const taken: boolean[] = [];
  const giveUp = new GiveUp();
  const on = giveUp.on.bind(giveUp);
  giveUp.on = (listener) => {
    const takeBack = on(listener);
    return () => {
      taken.push(true);
      takeBack();
    };
  };
  await start(() => Promise.resolve(answerWith({})), giveUp).done;
  expect(taken).toEqual([true]);
});
