import { describe, expect, test } from 'vitest';
import {
  allowedHost,
  checkRequest,
  checkUpgrade,
  isFromOtherPage,
  type RequestFacts,
  sameToken,
} from '../../../src/headless/access.ts';
import { refusedHosts, refusedOffers, refusedSenders } from '../../helpers/request-cases.ts';

const port = 8764;
const token = 'Q0rAf5HBOSAN2T9dmtoutcUAivMR3_Eik5FdnG2x-Rg';
const ourHosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

type Headers = ReadonlyArray<readonly [string, string]>;

const fill = (text: string, host: string): string => text.replaceAll('PORT', String(port)).replaceAll('HOST', host);

const facts = (headers: Headers, given: Partial<RequestFacts> = {}): RequestFacts => ({
  method: 'GET',
  target: '/',
  rawHeaders: headers.flat(),
  ...given,
});

const upgrade = (headers: Headers): RequestFacts => facts(headers, { target: '/contract' });

const goodUpgrade = (host: string): Headers => [
  ['Host', host],
  ['Origin', `http://${host}`],
  ['Sec-WebSocket-Protocol', `hookbench, hookbench.${token}`],
];

describe('host (C1)', () => {
  test.each(ourHosts)('%s is ours', (host) => {
    expect(allowedHost(facts([['Host', host]]), port)).toBe(host);
  });

  test('the table has at least 40 values', () => expect(refusedHosts.length).toBeGreaterThanOrEqual(40));

  test.each(refusedHosts)('%s is refused', (value) => {
    const host = fill(value, '');
    expect(checkRequest(facts([['Host', host]]), port, token)).toMatchObject({ status: 403, code: 'host_not_allowed' });
    const headers = [['Host', host], ['Origin', `http://${host}`], goodUpgrade(host)[2]] as Headers;
    expect(checkUpgrade(upgrade(headers), port, token)).toMatchObject({ status: 403, code: 'host_not_allowed' });
  });

  test.each<[string, Headers]>([
    ['no Host header', []],
    ['an empty Host header', [['Host', '']]],
    [
      'two equal Host headers',
      [
        ['Host', `localhost:${port}`],
        ['host', `localhost:${port}`],
      ],
    ],
    [
      'a second Host header',
      [
        ['Host', `localhost:${port}`],
        ['HOST', 'evil.com'],
      ],
    ],
  ])('%s is a bad request', (_title, headers) => {
    expect(checkRequest(facts(headers), port, token)).toMatchObject({ status: 400, code: 'bad_host' });
  });
});

describe('target', () => {
  test.each([
    'http://127.0.0.1:8764/',
    'http://evil.com/',
    '*',
    '',
    'index.html',
    '/#token=x',
    '/index.html#',
    '127.0.0.1:8764',
  ])('%s is a bad request', (target) => {
    const refusal = { status: 400, code: 'bad_target' };
    expect(checkRequest(facts([['Host', `localhost:${port}`]], { target }), port, token)).toEqual(refusal);
  });
});

