/** Every kind of ingest fault over real sockets, with a plain client. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FaultRuleInput, FaultsView } from '../../src/contract/faults.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { sendTo } from '../helpers/fault-client.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { watchTimers } from '../helpers/timer-lasts.ts';

/** An engine with one webhook that takes all, and these rules on. */
async function engineWith(...rules: FaultRuleInput[]): Promise<RunningEngine> {
  const hook = await startReceiver();
  onTestFinished(() => hook.close());
  const engine = await startEngine({ config: configOf([hook.url]) });
  if (rules.length > 0) await engine.client.call('faults.save', { on: true, rules });
  return engine;
}

const total = async ({ client }: RunningEngine): Promise<number> => (await client.call('app.status')).total;
const rowsOf = async ({ client }: RunningEngine, text: string) =>
  (await client.call('messages.list', { filter: { terms: [{ key: 'text', values: [text] }] }, limit: 10 })).rows;

describe('a fault', () => {
  test('status keeps the shape that clients read, with CORS and Retry-After, and stores nothing', async () => {
    const engine = await engineWith({ action: { kind: 'status', status: 429, retryAfter: 2 } });
    const answer = await sendTo(engine.ingest, { headers: { Origin: 'http://localhost:3000' } });
    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.body)).toEqual({
      success: false,
      code: 'ingest_fault',
      message: expect.stringContaining('on purpose'),
      error: expect.stringContaining('on purpose'),
    });
    expect(answer.headers).toMatchObject({
      'retry-after': '2',
      'content-type': 'application/json',
      'access-control-allow-origin': 'http://localhost:3000',
      'access-control-expose-headers': 'Retry-After',
    });
    expect(await total(engine)).toBe(0);
  });

  test('status may say Retry-After as a date, never earlier than asked for', async () => {
    const engine = await engineWith({
      action: { kind: 'status', status: 503, retryAfter: 30, retryAfterForm: 'date' },
    });
    const before = Date.now();
    const answer = await sendTo(engine.ingest);
    const at = Date.parse(String(answer.headers['retry-after']));
    expect(at).toBeGreaterThanOrEqual(before + 30_000);
    expect(at).toBeLessThan(Date.now() + 32_000);
  });

  test.each([200, 201, 204, 302, 304, 400, 401, 410, 451, 500, 502, 511, 599])(
    'status %i comes as such',
    async (status) => {
      const engine = await engineWith({ action: { kind: 'status', status } });
      const answer = await sendTo(engine.ingest);
      expect(answer).toMatchObject({ status, error: null });
      if (status === 204 || status === 304) expect(answer.body).toBe('');
      else expect(JSON.parse(answer.body)).toMatchObject({ success: status < 300 });
      expect(answer.headers.location).toBeUndefined();
      expect(await total(engine)).toBe(0);
    },
  );

  test('delay answers late, as always', async () => {
    const engine = await engineWith({ action: { kind: 'delay', ms: 300 } });
    const answer = await sendTo(engine.ingest, { messageIds: ['late'] });
    expect(answer).toMatchObject({ status: 200, body: '{"success":true}', error: null });
    expect(answer.tookMs).toBeGreaterThanOrEqual(295);
    expect(await rowsOf(engine, 'late')).toHaveLength(1);
  });

  test('delay takes nothing from a client that has left, unless it stores first', async () => {
    const engine = await engineWith({ action: { kind: 'delay', ms: 60_000 } });
    const isHeld = () => expect.poll(async () => (await engine.client.call('faults.get')).hits).toBe(1);
    await sendTo(engine.ingest, { messageIds: ['gone'], leaveWhen: isHeld() });
    await engine.client.call('faults.save', {
      on: true,
      rules: [{ action: { kind: 'delay', ms: 60_000 }, store: true }],
    });
    const isStored = () => expect.poll(() => rowsOf(engine, 'kept')).toHaveLength(1);
    await sendTo(engine.ingest, { messageIds: ['kept'], leaveWhen: isStored() });
    expect(await rowsOf(engine, 'gone')).toHaveLength(0);
    const tries = [{ ending: 'client_left', status: null, taken: false }];
    await expect
      .poll(async () => (await engine.client.call('faults.report', {})).client?.tried)
      .toMatchObject([{ messageId: 'gone', state: 'waiting', tries }]);
  });

  test('stall says nothing and closes after its time', async () => {
    const engine = await engineWith({ action: { kind: 'stall', ms: 200 } });
    const answer = await sendTo(engine.ingest);
    expect(answer).toMatchObject({ status: 0, error: 'ECONNRESET' });
    expect(answer.tookMs).toBeGreaterThanOrEqual(195);
    expect(await total(engine)).toBe(0);
  });

  test.each(['before', 'after'] as const)('reset %s reading breaks the connection off', async (when) => {
    const engine = await engineWith({ action: { kind: 'reset', when } });
    expect(await sendTo(engine.ingest)).toMatchObject({ status: 0, error: 'ECONNRESET' });
    expect(await total(engine)).toBe(0);
    expect((await engine.client.call('faults.get')).hits).toBe(1);
  });

  test('reset before reading does not wait for the body', async () => {
    const engine = await engineWith({ action: { kind: 'reset', when: 'before' } });
    const { connect } = await import('node:net');
    const socket = connect({ port: engine.port, host: '127.0.0.1' }, () =>
      socket.write('POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 400000\r\n\r\n{'),
    );
    const error = await new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve));
    expect(error.code).toBe('ECONNRESET');
  });

  test('empty is a 200 without a body or a type', async () => {
    const engine = await engineWith({ action: { kind: 'empty' } });
    const answer = await sendTo(engine.ingest);
    expect(answer).toMatchObject({ status: 200, body: '', error: null });
    expect(answer.headers['content-type']).toBeUndefined();
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  test('content type is a page as text/html, else the usual body', async () => {
    const engine = await engineWith({ action: { kind: 'content_type' } });
    const page = await sendTo(engine.ingest);
    expect(page.headers['content-type']).toBe('text/html');
    expect(page.body).toContain('<!doctype html>');
    await engine.client.call('faults.save', {
      rules: [{ action: { kind: 'content_type', contentType: 'text/plain' } }],
    });
    expect(await sendTo(engine.ingest)).toMatchObject({ status: 200, body: '{"success":true}' });
  });

  test('drip sends the head at once and the body byte after byte', async () => {
    // 16 bytes, 1.6 s. A machine that takes a second of them to bring the head is no fault of ours.
    const engine = await engineWith({ action: { kind: 'drip', bytesPerSecond: 10 }, store: true });
    let headAt = 0;
    const from = performance.now();
    const answer = await sendTo(engine.ingest, {
      messageIds: ['slow'],
      onHeaders: () => {
        headAt = performance.now() - from;
      },
    });
    expect(answer).toMatchObject({ status: 200, body: '{"success":true}', error: null });
    expect(answer.tookMs).toBeGreaterThanOrEqual(1_500);
    expect(answer.tookMs - headAt).toBeGreaterThanOrEqual(250);
    expect(await rowsOf(engine, 'slow')).toHaveLength(1);
  });
});

