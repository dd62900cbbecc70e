/** What is asked on the ingest port beside calls: metrics, tokens, health, settings, the browser library. In memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createIngest } from '../../../src/core/ingest/ingest.ts';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import { makeWorld, type World } from '../../helpers/ingest-parts.ts';
import { error, HOST, JSON_TYPE, requestOf, seen, success } from './request-and-answer.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});

const post = (...asked: Parameters<typeof requestOf>) => world.ingest.handle(requestOf(...asked));
const get = (target: string, over: Partial<IngestRequest> = {}) =>
  post(target, '', { method: 'GET', headers: [HOST], ...over });

describe('what is asked beside calls', () => {
  const NO_STORE = { ...JSON_TYPE, 'Cache-Control': 'no-store' };

  it('metrics are answered and counted, and stored nowhere', async () => {
    expect(seen(await post('/v1/m', '{'))).toEqual(success);
    expect([world.answered, world.store.kept]).toEqual([[{ status: 200, code: null, calls: 0, rejected: 0 }], []]);
  });

  it('a token is made of random bytes, unless the form is too long to be read to its end', async () => {
    const part = Buffer.from('{}').toString('base64url');
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${part}.${part}.c2ln`,
    }).toString();
    expect(seen(await post('/token', form)).json).toMatchObject({ access_token: 'ab'.repeat(24) });
    const cut = requestOf('/token', form, { overflow: { bytes: null, first: new Uint8Array(0) } });
    expect(seen(await createIngest(world).handle(cut)).json).toMatchObject({ code: 'invalid_request' });
    expect(world.answered.map(({ status }) => status)).toEqual([200, 400]);
  });

  it.each([
    [null, 200, 'ok'],
    ['store_not_writable', 503, 'store_not_writable'],
    ['store_damaged', 503, 'store_damaged'],
  ] as const)('health while the trouble is %s: %i', async (trouble, status, text) => {
    Object.assign(world.store, { trouble: () => trouble });
    expect(seen(await get('/health'))).toEqual({ status, json: { status: text }, headers: NO_STORE });
  });

  it('health of a store that knows no trouble', async () => {
    expect(seen(await get('/health')).json).toEqual({ status: 'ok' });
  });

  const settings = (apiHost: string, protocol: string) => ({
    integrations: { 'Segment.io': { apiKey: 'wk x', apiHost, protocol } },
    plan: {
      track: { __default: { enabled: true, integrations: {} } },
      identify: { __default: { enabled: true } },
      group: { __default: { enabled: true } },
    },
    edgeFunction: {},
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: 0 },
    legacyVideoPluginsEnabled: false,
    remotePlugins: [],
  });

  it.each([
    [undefined, 8766, 'localhost:8765/v1', 'http'],
    [false, 8766, 'localhost:8765/v1', 'http'],
    [true, 8766, 'localhost:8766/v1', 'https'],
    [true, null, 'localhost:8765/v1', 'http'],
    [true, undefined, 'localhost:8765/v1', 'http'],
  ] as const)('settings asked over https %s, its port being %s, name %s', async (secure, port, host, protocol) => {
    const own = createIngest(port === undefined ? world : { ...world, httpsPort: () => port });
    const request = requestOf('/v1/projects/wk%20x/settings', '', { method: 'GET', secure: secure ?? false });
    const json = settings(host, protocol);
    expect(seen(await own.handle(request))).toEqual({ status: 200, json, headers: NO_STORE });
    expect(world.answered).toEqual([]);
  });

  it('the browser library comes from where it was asked', async () => {
    const own = createIngest({ ...world, httpsPort: () => 8766 });
    for (const [secure, origin] of [
      [true, 'https://localhost:8766'],
      [false, 'http://localhost:8765'],
    ] as const) {
      const answer = await own.handle(requestOf('/analytics.js/v1/wk/analytics.min.js', '', { method: 'GET', secure }));
      expect(
        Buffer.from(answer.body as string)
          .toString()
          .split('\n')[0],
      ).toContain(`a._cdn="${origin}"`);
      expect(answer.headers.slice(0, 3)).toEqual([
        ['Content-Type', 'text/javascript; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        ['X-Content-Type-Options', 'nosniff'],
      ]);
    }
  });

  it('a bundle that the library does not have is none', async () => {
    expect(seen(await get('/analytics-next/bundles/no.js'))).toEqual(
      error(404, 'not_found', 'The installed browser library has no such bundle.'),
    );
    const own = createIngest({ ...world, browserSdkFolder: () => '/nowhere' });
    const message =
      'The browser library is not installed beside Hookbench. Install @segment/analytics-next and name its folder as ' +
      'ingest.browserSdk in hookbench.json, or bundle the library with the page.';
    for (const target of ['/analytics-next/bundles/no.js', '/analytics.js/v1/k/analytics.js'])
      expect(seen(await own.handle(requestOf(target, '', { method: 'GET' })))).toEqual(
        error(404, 'not_found', message),
      );
  });

  it('a token is counted, and one that is refused too', async () => {
    expect((await post('/token', '')).status).toBe(400);
    expect(world.answered).toEqual([{ status: 400, code: 'invalid_request', calls: 0, rejected: 0 }]);
    const overflow = { bytes: null, first: new Uint8Array(0) };
    expect(seen(await post('/token', '', { overflow })).json).toMatchObject({ message: 'The form cannot be read.' });
  });
});
