/** The receivers beside the engine: their worker, the contract, live changes, the store, and what is never shown. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { ReceiverStep, ReceiversView, ReceiverView, SignatureCheck } from '../../src/contract/receivers.ts';
import { BUILT_IN } from '../../src/core/receivers/built-in.ts';
import { ReceiversThread } from '../../src/core/receivers/receivers-thread.ts';
import { configOf, RECEIVERS_WORKER, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

const SECRET = 'shared-secret-of-the-lab';

const entry = (view: ReceiversView, id: string): ReceiverView => view.entries.find((one) => one.id === id)!;

/** The receivers once they satisfy `when`. */
function receiversWhen(running: RunningEngine, when: (view: ReceiversView) => boolean): Promise<ReceiversView> {
  return running.until(() => {
    const told = [running.hello, ...running.batches]
      .map(({ parts }) => parts.receivers)
      .filter((one) => one !== undefined);
    const newest = told.at(-1)!;
    return when(newest) ? newest : undefined;
  });
}
const listening = ({ http, https }: ReceiversView): boolean =>
  http.state === 'listening' && https.state === 'listening';

async function startLab(
  setup: Parameters<typeof startEngine>[0] = {},
): Promise<{ running: RunningEngine; view: ReceiversView }> {
  const running = await startEngine({ receivers: true, config: configOf([], { secret: SECRET }), ...setup });
  return { running, view: await receiversWhen(running, listening) };
}

const step = (status: number, times: number | 'forever' = 1): ReceiverStep => ({
  response: { kind: 'status', status, headers: [], body: '' },
  times,
  delayMs: 0,
});
const check: SignatureCheck = { on: true, onMismatch: 'reject', secret: 'shared' };

const digest = (body: string, secret = SECRET): string => createHmac('sha1', secret).update(body).digest('hex');

async function post(view: ReceiversView, id: string, body: string, secret: string | null = SECRET): Promise<number> {
  const signature: Record<string, string> = secret === null ? {} : { 'X-Signature': digest(body, secret) };
  const answer = await fetch(entry(view, id).url!, { method: 'POST', body, headers: signature });
  return answer.status;
}

it('the built-in set is there, as drawn, and listens beside the engine', async () => {
  const { view } = await startLab();
  expect(view.entries.map(({ id, name }) => `${id}: ${name}`)).toEqual([
    'ok: Always 200',
    'flaky: Flaky',
    '500: Always 500',
    'slow: Slow',
    'timeout: Timeout',
    'gone: Gone',
    'redirect: Redirect',
    'badsig: Wrong secret',
    'tls: Self-signed',
  ]);
  expect(entry(view, 'ok').url).toBe(`http://localhost:${view.http.port}/r/ok`);
  expect(entry(view, 'tls').url).toBe(`https://localhost:${view.https.port}/r/tls`);
});

it('a call is delivered to a receiver that verifies its signature, and the log shows it', async () => {
  const { running, view } = await startLab();
  await running.client.call('receivers.useAsWebhook', { id: 'flaky' });
  const messageId = await running.track('Order Completed');
  expect((await running.final(messageId)).state).toBe('delivered');
  const after = await receiversWhen(running, (now) => entry(now, 'flaky').hits === 4);
  expect(entry(after, 'flaky')).toMatchObject({
    verdict: 'verified',
    position: { step: 0, hit: 0 },
    recent: [{ status: 500 }, { status: 500 }, { status: 500 }, { status: 200 }],
  });
  const page = await running.client.call('receivers.hits', { id: 'flaky', limit: 3 });
  expect(page).toMatchObject({ kept: 4, nextBefore: page.rows.at(-1)!.id });
  expect(page.rows[0]).toMatchObject({ type: 'track', name: 'Order Completed', status: 200, reserialises: true });
  const detail = await running.client.call('receivers.hit', { id: 'flaky', hit: page.rows[0]!.id });
  expect(JSON.parse(Buffer.from(detail.bodyBase64, 'base64').toString())).toMatchObject({ event: 'Order Completed' });
  expect(detail.headers).toContainEqual({ name: 'User-Agent', value: 'Hookbench/1.0' });
  await expect(running.client.call('receivers.hit', { id: 'ok', hit: page.rows[0]!.id })).rejects.toMatchObject({
    code: 'hit_not_found',
  });
  expect(view.http.state).toBe('listening');
});