describe('storing first', () => {
  test('takes the calls and loses the answer; what comes again is stored once', async () => {
    const engine = await engineWith({
      action: { kind: 'reset', when: 'after' },
      when: { mode: 'first', requests: 2 },
      store: true,
    });
    for (const _ of [1, 2]) expect((await sendTo(engine.ingest, { messageIds: ['a', 'b'] })).error).toBe('ECONNRESET');
    expect((await sendTo(engine.ingest, { messageIds: ['a', 'b'] })).status).toBe(200);
    expect(await total(engine)).toBe(2);
    const { client } = await engine.client.call('faults.report', {});
    expect(client).toMatchObject({
      messages: 2,
      stored: 2,
      lost: 0,
      repeated: 2,
      storedTwice: 0,
      requests: 3,
      faulted: 2,
    });
  });

  test('a lost answer is on disk: it is delivered, and there after a restart', async () => {
    const engine = await engineWith({ action: { kind: 'status', status: 500 }, store: true });
    expect((await sendTo(engine.ingest, { messageIds: ['kept'] })).status).toBe(500);
    expect(await engine.final('kept')).toMatchObject({ state: 'delivered' });
    await engine.stop();
    const again = await startEngine({ workspace: engine.workspace, key: engine.key });
    expect(await rowsOf(again, 'kept')).toHaveLength(1);
  });

  test('what ingest itself refuses keeps its own answer', async () => {
    const engine = await engineWith({ action: { kind: 'status', status: 503 }, store: true });
    const huge = `m-${'x'.repeat(40_000)}`;
    const answer = await sendTo(engine.ingest, { messageIds: [huge] });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'call_too_large' });
  });
});

