import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { basic, KEY, notWritable } from '../helpers/ingest-parts.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

const ORIGIN = 'http://localhost:3000';

describe('CORS', () => {
  it.each(['/v1/t', '/v1/batch', '/v1/projects/k/settings', '/v1/m', '/health', '/nowhere'])(
    'OPTIONS %s lists what a page may send',
    async (path) => {
      const headers = { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' };
      const answer = await send(ingest.port, { method: 'OPTIONS', path, headers });
      expect(answer.status).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': 'authorization, content-type, x-retry-count',
        'access-control-max-age': '600',
      });
      expect(answer.headers['content-length']).toBeUndefined();
    },
  );

  it.each([
    ['success', {}, 200],
    ['malformed JSON', { body: '{' }, 400],
    ['an unknown path', { path: '/nowhere' }, 404],
    ['the wrong method', { method: 'PUT' }, 405],
    ['an unknown encoding', { headers: { 'Content-Encoding': 'br' } }, 415],
    ['a body that is too long', { body: 'x'.repeat(600_000) }, 400],
    ['a fragment in the target', { path: '/v1/t#x' }, 400],
    ['metrics', { path: '/v1/m', body: '{"series":[]}' }, 200],
    ['settings', { path: '/v1/projects/k/settings', method: 'GET', body: undefined }, 200],
    ['a pixel', { path: '/v1/pixel/track?data=e30', method: 'GET', body: undefined }, 200],
    ['a store that is full', {}, 503],
  ])('is on the answer to %s', async (what, over, status) => {
    if (what === 'a store that is full') ingest.store.failure = notWritable();
    const headers = { Authorization: basic(KEY), Origin: ORIGIN, ...('headers' in over ? over.headers : {}) };
    const answer = await send(ingest.port, { path: '/v1/t', body: JSON.stringify(track()), ...over, headers });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'Retry-After',
      vary: 'Origin',
    });
  });

  it('without an Origin anybody may read', async () => {
    const answer = await sendJson(ingest.port, '/v1/t', track());
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('pages from elsewhere may not read answers unless the workspace allows their origin', async () => {
    const preflight = () =>
      send(ingest.port, { method: 'OPTIONS', path: '/v1/t', headers: { Origin: 'https://shop.test' } });
    expect((await preflight()).headers['access-control-allow-origin']).toBeUndefined();
    ingest.allowedOrigins.push('https://shop.test');
    expect((await preflight()).headers['access-control-allow-origin']).toBe('https://shop.test');
  });
});

describe('settings for browser and phone libraries', () => {
  it('name this host and one integration, for any key', async () => {
    const answer = await send(ingest.port, { method: 'GET', path: '/v1/projects/wk_any/settings', headers: {} });
    expect(answer.status).toBe(200);
    const settings = JSON.parse(answer.body.toString());
    expect(settings.integrations).toEqual({
      'Segment.io': { apiKey: 'wk_any', apiHost: `localhost:${ingest.port}/v1`, protocol: 'http' },
    });
    expect(settings.metrics).toEqual({ sampleRate: 0 });
    expect(settings.plan.track.__default).toEqual({ enabled: true, integrations: {} });
    expect(settings.remotePlugins).toEqual([]);
  });
});

describe('the pixel', () => {
  const pixel = (query: string, type = 'track') =>
    send(ingest.port, { method: 'GET', path: `/v1/pixel/${type}${query}`, headers: {} });
  const base64 = (value: unknown) => encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'));

  it('stores the call in its data and answers an image', async () => {
    const answer = await pixel(`?data=${base64({ userId: 'u', event: 'Opened', writeKey: KEY })}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('image/gif');
    expect(answer.body.subarray(0, 6).toString()).toBe('GIF89a');
    expect(answer.body).toHaveLength(43);
    expect(ingest.store.kept[0]?.messages).toMatchObject([{ type: 'track', name: 'Opened', state: 'queued' }]);
  });

  it('stores the call in its plain keys', async () => {
    await pixel(`?writeKey=${KEY}&userId=u&event=E&properties.subject=x%20y`);
    const wire = JSON.parse(Buffer.from(ingest.store.messages[0]!.wire!).toString());
    expect(wire).toMatchObject({ userId: 'u', event: 'E', properties: { subject: 'x y' } });
  });

  it.each(['', '?data=%%%', '?data=e30', '?data=bnVsbA', '?writeKey=nobody&userId=u&event=E'])(
    'answers the image for %j too, and records why there is no call',
    async (query) => {
      expect((await pixel(query)).status).toBe(200);
      expect(ingest.store.messages).toMatchObject([{ state: 'rejected' }]);
    },
  );

  it('answers the image when the store cannot be written', async () => {
    ingest.store.failure = notWritable();
    const answer = await pixel(`?writeKey=${KEY}&userId=u&event=E`);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/gif']);
  });
});

describe('the other paths', () => {
  it('POST /v1/m is accepted and stores nothing', async () => {
    const answer = await send(ingest.port, { path: '/v1/m', body: '{"series":[]}' });
    expect(answer.body.toString()).toBe('{"success":true}');
    expect(ingest.store.kept).toEqual([]);
    expect(ingest.answered).toEqual([{ status: 200, code: null, calls: 0, rejected: 0 }]);
  });

  it('GET /health says ok', async () => {
    const answer = await send(ingest.port, { method: 'GET', path: '/health', headers: {} });
    expect([answer.status, answer.body.toString()]).toEqual([200, '{"status":"ok"}']);
  });

  it.each([
    ['GET', '/v1/batch', 405, 'POST, OPTIONS'],
    ['PUT', '/v1/t', 405, 'POST, OPTIONS'],
    ['DELETE', '/v1/track', 405, 'POST, OPTIONS'],
    ['POST', '/health', 405, 'GET, HEAD, OPTIONS'],
    ['GET', '/', 404, undefined],
    ['POST', '/v2/batch', 404, undefined],
    ['GET', '/rpc', 404, undefined],
    ['POST', '/oauth', 404, undefined],
    ['GET', '/token', 405, 'POST, OPTIONS'],
  ])('%s %s is %i, never a redirect', async (method, path, status, allow) => {
    const answer = await send(ingest.port, { method, path, headers: {} });
    expect([answer.status, answer.headers.allow]).toEqual([status, allow]);
    expect(answer.json).toMatchObject({ success: false, error: answer.json.message });
    expect(ingest.store.kept).toEqual([]);
  });

  it('a path without /v1 is explained', async () => {
    const answer = await sendJson(ingest.port, '/t', track());
    expect([answer.status, answer.json.message]).toEqual([
      404,
      'Use /v1/t: the host that the client is given must end in /v1.',
    ]);
  });
});
