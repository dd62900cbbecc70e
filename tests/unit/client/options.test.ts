import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client, type ClientOptions, callErrorCodes, lossCodes, OptionError } from '../../../src/client/index.ts';
import { defaults } from '../../../src/client/limits.ts';
import { namesAnalytics } from '../../../src/client/log.ts';
import { batchUrl, settingsOf, withChange } from '../../../src/client/options.ts';
import { uuidFromRandomBytes } from '../../../src/client/platform.ts';
import { VERSION } from '../../../src/client/version.ts';
import { numbered, simClient } from './sim-client.ts';

const fileOf = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

afterEach(() => vi.unstubAllEnvs());

describe('options', () => {
  const bad: readonly [string, object][] = [
    ['size', { size: 0 }],
    ['size', { size: 2.5 }],
    ['size', { size: 2_501 }],
    ['size', { size: '20' }],
    ['size', { flushAt: -1 }],
    ['flushAt', { size: 5, flushAt: 6 }],
    ['flushAfter', { flushAfterMs: 5, flushAfter: 6 }],
    ['flushAfterMs', { flushAfterMs: Number.NaN }],
    ['flushAfterMs', { flushAfterMs: Number.POSITIVE_INFINITY }],
    ['maxQueuedMessages', { maxQueuedMessages: 0 }],
    ['maxQueuedBytes', { maxQueuedBytes: 1_000 }],
    ['size', { size: 30, maxQueuedMessages: 29 }],
    ['concurrency', { concurrency: 0 }],
    ['maxTries', { maxTries: 0 }],
    ['flushIntervall', { flushIntervall: 3 }],
    ['verbose', { verbose: 1 }],
    ['onError', { onError: {} }],
    ['clock', { clock: { wall: () => 0 } }],
    ['timers', { timers: null }],
    ['endpoint', { endpoint: '' }],
    ['endpoint', { endpoint: 'localhost:8765' }],
    ['endpoint', { endpoint: 'ftp://localhost' }],
    ['endpoint', { endpoint: 'http://user@localhost' }],
    ['endpoint', { endpoint: 'http://localhost/?a=1' }],
    ['endpoint', { endpoint: 7 }],
    ['endpoint', { endpoint: new URL('http://localhost') }],
    ['options', null as unknown as object],
  ];
  it.each(bad)('a bad %s (%o) is told when the client is made', (option, options) => {
    const make = (): Client => new Client('wk', options as ClientOptions);
    expect(make).toThrowError(expect.objectContaining({ name: 'OptionError', code: 'invalid_option', option }));
  });

  const DAY = 86_400_000;
  const MOST = Number.MAX_SAFE_INTEGER;
  it.each([
    ['size', 1, 2_500],
    ['flushAfterMs', 1, DAY],
    ['maxQueuedMessages', 20, MOST],
    ['maxQueuedBytes', 32_768, MOST],
    ['concurrency', 1, 100],
    ['timeoutMs', 1, DAY],
    ['maxTries', 1, 1_000],
    ['backoffMs', 1, DAY],
    ['backoffCapMs', 1, DAY],
    ['retryAfterCapMs', 0, DAY],
  ] as const)('%s is a whole number from %i to %i', (name, least, most) => {
    const set = (value: number) => settingsOf('wk', { [name]: value })[name];
    expect([set(least), set(most)]).toEqual([least, most]);
    expect(() => set(least - 1)).toThrow(OptionError);
    expect(() => set(most + 1)).toThrow(OptionError);
    expect(() => set(least + 0.5)).toThrow(OptionError);
  });

  it('without any, the settings are the defaults', () => {
    expect(settingsOf('wk', {})).toEqual({
      ...defaults,
      url: 'http://localhost:8765/v1/batch',
      authorization: 'Basic d2s6',
      allowAnonymousPages: false,
      verbose: false,
    });
    expect(settingsOf('wk', { allowAnonymousPages: true, verbose: true, flushAt: 7, flushAfter: 8 })).toMatchObject({
      allowAnonymousPages: true,
      verbose: true,
      size: 7,
      flushAfterMs: 8,
    });
  });

  it.each([
    [{ size: 0 }, 'size must be a whole number from 1 to 2500.'],
    [{ maxQueuedMessages: 0 }, 'maxQueuedMessages must be a whole number from 1 on.'],
    [{ size: 30, maxQueuedMessages: 29 }, 'size is 30, more than maxQueuedMessages (29).'],
    [{ size: 5, flushAt: 6 }, 'size and flushAt are the same option: give one of them.'],
    [{ flushAfterMs: 5, flushAfter: 6 }, 'flushAfterMs and flushAfter are the same option: give one of them.'],
    [{ ['x'.repeat(41)]: 1 }, `There is no option "${'x'.repeat(40)}".`],
    [{ verbose: 1 }, 'verbose must be true or false.'],
    [{ allowAnonymousPages: null }, 'allowAnonymousPages must be true or false.'],
    [{ onError: {} }, 'onError must be a function.'],
    [{ logger: 1 }, 'logger must be a function.'],
    [{ fetch: 'x' }, 'fetch must be a function.'],
    [{ clock: { wall: () => 0 } }, 'clock must have a function mono.'],
    [{ clock: { mono: () => 0 } }, 'clock must have a function wall.'],
    [{ timers: {} }, 'timers must have a function after.'],
    [{ ids: null }, 'ids must have a function uuid.'],
    [{ endpoint: 'ftp://x' }, 'endpoint must be an http or https address.'],
    [{ endpoint: 'http://user@x' }, 'endpoint may not hold a user: the write key is sent as one.'],
    [{ endpoint: 'http://:pass@x' }, 'endpoint may not hold a user: the write key is sent as one.'],
    [{ endpoint: 'http://x/?a' }, 'endpoint may not hold ? or #.'],
    [{ endpoint: 'http://x/#a' }, 'endpoint may not hold ? or #.'],
    [null, 'options must be an object.'],
    ['text', 'options must be an object.'],
  ])('%j is refused in words', (options, message) => {
    expect(() => settingsOf('wk', options as ClientOptions)).toThrow(
      expect.objectContaining({ name: 'OptionError', message }),
    );
  });

  it.each([
    [undefined, 'The write key is missing.'],
    ['', 'The write key is missing.'],
    ['a:b', 'The write key may hold visible ASCII characters but the colon.'],
    ['\u007f', 'The write key may hold visible ASCII characters but the colon.'],
    [' a', 'The write key may hold visible ASCII characters but the colon.'],
    ['a ', 'The write key may hold visible ASCII characters but the colon.'],
  ])('the write key %j is refused in words', (key, message) => {
    expect(() => settingsOf(key, {})).toThrow(expect.objectContaining({ option: 'writeKey', message }));
  });

  it('the write key may hold every visible character but the colon', () => {
    const key = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))
      .join('')
      .replace(':', '');
    expect(settingsOf(key, {}).authorization).toBe(`Basic ${btoa(`${key}:`)}`);
  });

  it.each([undefined, null])('a change to %s is refused by the name that was set', (value) => {
    const change = () => withChange(settingsOf('wk', {}), 'flushAt', { size: value as unknown as number });
    expect(change).toThrow(expect.objectContaining({ option: 'flushAt', message: 'flushAt is missing.' }));
  });

  it('a change is told under the name that was set', () => {
    const settings = settingsOf('wk', { maxQueuedMessages: 100 });
    expect(() => withChange(settings, 'flushAfter', { flushAfterMs: 0 })).toThrow(
      'flushAfter must be a whole number from 1 to 86400000.',
    );
    expect(() => withChange(settings, 'flushAt', { size: 101 })).toThrow(
      'flushAt is 101, more than maxQueuedMessages (100).',
    );
    expect(() => withChange(settings, 'verbose', { verbose: 1 as unknown as boolean })).toThrow(
      'verbose must be true or false.',
    );
    expect(withChange(settings, 'size', { size: 100 })).toEqual({ ...settings, size: 100 });
    expect(withChange(settings, 'endpoint', { endpoint: 'https://a.test' })).toEqual({
      ...settings,
      endpoint: 'https://a.test',
      url: 'https://a.test/v1/batch',
    });
  });

  it.each(['', 'a:b', 'with blank', 'é', 'new\nline', undefined])('the write key %j is refused', (key) => {
    expect(() => new Client(key as string)).toThrowError(expect.objectContaining({ option: 'writeKey' }));
  });

  it('size and flushAt, flushAfterMs and flushAfter may be given both when they agree', () => {
    expect(() => new Client('wk', { size: 5, flushAt: 5, flushAfter: 9, flushAfterMs: 9 })).not.toThrow();
  });

  it.each([
    ['http://localhost:8765', 'http://localhost:8765/v1/batch'],
    ['http://localhost:8765/', 'http://localhost:8765/v1/batch'],
    ['http://localhost:8765/v1', 'http://localhost:8765/v1/batch'],
    ['http://localhost:8765/v1/batch', 'http://localhost:8765/v1/batch'],
    ['http://localhost:8765/v1/import/', 'http://localhost:8765/v1/import'],
    ['https://proxy.example/segment', 'https://proxy.example/segment/v1/batch'],
    ['https://proxy.example/segment/v1//', 'https://proxy.example/segment/v1/batch'],
    ['http://localhost/v1/b', 'http://localhost/v1/b'],
    ['http://localhost/a/v1/batch//', 'http://localhost/a/v1/batch'],
    ['http://localhost/v1/batch/more', 'http://localhost/v1/batch/more/v1/batch'],
    ['http://localhost/v1/bat', 'http://localhost/v1/bat/v1/batch'],
    ['http://localhost/batch', 'http://localhost/batch/v1/batch'],
    ['http://localhost/v1/x/y', 'http://localhost/v1/x/y/v1/batch'],
  ])('the endpoint %s is posted to at %s', (endpoint, url) => {
    expect(batchUrl(endpoint)).toBe(url);
  });

  it('ids gives the messageId of a call', async () => {
    const { client, time, requests } = simClient({ size: 1, ids: { uuid: () => 'mine' } });
    client.track(numbered(1));
    await time.settle();
    expect(requests[0]!.body).toMatchObject({ messageId: 'mine', batch: [{ messageId: 'mine' }] });
  });

  it('the write key travels as the Basic user with an empty password', async () => {
    const { client, time, requests } = simClient({ size: 1 });
    client.track(numbered(1));
    await time.settle();
    expect(requests[0]!.init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      credentials: 'omit',
      keepalive: false,
      headers: {
        Authorization: `Basic ${Buffer.from('wk:').toString('base64')}`,
        'Content-Type': 'application/json',
        'User-Agent': `hookbench-client (version: ${VERSION})`,
      },
    });
  });
});

