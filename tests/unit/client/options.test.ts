import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Client, type ClientOptions, callErrorCodes, lossCodes } from '../../../src/client/index.ts';
import { defaults } from '../../../src/client/limits.ts';
import { namesAnalytics } from '../../../src/client/log.ts';
import { batchUrl } from '../../../src/client/options.ts';
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
  ];
  it.each(bad)('a bad %s (%o) is told when the client is made', (option, options) => {
    const make = (): Client => new Client('wk', options as ClientOptions);
    expect(make).toThrowError(expect.objectContaining({ name: 'OptionError', code: 'invalid_option', option }));
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
  ])('the endpoint %s is posted to at %s', (endpoint, url) => {
    expect(batchUrl(endpoint)).toBe(url);
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
