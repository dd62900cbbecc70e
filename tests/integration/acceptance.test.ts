/** Delivery as the specification and the decisions say it, from an HTTP call to real receivers, with the real engine between. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSelfSigned } from '../helpers/certificates.ts';
import { configOf, type EngineSetup, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { answering, startRawReceiver } from '../helpers/raw-receiver.ts';
import { type Answer, type ReceivedRequest, type Receiver, startReceiver } from '../helpers/receivers.ts';
import { watchDelays, watchTimers } from '../helpers/timer-lasts.ts';

async function receiver(answer?: Answer | ((request: ReceivedRequest) => Answer | Promise<Answer>)): Promise<Receiver> {
  const started = await startReceiver(answer);
  onTestFinished(() => started.close());
  return started;
}

const engineTo = (
  receivers: readonly { readonly url: string }[],
  more: Parameters<typeof configOf>[1] & Pick<EngineSetup, 'workspace' | 'key'> = {},
): Promise<RunningEngine> => {
  const { workspace, key, ...config } = more;
  return startEngine({
    workspace,
    key,
    config: configOf(
      receivers.map(({ url }) => url),
      config,
    ),
  });
};

const eventOf = ({ body }: ReceivedRequest): unknown => (JSON.parse(body.toString()) as { event?: unknown }).event;

/** The nominal waits of the default schedule after rounds 1, 2, 3 …, and the jitter's bounds (decisions, Delivery). */
const WAITS_MS = [10_000, 20_000, 40_000, 80_000, 160_000];
const LEAST = 0.8;
const MOST = 1.2;

