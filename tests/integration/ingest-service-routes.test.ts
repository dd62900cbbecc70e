/** What clients ask on the ingest port beside sending calls: tokens, and code for pages with a snippet. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIngest } from '../../src/core/ingest/ingest.ts';
import { type Running, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { KEY, makeWorld } from '../helpers/ingest-parts.ts';
import { tempWorkspace } from '../helpers/temp-workspace.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${part({ alg: 'RS256' })}.${part({ iss: 'client-1' })}.c2lnbmF0dXJl`;
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const FORM = {
  grant_type: 'client_credentials',
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: JWT,
  scope: 'tracking_api:write',
};

describe('POST /token', () => {
  const ask = (form: Record<string, string>, path = '/token') =>
    send(ingest.port, {
      path,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });

  it.each(['/token', '/oauth2/token', '/token/', '//token'])('%s gives a token', async (path) => {
    const answer = await ask(FORM, path);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ access_token: 'ab'.repeat(24), token_type: 'Bearer', expires_in: 3600 });
    expect(answer.headers['cache-control']).toBe('no-store');
    // Clients set their clock by it.
    expect(answer.headers.date).toBeDefined();
  });

  it('the token opens nothing and is kept nowhere: the write key in the body says whose the calls are', async () => {
    await ask(FORM);
    expect(ingest.store.kept).toEqual([]);
    expect(ingest.answered).toEqual([{ status: 200, code: null, calls: 0, rejected: 0 }]);
    const body = { writeKey: KEY, batch: [track()] };
    await sendJson(ingest.port, '/v1/batch', body, { headers: { Authorization: `Bearer ${'ab'.repeat(24)}` } });
    await sendJson(ingest.port, '/v1/batch', body, { headers: { Authorization: 'Bearer of-somebody-else' } });
    expect(ingest.store.messages.map(({ state }) => state)).toEqual(['queued', 'queued']);
  });

  it.each([
    ['no grant_type', { grant_type: undefined }, 400, 'invalid_request', 'The form has no grant_type.'],
    [
      'another grant',
      { grant_type: 'password' },
      400,
      'unsupported_grant_type',
      'The grant_type must be client_credentials.',
    ],
    [
      'another kind of assertion',
      { client_assertion_type: 'x' },
      400,
      'invalid_request',
      `The client_assertion_type must be ${ASSERTION_TYPE}.`,
    ],
    ['no assertion', { client_assertion: undefined }, 400, 'invalid_request', 'The form has no client_assertion.'],
    ...['x', 'a.b.c', `${part({})}.${part([])}.c2ln`, `${part({})}.${part({})}.`].map(
      (client_assertion) =>
        [
          `the assertion ${client_assertion}`,
          { client_assertion },
          401,
          'invalid_client',
          'The client_assertion is not a signed JWT.',
        ] as const,
    ),
  ] as const)('%s is refused with words', async (_, change, status, code, message) => {
    const form = Object.fromEntries(Object.entries({ ...FORM, ...change }).filter(([, value]) => value !== undefined));
    const answer = await ask(form as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ success: false, code, message, error: code, error_description: message });
  });

  it('reads a compressed form, and refuses one that is too long or damaged', async () => {
    const body = new URLSearchParams(FORM).toString();
    const headers = { 'Content-Encoding': 'gzip' };
    expect((await send(ingest.port, { path: '/token', headers, body: gzipSync(body) })).status).toBe(200);
    expect((await send(ingest.port, { path: '/token', headers, body })).json.code).toBe('invalid_request');
    expect((await send(ingest.port, { path: '/token', body: 'x'.repeat(600_000) })).json.code).toBe('invalid_request');
  });
});

describe('the browser library', () => {
  const get = (path: string, port = ingest.port) => send(port, { method: 'GET', path, headers: {} });

  /** An ingest whose library is the folder given. */
  async function withFolder(folder: string): Promise<number> {
    const world = makeWorld();
    const own = createIngest({ ...world, browserSdkFolder: () => folder });
    return (await startIngest({ handle: (request) => own.handle(request) })).port;
  }

  it('is the installed one, with the write key in it and this port as its home', async () => {
    const answer = await get('/analytics.js/v1/wk_page/analytics.min.js');
    expect([answer.status, answer.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    ]);
    const code = answer.body.toString();
    expect(code).toContain('window.analyticsWriteKey="wk_page"');
    expect(code).not.toContain('__WRITE_KEY__');
    const first = code.slice(0, code.indexOf('\n'));
    const page = (analytics: object) => {
      const window = { analytics } as { analytics: { _cdn?: string } };
      runInNewContext(first, { window });
      return window.analytics._cdn;
    };
    expect(page({})).toBe(`http://localhost:${ingest.port}`);
    expect(page({ _cdn: 'https://cdn.example.test' })).toBe('https://cdn.example.test');
  });

  it.each(['a"b', "a'b", 'a\\b', '</script>', '$&'])('a write key of %s cannot leave its place', async (key) => {
    const code = (await get(`/analytics.js/v1/${encodeURIComponent(key)}/analytics.min.js`)).body.toString();
    const assignment = /window\.analyticsWriteKey=("(?:[^"\\]|\\.)*")/.exec(code)?.[1];
    expect(JSON.parse(assignment ?? 'null')).toBe(key);
  });

  it('comes with every bundle that the package has', async () => {
    const folder = new URL('../../node_modules/@segment/analytics-next/dist/umd/', import.meta.url);
    const bundles = readdirSync(folder).filter((name) => /\.bundle\.\w+\.js$/.test(name));
    expect(bundles.length).toBeGreaterThan(5);
    for (const name of bundles) {
      const answer = await get(`/analytics-next/bundles/${name}`);
      expect(answer.status).toBe(200);
      expect(answer.body.equals(readFileSync(new URL(name, folder)))).toBe(true);
    }
  });

  it('says what to do where none is installed', async () => {
    const port = await withFolder(tempWorkspace());
    for (const path of ['/analytics.js/v1/k/analytics.min.js', '/analytics-next/bundles/x.js']) {
      const answer = await get(path, port);
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
      expect(answer.json.message).toBe(
        'The browser library is not installed beside Hookbench. Install @segment/analytics-next and name its folder ' +
          'as ingest.browserSdk in hookbench.json, or bundle the library with the page.',
      );
    }
  });

  describe('from a folder of the workspace', () => {
    const LIBRARY = 'window.analyticsWriteKey="__WRITE_KEY__"';
    function folderWith(): string {
      const folder = tempWorkspace();
      writeFileSync(join(folder, 'secret.js'), 'secret');
      const built = join(folder, 'package', 'dist', 'umd');
      mkdirSync(built, { recursive: true });
      writeFileSync(join(built, 'standalone.js'), LIBRARY);
      writeFileSync(join(built, 'one.bundle.js'), 'one');
      symlinkSync(join(folder, 'secret.js'), join(built, 'linked.js'));
      mkdirSync(join(built, 'folder.js'));
      return join(folder, 'package');
    }

    it.each(['', 'dist/umd'])('is found when the setting names the package, and its %j', async (below) => {
      const port = await withFolder(join(folderWith(), below));
      expect((await get('/analytics.js/v1/k/analytics.js', port)).body.toString()).toContain('Key="k"');
      expect((await get('/analytics-next/bundles/one.bundle.js', port)).body.toString()).toBe('one');
    });

    it('has no bundle of another name, and says so', async () => {
      const answer = await get('/analytics-next/bundles/nothing.js', await withFolder(folderWith()));
      expect([answer.status, answer.json]).toMatchObject([
        404,
        { code: 'not_found', message: 'The installed browser library has no such bundle.' },
      ]);
    });

    it('counts as not installed where its main file leads out of it', async () => {
      const folder = folderWith();
      const main = join(folder, 'dist', 'umd', 'standalone.js');
      rmSync(main);
      symlinkSync(join(folder, '..', 'secret.js'), main);
      const answer = await get('/analytics.js/v1/k/analytics.min.js', await withFolder(folder));
      expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
    });

    it.each([
      '/analytics-next/bundles/../../../secret.js',
      '/analytics-next/bundles/..%2f..%2f..%2fsecret.js',
      '/analytics-next/bundles/%2e%2e/secret.js',
      '/analytics-next/bundles/..\\..\\..\\secret.js',
      '/analytics-next/bundles/.hidden.js',
      '/analytics-next/bundles/linked.js',
      '/analytics-next/bundles/folder.js',
      '/analytics-next/bundles/nothing.js',
      '/analytics-next/bundles/',
      '/analytics-next/bundles/one.bundle.js%00',
      '/analytics-next/bundles//etc/passwd',
      '/analytics.js/v1/../../secret.js/analytics.min.js',
    ])('%s is 404: nothing outside the folder is read', async (path) => {
      const answer = await get(path, await withFolder(folderWith()));
      expect(answer.status).toBe(404);
      expect(answer.body.toString()).not.toContain('secret"');
    });
  });
});