describe('logging', () => {
  it('is switched by DEBUG while the program runs', async () => {
    vi.stubEnv('DEBUG', '');
    const { client, time, log } = simClient({ size: 2 });
    client.track(numbered(1));
    expect(log).toEqual([]);
    vi.stubEnv('DEBUG', 'analytics');
    client.track(numbered(2));
    await time.settle();
    expect(log).toEqual([
      expect.stringMatching(/^debug analytics: queued track, \d+ bytes \(2 of 2\)$/),
      expect.stringMatching(/^debug analytics: sent 2 messages, \d+ bytes, try 1$/),
    ]);
    vi.stubEnv('DEBUG', 'other');
    client.track(numbered(3));
    expect(log).toHaveLength(2);
  });

  it('says no payload and no write key', async () => {
    const { client, time, log, setAnswer } = simClient({ size: 1, verbose: true, maxTries: 2 });
    setAnswer(() => ({ status: 503 }));
    client.identify({ userId: 'secret-user', traits: { email: 'secret@example.com' } });
    await time.advance(1_000);
    expect(log.length).toBeGreaterThan(2);
    expect(log.join('\n')).not.toMatch(/secret|wk/);
  });

  it('never stops the sending', async () => {
    const { client, time, requests } = simClient({
      size: 1,
      verbose: true,
      logger: () => {
        throw new Error('disk full');
      },
    });
    expect(client.track(numbered(1))).toBeNull();
    await time.settle();
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['analytics', true],
    ['*', true],
    ['http, analytics', true],
    ['http analytics', true],
    ['*,-analytics', false],
    ['analytics-node', false],
    ['Analytics', false],
    ['', false],
    ['a,,\t analytics', true],
    ['xanalytics', false],
    ['-analytics', false],
  ])('DEBUG=%s: %s', (setting, on) => {
    expect(namesAnalytics(setting)).toBe(on);
  });
});