describe('sender (C2)', () => {
  test('the table has at least 40 values', () => expect(refusedSenders.length).toBeGreaterThanOrEqual(40));

  describe.each(ourHosts)('asking %s', (host) => {
    const filled = (headers: Headers): Headers => headers.map(([name, value]) => [name, fill(value, host)]);
    /** `http://[::1]:PORT` is foreign to every host but itself. */
    const cases = refusedSenders.filter(
      ({ headers }) => !filled(headers).every(([, value]) => value === `http://${host}`) || headers.length > 1,
    );

    test.each(cases)('$title is refused for a page and for an upgrade', ({ headers }) => {
      const all: Headers = [['Host', host], ...filled(headers)];
      expect(checkRequest(facts(all), port, token)).toMatchObject({ status: 403 });
      const [, , offer] = goodUpgrade(host);
      expect(checkUpgrade(upgrade([...all, offer!]), port, token)).toMatchObject({ status: 403 });
    });

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
      '%s without an origin is refused',
      (method) => {
        expect(checkRequest(facts([['Host', host]], { method }), port, token)).toMatchObject({ status: 403 });
      },
    );

    test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s of our own page is no method of ours', (method) => {
      const headers: Headers = [
        ['Host', host],
        ['Origin', `http://${host}`],
      ];
      const refusal = { status: 405, code: 'method_not_allowed' };
      expect(checkRequest(facts(headers, { method }), port, token)).toEqual(refusal);
    });

    test('an upgrade without an origin is refused', () => {
      const headers = goodUpgrade(host).filter(([name]) => name !== 'Origin');
      expect(checkUpgrade(upgrade(headers), port, token)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
    });

    test('a site other than our own is named as the reason', () => {
      const headers: Headers = [
        ['Host', host],
        ['Sec-Fetch-Site', 'cross-site'],
      ];
      expect(checkRequest(facts(headers), port, token)).toEqual({ status: 403, code: 'site_not_allowed' });
    });

    test.each(['same-origin', 'none'])('Sec-Fetch-Site %s may read the page', (value) => {
      const headers: Headers = [
        ['Host', host],
        ['Sec-Fetch-Site', value],
      ];
      expect(checkRequest(facts(headers), port, token)).toBe(host);
    });
  });
});

describe('token (C3)', () => {
  test.each(ourHosts)('the right token opens the contract at %s', (host) => {
    expect(checkUpgrade(upgrade(goodUpgrade(host)), port, token)).toBeNull();
  });

  test.each(refusedOffers(token))('%s is refused', (_title, offers) => {
    const headers: Headers = [
      ...goodUpgrade(ourHosts[0]!).slice(0, 2),
      ...(offers === null ? [] : [['Sec-WebSocket-Protocol', offers] as const]),
    ];
    expect(checkUpgrade(upgrade(headers), port, token)).toEqual({ status: 401, code: 'token_required' });
  });

  test.each<[string, Partial<RequestFacts>, Headers]>([
    ['in the query', { target: `/contract?token=${token}` }, []],
    ['in a cookie', {}, [['Cookie', `hookbench.token=${token}; token=${token}`]]],
    ['in Authorization', {}, [['Authorization', `Bearer ${token}`]]],
  ])('the token %s does not count', (_title, given, headers) => {
    const request = {
      ...upgrade([...goodUpgrade(ourHosts[0]!).slice(0, 2), ['Sec-WebSocket-Protocol', 'hookbench'], ...headers]),
      ...given,
    };
    expect(checkUpgrade(request, port, token)?.status).toBeGreaterThanOrEqual(401);
  });

  test('the right token without the protocol to answer with is a bad request', () => {
    const headers: Headers = [
      ...goodUpgrade(ourHosts[0]!).slice(0, 2),
      ['Sec-WebSocket-Protocol', `hookbench.${token}`],
    ];
    expect(checkUpgrade(upgrade(headers), port, token)).toMatchObject({ status: 400, code: 'bad_protocol' });
  });

  test('the contract is 401 without an upgrade, and other paths are not upgraded', () => {
    const page = facts([['Host', ourHosts[0]!]], { target: '/contract' });
    expect(checkRequest(page, port, token)).toEqual({ status: 401, code: 'token_required' });
    for (const target of ['/', '/contract/']) {
      const request = facts(goodUpgrade(ourHosts[0]!), { target });
      expect(checkUpgrade(request, port, token)).toEqual({ status: 404, code: 'not_found' });
    }
  });

  test.each<[string, readonly string[], number]>([
    ['the right token', [`Bearer ${token}`], 426],
    ['a wrong one', [`Bearer ${'A'.repeat(43)}`], 401],
    ['the right one twice', [`Bearer ${token}`, `Bearer ${token}`], 401],
    ['the right one in another scheme', [`Basic ${token}`], 401],
    ['the right one and more', [`Bearer ${token}x`], 401],
    ['the right one and more behind a space', [`Bearer ${token} x`], 401],
    ['the right one behind another scheme', [`Basic Bearer ${token}`], 401],
    ['an empty one', ['Bearer '], 401],
  ])('without an upgrade a tab learns whether its token counts: %s', (_title, values, status) => {
    const headers: Headers = [['Host', ourHosts[0]!], ...values.map((value) => ['Authorization', value] as const)];
    const code = status === 426 ? 'upgrade_required' : 'token_required';
    expect(checkRequest(facts(headers, { target: '/contract' }), port, token)).toEqual({ status, code });
    // Another site learns nothing.
    const foreign: Headers = [...headers, ['Sec-Fetch-Site', 'cross-site']];
    expect(checkRequest(facts(foreign, { target: '/contract' }), port, token)).toMatchObject({ status: 403 });
  });

  test('the contract with a query is 401, with the right token too', () => {
    const headers: Headers = [
      ['Host', ourHosts[0]!],
      ['Authorization', `Bearer ${token}`],
    ];
    const request = facts(headers, { target: `/contract?token=${token}` });
    expect(checkRequest(request, port, token)).toEqual({ status: 401, code: 'token_required' });
  });

  test('an upgrade that is no GET is refused, with the right token too', () => {
    const request = facts(goodUpgrade(ourHosts[0]!), { target: '/contract', method: 'POST' });
    expect(checkUpgrade(request, port, token)).toEqual({ status: 405, code: 'method_not_allowed' });
  });

  test('comparing a token takes no longer when its start is right', () => {
    const nearly = `${token.slice(0, -1)}A`;
    const far = 'A'.repeat(token.length);
    const timesOf: Record<string, number[]> = { [far]: [], [nearly]: [] };
    for (let n = 0; n < 100_000; n++) {
      const given = n % 2 === 0 ? far : nearly;
      const start = process.hrtime.bigint();
      sameToken(given, token);
      timesOf[given]?.push(Number(process.hrtime.bigint() - start));
    }
    const median = (given: string): number => timesOf[given]?.sort((x, y) => x - y)[25_000] ?? 0;
    const [a, b] = [median(far), median(nearly)];
    expect(Math.max(a, b) / Math.min(a, b)).toBeLessThan(1.5);
  });
});

