/** What real clients do that no documentation of the API mentions, each as a request. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  Agent,
  type Answered,
  type Running,
  send,
  sendJson,
  startIngest,
  stopAll,
  track,
} from '../helpers/ingest-http.ts';
import { basic, KEY, textOf } from '../helpers/ingest-parts.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

type Body = Record<string, unknown> & { context?: Record<string, unknown> };
const wires = (): Body[] => ingest.store.messages.map(({ wire }) => JSON.parse(textOf(wire)) as Body);
const onlyWire = (): Body => {
  expect(wires()).toHaveLength(1);
  return wires()[0] as Body;
};
const batchOf = (...batch: object[]) => ({ batch });
const post = (body: object, headers: Record<string, string> = {}): Promise<Answered> =>
  sendJson(ingest.port, '/v1/batch', body, { headers: { Authorization: basic(KEY), ...headers } });

describe('answers', () => {
  const paths = ['/v1', '/v1/', '/v1/batch/', '//v1//batch//', '/v1/import/', '/V1/batch', '/', '/v1/t/', '/token/'];
  it.each(paths)('%s is never a redirect', async (path) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await send(ingest.port, { method, path, body: method === 'POST' ? '{"batch":null}' : undefined });
      expect(Math.floor(answer.status / 100)).not.toBe(3);
      expect(answer.headers.location).toBeUndefined();
    }
  });

  it.each([
    ['malformed JSON', '/v1/batch', '{', 400],
    ['a path that is none', '/v1/nothing', '{}', 404],
    ['a token form that is none', '/token', '', 400],
    ['an over-size call', '/v1/track', JSON.stringify(track({ pad: 'x'.repeat(33_000) })), 400],
  ])('%s: the error is a JSON object with code, message and error', async (_, path, body, status) => {
    const answer = await send(ingest.port, { path, body });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json']);
    for (const field of ['code', 'message', 'error'] as const) expect(answer.json[field]).toMatch(/./);
  });

  it('a connection is kept for longer than the minute that clients hold it', async () => {
    const agent = new Agent({ keepAlive: true });
    const answer = await sendJson(ingest.port, '/v1/t', track(), { agent });
    agent.destroy();
    const seconds = Number(/timeout=(\d+)/.exec(String(answer.headers['keep-alive']))?.[1]);
    expect(seconds).toBeGreaterThanOrEqual(60);
  });
});

describe('a batch', () => {
  it('of null, as a Go client sends it that closes with an empty queue, is a success', async () => {
    const context = { library: { name: 'analytics-go', version: '2.0.0' } };
    const answer = await post({ context, batch: null, messageId: 'b-1', sentAt: '2026-11-20T12:31:04-0500' });
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"success":true}']);
    expect(ingest.store.messages).toMatchObject([{ state: 'rejected', reason: 'empty_batch' }]);
  });

  it('gives its context and integrations to its calls', async () => {
    const library = { name: 'analytics-java', version: '3.5.5' };
    await post({
      context: { library, instanceId: 'i-1', app: { name: 'Shop' } },
      integrations: { Webhooks: false },
      ...batchOf(track({ messageId: '1' }), track({ messageId: '2', context: { app: { build: '7' } } })),
    });
    expect(wires().map(({ context }) => context)).toEqual([
      { library, instanceId: 'i-1', app: { name: 'Shop' } },
      { library, instanceId: 'i-1', app: { build: '7' } },
    ]);
    expect(ingest.store.messages.map(({ reason }) => reason)).toEqual(['integrations_off', 'integrations_off']);
  });

  it.each(['batch writeKey sentAt', 'sentAt batch writeKey', 'writeKey sentAt batch'])(
    'may be written %s',
    async (order) => {
      const values: Record<string, unknown> = {
        writeKey: KEY,
        sentAt: '2026-11-20T17:33:00.000Z',
        ...batchOf(track()),
      };
      const body = Object.fromEntries(order.split(' ').map((name) => [name, values[name]]));
      await sendJson(ingest.port, '/v1/batch', body, { headers: {} });
      expect(ingest.store.messages).toMatchObject([{ state: 'queued' }]);
    },
  );

  it.each(['timestamp', 'sequence', 'messageId', 'context'])('may carry %s of its own', async (name) => {
    const value = name === 'context' ? {} : name === 'sequence' ? 1 : '2026-11-20T17:33:00.000Z';
    await post({ ...batchOf(track()), [name]: value });
    expect(ingest.store.messages).toMatchObject([{ state: 'queued' }]);
  });
});

describe('a call', () => {
  it('with nulls, as Python sends them, is good', async () => {
    await post(
      batchOf({
        type: 'page',
        userId: 'u',
        anonymousId: null,
        category: null,
        name: 'Home',
        properties: {},
        context: {},
      }),
    );
    expect(onlyWire()).toMatchObject({ type: 'page', userId: 'u', name: 'Home' });
    expect(onlyWire()).not.toHaveProperty('anonymousId');
  });

  it('of a page before identify, with userId null, has its anonymous id', async () => {
    await post(batchOf({ type: 'track', event: 'E', userId: null, anonymousId: 'a-1' }));
    expect(onlyWire()).toMatchObject({ anonymousId: 'a-1' });
    expect(onlyWire()).not.toHaveProperty('userId');
  });

  it('with a number as user id, as Ruby and PHP pass it, gets it as text and a note', async () => {
    await post(batchOf(track({ userId: 42 })));
    expect(onlyWire().userId).toBe('42');
    expect(ingest.store.messages[0]?.notes).toContainEqual({ code: 'id_number_to_string', field: 'userId' });
  });

  it('without context, integrations and anonymousId, as Go writes alias, is good', async () => {
    await post(batchOf({ type: 'alias', userId: 'new', previousId: 'old', messageId: 'm' }));
    expect(onlyWire()).toMatchObject({ 'Previous ID': 'old', 'User ID': 'new' });
  });

  it('that aliases after identify keeps the user that the library put there', async () => {
    await post(batchOf({ type: 'alias', userId: 'u1', previousId: 'OLD' }));
    expect(onlyWire()).toMatchObject({ 'Previous ID': 'OLD', 'User ID': 'u1' });
  });

  it('of an unnamed page, as Ruby sends it, is good', async () => {
    await post(batchOf({ type: 'page', userId: 'u', name: '', properties: {} }));
    expect(ingest.store.messages).toMatchObject([{ type: 'page', state: 'queued' }]);
  });

  it.each([
    [{ bundled: ['Segment.io'], unbundled: [], bundledIds: [] }],
    [{ nodeVersion: '24.0.0', jsRuntime: 'node' }],
  ])('with _metadata %j keeps it out of the documented body', async (_metadata) => {
    await post(batchOf(track({ _metadata, channel: 'server', writeKey: KEY })));
    for (const name of ['_metadata', 'channel', 'writeKey']) expect(onlyWire()).not.toHaveProperty(name);
  });

  it.each([
    '5dbf8f9e-3d1c-4b7e-8d9b-0a1b2c3d4e5f',
    'node-next-1795195984000-5dbf8f9e-3d1c-4b7e-8d9b-0a1b2c3d4e5f',
    'node-0cc175b9c0f1b6a831c399e269772661-5dbf8f9e-3d1c-4b7e-8d9b-0a1b2c3d4e5f',
    'ajs-next-1795195984000-5dbf8f9e-3d1c-4b7e-8d9b-0a1b2c3d4e5f',
  ])('keeps the messageId %s', async (messageId) => {
    await post(batchOf(track({ messageId })));
    expect(ingest.store.messages[0]?.messageId).toBe(messageId);
  });

  it.each([
    [{ all: false }, 'not_selected', 'integrations_all_off'],
    [{ All: false, Webhooks: {} }, 'queued', null],
    [{ All: false, Webhooks: null }, 'queued', null],
    [{ All: false, webhooks: true }, 'not_selected', 'integrations_all_off'],
    [{ 'Segment.io': true }, 'queued', null],
  ])('with integrations %j is %s', async (integrations, state, reason) => {
    await post(batchOf(track({ integrations })));
    expect(ingest.store.messages).toMatchObject([{ state, reason }]);
  });
});

describe('timestamps', () => {
  it.each([
    ['Go v2', '2026-11-20T12:31:04-0500', '2026-11-20T17:31:04.000Z'],
    ['Go v3', '2026-11-20T11:59:57.708795692-05:00', '2026-11-20T16:59:57.708Z'],
    ['Python', '2026-11-20T17:11:30.073+00:00', '2026-11-20T17:11:30.073Z'],
    ['Python, sentAt', '2026-11-20T17:11:30.573393+00:00', '2026-11-20T17:11:30.573Z'],
    ['PHP', '2026-11-20T12:13:53-05:00', '2026-11-20T17:13:53.000Z'],
    ['Ruby', '2026-11-20T17:11:30.602+00:00', '2026-11-20T17:11:30.602Z'],
    ['Ruby, whole second', '2026-11-20T17:11:30.000Z', '2026-11-20T17:11:30.000Z'],
    ['JavaScript', '2026-11-20T17:11:30.061Z', '2026-11-20T17:11:30.061Z'],
    ['C#', '2026-11-20T17:11:30.0612345Z', '2026-11-20T17:11:30.061Z'],
  ])('of %s are read', async (_, timestamp, expected) => {
    await post(batchOf(track({ timestamp })));
    expect(onlyWire().timestamp).toBe(expected);
    // As the time of sending too: then the call was made when the request came.
    await post({ ...batchOf(track({ timestamp, messageId: 'second' })), sentAt: timestamp });
    expect(wires()[1]?.timestamp).toBe(new Date(ingest.now).toISOString());
  });

  it('RudderStack says originalTimestamp and sentAt for each call', async () => {
    const originalTimestamp = '2026-11-20T17:30:00.000Z';
    await post(batchOf(track({ originalTimestamp, sentAt: '2026-11-20T17:32:00.000Z' })));
    expect(onlyWire().timestamp).toBe('2026-11-20T17:31:00.000Z');
  });
});

describe('headers', () => {
  it('a retry with X-Retry-Count and a new sentAt is the same call', async () => {
    const call = track({ messageId: 'm-1', timestamp: '2026-11-20T17:30:00.000Z' });
    await post({ ...batchOf(call), sentAt: '2026-11-20T17:33:00.000Z' });
    const again = await post({ ...batchOf(call), sentAt: '2026-11-20T17:33:05.000Z' }, { 'X-Retry-Count': '1' });
    expect(again.status).toBe(200);
    expect(ingest.observed.map(({ ids }) => ids[0]?.duplicate)).toEqual([false, true]);
    expect(ingest.store.kept[1]?.request.headers).toContainEqual(['X-Retry-Count', '1']);
  });

  it('sec-fetch-mode of a Node client does not make it a browser: it gets no address', async () => {
    const library = { name: '@segment/analytics-node', version: '3.1.0' };
    const headers = { 'sec-fetch-mode': 'cors', 'accept-language': '*', 'user-agent': 'node' };
    await post(batchOf(track({ context: { library } })), headers);
    expect(onlyWire().context).toEqual({ library });
  });
});

describe('bytes', () => {
  it.each([
    ['Go', '{"batch":[{"type":"track","userId":"u","event":"a\\u003cb\\u003e\\u0026\\u2028"}]}', 'a<b>&\u2028'],
    ['Python', '{"batch": [{"type": "track", "userId": "u", "event": "Caf\\u00e9"}]}', 'Café'],
    ['PHP', '{"batch":[{"type":"track","userId":"u","event":"a\\/b"}]}', 'a/b'],
  ])('%s: escapes are read, and the bytes are kept as they came', async (_, body, event) => {
    await send(ingest.port, { body });
    expect(onlyWire().event).toBe(event);
    expect(textOf(ingest.store.kept[0]!.request.body)).toBe(body);
  });

  it('metrics of a browser are answered and not stored', async () => {
    const series = [{ type: 'Counter', metric: 'analytics_js.invoke', value: 1, tags: {} }];
    const answer = await sendJson(ingest.port, '/v1/m', { series }, { headers: { 'Content-Type': 'text/plain' } });
    expect(answer.body.toString()).toBe('{"success":true}');
    expect(ingest.store.kept).toEqual([]);
  });
});
