import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import {
  createHttpTransport,
  type HttpTransport,
  type HttpTransportOptions,
} from '../../src/core/delivery/transport/http-transport.ts';
import { MAX_IDLE_PER_ORIGIN } from '../../src/core/delivery/transport/pool.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import type { Header } from '../../src/core/model/header.ts';
import { answering, type RawReceiver, startRawReceiver, startSilentPort } from '../helpers/raw-receiver.ts';
import { startReceiver } from '../helpers/receivers.ts';
import { SimTime } from '../helpers/sim-ports.ts';
import { turnUntil } from '../helpers/turns.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function transport(options: Partial<HttpTransportOptions> = {}): HttpTransport {
  const made = createHttpTransport({ clock: systemClock, timers: systemTimers, ...options });
  closing.push(() => made.close());
  return made;
}

async function receiver(...args: Parameters<typeof startRawReceiver>): Promise<RawReceiver> {
  const started = await startRawReceiver(...args);
  closing.push(() => started.close());
  return started;
}

function post(
  to: HttpTransport,
  url: string,
  { limitMs = 5000, headers = [] as Header[], body = '{}' } = {},
): Promise<AttemptResult> {
  return to.send({ url, headers, body: Buffer.from(body), limitMs });
}

describe('the request', () => {
  it('is recorded exactly as it was written', async () => {
    const target = await receiver(answering(OK));
    const headers: Header[] = [
      ['User-Agent', 'Hookbench/1.0'],
      ['Content-Type', 'application/json'],
      ['X-Latin', 'caf\u00e9'],
      ['x-twice', 'one'],
      ['X-Twice', 'two'],
      ['X-Empty', ''],
    ];
    const body = '{"event":"Caf\u00e9 <b>&"}';

    const result = await post(transport(), `${target.url}a%20b?c=d#e`, { headers, body });

    const [head, sentBody] = target.requests[0]?.toString('latin1').split('\r\n\r\n') ?? [];
    const [requestLine, ...lines] = head?.split('\r\n') ?? [];
    expect(requestLine).toBe('POST /a%20b?c=d HTTP/1.1');
    expect(result.requestHeaders.map(([name, value]) => `${name}: ${value}`)).toEqual(lines);
    expect(result.requestHeaders).toEqual(expect.arrayContaining([...headers, ['host', `127.0.0.1:${target.port}`]]));
    expect(Buffer.from(sentBody ?? '', 'latin1').toString('utf8')).toBe(body);
  });

  it('may have an empty body', async () => {
    const target = await receiver(answering(OK));
    expect(await post(transport(), target.url, { body: '' })).toMatchObject({ outcome: 'accepted' });
    expect(target.requests[0]?.toString()).toContain('content-length: 0\r\n');
  });

  it('of a megabyte arrives whole', async () => {
    const target = await receiver(answering(OK));
    await post(transport(), target.url, { body: 'm'.repeat(1024 * 1024) });
    expect(target.requests[0]?.subarray(-1024 * 1024).equals(Buffer.alloc(1024 * 1024, 'm'))).toBe(true);
  });

  it('with a header that HTTP does not allow ends as a result, not as an exception', async () => {
    const target = await receiver(answering(OK));
    const result = await post(transport(), target.url, { headers: [['X-Bad', 'a\r\nInjected: b']] });
    expect(result).toMatchObject({ outcome: 'no_connection', reason: 'connection_error', requestHeaders: [] });
    expect(target.receivedBytes).toBe(0);
  });

  it.each(['ftp://127.0.0.1/', 'nonsense', 'http://user:secret@127.0.0.1/', 'file:///etc/passwd', 'https:127.0.0.1'])(
    'to %s is not sent',
    async (url) => {
      expect(await post(transport(), url)).toMatchObject({ outcome: 'no_connection', reason: 'unsupported_url' });
    },
  );
});

