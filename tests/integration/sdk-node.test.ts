/** Segment's own Node libraries, unmodified, and our client, through the engine to a receiver. */
import { Analytics as Analytics3 } from '@segment/analytics-node';
import { Analytics as Analytics1 } from 'analytics-node-1';
import { Analytics as Analytics2 } from 'analytics-node-2';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Client } from '../../src/client/index.ts';
import { LIBRARY } from '../../src/client/version.ts';
import { configOf, type RunningEngine, startEngine, WRITE_KEY } from '../helpers/engine-fixture.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { type CheckedDelivery, checkedDelivery, signatureOver } from '../helpers/sdk-delivery.ts';

const SECRET = 'shared-secret-of-the-sdk-test';
const AT = new Date('2026-03-04T05:06:07.089Z');
const GIVEN_CONTEXT = { ip: '203.0.113.24', locale: 'de-AT', app: { name: 'Shop', version: '2.1.0', build: '77' } };

type Analytics = Pick<
  Analytics3,
  'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias' | 'closeAndFlush' | 'on'
>;
interface Sdk {
  readonly name: string;
  readonly library: { readonly name: string; readonly version: string };
  /** The category of a page among its properties too. */
  readonly copiesCategory: boolean;
  make(host: string): Analytics;
}

const segment = (version: string, make: Sdk['make']): Sdk => ({
  name: `@segment/analytics-node ${version}`,
  library: { name: '@segment/analytics-node', version },
  copiesCategory: true,
  make,
});

/** Our client under the names of the others: what it posts and what it loses are told in their events. */
function ownClient(endpoint: string): Analytics {
  const listeners = new Map<string, (event: unknown) => void>();
  const client = new Client(WRITE_KEY, {
    endpoint,
    fetch: (url, init) => {
      listeners.get('http_request')?.({ body: init.body });
      return fetch(url, init);
    },
    onError: (loss) => listeners.get('error')?.(loss),
  });
  const call =
    (kind: 'identify' | 'track' | 'page' | 'screen' | 'group' | 'alias') =>
    (message: unknown): void =>
      expect((client[kind] as (given: unknown) => unknown).call(client, message)).toBeNull();
  return {
    identify: call('identify'),
    track: call('track'),
    page: call('page'),
    screen: call('screen'),
    group: call('group'),
    alias: call('alias'),
    on: (name: string, listener: (event: unknown) => void) => listeners.set(name, listener),
    closeAndFlush: () => client.close(),
  } as unknown as Analytics;
}

const sdks: readonly Sdk[] = [
  segment('3.1.0', (host) => new Analytics3({ writeKey: WRITE_KEY, host })),
  segment('2.2.1', (host) => new Analytics2({ writeKey: WRITE_KEY, host }) as unknown as Analytics),
  segment('1.3.0', (host) => new Analytics1({ writeKey: WRITE_KEY, host }) as unknown as Analytics),
  { name: 'hookbench/client', library: LIBRARY, copiesCategory: false, make: ownClient },
];

/** Every kind of call that the library has, each once, all with the same time. */
function callAll(analytics: Analytics): void {
  // A copy: Segment's libraries write their name into the context that they are given.
  const common = { timestamp: AT, context: structuredClone(GIVEN_CONTEXT) };
  analytics.identify({
    ...common,
    userId: 'u1',
    traits: { email: 'zoë@example.com', age: 41, ключ: '<&>\u2028', createdAt: AT },
  });
  analytics.track({
    ...common,
    userId: 'u1',
    event: 'Order <Done> & é',
    properties: { total: 12.5, items: [{ sku: 'A', n: 1 }], none: null, deep: { yes: true } },
  });
  analytics.page({
    ...common,
    userId: 'u1',
    name: 'Home',
    category: 'Docs',
    properties: { path: '/', referrer: '', title: 'Start', url: 'https://example.com/' },
  });
  analytics.screen({ ...common, anonymousId: 'a1', name: 'Main', properties: { tab: 2 } });
  analytics.group({ ...common, userId: 'u1', groupId: 'g1', traits: { name: 'ACME', seats: 30 } });
  analytics.alias({ ...common, userId: 'u1', previousId: 'a1' });
}

const TYPES = ['alias', 'group', 'identify', 'page', 'screen', 'track'];

/** The documented bodies (delivery specification, section 2.2) of {@link callAll}, keys in order. */
function documentedBodies({ copiesCategory }: Sdk, timestamp: string, context: unknown): Record<string, unknown>[] {
  const user = { userId: 'u1', timestamp, version: 1 };
  return [
    { type: 'alias', timestamp, version: 1, 'Previous ID': 'a1', 'User ID': 'u1', context },
    { type: 'group', ...user, groupId: 'g1', traits: { name: 'ACME', seats: 30 }, context },
    {
      type: 'identify',
      ...user,
      traits: { email: 'zoë@example.com', age: 41, ключ: '<&>\u2028', createdAt: AT.toISOString() },
      context,
    },
    {
      type: 'page',
      ...user,
      properties: {
        path: '/',
        referrer: '',
        title: 'Start',
        url: 'https://example.com/',
        ...(copiesCategory && { category: 'Docs' }),
      },
      name: 'Home',
      category: 'Docs',
      context,
    },
    { type: 'screen', anonymousId: 'a1', timestamp, version: 1, name: 'Main', properties: { tab: 2 }, context },
    {
      type: 'track',
      ...user,
      event: 'Order <Done> & é',
      properties: { total: 12.5, items: [{ sku: 'A', n: 1 }], none: null, deep: { yes: true } },
      context,
    },
  ];
}