describe('the default schedule', () => {
  test('500, 500, 200: three rounds, then delivered', async () => {
    const hook = await receiver(({ number }) => ({ status: number <= 2 ? 500 : 200 }));
    const engine = await engineTo([hook], { speed: 240 });
    const latest = watchTimers();
    onTestFinished(() => void latest());
    const startedAt = performance.now();
    const id = await engine.track('Three Rounds');
    const row = await engine.final(id);
    // At 1x it takes 24 s at least.
    expect(performance.now() - startedAt).toBeLessThan(10_000 + latest());
    expect(row).toMatchObject({ state: 'delivered', round: 3, cells: 'a....', nextDueAt: null });
    expect(row.windowEndsAt! - row.firstAttemptAt!).toBe(4 * 60 * 60 * 1_000);
    const attempts = await engine.attempts(id);
    expect(attempts.map(({ round, status, outcome }) => [round, status, outcome])).toEqual([
      [1, 500, 'failed'],
      [2, 500, 'failed'],
      [3, 200, 'accepted'],
    ]);
    for (const [i, attempt] of attempts.slice(1).entries()) {
      const waited = attempt.clockAt - attempts[i]!.clockAt;
      expect(waited).toBeGreaterThanOrEqual(WAITS_MS[i]! * LEAST);
    }
    expect(new Set(hook.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(hook.requests.map(({ headers }) => headers['x-signature'])).size).toBe(1);
  });

  test('each wait is twice the one before, by up to a fifth shorter or longer', async () => {
    const hook = await receiver({ status: 503 });
    const engine = await engineTo([hook], { speed: 1 });
    const ids = await Promise.all(Array.from({ length: 8 }, (_, i) => engine.track(`Waits ${i}`)));
    const factors: number[] = [];
    const over: number[] = [];
    const delays = watchDelays();
    for (const [i, nominal] of WAITS_MS.entries()) {
      for (const messageId of ids) {
        const row = await engine.messageWhen(messageId, ({ state, round }) => state === 'retrying' && round === i + 1);
        const last = (await engine.attempts(messageId)).at(-1)!;
        const endedAt = last.clockAt + last.durationMs!;
        const wait = row.nextDueAt! - endedAt;
        // The wait is counted from when the result is known, a moment after the attempt's end.
        expect(wait).toBeGreaterThanOrEqual(nominal * LEAST - 2);
        over.push(wait - nominal * MOST);
        factors.push(wait / nominal);
        await engine.client.call('messages.retryNow', { id: row.id });
      }
    }
    expect(Math.max(...over)).toBeLessThanOrEqual(1_000 + delays());
    expect(new Set(factors.map((factor) => factor.toFixed(2))).size).toBeGreaterThan(10);
  });

  test('the end of the window ends it: expired, and no attempt starts after it', async () => {
    const hook = await receiver({ status: 500 });
    const config = configOf([hook.url], { speed: 240 });
    // 200 s stand for the 4 h: the same rule in fewer rounds.
    const retry = { baseMs: 10_000, factor: 2, maxMs: 1_200_000, windowMs: 200_000, jitter: 0.2, seed: 1 };
    const engine = await startEngine({ config: { ...config, webhooks: { ...config.webhooks, retry } } });
    const id = await engine.track('Never Well');
    const row = await engine.final(id);
    expect(row.state).toBe('expired');
    expect(row.windowEndsAt! - row.firstAttemptAt!).toBe(200_000);
    for (const { clockAt } of await engine.attempts(id)) expect(clockAt).toBeLessThanOrEqual(row.windowEndsAt!);
  });
});

describe('the response time limit', () => {
  test('a receiver that never answers is timed out after 5 s of real time, whatever the retry clock', async () => {
    let delays: (() => number) | undefined;
    const hook = await receiver(() => {
      delays ??= watchDelays();
      return 'hang';
    });
    const engine = await engineTo([hook], { speed: 240 });
    const id = await engine.track('No Answer');
    const first = await engine.until(async () => (await engine.attempts(id)).find(({ outcome }) => outcome !== null));
    expect(first).toMatchObject({ outcome: 'timed_out', status: null });
    expect(first.durationMs).toBeGreaterThanOrEqual(5_000);
    expect(first.durationMs).toBeLessThanOrEqual(5_000 + 250 + delays!());
    const { id: row } = (await engine.message(id))!;
    expect(await engine.client.call('messages.stop', { id: row })).toMatchObject({ state: 'stopped' });
  });
});

describe('several webhooks', () => {
  test('one success of five is final: the others are not tried again, past several retry times', async () => {
    const well = { status: 204 };
    const bad: Answer[] = [{ status: 500 }, { status: 503 }, 'reset', { status: 429, headers: { 'Retry-After': '1' } }];
    // Only the second message is answered with failures by all, three rounds long.
    const rounds = (request: ReceivedRequest, own: Answer, seen: { later: number }): Answer => {
      if (eventOf(request) !== 'Later') return own;
      seen.later += 1;
      return seen.later <= 3 ? { status: 500 } : { status: 200 };
    };
    const hooks = await Promise.all(
      [bad[0]!, bad[1]!, well, bad[2]!, bad[3]!].map((own) => {
        const seen = { later: 0 };
        return receiver((request) => rounds(request, own, seen));
      }),
    );
    const engine = await engineTo(hooks, { speed: 240 });
    const id = await engine.track('One Of Five');
    const row = await engine.final(id);
    expect(row).toMatchObject({ state: 'delivered', round: 1 });
    const settled = await engine.until(async () => {
      const attempts = await engine.attempts(id);
      return attempts.every(({ outcome }) => outcome !== null) ? attempts : undefined;
    });
    expect(settled.map(({ slot, outcome, status }) => [slot, outcome, status]).sort()).toEqual([
      [1, 'failed', 500],
      [2, 'failed', 503],
      [3, 'accepted', 204],
      [4, 'no_connection', null],
      [5, 'throttled', 429],
    ]);

    const later = await engine.track('Later');
    const { firstAttemptAt, finishedAt } = await engine.final(later);
    const attempts = await engine.attempts(later);
    expect(Math.max(...attempts.map(({ round }) => round))).toBe(4);
    expect(attempts.at(-1)!.clockAt - firstAttemptAt!).toBeGreaterThanOrEqual((10_000 + 20_000 + 40_000) * LEAST);
    expect(finishedAt).not.toBeNull();

    for (const hook of hooks)
      expect(hook.requests.filter((request) => eventOf(request) === 'One Of Five')).toHaveLength(1);
    expect((await engine.message(id))!.round).toBe(1);
    expect(await engine.attempts(id)).toHaveLength(5);
  });

  test('a self-signed certificate gets not one byte, and its healthy sibling delivers', async () => {
    const { cert, key } = await createSelfSigned();
    const refused = await startRawReceiver(answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), {
      tls: { cert, key },
    });
    onTestFinished(() => refused.close());
    const sibling = await receiver();
    const engine = await engineTo([refused, sibling]);
    const id = await engine.track('Self Signed');
    expect(await engine.final(id)).toMatchObject({ state: 'delivered', round: 1 });
    const attempts = await engine.until(async () => {
      const all = await engine.attempts(id);
      return all.every(({ outcome }) => outcome !== null) ? all : undefined;
    });
    expect(attempts.map(({ slot, outcome }) => [slot, outcome]).sort()).toEqual([
      [1, 'refused_certificate'],
      [2, 'accepted'],
    ]);
    const refusal = attempts.find(({ slot }) => slot === 1)!;
    expect(refusal).toMatchObject({ reason: 'self_signed', status: null });
    expect(refusal.certificate?.subject).toContain('localhost');
    await refused.allClosed();
    expect(refused.receivedBytes).toBe(0);
    expect(sibling.requests).toHaveLength(1);
  });

  test('a self-signed certificate alone fails the message without another round', async () => {
    const { cert, key } = await createSelfSigned();
    const refused = await startRawReceiver(answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), {
      tls: { cert, key },
    });
    onTestFinished(() => refused.close());
    const engine = await engineTo([refused]);
    const id = await engine.track('Self Signed');
    expect(await engine.final(id)).toMatchObject({ state: 'failed', round: 1, cells: 'r....' });
    await refused.allClosed();
    expect(refused.receivedBytes).toBe(0);
  });

  test('when all decline with 4xx the message has failed after one round', async () => {
    const statuses = [400, 401, 404, 410, 422];
    const hooks = await Promise.all(statuses.map((status) => receiver({ status })));
    const engine = await engineTo(hooks);
    const id = await engine.track('All Decline');
    expect(await engine.final(id)).toMatchObject({ state: 'failed', round: 1, cells: 'ddddd', nextDueAt: null });
    const attempts = await engine.attempts(id);
    expect(attempts.map(({ outcome, status }) => [outcome, status]).sort()).toEqual(
      statuses.map((status) => ['declined', status]),
    );
    for (const hook of hooks) expect(hook.requests).toHaveLength(1);
  });

  test('a webhook that declined is left out of the next round', async () => {
    const declines = await receiver({ status: 410 });
    const fails = await receiver(({ number }) => ({ status: number === 1 ? 500 : 200 }));
    const engine = await engineTo([declines, fails]);
    const id = await engine.track('One Declines');
    expect(await engine.final(id)).toMatchObject({ state: 'delivered', round: 2, cells: 'da...' });
    expect([declines.requests.length, fails.requests.length]).toEqual([1, 2]);
  });

  test('a slow webhook delays no other', async () => {
    let release: () => void = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = await receiver(async () => {
      await released;
      return { status: 200 };
    });
    const quick = await receiver();
    const engine = await engineTo([slow, quick]);
    const ids = await Promise.all(Array.from({ length: 40 }, (_, i) => engine.track(`Call ${i}`)));
    for (const id of ids) expect(await engine.final(id)).toMatchObject({ state: 'delivered', round: 1 });
    expect(quick.requests).toHaveLength(40);
    // Sixteen senders a webhook (decisions, Delivery); the others never asked it, since they were final already.
    expect(slow.requests).toHaveLength(16);
    release();
  });
});