describe('the answer', () => {
  it('keeps its headers in order and case, repeated ones too', async () => {
    const target = await receiver(
      answering(
        'HTTP/1.1 200 Very OK\r\nX-B: 1\r\nset-cookie: a\r\nSet-Cookie: b\r\nX-A: \xe9\r\nContent-Length: 0\r\n\r\n',
      ),
    );
    const result = await post(transport(), target.url);
    expect(result.statusText).toBe('Very OK');
    expect(result.responseHeaders).toEqual([
      ['X-B', '1'],
      ['set-cookie', 'a'],
      ['Set-Cookie', 'b'],
      ['X-A', '\u00e9'],
      ['Content-Length', '0'],
    ]);
  });

  it('of 101 is recorded with its headers', async () => {
    const target = await receiver(
      answering('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
    const result = await post(transport(), target.url);
    expect(result).toMatchObject({ outcome: 'declined', status: 101, statusText: 'Switching Protocols' });
    expect(result.responseHeaders).toEqual([
      ['Connection', 'upgrade'],
      ['Upgrade', 'websocket'],
    ]);
  });

  it('is not followed when it is a redirect: 0 requests reach the target', async () => {
    const target = await startReceiver();
    closing.push(() => target.close());
    const redirecting = await receiver(
      answering(`HTTP/1.1 307 Elsewhere\r\nLocation: ${target.url}\r\nContent-Length: 0\r\n\r\n`),
    );
    expect(await post(transport(), redirecting.url)).toMatchObject({ outcome: 'declined', status: 307 });
    expect(target.requests).toHaveLength(0);
  });
});

describe('a connection', () => {
  it('is used again after a clean answer, and the second attempt has no connection phases', async () => {
    const target = await receiver(answering(OK));
    const sender = transport();
    const first = await post(sender, target.url);
    const second = await post(sender, target.url);
    expect(target.connections).toBe(1);
    expect(first.phases.tcpMs).toBeGreaterThan(0);
    expect(second.phases).toMatchObject({ dnsMs: null, tcpMs: null, tlsMs: null, certificateMs: null });
    expect(second.phases.waitMs).toBeGreaterThan(0);
  });

  it.each([
    ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
    ['bytes beyond the length', `${OK}surplus`],
    ['a second answer at once', OK + OK],
    ['a 204 with a body', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok'],
  ])('is never used again after %s', async (_name, answer) => {
    const target = await receiver(answering(answer));
    const sender = transport();
    expect(await post(sender, target.url)).toMatchObject({ outcome: 'accepted' });
    expect(sender.stats().unused).toBe(0);
    expect(await post(sender, target.url)).toMatchObject({ outcome: 'accepted' });
    expect(target.connections).toBe(2);
  });

  it('that closes as it is used again fails the attempt: nothing is resent in silence', async () => {
    const target = await receiver(({ socket, onRequest }) => {
      let count = 0;
      onRequest(() => {
        count += 1;
        if (count === 1) socket.write(OK);
        else socket.destroy();
      });
    });
    const sender = transport();
    await post(sender, target.url);

    const second = await post(sender, target.url);

    expect(second).toMatchObject({ outcome: 'no_connection', reason: 'connection_closed' });
    expect(target.requests).toHaveLength(2);
    expect(target.connections).toBe(1);
  });

  it('that was closed while unused is replaced before anything is written', async () => {
    const target = await receiver(answering(OK, 'end'));
    const sender = transport();
    for (let round = 1; round <= 3; round += 1) {
      expect(await post(sender, target.url)).toMatchObject({ outcome: 'accepted' });
      await target.allClosed(round);
    }
    expect(target.requests).toHaveLength(3);
  });

  it('carries one attempt at a time, and only a bounded number is kept', async () => {
    const many = MAX_IDLE_PER_ORIGIN + 8;
    const target = await startReceiver();
    closing.push(() => target.close());
    const sender = transport();

    const results = await Promise.all(Array.from({ length: many }, () => post(sender, target.url)));

    expect(results.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(sender.stats().unused).toBeLessThanOrEqual(MAX_IDLE_PER_ORIGIN);
    expect(sender.stats().unused).toBeGreaterThan(0);
  });

  it('that is unused closes by itself', async () => {
    const target = await receiver(answering(OK));
    const time = new SimTime();
    const sender = transport({ clock: time, timers: time, keepAliveMs: 100 });
    await post(sender, target.url);
    await time.advance(99);
    expect(sender.stats()).toEqual({ connections: 1, unused: 1 });

    await time.advance(1);

    await target.allClosed(1);
    await expect.poll(() => sender.stats()).toEqual({ connections: 0, unused: 0 });
  });
});

describe('names and addresses', () => {
  const lookupOf =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }));

  it('localhost finds a receiver on ::1 only', async () => {
    const target = await receiver(answering(OK), { host: '::1' });
    const result = await post(transport(), `http://localhost:${target.port}/`);
    expect(result).toMatchObject({ outcome: 'accepted', phases: { dnsMs: null } });
  });

  it('localhost finds a receiver on 127.0.0.1 only', async () => {
    const target = await receiver(answering(OK));
    expect(await post(transport(), `http://localhost:${target.port}/`)).toMatchObject({ outcome: 'accepted' });
  });

  it('a dead first address costs at most 250 ms', async () => {
    const dead = await startSilentPort('::1');
    closing.push(() => dead.close());
    const target = await receiver(answering(OK), { port: dead.port });
    const time = new SimTime();
    const sender = transport({ clock: time, timers: time, lookup: lookupOf('::1', '127.0.0.1') });

    const posted = post(sender, `http://two.test:${target.port}/`);
    await turnUntil(() => time.pending === 2);
    const waits = time.nextInMs!;
    await time.advance(waits);

    expect(await posted).toMatchObject({ outcome: 'accepted', phases: { dnsMs: 0, tcpMs: waits } });
    expect(waits).toBeGreaterThan(150);
    expect(waits).toBeLessThanOrEqual(250);
  });

  it('a refused first address costs nothing', async () => {
    const target = await receiver(answering(OK));
    const time = new SimTime();
    const sender = transport({ clock: time, timers: time, lookup: lookupOf('::1', '127.0.0.1') });
    const result = await post(sender, `http://two.test:${target.port}/`);
    expect(result).toMatchObject({ outcome: 'accepted', phases: { dnsMs: 0, tcpMs: 0 } });
  });

  it('a connection that is never taken up ends at the limit', async () => {
    const dead = await startSilentPort('127.0.0.1');
    closing.push(() => dead.close());
    const time = new SimTime();
    const posted = post(transport({ clock: time, timers: time }), `http://127.0.0.1:${dead.port}/`, { limitMs: 300 });
    await turnUntil(() => time.pending === 1);
    await time.advance(300);
    expect(await posted).toMatchObject({
      outcome: 'timed_out',
      requestHeaders: [],
      durationMs: 300,
      phases: { tcpMs: 300, sendMs: null },
    });
  });

  it('an unknown name is a DNS failure', async () => {
    const lookup = (): Promise<never> =>
      Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND no.test'), { code: 'ENOTFOUND' }));
    const result = await post(transport({ lookup }), 'http://no.test/');
    expect(result).toMatchObject({ outcome: 'no_connection', reason: 'dns_failed', requestHeaders: [] });
  });

  it('a silent name server ends at the limit', async () => {
    const lookup = (): Promise<never> => new Promise(() => {});
    const time = new SimTime();
    const posted = post(transport({ clock: time, timers: time, lookup }), 'http://silent.test/', { limitMs: 300 });
    await time.advance(300);
    expect(await posted).toMatchObject({ outcome: 'timed_out', reason: null, durationMs: 300, phases: { dnsMs: 300 } });
  });

  it('a port where nobody listens refuses', async () => {
    const target = await startRawReceiver(() => {});
    await target.close();
    expect(await post(transport(), target.url)).toMatchObject({
      outcome: 'no_connection',
      reason: 'connection_refused',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each(['127.0.0.1', '[::1]', 'localhost', '2130706433', '[::ffff:127.0.0.1]'])(
    'its own port is a loop, refused when dialled as %s',
    async (host) => {
      const target = await receiver(answering(OK));
      const result = await post(transport({ ownPorts: () => [target.port] }), `http://${host}:${target.port}/`);
      expect(result).toMatchObject({ outcome: 'no_connection', reason: 'connection_error' });
      expect(result.detail).toMatch(/^loop: /);
      expect(target.connections).toBe(0);
    },
  );

  it('a name that leads to its own port is a loop too', async () => {
    const target = await receiver(answering(OK));
    const sender = transport({ ownPorts: () => [target.port], lookup: lookupOf('127.0.0.1') });
    expect((await post(sender, `http://other.test:${target.port}/`)).detail).toMatch(/^loop: /);
    expect(target.connections).toBe(0);
  });

  it.each(['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fd00:ec2::254', '64:ff9b::a9fe:a9fe'])(
    'a name that leads to the link-local address %s is not dialled',
    async (address) => {
      const result = await post(transport({ lookup: lookupOf(address) }), 'http://metadata.test/');
      expect(result).toMatchObject({ outcome: 'no_connection', reason: 'connection_error', phases: { tcpMs: null } });
      expect(result.detail).toMatch(/^blocked: /);
    },
  );

  it.each([
    ['second', ['127.0.0.1', '169.254.169.254']],
    ['last', ['127.0.0.1', '127.0.0.2', 'fe80::1']],
  ] as const)('a name whose %s address is link-local is not dialled at all', async (_place, addresses) => {
    const target = await receiver(answering(OK));
    const result = await post(transport({ lookup: lookupOf(...addresses) }), `http://two.test:${target.port}/`);
    expect([result.outcome, result.detail]).toEqual(['no_connection', expect.stringMatching(/^blocked: /)]);
    expect(target.connections).toBe(0);
  });

  it('a name whose second address is its own port is a loop', async () => {
    const target = await receiver(answering(OK));
    const sender = transport({ ownPorts: () => [target.port], lookup: lookupOf('192.0.2.1', '127.0.0.1') });
    expect((await post(sender, `http://other.test:${target.port}/`)).detail).toMatch(/^loop: /);
    expect(target.connections).toBe(0);
  });
});

describe('the bound on what is read of an answer', () => {
  it('begins again with each answer of a kept connection', async () => {
    const target = await receiver(answering(`HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n${'b'.repeat(60_000)}`));
    const sender = transport();
    for (let turn = 0; turn < 6; turn += 1)
      expect(await post(sender, target.url)).toMatchObject({ outcome: 'accepted', reason: null, responseCut: false });
    expect(target.connections).toBe(1);
  });
});

describe('close', () => {
  it('interrupts what is open and leaves no connection behind', async () => {
    const target = await receiver(() => {});
    const sender = transport();
    const open = [post(sender, target.url), post(sender, target.url)];
    await new Promise<void>((resolve) => {
      const check = (): void => (target.connections === 2 ? resolve() : void setImmediate(check));
      check();
    });

    await sender.close();

    expect((await Promise.all(open)).map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted']);
    await target.allClosed(2);
    expect(sender.stats()).toEqual({ connections: 0, unused: 0 });
  });

  it('keeps the answer of an attempt whose headers were complete', async () => {
    const target = await receiver(answering('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf'));
    const sender = transport();
    let result: AttemptResult | null = null;
    const open = post(sender, target.url).then((ended) => {
      result = ended;
    });
    // The answer is one packet: once the next loopback round trip is over, it has been read.
    const other = await startReceiver();
    closing.push(() => other.close());
    await post(sender, other.url);
    await post(sender, other.url);
    expect(result).toBeNull();

    await sender.close();
    await open;

    expect(result).toMatchObject({ outcome: 'accepted', status: 200, responseCut: true });
  });

  it('may be called twice, and attempts after it are interrupted at once', async () => {
    const target = await receiver(answering(OK));
    const sender = transport();
    await sender.close();
    await sender.close();
    expect(await post(sender, target.url)).toMatchObject({ outcome: 'interrupted', requestHeaders: [] });
    expect(target.connections).toBe(0);
  });
});
