/**
 * What a request target asks for (decisions, Ingest). Trailing and doubled slashes reach the same handler as the
 * clean path: a redirect would turn the client's POST into a GET without a body.
 */
import type { CallType } from '../model/vocabulary.ts';

export type Route =
  /** One call; its type is in the path. */
  | { readonly kind: 'call'; readonly type: CallType }
  /** `historical` marks an import, whose timestamps are never corrected. */
  | { readonly kind: 'batch'; readonly historical?: true }
  /** Metrics of browser and phone libraries. Ingest answers them and stores nothing. */
  | { readonly kind: 'metrics' }
  | { readonly kind: 'settings'; readonly writeKey: string }
  | { readonly kind: 'pixel'; readonly type: CallType }
  | { readonly kind: 'health' }
  /** OAuth: `POST /token`. */
  | { readonly kind: 'token' }
  /** A deletion request in the shape of Segment's Public API: `POST /v1/regulations`. */
  | { readonly kind: 'regulations' }
  /** The browser library for a page's snippet. */
  | { readonly kind: 'browserSdk'; readonly writeKey: string }
  | { readonly kind: 'browserBundle'; readonly name: string }
  /** `hint` says what the client probably meant, or is null. */
  | { readonly kind: 'unknown'; readonly hint: string | null };

const CALL_PATHS: readonly (readonly [CallType, string])[] = [
  ['identify', 'i'],
  ['track', 't'],
  ['page', 'p'],
  ['screen', 's'],
  ['group', 'g'],
  ['alias', 'a'],
];

const FIXED: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...CALL_PATHS.flatMap(([type, letter]): [string, Route][] => [
    [`/v1/${type}`, { kind: 'call', type }],
    [`/v1/${letter}`, { kind: 'call', type }],
    [`/v1/pixel/${type}`, { kind: 'pixel', type }],
  ]),
  ['/v1/batch', { kind: 'batch' }],
  ['/v1/import', { kind: 'batch', historical: true }],
  ['/v1/b', { kind: 'batch' }],
  ['/v1/m', { kind: 'metrics' }],
  ['/v1/regulations', { kind: 'regulations' }],
  ['/health', { kind: 'health' }],
  ['/token', { kind: 'token' }],
  ['/oauth2/token', { kind: 'token' }],
]);

const SETTINGS = /^\/v1\/projects\/([^/]+)\/settings$/;
const BROWSER_SDK = /^\/analytics\.js\/v1\/([^/]+)\/analytics(?:\.min)?\.js$/;
/** A name without a slash and without a dot at its start, so that it cannot lead out of the folder. */
const BROWSER_BUNDLE = /^\/analytics-next\/bundles\/(\w[\w.-]*\.js(?:\.map)?)$/;

export function routeOf(target: string): Route {
  const direct = FIXED.get(target);
  if (direct !== undefined) return direct;
  const path = cleanPath(target);
  return FIXED.get(path) ?? settingsRoute(path) ?? browserRoute(path) ?? { kind: 'unknown', hint: hintFor(path) };
}

/** The path without its query, with single slashes and none at the end. */
export function cleanPath(target: string): string {
  const query = target.indexOf('?');
  const path = (query === -1 ? target : target.slice(0, query)).replace(/\/{2,}/g, '/');
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

export function methodsOf(route: Route): readonly string[] {
  switch (route.kind) {
    case 'call':
    case 'batch':
    case 'metrics':
    case 'token':
    case 'regulations':
      return ['POST'];
    case 'settings':
    case 'pixel':
    case 'health':
    case 'browserSdk':
    case 'browserBundle':
      return ['GET', 'HEAD'];
    case 'unknown':
      return [];
  }
}

function settingsRoute(path: string): Route | undefined {
  const key = SETTINGS.exec(path)?.[1];
  return key === undefined ? undefined : { kind: 'settings', writeKey: decodeSegment(key) };
}

function browserRoute(path: string): Route | undefined {
  const key = BROWSER_SDK.exec(path)?.[1];
  if (key !== undefined) return { kind: 'browserSdk', writeKey: decodeSegment(key) };
  const name = BROWSER_BUNDLE.exec(path)?.[1];
  return name === undefined ? undefined : { kind: 'browserBundle', name };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A browser library whose apiHost lacks `/v1` posts to `/t`. */
function hintFor(path: string): string | null {
  return FIXED.has(`/v1${path}`) ? `Use /v1${path}: the host that the client is given must end in /v1.` : null;
}