describe('docs/client.md', () => {
  const page = fileOf('docs/client.md');
  const codesIn = (heading: string): string[] => {
    const section = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
    return [...section.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code!);
  };

  it('lists every error code', () => {
    expect(codesIn('Errors of calls')).toEqual([...callErrorCodes]);
    expect(codesIn('Lost messages')).toEqual([...lossCodes]);
  });

  it.each(Object.entries(defaults))('says the default of %s', (name, value) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``));
    expect(row).toContain(`| \`${value}\``);
  });

  it('lists every option that there is', () => {
    const [, type] = /interface ClientOptions \{([\s\S]*?)\n\}/.exec(fileOf('src/client/types.ts'))!;
    const options = [...type!.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name!);
    expect(options.filter((name) => !page.includes(`| \`${name}\``))).toEqual([]);
  });
});

it('the version is that of the package', () => {
  expect((JSON.parse(fileOf('package.json')) as { version: string }).version).toBe(VERSION);
});

it('ids made from random bytes are UUIDs of version 4, no two alike', () => {
  const ids = Array.from({ length: 200 }, uuidFromRandomBytes);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(200);
});

it('the sources import nothing but themselves', () => {
  const names = [
    'batch',
    'call',
    'client',
    'errors',
    'flush-rule',
    'give-up',
    'index',
    'limits',
    'log',
    'measure',
    'options',
  ];
  const more = ['outbox', 'platform', 'post', 'retry-rule', 'tally', 'timestamp', 'types', 'version'];
  for (const name of [...names, ...more]) {
    const imports = [...fileOf(`src/client/${name}.ts`).matchAll(/from '([^']+)'/g)].map(([, from]) => from!);
    expect(imports.filter((from) => !/^\.\/[a-z-]+\.ts$/.test(from))).toEqual([]);
  }
});
