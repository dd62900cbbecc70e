/** A refused request that comes again, as SDKs send a 400 up to ten times: one row that counts. */
import { expect, test } from 'vitest';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { RawClient, type Sent, send } from '../helpers/ingest-http.ts';
import { basic } from '../helpers/ingest-parts.ts';

const start = (mode: 'segment' | 'strict' = 'segment') =>
  startEngine({ config: { ...configOf([]), ingest: { mode } } });

const headers = { Authorization: basic(WRITE_KEY) };
const call = (messageId: string, over: object = {}) => ({ type: 'track', userId: 'u', event: 'E', messageId, ...over });

async function times(engine: RunningEngine, count: number, sent: Sent): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1)
    statuses.push((await send(engine.hello.parts.status.listener.port, { headers, ...sent })).status);
  return statuses;
}

/** Oldest first. */
async function rows(engine: RunningEngine) {
  const { rows: all } = await engine.client.call('messages.list', { filter: {}, limit: 1000 });
  return all.reverse().map(({ state, reason, repeats }) => [state, reason, repeats]);
}

/** A batch of about 600 KB: twenty calls of 30 KB, as the Go client of version 2 makes them. */
const large = (first: string): string =>
  JSON.stringify({ batch: Array.from({ length: 20 }, (_, n) => call(`${first}-${n}`, { pad: 'x'.repeat(30_000) })) });

test('ten tries of a batch over 500 KB are one row that says so', async () => {
  const engine = await start();
  expect(new Set(await times(engine, 10, { body: large('a') }))).toEqual(new Set([400]));
  expect(await rows(engine)).toEqual([['rejected', 'batch_too_large', 9]]);
  const status = await engine.client.call('app.status');
  expect([status.total, status.counts.rejected]).toEqual([1, 1]);
});

test('another batch of the same length is another row, whole or in chunks', async () => {
  const engine = await start();
  for (const body of [large('a'), large('b')]) {
    await times(engine, 2, { body });
    await times(engine, 2, { body, chunked: true });
  }
  const row = ['rejected', 'batch_too_large', 1];
  expect(await rows(engine)).toEqual([row, row, row, row]);
});

test('it does not matter in which pieces it comes', async () => {
  const engine = await start();
  const body = large('a');
  const head = `POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${headers.Authorization}\r\n`;
  for (const piece of [100, 3_000, body.length]) {
    const client = new RawClient(engine.hello.parts.status.listener.port);
    client.socket.setNoDelay(true);
    await client.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
    await client.write(body.slice(0, piece));
    // An answer of the engine to somebody else: the piece has been read by then.
    await times(engine, 1, { path: '/health', method: 'GET' });
    await client.write(body.slice(piece));
    expect(await client.untilEnd()).toContain('HTTP/1.1 400');
    client.close();
  }
  expect(await rows(engine)).toEqual([['rejected', 'batch_too_large', 2]]);
});

test.each([
  ['what is no JSON', '{"batch":[', 'invalid_json'],
  ['what is no object', '[]', 'not_an_object'],
  ['2,501 calls', JSON.stringify({ batch: Array.from({ length: 2501 }, () => ({})) }), 'batch_too_large'],
])('%s', async (_, body, reason) => {
  const engine = await start();
  expect(await times(engine, 3, { body })).toEqual([400, 400, 400]);
  expect(await times(engine, 1, { body: `${body} ` })).toEqual([400]);
  expect(await rows(engine)).toEqual([
    ['rejected', reason, 2],
    ['rejected', reason, 0],
  ]);
});

test('in a batch with a call that is too large, each call is stored once', async () => {
  const engine = await start();
  const batch = [call('good'), call('large', { pad: 'x'.repeat(40_000) }), { userId: 'u', type: 'track' }];
  expect(await times(engine, 3, { body: JSON.stringify({ batch }) })).toEqual([400, 400, 400]);
  expect(await rows(engine)).toEqual([
    ['not_selected', 'no_webhook', 2],
    ['rejected', 'call_too_large', 2],
    ['rejected', 'event_not_defined', 2],
  ]);
  expect((await engine.client.call('messages.raw', { id: 3 })).position).toBe(2);
});

test('a rejected call that Segment answers with 200 is a row each time, since nobody sends it again', async () => {
  const engine = await start();
  const body = JSON.stringify({ batch: [call('x', { event: '' })] });
  expect(await times(engine, 2, { body })).toEqual([200, 200]);
  expect(await rows(engine)).toEqual([
    ['rejected', 'event_not_defined', 0],
    ['rejected', 'event_not_defined', 0],
  ]);
});

test('strict mode: a key without a source and bad calls are counted; once they are good they are stored', async () => {
  const engine = await start('strict');
  const body = JSON.stringify({ batch: [call('x')] });
  const nobody = { Authorization: basic('wk_late') };
  expect(await times(engine, 3, { body, headers: nobody })).toEqual([401, 401, 401]);
  const bad = JSON.stringify({ batch: [call('y', { event: '' })] });
  expect(await times(engine, 2, { body: bad })).toEqual([400, 400]);
  expect(await rows(engine)).toEqual([
    ['rejected', 'unknown_source', 2],
    ['rejected', 'event_not_defined', 1],
  ]);
  await engine.client.call('sources.save', {
    name: 'late',
    writeKey: 'wk_late',
    kind: 'server',
    enabled: true,
    webhooks: true,
  });
  expect(await engine.client.call('messages.reingestHeld', { writeKey: 'wk_late' })).toEqual({ calls: 1 });
  expect(await times(engine, 1, { body, headers: nobody })).toEqual([200]);
  expect(await rows(engine)).toEqual([
    ['rejected', 'event_not_defined', 1],
    ['not_selected', 'no_webhook', 1],
  ]);
});

test('what was stored over a restart is still known', async () => {
  const first = await start();
  await times(first, 2, { body: '{' });
  await first.stop();
  const { workspace, key } = first;
  const second = await startEngine({ workspace, key });
  await times(second, 1, { body: '{' });
  expect(await rows(second)).toEqual([['rejected', 'invalid_json', 2]]);
});