describe('a one-time address', () => {
  const target = '/launch/abc';
  const link: Headers = [
    ['Host', `127.0.0.1:${port}`],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Dest', 'document'],
  ];
  const refused = { status: 403, code: 'site_not_allowed' };
  const without = (name: string): Headers => link.filter(([header]) => header !== name);

  test('may be a link on another page', () => {
    expect(checkRequest(facts(link, { target }), port, token)).toBe(`127.0.0.1:${port}`);
  });

  test.each<[string, Headers, Partial<RequestFacts>]>([
    ['any other address', link, { target: '/' }],
    ['an address that only contains it', link, { target: '/x/launch/abc' }],
    ['a request that asks without going there', [...without('Sec-Fetch-Mode'), ['Sec-Fetch-Mode', 'no-cors']], {}],
    ['a frame', [...without('Sec-Fetch-Dest'), ['Sec-Fetch-Dest', 'iframe']], {}],
    ['a request that does not say how', without('Sec-Fetch-Mode'), {}],
    ['a request that does not say for what', without('Sec-Fetch-Dest'), {}],
    ['two answers', [...link, ['Sec-Fetch-Mode', 'navigate']], {}],
    ['HEAD', link, { method: 'HEAD' }],
  ])('opens no way for %s', (_title, headers, more) => {
    expect(checkRequest(facts(headers, { target, ...more }), port, token)).toEqual(refused);
  });

  test('is known as coming from another page by what the browser says', () => {
    const from = (...sites: string[]) => isFromOtherPage(facts(sites.map((site) => ['Sec-Fetch-Site', site] as const)));
    expect([from(), from('none'), from('same-origin')]).toEqual([false, false, false]);
    expect([from('same-site'), from('cross-site'), from('none', 'none')]).toEqual([true, true, true]);
  });
});
