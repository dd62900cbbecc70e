/** What the client says of a life of its queue: losses, log and counts, to the letter. */
import { describe, expect, it } from 'vitest';
import { numbered, numbersOf, simClient } from './sim-client.ts';

describe('a loss says in words', () => {
  it('that a refusal is not tried again', async () => {
    const { client, time, losses, setAnswer } = simClient({ size: 1 });
    setAnswer(() => ({ status: 400 }));
    client.track(numbered(1));
    await time.settle();
    expect(losses[0]!.message).toBe('1 message lost, not tried again: status 400');
  });

  it('that the time given to close ran out, and how the last try ended', async () => {
    const { client, time, losses, setAnswer } = simClient({ size: 2 });
    setAnswer(() => ({ status: 503, body: 'busy' }));
    for (const n of [1, 2, 3]) client.track(numbered(n));
    void client.close({ timeoutMs: 50 });
    await time.advance(50);
    expect(losses.map(({ message, tries, status, answer }) => [message, tries, status, answer])).toEqual([
      ['2 messages lost, the time given to close ran out: status 503', 1, 503, 'busy'],
      ['1 message lost, the time given to close ran out before the first try', 0, null, null],
    ]);
  });

  it('what was below a failed request, as its cause too', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('refused') });
    const { client, time, losses } = simClient({ size: 1, maxTries: 1, fetch: () => Promise.reject(cause) });
    client.track(numbered(1));
    await time.settle();
    expect(losses[0]).toMatchObject({ message: '1 message lost after 1 try: fetch failed: refused', cause });
  });
});

describe('the log', () => {
  it('follows a batch from the queue to its end', async () => {
    const { client, time, log, setAnswer } = simClient({ size: 1, verbose: true, maxTries: 3 });
    setAnswer(({ tries }) => ({ status: tries < 3 ? 503 : 200 }));
    client.track(numbered(1));
    await time.advance(1_000);
    expect(log.map((line) => line.replace(/\d+ bytes/, 'N bytes'))).toEqual([
      'debug analytics: queued track, N bytes (1 of 1)',
      'debug analytics: try 1 of 3 failed (status 503); the next one in 100 ms',
      'debug analytics: try 2 of 3 failed (status 503); the next one in 200 ms',
      'debug analytics: sent 1 message, N bytes, try 3',
    ]);
  });

  it('warns of the first refusal of each code, and tells of the others', () => {
    const { client, log } = simClient({ verbose: true });
    for (let n = 0; n < 2; n += 1) client.track({ userId: 'u', event: '' });
    expect(log).toEqual([
      'warn analytics: track refused (event_not_defined): track needs an event.',
      'debug analytics: track refused (event_not_defined): track needs an event.',
    ]);
  });

  it('tells of a loss that onError hears too', async () => {
    const { client, time, log, setAnswer } = simClient({ size: 1, verbose: true });
    setAnswer(() => ({ status: 400 }));
    client.track(numbered(1));
    await time.settle();
    expect(log.at(-1)).toBe('debug analytics: 1 message lost, not tried again: status 400');
  });
});

describe('the time given to close', () => {
  const closing = (timeoutMs: number) => {
    const sim = simClient({ size: 1, timeoutMs: 86_400_000 });
    sim.setAnswer(() => 'hang');
    sim.client.track(numbered(1));
    const closed = sim.client.close({ timeoutMs });
    return { ...sim, closed };
  };

  it.each([0, -5, Number.NaN])('of %s is none: what is not sent is lost at once', async (timeoutMs) => {
    const { closed, time } = closing(timeoutMs);
    await time.advance(0);
    expect(await closed).toMatchObject({ lost: 1 });
    expect(time.pending).toBe(0);
  });

  it('without an end is as long as a timer can be', async () => {
    const { time } = closing(Number.POSITIVE_INFINITY);
    expect(time.nextInMs).toBe(2 ** 31 - 1);
  });

  it('holds as the shortest that was given', async () => {
    const { client, closed, time } = closing(5_000);
    await time.advance(1_000);
    void client.close({ timeoutMs: 9_000 });
    void client.close({ timeoutMs: 500 });
    await time.advance(499);
    expect(client.stats.lost).toBe(0);
    await time.advance(1);
    expect(await closed).toMatchObject({ lost: 1 });
    expect(time.pending).toBe(0);
  });

  it('needs no timer where nothing is queued', async () => {
    const { client, time } = simClient();
    const closed = client.close({ timeoutMs: 1_000 });
    expect(time.pending).toBe(0);
    expect(await closed).toMatchObject({ sent: 0, lost: 0 });
  });

  it('that is not given needs no timer', async () => {
    const { client, time, setAnswer } = simClient({ size: 1 });
    setAnswer(() => 'hang');
    client.track(numbered(1));
    await time.settle();
    // The limit of the request.
    expect(time.pending).toBe(1);
    void client.close();
    expect(time.pending).toBe(1);
  });

  it('refuses a call in words', () => {
    const { client } = simClient();
    void client.close();
    expect(client.track(numbered(1))).toMatchObject({ code: 'client_closed', message: 'The client was closed.' });
  });
});

