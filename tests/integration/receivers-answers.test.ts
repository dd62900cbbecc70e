/** Every kind of response, over real sockets, against the transport that delivers: each ends as the right outcome. */
import { describe, expect, it } from 'vitest';
import { receiverResponse } from '../../src/contract/receivers.ts';
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';
import type { AttemptResult } from '../../src/core/model/attempt.ts';
import type { Hit } from '../../src/core/receivers/hit-log.ts';
import { BODY, receiver, start } from './receivers-stage.ts';

async function send(url: string, limitMs = 5_000): Promise<AttemptResult> {
  const transport = createHttpTransport({ clock: systemClock, timers: systemTimers });
  const result = await transport.send({ url, headers: [['Content-Type', 'application/json']], body: BODY, limitMs });
  await transport.close();
  return result;
}

/** The limit of an attempt that ends by it. Until then a busy machine has to bring the request and the status. */
const SHORT_MS = 2_000;

interface Case {
  readonly what: string;
  readonly response: Record<string, unknown>;
  readonly expected: Partial<AttemptResult>;
  /** The attempt ends by its limit. */
  readonly endless?: boolean;
  /** What the log says; when left out, that the client stayed to the end. */
  readonly logged?: Partial<Hit>;
}

const gone = { gone: true };
const cases: readonly Case[] = [
  {
    what: '200',
    response: { kind: 'status', status: 200, body: 'fine' },
    expected: { outcome: 'accepted', status: 200, responseBytes: 4 },
  },
  {
    what: '204',
    response: { kind: 'status', status: 204, body: 'dropped' },
    expected: { outcome: 'accepted', status: 204, responseBytes: 0 },
  },
  { what: '299', response: { kind: 'status', status: 299 }, expected: { outcome: 'accepted', status: 299 } },
  { what: '304', response: { kind: 'status', status: 304 }, expected: { outcome: 'declined', status: 304 } },
  { what: '410', response: { kind: 'status', status: 410 }, expected: { outcome: 'declined', status: 410 } },
  { what: '408', response: { kind: 'status', status: 408 }, expected: { outcome: 'throttled', status: 408 } },
  { what: '500', response: { kind: 'status', status: 500 }, expected: { outcome: 'failed', status: 500 } },
  { what: '599', response: { kind: 'status', status: 599 }, expected: { outcome: 'failed', status: 599 } },
  { what: '101', response: { kind: 'status', status: 101 }, expected: { outcome: 'declined', status: 101 } },
  { what: '999', response: { kind: 'status', status: 999 }, expected: { outcome: 'no_connection' } },
  {
    what: 'a redirect',
    response: { kind: 'redirect', location: '/r/ok' },
    expected: { outcome: 'declined', status: 302 },
  },
  {
    what: '429 with Retry-After',
    response: { kind: 'throttle', retryAfter: '7' },
    expected: { outcome: 'throttled', status: 429 },
  },
  {
    what: 'a hang',
    response: { kind: 'hang', holdMs: 30_000 },
    expected: { outcome: 'timed_out', status: null },
    endless: true,
    logged: gone,
  },
  {
    what: 'a hang that ends',
    response: { kind: 'hang', holdMs: 20 },
    expected: { outcome: 'no_connection', reason: 'connection_closed' },
    logged: { gone: false, status: null },
  },
  {
    what: 'a reset before the answer',
    response: { kind: 'reset' },
    expected: { outcome: 'no_connection', reason: 'connection_reset' },
  },
  {
    what: 'a reset in the headers',
    response: { kind: 'reset_during', part: 'head' },
    expected: { outcome: 'no_connection', reason: 'connection_reset' },
  },
  {
    what: 'a reset in the body',
    response: { kind: 'reset_during', part: 'body' },
    expected: { outcome: 'accepted', status: 200, responseCut: true },
  },
  {
    what: 'a close without an answer',
    response: { kind: 'close' },
    expected: { outcome: 'no_connection', reason: 'connection_closed' },
  },
  {
    what: 'a dripped head',
    response: { kind: 'drip', part: 'head', bytesPerSecond: 20 },
    expected: { outcome: 'timed_out' },
    endless: true,
    logged: gone,
  },
  {
    what: 'a dripped body',
    response: { kind: 'drip', part: 'body', bytesPerSecond: 40 },
    expected: { outcome: 'accepted', status: 200, responseCut: true },
    endless: true,
    logged: gone,
  },
  {
    what: 'a dripped body of a 503',
    response: { kind: 'drip', part: 'body', status: 503, bytesPerSecond: 40 },
    expected: { outcome: 'failed', status: 503 },
    endless: true,
    logged: gone,
  },
  {
    what: 'an endless body',
    response: { kind: 'endless' },
    expected: { outcome: 'accepted', status: 200, responseCut: true },
    logged: gone,
  },
  {
    what: 'huge headers',
    response: { kind: 'huge_headers' },
    expected: { outcome: 'no_connection', reason: 'headers_too_large' },
    logged: {},
  },
  {
    what: 'a banner',
    response: { kind: 'invalid_http' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
  {
    what: 'a bad status line',
    response: { kind: 'invalid_http', variant: 'bad_status' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
  {
    what: 'two lengths',
    response: { kind: 'invalid_http', variant: 'two_lengths' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
  {
    what: 'a bad header',
    response: { kind: 'invalid_http', variant: 'bad_header' },
    expected: { outcome: 'no_connection', reason: 'invalid_response' },
  },
];

describe('against the transport', () => {
  it.each(cases)('$what', async ({ response, expected, endless, logged }) => {
    const running = await start([receiver(receiverResponse.parse(response))]);
    const result = await send(running.url('x'), endless === true ? SHORT_MS : 5_000);
    expect(result).toMatchObject(expected);
    await running.untilEnded(1);
    expect(running.ended).toHaveLength(1);
    expect(running.ended[0]).toMatchObject(logged ?? { gone: false });
    expect(running.ended[0]).toMatchObject({ name: 'Order Completed', bodyBytes: BODY.length, receiver: 'x' });
  });

  it('sends headers and Retry-After as told', async () => {
    const headers = [
      { name: 'X-Two', value: 'a' },
      { name: 'X-Two', value: 'b' },
      { name: 'Content-Type', value: 'text/plain' },
    ];
    const running = await start([
      receiver({ kind: 'status', status: 200, headers, body: 'ok' }),
      receiver({ kind: 'throttle', retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' }, { id: 'busy' }),
    ]);
    const { responseHeaders } = await send(running.url('x'));
    expect(responseHeaders).toEqual(expect.arrayContaining(headers.map(({ name, value }) => [name, value])));
    const busy = await send(running.url('busy'));
    expect(busy.responseHeaders).toContainEqual(['Retry-After', 'Wed, 21 Oct 2015 07:28:00 GMT']);
  });

  it('refuses the self-signed certificate: not one hit, also not over plain HTTP', async () => {
    const running = await start([receiver({ kind: 'status', status: 200, headers: [], body: '' }, { tls: true })]);
    const { port } = await running.server.listen('https', 0);
    expect(await send(`https://localhost:${port}/r/x`)).toMatchObject({
      outcome: 'refused_certificate',
      reason: 'self_signed',
    });
    expect(await send(running.url('x'))).toMatchObject({ outcome: 'declined', status: 404 });
    expect(running.set.state('x').hits).toBe(0);
  });
});