it('a self-signed receiver is refused before a request is sent: its hits stay 0', async () => {
  const { running } = await startLab();
  await running.client.call('receivers.useAsWebhook', { id: 'tls' });
  const messageId = await running.track('Order Completed');
  expect((await running.final(messageId)).state).toBe('failed');
  expect((await running.attempts(messageId))[0]).toMatchObject({
    outcome: 'refused_certificate',
    reason: 'self_signed',
  });
  expect(entry(await running.client.call('receivers.list'), 'tls').hits).toBe(0);
});

it('follows the shared secret, and neither secret nor log carries it', async () => {
  const { running, view } = await startLab();
  expect(await post(view, 'ok', '{}')).toBe(200);
  expect(await post(view, 'ok', '{}', 'other')).toBe(401);
  expect(await post(view, 'badsig', '{}')).toBe(401);
  await running.client.call('destination.setSecret', { secret: 'another-secret' });
  expect(await post(view, 'ok', '{}')).toBe(401);
  expect(await post(view, 'ok', '{}', 'another-secret')).toBe(200);
  await running.client.call('destination.setSecret', { secret: null });
  expect(await post(view, 'ok', '{}', null)).toBe(200);
  await receiversWhen(running, (now) => entry(now, 'ok').verdict === 'no_secret');
  const heard = running.texts.join('') + JSON.stringify(running.log);
  expect(heard).not.toContain(SECRET);
  expect(heard).not.toContain('another-secret');
});

it('a person makes, edits and removes receivers, and they outlive a restart', async () => {
  const workspace = tempWorkspace();
  const { running, view } = await startLab({ workspace });
  const made = await running.client.call('receivers.save', {
    name: 'My Käufer',
    tls: false,
    steps: [step(503)],
    check,
  });
  expect(made).toMatchObject({
    id: 'my-kaufer',
    builtIn: false,
    edited: false,
    url: `http://localhost:${view.http.port}/r/my-kaufer`,
  });
  const twin = await running.client.call('receivers.save', {
    name: 'my kaufer',
    tls: false,
    steps: [step(200)],
    check,
  });
  expect(twin.id).toBe('my-kaufer-2');
  await running.client.call('receivers.save', {
    id: 'gone',
    name: 'Gone for good',
    tls: false,
    steps: [step(404, 'forever')],
    check,
  });
  await receiversWhen(running, (now) => entry(now, 'gone').edited && entry(now, 'my-kaufer-2') !== undefined);
  expect(
    (await fetch(made.url!, { method: 'POST', headers: { 'X-Signature': digest('{}') }, body: '{}' })).status,
  ).toBe(503);
  expect(await post(view, 'gone', '{}')).toBe(404);
  await running.client.call('receivers.remove', { id: 'my-kaufer-2' });
  await running.stop();

  const again = await startLab({ workspace, key: running.key });
  expect(again.view.entries.slice(9).map(({ id }) => id)).toEqual(['my-kaufer']);
  expect(entry(again.view, 'gone')).toMatchObject({ name: 'Gone for good', edited: true, hits: 0 });
  const reset = await again.running.client.call('receivers.reset', { id: 'gone' });
  expect(reset).toMatchObject({ name: 'Gone', edited: false, steps: [{ response: { status: 410 } }] });
  expect(await post(again.view, 'gone', '{}')).toBe(410);
});

