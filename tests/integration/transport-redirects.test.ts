import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { createHttpTransport, type HttpTransportOptions } from '../../src/core/delivery/transport/http-transport.ts';
import type { AttemptRequest } from '../../src/core/ports.ts';
import { type Receiver, startReceiver } from '../helpers/receivers.ts';
import { SimTime } from '../helpers/sim-ports.ts';

const closing: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function receiver(...answer: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...answer);
  closing.push(() => started.close());
  return started;
}

const system = { clock: systemClock, timers: systemTimers };

function send(url: string, over: Partial<AttemptRequest> = {}, ports: HttpTransportOptions = system) {
  const transport = createHttpTransport(ports);
  closing.push(() => transport.close());
  const headers = [
    ['Content-Type', 'application/json'],
    ['Authorization', 'Bearer t'],
    ['X-Tenant', 'acme'],
  ] as const;
  return transport.send({ url, headers, body: Buffer.from('{"a":1}'), limitMs: 5_000, maxRedirects: 20, ...over });
}

const redirect = (status: number, location: string) => ({ status, headers: { Location: location } });

describe('redirects, where the rules follow them', () => {
  test.each([301, 302, 303])('%d: the next request is a GET without a body', async (status) => {
    const target = await receiver();
    const first = await receiver(redirect(status, target.url));
    expect(await send(first.url)).toMatchObject({
      outcome: 'accepted',
      status: 200,
      detail: `Followed ${status} to ${target.url}.`,
    });
    expect(target.requests[0]!.body).toHaveLength(0);
    expect(target.requests[0]!.headers['content-type']).toBeUndefined();
  });

  test.each([307, 308])(
    '%d: method and body stay; another origin never gets the Authorization header',
    async (status) => {
      const target = await receiver();
      const first = await receiver(redirect(status, target.url));
      await send(first.url);
      expect(target.requests[0]!.body.toString()).toBe('{"a":1}');
      expect(target.requests[0]!.headers).toMatchObject({ 'x-tenant': 'acme' });
      expect(target.requests[0]!.headers.authorization).toBeUndefined();
    },
  );

  test('a path is taken from the URL that answered, with every header', async () => {
    const only: Receiver = await receiver((request) =>
      request.path === '/next' ? { status: 200 } : redirect(307, '/next'),
    );
    expect(await send(only.url)).toMatchObject({ outcome: 'accepted' });
    expect(only.requests[1]!.headers.authorization).toBe('Bearer t');
  });

  test('a loop ends after as many as are allowed, and the last answer counts', async () => {
    const loop: Receiver = await receiver(() => redirect(302, '/hook'));
    expect(await send(loop.url, { maxRedirects: 5 })).toMatchObject({ outcome: 'declined', status: 302 });
    expect(loop.requests).toHaveLength(6);
  });

  test('one limit for all of it', async () => {
    const slow: Receiver = await receiver('hang');
    const time = new SimTime();
    const first = await receiver(async () => {
      await time.advance(100);
      return redirect(302, slow.url);
    });
    const sent = send(first.url, { limitMs: 300 }, { clock: time, timers: time });
    await slow.waitFor(1);
    await time.advance(200);
    expect(await sent).toMatchObject({ outcome: 'timed_out', durationMs: 300 });
  });

  test.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://user:pw@127.0.0.1:1/'])(
    '%s is not followed anywhere',
    async (location) => {
      const first = await receiver(redirect(302, location));
      expect(await send(first.url)).toMatchObject({ outcome: 'no_connection', reason: 'unsupported_url' });
    },
  );

  test.each([301, 308])('%d: the record keeps the headers of the first request, as that got them', async (status) => {
    const target = await receiver();
    const first = await receiver(redirect(status, target.url));
    const { requestHeaders } = await send(first.url);
    expect(requestHeaders.flat()).toEqual(first.requests[0]!.rawHeaders);
    expect(requestHeaders).toContainEqual(['Authorization', 'Bearer t']);
  });

  test('a hop that sends nothing leaves the headers of the first request, because that one was sent', async () => {
    const first = await receiver(redirect(307, 'ftp://127.0.0.1/'));
    const { requestHeaders, outcome } = await send(first.url);
    expect([outcome, first.requests.length]).toEqual(['no_connection', 1]);
    expect(requestHeaders.flat()).toEqual(first.requests[0]!.rawHeaders);
  });

  test('none is followed when none is allowed', async () => {
    const target = await receiver();
    const first = await receiver(redirect(302, target.url));
    expect(await send(first.url, { maxRedirects: undefined })).toMatchObject({ outcome: 'declined', status: 302 });
    expect(target.requests).toHaveLength(0);
  });
});