describe('a person', () => {
  test('retries a waiting message at once', async () => {
    const hook = await receiver(({ number }) => ({ status: number === 1 ? 500 : 200 }));
    const engine = await engineTo([hook], { speed: 1 });
    const id = await engine.track('Retry Now');
    const waiting = await engine.messageWhen(id, ({ state }) => state === 'retrying');
    await engine.client.call('messages.retryNow', { id: waiting.id });
    expect(await engine.final(id)).toMatchObject({ state: 'delivered', round: 2 });
    await expect(engine.client.call('messages.retryNow', { id: waiting.id })).rejects.toMatchObject({
      code: 'not_waiting',
    });
  });

  test('stops a waiting message for good', async () => {
    const hook = await receiver(({ number }) => ({ status: number === 1 ? 500 : 200 }));
    const engine = await engineTo([hook], { speed: 1 });
    const id = await engine.track('Stop');
    const waiting = await engine.messageWhen(id, ({ state }) => state === 'retrying');
    expect(await engine.client.call('messages.stop', { id: waiting.id })).toMatchObject({ state: 'stopped' });
    await engine.client.call('clock.setSpeed', { speed: 240 });
    const later = await engine.track('Later');
    await engine.final(later);
    expect(hook.requests.map(eventOf)).toEqual(['Stop', 'Later']);
  });

  test('replays a failed message: marked, sent again byte for byte, its state unchanged', async () => {
    const hook = await receiver(({ number }) => ({ status: number === 1 ? 400 : 200 }));
    const other = await receiver({ status: 422 });
    const engine = await engineTo([hook, other], { secret: 'replay-secret' });
    const id = await engine.track('Replay Me');
    const before = await engine.final(id);
    expect(before.state).toBe('failed');
    const [first] = engine.hello.parts.webhooks;
    const replay = await engine.client.call('replay.send', { id: before.id, webhookIds: [first!.id] });
    expect(replay).toMatchObject({ messageId: before.id, webhookIds: [first!.id] });
    const done = await engine.until(async () => {
      const { replays } = await engine.client.call('messages.attempts', { id: before.id });
      return replays[0]?.finishedAt == null ? undefined : replays;
    });
    expect(done).toHaveLength(1);
    expect(done[0]!.attempts).toMatchObject([{ replayId: replay.id, outcome: 'accepted', status: 200 }]);
    expect(await engine.message(id)).toEqual({ ...before, replays: 1 });
    expect(await engine.attempts(id)).toHaveLength(2);
    expect(hook.requests).toHaveLength(2);
    expect(hook.requests[1]!.body).toEqual(hook.requests[0]!.body);
    expect(hook.requests[1]!.headers['x-signature']).toBe(hook.requests[0]!.headers['x-signature']);
    expect(other.requests).toHaveLength(1);
  });

  test('replays a delivered message: a failed replay leaves it delivered and is not tried again', async () => {
    const hook = await receiver(({ number }) => ({ status: number === 1 ? 200 : 500 }));
    const engine = await engineTo([hook]);
    const id = await engine.track('Replay Me');
    const before = await engine.final(id);
    await engine.client.call('replay.send', { id: before.id, webhookIds: [engine.hello.parts.webhooks[0]!.id] });
    await engine.until(async () => {
      const { replays } = await engine.client.call('messages.attempts', { id: before.id });
      return replays[0]?.finishedAt ?? undefined;
    });
    // A message of the same engine that needs two more rounds shows that the retry times have passed.
    hook.setAnswer(({ number }) => ({ status: number <= 4 ? 500 : 200 }));
    await engine.final(await engine.track('Later'));
    expect(hook.requests.filter((request) => eventOf(request) === 'Replay Me')).toHaveLength(2);
    expect(await engine.message(id)).toEqual({ ...before, replays: 1 });
  });
});