it('says what cannot be done, with its code', async () => {
  const { running } = await startLab();
  const { client } = running;
  const code = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: { code: string }) => error.code,
    );
  const edit = { name: 'x', tls: false, steps: [step(200)], check };
  expect(await code(client.call('receivers.remove', { id: 'ok' }))).toBe('receiver_built_in');
  expect(await code(client.call('receivers.remove', { id: 'nobody' }))).toBe('receiver_not_found');
  expect(await code(client.call('receivers.save', { ...edit, id: 'nobody' }))).toBe('receiver_not_found');
  expect(await code(client.call('receivers.reset', { id: 'nobody' }))).toBe('receiver_not_found');
  expect(await code(client.call('receivers.hits', { id: 'nobody', limit: 1 }))).toBe('receiver_not_found');
  expect(await code(client.call('receivers.save', { ...edit, steps: [] }))).toBe('invalid_argument');
  expect(await code(client.call('receivers.save', { ...edit, steps: [step(99)] }))).toBe('invalid_argument');
  const headers = [{ name: 'X', value: 'a\r\nB: c' }];
  const split = { response: { kind: 'status' as const, status: 200, headers } };
  expect(await code(client.call('receivers.save', { ...edit, steps: [split] }))).toBe('invalid_argument');
  for (let n = 1; n <= 50; n++) await client.call('receivers.save', { ...edit, name: `own ${n}` });
  expect(await code(client.call('receivers.save', edit))).toBe('too_many_receivers');
});

it('restarts a sequence and clears a log on demand', async () => {
  const { running, view } = await startLab();
  expect(await post(view, 'flaky', '{}')).toBe(500);
  await receiversWhen(running, (now) => entry(now, 'flaky').position.hit === 1);
  await running.client.call('receivers.restart', { id: 'flaky' });
  await receiversWhen(running, (now) => entry(now, 'flaky').position.hit === 0);
  await running.client.call('receivers.clear', { id: 'flaky' });
  const cleared = await receiversWhen(running, (now) => entry(now, 'flaky').hits === 0);
  expect(entry(cleared, 'flaky')).toMatchObject({ recent: [], verdict: null });
  expect((await running.client.call('receivers.hits', { id: 'flaky', limit: 9 })).rows).toEqual([]);
});

it('use as webhook gives the webhook that has the URL already, and says when all five are used', async () => {
  const { running, view } = await startLab();
  const first = await running.client.call('receivers.useAsWebhook', { id: 'ok' });
  expect(first).toMatchObject({ slot: 1, name: 'Always 200', url: entry(view, 'ok').url });
  expect((await running.client.call('receivers.useAsWebhook', { id: 'ok' })).id).toBe(first.id);
  for (const id of ['flaky', '500', 'slow', 'gone']) await running.client.call('receivers.useAsWebhook', { id });
  await expect(running.client.call('receivers.useAsWebhook', { id: 'redirect' })).rejects.toMatchObject({
    code: 'too_many_webhooks',
  });
});

async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

it('a taken port is a state and the engine runs; another port is taken at once and kept', async () => {
  const workspace = tempWorkspace();
  const port = await takenPort();
  const running = await startEngine({ workspace, receivers: { httpsPort: 0 }, config: { receivers: { port } } });
  const view = await receiversWhen(
    running,
    ({ http, https }) => http.state === 'port_in_use' && https.state === 'listening',
  );
  expect(view.http.message).toBe(`Port ${port} is in use. Receivers are off.`);
  expect(entry(view, 'ok').url).toBeNull();
  expect(entry(view, 'tls').url).not.toBeNull();
  await expect(running.client.call('receivers.useAsWebhook', { id: 'ok' })).rejects.toMatchObject({
    code: 'receivers_off',
  });
  const after = await running.client.call('receivers.listen', { port: 0 });
  expect(after.http.state).toBe('listening');
  expect(after.https.port).toBe(view.https.port);
  await running.stop();
  const again = await startEngine({ workspace, key: running.key, receivers: {} });
  expect((await receiversWhen(again, listening)).http.port).not.toBe(port);
});

it('a worker that ends is a state with its reason; the engine runs on, and another try is made on demand', async () => {
  const worker = new URL('data:text/javascript,throw new Error("out of memory")');
  const running = await startEngine({ receivers: { port: 0, httpsPort: 0, worker } });
  const failed = ({ http, https }: ReceiversView): boolean => http.state === 'failed' && https.state === 'failed';
  const view = await receiversWhen(running, failed);
  expect(view.http.message).toBe('The receivers ended. out of memory');
  await expect(running.client.call('receivers.restart', { id: 'ok' })).rejects.toMatchObject({ code: 'receivers_off' });
  expect((await running.client.call('receivers.listen', {})).http.state).toBe('failed');
  expect(running.log.filter(({ event }) => event === 'receivers_ended')).toHaveLength(2);
  expect(await running.track('Order Completed')).not.toBe('');
});