describe('scope', () => {
  test('is the write key and the path; the first rule that fits decides', async () => {
    const engine = await engineWith(
      { action: { kind: 'status', status: 401 }, writeKey: 'wk_other' },
      { action: { kind: 'status', status: 500 }, paths: ['track'] },
      { action: { kind: 'status', status: 503 } },
    );
    expect((await sendTo(engine.ingest, { key: 'wk_other' })).status).toBe(401);
    expect((await sendTo(engine.ingest, { key: null, bodyKey: 'wk_other' })).status).toBe(401);
    expect((await sendTo(engine.ingest, { path: '/v1/t' })).status).toBe(500);
    expect((await sendTo(engine.ingest, { path: '/v1/track/' })).status).toBe(500);
    expect((await sendTo(engine.ingest)).status).toBe(503);
    const view = await engine.client.call('faults.get');
    expect(view.rules.map(({ hits }) => hits)).toEqual([2, 2, 1]);
  });

  test('a reset before reading waits for the body where only that has the key', async () => {
    const engine = await engineWith({ action: { kind: 'reset', when: 'before' }, writeKey: 'wk_other' });
    expect((await sendTo(engine.ingest, { messageIds: ['mine'] })).status).toBe(200);
    expect((await sendTo(engine.ingest, { key: 'wk_other' })).error).toBe('ECONNRESET');
    expect((await sendTo(engine.ingest, { key: null, bodyKey: 'wk_other' })).error).toBe('ECONNRESET');
  });

  test('never holds health, preflights, unknown paths or the sample', async () => {
    const engine = await engineWith(
      { action: { kind: 'reset', when: 'before' } },
      { action: { kind: 'stall', ms: 60_000 }, paths: ['settings', 'pixel', 'batch', 'track'] },
    );
    const get = { method: 'GET' } as const;
    expect((await sendTo(engine.ingest, { ...get, path: '/health' })).status).toBe(200);
    expect((await sendTo(engine.ingest, { method: 'OPTIONS' })).status).toBe(204);
    expect((await sendTo(engine.ingest, { path: '/v1/none' })).status).toBe(404);
    expect((await sendTo(engine.ingest, { ...get, path: '/v1/batch' })).status).toBe(405);
    expect((await sendTo(engine.ingest, { path: '/v1/m' })).status).toBe(200);
    // Requests that ingest refuses for their form are refused as always.
    expect((await sendTo(engine.ingest, { headers: { Host: 'a b' } })).status).toBe(400);
    const { messageId } = await engine.client.call('messages.sendSample');
    expect(await rowsOf(engine, messageId)).toHaveLength(1);
  });

  test('settings misbehave only when they are named', async () => {
    const engine = await engineWith({ action: { kind: 'status', status: 500 } });
    const ask = () => sendTo(engine.ingest, { method: 'GET', path: '/v1/projects/wk_test/settings' });
    expect((await ask()).status).toBe(200);
    await engine.client.call('faults.save', {
      rules: [{ action: { kind: 'status', status: 500 }, paths: ['settings'] }],
    });
    expect((await ask()).status).toBe(500);
  });
});

describe('a rate', () => {
  const statuses = async (engine: RunningEngine, seed: number): Promise<number[]> => {
    const rules: FaultRuleInput[] = [{ action: { kind: 'status', status: 503 }, when: { mode: 'rate', percent: 40 } }];
    await engine.client.call('faults.save', { on: true, seed, rules });
    const all: number[] = [];
    for (let n = 0; n < 40; n += 1) all.push((await sendTo(engine.ingest, { messageIds: [`${seed}-${n}`] })).status);
    return all;
  };

  test('is drawn from the seed: the same one gives the same sequence', async () => {
    const engine = await engineWith();
    const first = await statuses(engine, 7);
    expect(await statuses(engine, 7)).toEqual(first);
    expect(await statuses(engine, 8)).not.toEqual(first);
    const faults = first.filter((status) => status === 503).length;
    expect(faults).toBeGreaterThan(6);
    expect(faults).toBeLessThan(28);
  });
});

