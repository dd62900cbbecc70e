/** What the transport does around its connections: URLs, trust, limits, redirects and the close. */
import type { SecureContext } from 'node:tls';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Attempt } from '../../../src/core/delivery/transport/attempt.ts';
import type { ConnectionContext } from '../../../src/core/delivery/transport/connection.ts';
import {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from '../../../src/core/delivery/transport/http-transport.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const fakes = vi.hoisted(() => ({
  context: null as unknown,
  carried: [] as Array<{ origin: string; attempt: Attempt; path: string }>,
  closed: 0,
  trusted: [] as string[][],
  lookups: 0,
}));
vi.mock('../../../src/core/delivery/transport/pool.ts', () => ({
  ConnectionPool: class {
    readonly size = 3;
    readonly idle = 2;
    constructor(context: unknown) {
      fakes.context = context;
    }
    take(origin: string) {
      return { carry: (attempt: Attempt, path: string) => void fakes.carried.push({ origin, attempt, path }) };
    }
    async close(): Promise<void> {
      fakes.closed += 1;
    }
  },
}));
vi.mock('../../../src/core/delivery/transport/certificate.ts', () => ({
  createTrust: (own: string[]) => {
    fakes.trusted.push(own);
    return { own };
  },
}));
vi.mock('../../../src/core/delivery/transport/authorities.ts', () => ({
  readAuthorities: (text: string) => text.split(' '),
}));
vi.mock('../../../src/core/delivery/transport/dial.ts', () => ({
  createLookup: () => {
    fakes.lookups += 1;
    return 'the lookup of the system';
  },
}));

let time: SimTime;
let transport: HttpTransport;
beforeEach(() => {
  fakes.carried.length = 0;
  fakes.trusted.length = 0;
  fakes.closed = 0;
  fakes.lookups = 0;
  time = new SimTime();
  transport = make();
});
const make = (over: Partial<HttpTransportOptions> = {}): HttpTransport =>
  createHttpTransport({ clock: time, timers: time, ...over });
const context = (): ConnectionContext => fakes.context as ConnectionContext;
const request = (url: string, over: Partial<AttemptRequest> = {}): AttemptRequest => ({
  url,
  headers: [],
  body: new Uint8Array(),
  limitMs: 5_000,
  ...over,
});

describe('connections', () => {
  test('know the timers, how long they are kept and where they may not lead', () => {
    expect(context()).toMatchObject({ timers: time, keepAliveMs: 4_000, lookup: 'the lookup of the system' });
    expect(context().ownPorts()).toEqual([]);
    const lookup = async () => [];
    const ownPorts = () => [7];
    make({ lookup, ownPorts, keepAliveMs: 9 });
    expect(context()).toMatchObject({ timers: time, keepAliveMs: 9, lookup, ownPorts });
    expect(fakes.lookups).toBe(1);
  });

  test('are counted', () => {
    expect(transport.stats()).toEqual({ connections: 3, unused: 2 });
  });
});

describe('an attempt', () => {
  test.each([
    ['http://a.test', 'http://a.test', '/'],
    ['HTTPS://A.test:8443/x/y?z=1#f', 'https://a.test:8443', '/x/y?z=1'],
    ['http://a.test:80/?', 'http://a.test', '/'],
  ])('to %s is carried to %s, %s', (url, origin, path) => {
    void transport.send(request(url));
    expect(fakes.carried).toMatchObject([{ origin, path }]);
  });

  test.each([
    'ftp://a.test/',
    ' http://a.test/',
    'xhttp://a.test/',
    'http:/a.test',
    'http://',
    'http://u@a.test/',
    'http://:p@a.test/',
  ])('to %s is not sent', async (url) => {
    expect(await transport.send(request(url))).toMatchObject({
      outcome: 'no_connection',
      reason: 'unsupported_url',
      detail: 'The URL is not a plain http or https URL.',
    });
    expect(fakes.carried).toEqual([]);
  });

  test('has its limit', async () => {
    const sent = transport.send(request('http://a.test/', { limitMs: 70 }));
    await time.advance(70);
    expect((await sent).outcome).toBe('timed_out');
  });

  test('follows redirects where that is asked for', async () => {
    const sent = transport.send(request('http://a.test/', { maxRedirects: 1 }));
    const { attempt } = fakes.carried[0]!;
    attempt.answered({ version: '1.1', status: 302, statusText: '', headers: [['Location', '/next']] });
    attempt.answerEnded();
    await time.settle();
    expect(fakes.carried).toMatchObject([{ path: '/' }, { path: '/next' }]);
    fakes.carried[1]!.attempt.interrupt();
    expect((await sent).outcome).toBe('interrupted');
  });
});

describe('trust', () => {
  test('is built once, with the first attempt over https, before its limit runs', () => {
    void transport.send(request('http://a.test/'));
    expect(fakes.trusted).toEqual([]);
    void transport.send(request('https://a.test/'));
    expect(fakes.trusted).toEqual([[]]);
    void transport.send(request('https://a.test/'));
    context().trust();
    expect(fakes.trusted).toHaveLength(1);
  });

  test('is built anew for another list, from every certificate of its texts', () => {
    let list: readonly string[] = ['a b', 'c'];
    make({ ca: () => list });
    const first = context().trust() as SecureContext;
    expect([fakes.trusted, context().trust()]).toEqual([[['a', 'b', 'c']], first]);
    list = [...list];
    expect(context().trust()).not.toBe(first);
    expect(fakes.trusted).toHaveLength(2);
  });
});

describe('a close', () => {
  test('interrupts what is open, closes the connections and sends nothing more', async () => {
    const sent = [transport.send(request('http://a.test/')), transport.send(request('http://b.test/'))];
    await transport.close();
    expect((await Promise.all(sent)).map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted']);
    expect(fakes.closed).toBe(1);
    expect((await transport.send(request('http://a.test/'))).outcome).toBe('interrupted');
    expect(fakes.carried).toHaveLength(2);
  });

  test('leaves alone what has ended', async () => {
    const sent = transport.send(request('http://a.test/'));
    const { attempt } = fakes.carried[0]!;
    attempt.fail({ outcome: 'no_connection', reason: 'dns_failed', detail: 'x' });
    await sent;
    const interrupt = vi.spyOn(attempt, 'interrupt');
    await transport.close();
    expect(interrupt).not.toHaveBeenCalled();
  });
});
