/** Options that are set on a client that exists, as version 2 has them as fields: they take effect or throw. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Client } from '../../../src/client/index.ts';
import { numbered, numbersOf, simClient } from './sim-client.ts';

describe.each(['size', 'flushAt'] as const)('%s', (name) => {
  it('set to 1 sends every further message by itself, and at once what was queued', async () => {
    const { client, time, requests } = simClient();
    client.track(numbered(1));
    client.track(numbered(2));
    client[name] = 1;
    client.track(numbered(3));
    await time.advance(0);
    expect(requests.map(({ at, body }) => [at, body.batch.length])).toEqual([
      [0, 2],
      [0, 1],
    ]);
    expect(numbersOf(requests)).toEqual([1, 2, 3]);
    expect([client.size, client.flushAt]).toEqual([1, 1]);
  });

  it('set higher waits for more', async () => {
    const { client, time, requests } = simClient({ size: 2 });
    client[name] = 3;
    for (const n of [1, 2]) client.track(numbered(n));
    await time.advance(0);
    expect(requests).toHaveLength(0);
    client.track(numbered(3));
    await time.advance(0);
    expect(numbersOf(requests)).toEqual([1, 2, 3]);
  });

  it.each([0, 2_501, 1.5, Number.NaN, '1', undefined, null])('set to %s throws and changes nothing', (value) => {
    const { client } = simClient({ size: 7 });
    expect(() => {
      client[name] = value as number;
    }).toThrow(expect.objectContaining({ code: 'invalid_option', option: name }));
    expect(client.size).toBe(7);
  });

  it('over maxQueuedMessages throws, naming what was set', () => {
    const { client } = simClient({ maxQueuedMessages: 100 });
    expect(() => {
      client[name] = 101;
    }).toThrow(expect.objectContaining({ option: name }));
  });
});

describe.each(['flushAfterMs', 'flushAfter'] as const)('%s', (name) => {
  it('set on a client counts for what is queued too', async () => {
    const { client, time, requests } = simClient();
    client.track(numbered(1));
    await time.advance(1_000);
    client[name] = 2_000;
    await time.advance(999);
    expect(requests).toHaveLength(0);
    await time.advance(1);
    expect(requests.map(({ at }) => at)).toEqual([2_000]);
    await time.advance(10_000);
    expect(requests).toHaveLength(1);
  });

  it('set to 0 throws, naming what was set', () => {
    const { client } = simClient();
    expect(() => {
      client[name] = 0;
    }).toThrow(expect.objectContaining({ code: 'invalid_option', option: name }));
    expect(client.flushAfterMs).toBe(5_000);
  });
});

it('endpoint set on a client is where the next request goes, a retry too', async () => {
  const { client, time, requests, setAnswer } = simClient({ endpoint: 'http://one.test' });
  setAnswer(() => ({ status: 503 }));
  client.track(numbered(1));
  const done = client.flush();
  await time.advance(0);
  client.endpoint = 'http://two.test/';
  setAnswer(() => ({ status: 200 }));
  await time.advance(100);
  expect(await done).toMatchObject({ sent: 1 });
  expect(requests.map(({ url }) => url)).toEqual(['http://one.test/v1/batch', 'http://two.test/v1/batch']);
  expect(client.endpoint).toBe('http://two.test/');
  expect(() => {
    client.endpoint = 'ftp://three.test';
  }).toThrow(expect.objectContaining({ option: 'endpoint' }));
  expect(client.endpoint).toBe('http://two.test/');
});

it('verbose set on a client turns logging on and off', () => {
  const { client, log } = simClient();
  client.track(numbered(1));
  client.verbose = true;
  expect(client.verbose).toBe(true);
  client.track(numbered(2));
  client.verbose = false;
  client.track(numbered(3));
  expect(log).toHaveLength(1);
});

it.each(['endpoint', 'verbose'] as const)('%s set to nothing throws, naming what was set', (name) => {
  const { client } = simClient();
  expect(() => Object.assign(client, { [name]: undefined })).toThrow(
    expect.objectContaining({ option: name, message: `${name} is missing.` }),
  );
});

it.each(['concurrency', 'timeoutMs', 'maxTries', 'maxQueuedMessages', 'onError', 'logger', 'allowAnonymousPages'])(
  "%s is the constructor's alone: setting it throws",
  (name) => {
    const { client } = simClient();
    expect(() => Object.assign(client, { [name]: 1 })).toThrow(
      expect.objectContaining({ code: 'invalid_option', option: name }),
    );
  },
);

it('the types say the same', () => {
  expectTypeOf<Client['size']>().toEqualTypeOf<number>();
  expectTypeOf<
    Pick<Client, 'size' | 'flushAt' | 'flushAfterMs' | 'flushAfter' | 'endpoint' | 'verbose'>
  >().toEqualTypeOf<{
    size: number;
    flushAt: number;
    flushAfterMs: number;
    flushAfter: number;
    endpoint: string;
    verbose: boolean;
  }>();
  const set = (client: Client): void => {
    client.size = 1;
    // @ts-expect-error: a number
    client.size = '1';
    // @ts-expect-error: given to the constructor
    client.concurrency = 2;
    // @ts-expect-error: read alone
    client.stats = null as never;
  };
  expect(set).toBeTypeOf('function');
});