describe('the queue', () => {
  it('of thousands of batches goes out in order, one at a time', async () => {
    const { client, time, requests, setAnswer } = simClient({ size: 1 });
    let open = 0;
    let most = 0;
    setAnswer(() => {
      open += 1;
      most = Math.max(most, open);
      queueMicrotask(() => {
        open -= 1;
      });
      return { status: 200 };
    });
    const all = Array.from({ length: 2_500 }, (_, n) => n);
    for (const n of all) client.track(numbered(n));
    const done = client.flush();
    await time.settle(100_000);
    expect(await done).toMatchObject({ sent: 2_500 });
    expect(numbersOf(requests)).toEqual(all);
    expect(most).toBe(1);
  });

  it('counts what is accepted, sent, lost and refused, and its bytes', async () => {
    const { client, time, setAnswer } = simClient({ size: 1 });
    setAnswer(({ body }) => ({ status: body.batch[0]!.properties?.n === 1 ? 200 : 400 }));
    client.track(numbered(1));
    client.track(numbered(2));
    client.track({ userId: 'u', event: '' });
    const { queuedBytes } = client.stats;
    expect(client.stats).toEqual({ accepted: 2, refused: 1, sent: 0, lost: 0, queued: 2, queuedBytes });
    expect(queuedBytes).toBeGreaterThan(200);
    await time.settle(100);
    expect(client.stats).toEqual({ accepted: 2, refused: 1, sent: 1, lost: 1, queued: 0, queuedBytes: 0 });
  });

  it('takes exactly as many bytes as it may hold', () => {
    const bytes = 32_768;
    const fill = (length: number) => ({
      userId: 'u',
      event: 'E',
      messageId: 'm',
      properties: { p: 'x'.repeat(length) },
    });
    const { client } = simClient({ maxQueuedBytes: bytes });
    client.track(fill(16_000));
    const around = client.stats.queuedBytes - 16_000;
    const rest = bytes - client.stats.queuedBytes - around;
    expect(client.track(fill(rest + 1))?.code).toBe('queue_full');
    expect(client.track(fill(rest))).toBeNull();
    expect(client.stats.queuedBytes).toBe(bytes);
  });

  it('sends a batch that is full in bytes before the call that did not fit', async () => {
    const { client, time, requests } = simClient({ size: 100 });
    for (let n = 0; n < 17; n += 1) client.track(numbered(n, { note: 'x'.repeat(31_000) }));
    await time.settle(200);
    expect(requests.map(({ body }) => body.batch.length)).toEqual([16]);
    await time.advance(5_000);
    expect(requests.map(({ body }) => body.batch.length)).toEqual([16, 1]);
  });

  it('a flush that found nothing begins the interval afresh', async () => {
    const { client, time, requests } = simClient();
    await time.advance(3_000);
    void client.flush();
    client.track(numbered(1));
    await time.advance(4_999);
    expect(requests).toHaveLength(0);
    await time.advance(1);
    expect(requests.map(({ at }) => at)).toEqual([8_000]);
  });

  it('an option that is set while nothing waits starts no timer', () => {
    const { client, time } = simClient();
    client.flushAfterMs = 100;
    expect(time.pending).toBe(0);
    expect(client.flushAfter).toBe(100);
  });

  it('an option that is set names itself where it belongs to the constructor', () => {
    const { client } = simClient();
    expect(() => Object.assign(client, { maxTries: 3 })).toThrow(
      'maxTries is given to the constructor and cannot be set afterwards.',
    );
  });
});