describe('on and off', () => {
  test('switching off answers as usual and releases held requests; the rules stay', async () => {
    const engine = await engineWith({ action: { kind: 'delay', ms: 60_000 } });
    const held = sendTo(engine.ingest, { messageIds: ['held'] });
    await engine.until(async () => (await engine.client.call('faults.get')).hits === 1 || undefined);
    const off = await engine.client.call('faults.save', { on: false });
    expect(off).toMatchObject({ on: false, active: false });
    expect(await held).toMatchObject({ status: 200 });
    expect((await sendTo(engine.ingest, { messageIds: ['after'] })).status).toBe(200);
    expect((await engine.client.call('faults.save', { on: true })).active).toBe(true);
  });

  test('cannot be on without a rule', async () => {
    const engine = await engineWith();
    await expect(engine.client.call('faults.save', { on: true })).rejects.toMatchObject({ code: 'no_fault_rules' });
    expect(await engine.client.call('faults.save', { on: true, rules: [{ action: { kind: 'empty' } }] })).toMatchObject(
      {
        active: true,
      },
    );
    expect(await engine.client.call('faults.save', { rules: [] })).toMatchObject({ on: false, active: false });
  });

  test('two edits that come together both hold', async () => {
    const engine = await engineWith({ action: { kind: 'status', status: 503 } });
    const { call } = engine.client;
    const edits = [
      call('faults.save', { on: false, rules: [{ action: { kind: 'status', status: 418 } }] }),
      call('faults.save', { on: true }),
      call('faults.save', { seed: 7 }),
    ];
    await Promise.all(edits);
    const rules = [expect.objectContaining({ action: expect.objectContaining({ status: 418 }) })];
    expect(await call('faults.get')).toMatchObject({ on: true, active: true, seed: 7, rules });
    expect((await sendTo(engine.ingest)).status).toBe(418);
  });

  test('the seed of a new workspace stays with its first edits', async () => {
    const engine = await engineWith();
    const { seed } = await engine.client.call('faults.get');
    const rules = [{ action: { kind: 'empty' as const } }];
    expect((await engine.client.call('faults.save', { rules })).seed).toBe(seed);
    expect((await engine.client.call('faults.save', { on: true })).seed).toBe(seed);
  });

  test('is kept over a restart, and pushed to every client', async () => {
    const engine = await engineWith({ action: { kind: 'status', status: 503 }, when: { mode: 'rate', percent: 100 } });
    const pushed = await engine.until(() =>
      engine.batches.map(({ parts }) => parts.faults).find((faults) => faults?.active),
    );
    expect(pushed.rules).toHaveLength(1);
    await engine.stop();
    const again = await startEngine({ workspace: engine.workspace, key: engine.key });
    expect(again.hello.parts.faults).toMatchObject({ on: true, active: true });
    expect((await sendTo(again.ingest)).status).toBe(503);
  });

  test('the config file turns them on, and an empty list off', async () => {
    const rules = [
      {
        on: true,
        action: { kind: 'status', status: 503, retryAfter: null, retryAfterForm: 'seconds' },
        when: { mode: 'rate', percent: 100 },
        writeKey: null,
        paths: [],
        store: false,
      },
    ] satisfies Partial<FaultsView['rules'][number]>[];
    const engine = await startEngine({ config: { ...configOf([]), ingest: { faults: rules as never } } });
    expect(engine.hello.parts.faults.active).toBe(true);
    expect(engine.engine.parts.workspace.ingest.settings).not.toHaveProperty('faults');
    await engine.stop();
    const again = await startEngine({
      workspace: engine.workspace,
      key: engine.key,
      config: { ingest: { faults: [] } },
    });
    expect(again.hello.parts.faults).toMatchObject({ on: false, rules: [] });
    expect((await sendTo(again.ingest)).status).toBe(200);
  });

  test('a stop does not wait for what is held', async () => {
    const engine = await engineWith({ action: { kind: 'stall', ms: 120_000 } });
    const held = sendTo(engine.ingest);
    await engine.until(async () => (await engine.client.call('faults.get')).hits === 1 || undefined);
    const latest = watchTimers();
    onTestFinished(() => void latest());
    const from = performance.now();
    await engine.stop();
    expect(performance.now() - from).toBeLessThan(2_000 + latest());
    expect((await held).status).toBe(0);
  });

  test('faults are counted in their own log and never as rejected calls', async () => {
    const engine = await engineWith({ action: { kind: 'status', status: 400 } });
    for (let n = 0; n < 3; n += 1) await sendTo(engine.ingest);
    const status = await engine.client.call('app.status');
    expect(status).toMatchObject({ rejectedSeen: 0, total: 0 });
    const view = await engine.client.call('faults.get');
    expect(view.done).toMatchObject([{ ruleId: 1, client: 'plain 1.0', writeKey: 'wk_test', count: 3 }]);
    expect(await engine.client.call('faults.clear')).toMatchObject({ hits: 0, done: [] });
    expect(await engine.client.call('faults.report', {})).toEqual({ clients: [], client: null });
    await expect(engine.client.call('faults.report', { client: 'nobody' })).rejects.toMatchObject({
      code: 'fault_client_not_found',
    });
  });
});
