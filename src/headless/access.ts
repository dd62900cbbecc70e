/**
 * Who may ask the headless shell anything (reliability, section 3): the exact host, the exact origin, no
 * other site, and the token. Pure functions of what arrived; the server runs them before any handler and any upgrade.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { isLaunchPath } from './launch-path.ts';

/** What a check needs of a request. */
export interface RequestFacts {
  readonly method: string;
  /** The request target as received. */
  readonly target: string;
  /** Names and values alternately, as node:http gives them. */
  readonly rawHeaders: readonly string[];
}

export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 426 | 503;
  readonly code:
    | 'bad_host'
    | 'host_not_allowed'
    | 'bad_target'
    | 'origin_not_allowed'
    | 'site_not_allowed'
    | 'token_required'
    | 'upgrade_required'
    | 'bad_protocol'
    | 'method_not_allowed'
    | 'not_found'
    | 'too_many_connections'
    | 'engine_not_running';
}

export const CONTRACT_PATH = '/contract';
/** The subprotocol that the server answers with. */
export const CONTRACT_PROTOCOL = 'hookbench';
const tokenPrefix = `${CONTRACT_PROTOCOL}.`;

/** Every value of a header, because node:http keeps only the first of some. */
export function headerValues(facts: RequestFacts, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < facts.rawHeaders.length; i += 2)
    if (facts.rawHeaders[i]?.toLowerCase() === name) values.push(facts.rawHeaders[i + 1] ?? '');
  return values;
}

const allowedHosts = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

/** The host of the request when it is exactly one of ours. */
export function allowedHost(facts: RequestFacts, port: number): string | Refusal {
  const hosts = headerValues(facts, 'host');
  const host = hosts[0];
  if (hosts.length !== 1 || host === undefined || host === '') return { status: 400, code: 'bad_host' };
  return allowedHosts(port).includes(host) ? host : { status: 403, code: 'host_not_allowed' };
}

function checkOrigin(facts: RequestFacts, host: string, required: boolean): Refusal | null {
  const origins = headerValues(facts, 'origin');
  if (origins.length === 0 && !required) return null;
  return origins.length === 1 && origins[0] === `http://${host}` ? null : { status: 403, code: 'origin_not_allowed' };
}

/** True when a browser says that another page leads here: one of another port, or of another site. */
export function isFromOtherPage(facts: RequestFacts): boolean {
  const sites = headerValues(facts, 'sec-fetch-site');
  return sites.length > 0 && !(sites.length === 1 && (sites[0] === 'same-origin' || sites[0] === 'none'));
}

/** True for a link to a one-time address, opened as a page of its own. Its code alone decides. */
function isLaunch(facts: RequestFacts): boolean {
  const says = (name: string, value: string): boolean => {
    const values = headerValues(facts, name);
    return values.length === 1 && values[0] === value;
  };
  return (
    facts.method === 'GET' &&
    isLaunchPath(facts.target) &&
    says('sec-fetch-mode', 'navigate') &&
    says('sec-fetch-dest', 'document')
  );
}

/** Browsers say where a request comes from; other programs do not. */
function checkSite(facts: RequestFacts): Refusal | null {
  if (!isFromOtherPage(facts) || isLaunch(facts)) return null;
  return { status: 403, code: 'site_not_allowed' };
}

const isRefusal = (value: string | Refusal): value is Refusal => typeof value !== 'string';

/** Checks that come before everything else. Gives the allowed host. */
function checkSender(facts: RequestFacts, port: number, originRequired: boolean): string | Refusal {
  const host = allowedHost(facts, port);
  if (isRefusal(host)) return host;
  if (!facts.target.startsWith('/') || facts.target.includes('#')) return { status: 400, code: 'bad_target' };
  return checkOrigin(facts, host, originRequired) ?? checkSite(facts) ?? host;
}

/** Tells a tab whether its token is valid, without an upgrade: a browser does not tell a page why an upgrade failed. */
function tokenAnswer(facts: RequestFacts, token: string): Refusal {
  const given = headerValues(facts, 'authorization');
  const bearer = given.length === 1 ? /^Bearer ([\w-]+)$/.exec(given[0] ?? '')?.[1] : undefined;
  return bearer !== undefined && sameToken(bearer, token)
    ? { status: 426, code: 'upgrade_required' }
    : { status: 401, code: 'token_required' };
}

/** A request for a page or one of its files. Gives the allowed host, for the page's policy. */
export function checkRequest(facts: RequestFacts, port: number, token: string): string | Refusal {
  const isRead = facts.method === 'GET' || facts.method === 'HEAD';
  const host = checkSender(facts, port, !isRead);
  if (isRefusal(host)) return host;
  if (facts.target === CONTRACT_PATH) return tokenAnswer(facts, token);
  if (facts.target.startsWith(`${CONTRACT_PATH}?`)) return { status: 401, code: 'token_required' };
  return isRead ? host : { status: 405, code: 'method_not_allowed' };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests, so that neither the length nor the first wrong character shows in the time taken. */
export const sameToken = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));

function checkToken(facts: RequestFacts, token: string): Refusal | null {
  const offers = headerValues(facts, 'sec-websocket-protocol')
    .flatMap((value) => value.split(','))
    .map((offer) => offer.trim());
  const tokens = offers.filter((offer) => offer.startsWith(tokenPrefix));
  const given = tokens[0];
  if (tokens.length !== 1 || given === undefined || !sameToken(given.slice(tokenPrefix.length), token))
    return { status: 401, code: 'token_required' };
  return offers.includes(CONTRACT_PROTOCOL) ? null : { status: 400, code: 'bad_protocol' };
}

/** An upgrade to the contract; null lets it through. */
export function checkUpgrade(facts: RequestFacts, port: number, token: string): Refusal | null {
  const host = checkSender(facts, port, true);
  if (isRefusal(host)) return host;
  if (facts.target !== CONTRACT_PATH) return { status: 404, code: 'not_found' };
  if (facts.method !== 'GET') return { status: 405, code: 'method_not_allowed' };
  return checkToken(facts, token);
}