const byType = <T extends { body: Record<string, unknown> }>(deliveries: T[]): T[] =>
  deliveries.sort((a, b) => String(a.body.type).localeCompare(String(b.body.type)));

interface Sent {
  readonly engine: RunningEngine;
  readonly receiver: Receiver;
  readonly deliveries: readonly CheckedDelivery[];
  /** Bodies of the requests that the library made, parsed. */
  readonly batches: readonly Record<string, unknown>[];
}

/** Sends {@link callAll} through the library and waits until every call has been delivered. */
async function sendAll(sdk: Sdk, body: 'documented' | 'pass-through'): Promise<Sent> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const webhook = { url: receiver.url, headers: { 'X-Team': 'checkout' } };
  const engine = await startEngine({ config: configOf([webhook], { secret: SECRET, body }) });
  const analytics = sdk.make(engine.ingest);
  const batches: Record<string, unknown>[] = [];
  const failures: unknown[] = [];
  analytics.on('http_request', (request) => {
    const { body: sent } = request as { body: unknown };
    batches.push((typeof sent === 'string' ? JSON.parse(sent) : sent) as Record<string, unknown>);
  });
  analytics.on('error', (error) => failures.push(error));
  callAll(analytics);
  await analytics.closeAndFlush();
  expect(failures).toEqual([]);
  await engine.until(async () => {
    const { counts } = await engine.client.call('app.status');
    return counts.delivered === TYPES.length || undefined;
  });
  return { engine, receiver, deliveries: byType(receiver.requests.map((r) => checkedDelivery(r, SECRET))), batches };
}

/** What the engine stored of the call, and when it received it. */
async function storedCalls(engine: RunningEngine): Promise<Map<string, Record<string, string>>> {
  const { rows } = await engine.client.call('messages.list', { filter: {}, limit: 100 });
  const calls = new Map<string, Record<string, string>>();
  for (const { id, type } of rows) {
    const { callJson } = await engine.client.call('messages.get', { id });
    calls.set(type, JSON.parse(callJson!) as Record<string, string>);
  }
  return calls;
}

describe.each(sdks)('$name', (sdk) => {
  test('every kind of call arrives once, signed, with the documented headers and body', async () => {
    const { engine, receiver, deliveries, batches } = await sendAll(sdk, 'documented');
    expect(receiver.requests).toHaveLength(TYPES.length);
    expect(batches.length).toBeGreaterThan(0);

    const calls = await storedCalls(engine);
    expect([...calls.keys()].sort()).toEqual(TYPES);
    // The library's clock is this machine's: what lies between sending and receipt is latency, and nothing moves.
    const context = { ...GIVEN_CONTEXT, library: sdk.library };
    const expected = documentedBodies(sdk, AT.toISOString(), context);
    expect(deliveries.map(({ body }) => body)).toEqual(expected);
    expect(deliveries.map(({ body }) => Object.keys(body))).toEqual(expected.map((body) => Object.keys(body)));

    for (const [i, { headers }] of deliveries.entries()) {
      const signature = signatureOver(SECRET, JSON.stringify(deliveries[i]!.body));
      expect(headers).toEqual([
        ['User-Agent', 'Hookbench/1.0'],
        ['Content-Type', 'application/json'],
        ['X-Signature', signature],
        ['X-Team', 'checkout'],
      ]);
    }
  });

  test('the bytes that it sent are the bytes stored', async () => {
    const { engine, batches } = await sendAll(sdk, 'documented');
    const sent = batches.flatMap((batch) => batch.batch as Record<string, unknown>[]);
    const calls = await storedCalls(engine);
    for (const call of sent) {
      const stored = calls.get(String(call.type));
      expect(stored).toMatchObject(JSON.parse(JSON.stringify(call)) as object);
      expect(stored?.originalTimestamp).toBe(AT.toISOString());
    }
    const { rows } = await engine.client.call('messages.list', { filter: {}, limit: 100 });
    expect(rows.map(({ messageId }) => messageId).sort()).toEqual(sent.map(({ messageId }) => messageId).sort());
    expect(rows.flatMap(({ notes }) => notes)).toEqual([]);
  });
});

test('the pass-through shape delivers the whole normalised message, under the same signature rule', async () => {
  const { engine, deliveries } = await sendAll(sdks[0]!, 'pass-through');
  const calls = await storedCalls(engine);
  expect(deliveries.map(({ body }) => body)).toEqual(TYPES.map((type) => calls.get(type)));
  const track = deliveries.at(-1)!.body;
  expect(Object.keys(track).sort()).toEqual(
    [
      '_metadata',
      'context',
      'event',
      'integrations',
      'messageId',
      'originalTimestamp',
      'properties',
      'receivedAt',
      'sentAt',
      'timestamp',
      'type',
      'userId',
    ].sort(),
  );
  expect(track).not.toHaveProperty('writeKey');
});
