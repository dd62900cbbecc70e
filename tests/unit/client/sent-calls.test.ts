/** The message that a call becomes when it is sent. */
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { CallError, Kind } from '../../../src/client/index.ts';
import { good, kinds } from './any-call.ts';
import { simClient } from './sim-client.ts';

/** The message as it was sent. */
async function sent(kind: Kind, message: unknown, options = {}): Promise<Record<string, unknown>> {
  const { client, time, requests } = simClient({ size: 1, ...options });
  expect((client[kind] as (given: unknown) => CallError | null).call(client, message)).toBeNull();
  await time.settle();
  return requests[0]!.body.batch[0]!;
}

describe('what is sent', () => {
  it.each(kinds)('%s carries integrations, context, messageId and a time of the past as given', async (kind) => {
    const more = {
      integrations: { All: false, Webhooks: true, Other: { key: 1 } },
      context: { ip: '203.0.113.24' },
      messageId: 'mine',
      timestamp: '2012-12-02T00:30:08.276+02:00',
    };
    expect(await sent(kind, { ...good[kind], ...more })).toEqual({ ...good[kind], ...more, type: kind });
  });

  it('a date becomes ISO 8601, and a call without a time has that of the call', async () => {
    const at = new Date('2012-12-02T00:30:08.276Z');
    expect((await sent('track', { ...good.track, timestamp: at })).timestamp).toBe('2012-12-02T00:30:08.276Z');
    const ofAnotherRealm = runInNewContext('new Date(0)') as Date;
    expect((await sent('track', { ...good.track, timestamp: ofAnotherRealm })).timestamp).toBe(
      '1970-01-01T00:00:00.000Z',
    );
    const { client, time, requests } = simClient();
    await time.advance(1_234);
    client.track({ userId: 'u', event: 'E' });
    await time.advance(60_000);
    expect(requests[0]!.body.batch[0]!.timestamp).toBe('2025-01-15T12:00:01.234Z');
  });

  it.each(['page', 'screen'] as const)('%s sends its traits, or its properties, as properties', async (kind) => {
    const expected = { ...good[kind], type: kind, properties: { url: 'http://x/', more: 1 } };
    const view = { url: 'http://x/', more: 1 };
    expect(await sent(kind, { ...good[kind], traits: view })).toMatchObject(expected);
    expect(await sent(kind, { ...good[kind], properties: view })).toMatchObject(expected);
    expect(await sent(kind, { ...good[kind], traits: view })).not.toHaveProperty('traits');
  });

  it('empty maps and texts, null and undefined are left out, as in version 2', async () => {
    const empty = {
      traits: {},
      context: null,
      integrations: undefined,
      anonymousId: '',
      messageId: '',
      timestamp: null,
    };
    const message = await sent('identify', { userId: 'u', ...empty });
    expect(Object.keys(message)).toEqual(['userId', 'type', 'messageId', 'timestamp']);
  });

  it.each([
    ['identify', { anonymousId: 'a', userId: '' }, ['anonymousId']],
    ['track', { anonymousId: 'a', userId: '', event: 'E', properties: {} }, ['anonymousId', 'event']],
    ['page', { userId: 'u', anonymousId: '', name: '', category: '', properties: {} }, ['userId']],
    ['screen', { anonymousId: 'a', userId: null, name: null, category: null, traits: {} }, ['anonymousId']],
    ['group', { anonymousId: 'a', userId: '', groupId: 'g', traits: {}, timestamp: '' }, ['anonymousId', 'groupId']],
    ['alias', { userId: 'u', previousId: 'p', context: {}, integrations: {} }, ['previousId', 'userId']],
  ] as [Kind, object, string[]][])('%s %j leaves out what is empty', async (kind, message, fields) => {
    const { timestamp, ...rest } = await sent(kind, message);
    expect(Object.keys(rest)).toEqual([...fields, 'type', 'messageId']);
    expect(timestamp).toBe('2025-01-15T12:00:00.000Z');
  });

  it('fields stand in the order of version 2', async () => {
    const common = { userId: 'u', context: { a: 1 }, integrations: { a: true } };
    const view = { ...common, anonymousId: 'a', name: 'n', category: 'c', traits: { a: 1 } };
    const order = async (kind: Kind, message: object) =>
      Object.keys(await sent(kind, message))
        .slice(2, -3)
        .join();
    expect(await order('identify', { ...common, anonymousId: 'a', traits: { a: 1 } })).toBe(
      'traits,anonymousId,userId',
    );
    expect(await order('page', view)).toBe('properties,anonymousId,userId,category,name');
    expect(await order('screen', view)).toBe('properties,anonymousId,userId,category,name');
    expect(await order('track', { ...common, anonymousId: 'a', event: 'E', properties: { a: 1 } })).toBe(
      'properties,anonymousId,userId,event',
    );
    expect(await order('group', { ...common, anonymousId: 'a', groupId: 'g', traits: { a: 1 } })).toBe(
      'traits,anonymousId,userId,groupId',
    );
    expect(await order('alias', { ...common, previousId: 'p' })).toBe('previousId,userId');
  });

  it('an object that writes itself as JSON is written so', async () => {
    class Money {
      readonly #cents = 995;
      toJSON(): object {
        return { cents: this.#cents };
      }
    }
    expect(await sent('track', { ...good.track, properties: new Money() })).toMatchObject({
      properties: { cents: 995 },
    });
  });

  it('what the caller changes later is not sent', async () => {
    const { client, time, requests } = simClient();
    const properties = { n: 1 };
    client.track({ userId: 'u', event: 'E', properties });
    properties.n = 2;
    await time.advance(5_000);
    expect(requests[0]!.body.batch[0]!.properties).toEqual({ n: 1 });
  });
});
