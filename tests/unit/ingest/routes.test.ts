import { describe, expect, it } from 'vitest';
import { cleanPath, methodsOf, routeOf } from '../../../src/core/ingest/routes.ts';

describe('paths', () => {
  const names = ['identify', 'track', 'page', 'screen', 'group', 'alias'];
  it.each<[string, object]>([
    ...names.flatMap((name): [string, object][] => [
      [`/v1/${name}`, { kind: 'call', type: name }],
      [`/v1/${name[0]}`, { kind: 'call', type: name }],
      [`/v1/${name}/`, { kind: 'call', type: name }],
      [`//v1//${name}`, { kind: 'call', type: name }],
      [`/v1/pixel/${name}?data=e30=`, { kind: 'pixel', type: name }],
    ]),
    ['/v1/batch', { kind: 'batch' }],
    ['/v1/batch/', { kind: 'batch' }],
    ['//v1/batch', { kind: 'batch' }],
    ['/v1/batch?x=1', { kind: 'batch' }],
    ['/v1/import', { kind: 'batch', historical: true }],
    ['/v1/import/', { kind: 'batch', historical: true }],
    ['/v1/b', { kind: 'batch' }],
    ['/v1/m', { kind: 'metrics' }],
    ['/v1/projects/wk%20x/settings', { kind: 'settings', writeKey: 'wk x' }],
    ['/v1/projects/%zz/settings/', { kind: 'settings', writeKey: '%zz' }],
    ['/health', { kind: 'health' }],
    ['/token', { kind: 'token' }],
    ['/oauth2/token', { kind: 'token' }],
    ['/analytics.js/v1/wk%20x/analytics.js', { kind: 'browserSdk', writeKey: 'wk x' }],
    ['/analytics.js/v1/wk/analytics.min.js?x', { kind: 'browserSdk', writeKey: 'wk' }],
    ['/analytics.js/v1/wk/analyticsxjs', { kind: 'unknown', hint: null }],
    ['/analytics.js/v1/a/b/analytics.js', { kind: 'unknown', hint: null }],
    ['/x/analytics.js/v1/wk/analytics.js', { kind: 'unknown', hint: null }],
    ['/analytics.js/v1/wk/analytics.js/x', { kind: 'unknown', hint: null }],
    ['/analytics-next/bundles/a-1.bundle.js', { kind: 'browserBundle', name: 'a-1.bundle.js' }],
    ['/analytics-next/bundles/a.js.map', { kind: 'browserBundle', name: 'a.js.map' }],
    ['/analytics-next/bundles/.a.js', { kind: 'unknown', hint: null }],
    ['/analytics-next/bundles/a.css', { kind: 'unknown', hint: null }],
    ['/analytics-next/bundles/a.js.zip', { kind: 'unknown', hint: null }],
    ['/x/analytics-next/bundles/a.js', { kind: 'unknown', hint: null }],
    ['/v1/projects/a/b/settings', { kind: 'unknown', hint: null }],
    ['/x/v1/projects/a/settings', { kind: 'unknown', hint: null }],
    ['/v1/projects/a/settings/x', { kind: 'unknown', hint: null }],
    ['/v1/BATCH', { kind: 'unknown', hint: null }],
    ['/v1', { kind: 'unknown', hint: null }],
    ['/', { kind: 'unknown', hint: null }],
    ['/v1/delete', { kind: 'unknown', hint: null }],
    ['/v1/../v1/track', { kind: 'unknown', hint: null }],
    ['/constructor', { kind: 'unknown', hint: null }],
  ])('%s', (target, route) => {
    expect(routeOf(target)).toEqual(route);
  });

  it('without /v1 is not served, and the hint says why', () => {
    expect(routeOf('/t')).toEqual({
      kind: 'unknown',
      hint: 'Use /v1/t: the host that the client is given must end in /v1.',
    });
  });
});

it.each([
  ['/v1/batch', '/v1/batch'],
  ['/v1/batch/', '/v1/batch'],
  ['/v1//batch///', '/v1/batch'],
  ['/v1/batch/?a=//b/', '/v1/batch'],
  ['/?a', '/'],
  ['//', '/'],
  ['?a', ''],
])('%s is the path %j', (target, path) => {
  expect(cleanPath(target)).toBe(path);
});

it.each([
  ['POST', ['/v1/track', '/v1/batch', '/v1/m', '/token']],
  ['GET,HEAD', ['/v1/projects/k/settings', '/v1/pixel/track', '/health', '/analytics.js/v1/k/analytics.js']],
  ['GET,HEAD', ['/analytics-next/bundles/a.js']],
  ['', ['/nowhere']],
])('%j is for %j', (methods, paths) => {
  for (const path of paths) expect(methodsOf(routeOf(path)).join()).toBe(methods);
});
