/** Our client against the real engine: every kind of call, the limits of both sides, and its ingest's refusals. */
import { expect, onTestFinished, test } from 'vitest';
import { Client, type ClientOptions, type LossError } from '../../src/client/index.ts';
import { LIBRARY } from '../../src/client/version.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { checkedDelivery } from '../helpers/sdk-delivery.ts';

const SECRET = 'shared-secret-of-the-client-test';

function clientFor(engine: RunningEngine, options: ClientOptions = {}): { client: Client; losses: LossError[] } {
  const losses: LossError[] = [];
  const client = new Client(WRITE_KEY, { endpoint: engine.ingest, onError: (loss) => losses.push(loss), ...options });
  onTestFinished(async () => void (await client.close({ timeoutMs: 0 })));
  return { client, losses };
}

const rowsOf = async (engine: RunningEngine) =>
  (await engine.client.call('messages.list', { filter: {}, limit: 100 })).rows;

test('every kind of call is stored without a note and delivered, signed', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const engine = await startEngine({ config: configOf([{ url: receiver.url }], { secret: SECRET }) });
  const { client, losses } = clientFor(engine);
  const more = { context: { locale: 'de-AT' }, timestamp: '2012-12-02T00:30:08.276Z', integrations: { All: true } };
  const results = [
    client.identify({ ...more, userId: 'u1', traits: { email: 'zoë@example.com' } }),
    client.track({ ...more, userId: 'u1', event: 'Order <Done> & é\u2028', properties: { total: 12.5 } }),
    client.page({ ...more, userId: 'u1', name: 'Home', category: 'Docs', traits: { url: 'http://x/' } }),
    client.screen({ ...more, anonymousId: 'a1', name: 'Main' }),
    client.group({ ...more, userId: 'u1', groupId: 'g1', traits: { name: 'ACME' } }),
    client.alias({ ...more, userId: 'u1', previousId: 'a1' }),
  ];
  expect(results).toEqual(Array(6).fill(null));
  expect(await client.close()).toEqual({ sent: 6, lost: 0, losses: [] });
  expect(losses).toEqual([]);
  await receiver.waitFor(6);

  const bodies = receiver.requests.map((request) => checkedDelivery(request, SECRET).body);
  const context = { library: LIBRARY, locale: 'de-AT' };
  const byType = Object.fromEntries(bodies.map((body) => [String(body.type), body]));
  expect(byType).toMatchObject({
    identify: { userId: 'u1', traits: { email: 'zoë@example.com' }, context },
    track: { userId: 'u1', event: 'Order <Done> & é\u2028', properties: { total: 12.5 }, context },
    page: { userId: 'u1', name: 'Home', category: 'Docs', properties: { url: 'http://x/' }, context },
    screen: { anonymousId: 'a1', name: 'Main', context },
    group: { userId: 'u1', groupId: 'g1', traits: { name: 'ACME' }, context },
    alias: { 'User ID': 'u1', 'Previous ID': 'a1', context },
  });
  for (const { timestamp } of bodies) expect(String(timestamp)).toMatch(/^2012-12-02T00:30:\d\d\.\d{3}Z$/);
  const rows = await rowsOf(engine);
  expect(rows.flatMap(({ notes }) => notes)).toEqual([]);
});

test('the largest and deepest calls that the client takes are taken by ingest', async () => {
  const engine = await startEngine({ config: configOf([]) });
  const { client } = clientFor(engine, { maxQueuedMessages: 100, size: 50, logger: () => {} });
  const large = (length: number) => ({ userId: 'u', event: 'Large', properties: { note: 'é'.repeat(length) } });
  let length = 16_384;
  while (client.track(large(length))?.code === 'call_too_large') length -= 1;
  const deep = JSON.parse(`${'{"a":'.repeat(509)}1${'}'.repeat(509)}`) as object;
  expect(client.track({ userId: 'u', event: 'Deep', properties: { ...deep } })).toBeNull();
  expect(client.track({ userId: 'u', event: 'Id', messageId: 'm'.repeat(99) })).toBeNull();
  // More than fits into one request.
  for (let i = 0; i < 20; i++) expect(client.track(large(length))).toBeNull();
  const { sent, lost } = await client.close();
  expect({ sent, lost }).toEqual({ sent: 23, lost: 0 });
  const rows = await rowsOf(engine);
  expect(rows).toHaveLength(23);
  expect(rows.filter(({ state }) => state === 'rejected')).toEqual([]);
  expect(Math.max(...rows.map(({ size }) => size))).toBeGreaterThan(32_766);
});

test('a thousand calls of one turn arrive once each, in their order', async () => {
  const engine = await startEngine({ config: configOf([]) });
  const { client } = clientFor(engine);
  for (let n = 0; n < 1_000; n++) expect(client.track({ userId: 'u', event: `E${n}`, messageId: `m-${n}` })).toBeNull();
  expect(await client.flush()).toMatchObject({ sent: 1_000, lost: 0 });
  const ids: string[] = [];
  for (let before: number | undefined; ; ) {
    const { rows } = await engine.client.call('messages.list', { filter: {}, limit: 500, before });
    ids.push(...rows.map(({ messageId }) => messageId));
    if (rows.length === 0) break;
    before = rows.at(-1)!.id;
  }
  expect(ids.reverse()).toEqual(Array.from({ length: 1_000 }, (_, n) => `m-${n}`));
});

test('an unknown write key in strict mode is reported at once with what ingest says', async () => {
  const config = configOf([]);
  const engine = await startEngine({ config: { ...config, ingest: { mode: 'strict' } } });
  const losses: LossError[] = [];
  const client = new Client('nobody', { endpoint: engine.ingest, onError: (loss) => losses.push(loss) });
  client.track({ userId: 'u', event: 'E', messageId: 'mine' });
  expect(await client.close()).toMatchObject({ sent: 0, lost: 1 });
  expect(losses).toEqual([expect.objectContaining({ code: 'rejected', status: 401, tries: 1, count: 1 })]);
  expect(JSON.parse(losses[0]!.answer!)).toMatchObject({ success: false, code: 'unknown_source' });
  expect(losses[0]!.messages).toMatchObject([{ type: 'track', messageId: 'mine' }]);
});