it('without a worker receivers are off, and say so', async () => {
  const running = await startEngine();
  expect(running.hello.parts.receivers.http).toMatchObject({
    state: 'off',
    message: 'Receivers are off for this start.',
  });
  await expect(running.client.call('receivers.listen', {})).rejects.toMatchObject({ code: 'receivers_off' });
  await expect(running.client.call('receivers.clear', { id: 'ok' })).rejects.toMatchObject({ code: 'receivers_off' });
});

it('takes receivers of the config file over: by id, added or changed, never removed', async () => {
  const workspace = tempWorkspace();
  const entries = [
    { id: 'mine', tls: false, steps: [step(418)], check },
    { id: 'ok', name: 'Always 202', tls: false, steps: [step(202)], check },
  ];
  const first = await startLab({ workspace, config: { receivers: { entries } } });
  expect(entry(first.view, 'mine').name).toBe('mine');
  expect(await post(first.view, 'ok', '{}', null)).toBe(202);
  await first.running.stop();
  const second = await startLab({ workspace, key: first.running.key, config: { receivers: { entries: [] } } });
  expect(entry(second.view, 'mine').steps[0]?.response).toMatchObject({ status: 418 });
});

it('the worker tells of a burst at most every 100 ms, and of its end', async () => {
  const told: number[] = [];
  const ended: string[] = [];
  let heard: () => void = () => {};
  const thread = new ReceiversThread(RECEIVERS_WORKER, {
    changed: (states) => {
      told.push(states.find(({ id }) => id === 'ok')?.hits ?? 0);
      heard();
    },
    ended: (message) => ended.push(message),
  });
  onTestFinished(() => thread.stop());
  await thread.ask('configure', BUILT_IN);
  const { port } = await thread.ask('listen', { scheme: 'http', port: 0 });
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 300 }, () => fetch(`http://127.0.0.1:${port}/r/ok`, { method: 'POST', body: '{}' })),
  );
  while (told.at(-1) !== 300) await new Promise<void>((resolve) => (heard = resolve));
  expect(told.length).toBeLessThanOrEqual((performance.now() - startedAt) / 100 + 3);
  await thread.stop();
  await expect(thread.ask('clear', { id: 'ok' })).rejects.toMatchObject({ code: 'receivers_off' });
  expect(ended).toEqual([]);
});

it('clients hear of a burst at most every 100 ms', async () => {
  const { running, view } = await startLab();
  const before = running.batches.filter(({ parts }) => parts.receivers !== undefined).length;
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 200 }, () => post(view, 'ok', '{}')));
  await receiversWhen(running, (now) => entry(now, 'ok').hits === 200);
  const told = running.batches.filter(({ parts }) => parts.receivers !== undefined).length - before;
  expect(told).toBeLessThanOrEqual(Math.ceil((performance.now() - startedAt) / 100) + 2);
});

it('the log of a receiver holds back the hidden headers of webhooks, also of one that was removed', async () => {
  const { running, view } = await startLab();
  const headers = [
    { name: 'X-Access', value: 'canary-access' },
    { name: 'X-Team', value: 'checkout', shown: true },
  ];
  const hook = { name: 'lab', url: entry(view, 'ok').url!, headers, enabled: true };
  const { id } = await running.client.call('webhooks.save', hook);
  await running.final(await running.track('Held back'));
  await running.client.call('webhooks.remove', { id });
  const [hit] = (await running.client.call('receivers.hits', { id: 'ok', limit: 1 })).rows;
  const told = await running.client.call('receivers.hit', { id: 'ok', hit: hit!.id });
  expect(told.headers).toEqual(
    expect.arrayContaining([
      { name: 'X-Access', hiddenLength: 13 },
      { name: 'X-Team', value: 'checkout' },
    ]),
  );
  expect(running.texts.join()).not.toContain('canary-access');
});
