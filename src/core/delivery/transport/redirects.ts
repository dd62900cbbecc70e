/**
 * Follows redirects where the delivery rules say so. Only the profile of Segment's actions says so; the default rules
 * never do.
 */
import type { AttemptResult, Phases } from '../../model/attempt.ts';
import { followedText, type Hop } from '../../model/followed.ts';
import type { AttemptRequest, Clock, Transport } from '../../ports.ts';

const FOLLOWED = new Set([301, 302, 303, 307, 308]);
/** Headers that are sent only to the webhook's own origin. */
const PRIVATE = new Set(['authorization', 'cookie', 'proxy-authorization']);

/**
 * The same transport, but it follows up to `maxRedirects` redirects of a request within the request's one time limit.
 * Every hop is dialled and its certificate checked like the first. The result is that of the last hop, with the headers
 * of the first request, which stand in the record beside its URL and its body. A phase has its time in all hops; `detail`
 * names the hops.
 */
export function followingRedirects(transport: Transport, clock: Clock): Transport {
  return {
    send: (request) => (request.maxRedirects ? follow(transport, clock, request) : transport.send(request)),
    close: () => transport.close(),
  };
}

async function follow(transport: Transport, clock: Clock, first: AttemptRequest): Promise<AttemptResult> {
  const startedAt = clock.mono();
  const hops: Hop[] = [];
  let request = first;
  let result = await transport.send(first);
  for (let left = first.maxRedirects ?? 0; left > 0; left -= 1) {
    const next = nextRequest(request, result);
    const remaining = first.limitMs - (clock.mono() - startedAt);
    if (next === null || remaining <= 0) break;
    hops.push({ status: result.status!, url: next.url });
    request = { ...next, limitMs: remaining };
    result = joined(result, await transport.send(request));
  }
  if (hops.length === 0) return result;
  const detail = [followedText(hops), result.detail].filter(Boolean).join(' ');
  return { ...result, detail, durationMs: clock.mono() - startedAt };
}

function joined({ requestHeaders, phases }: AttemptResult, hop: AttemptResult): AttemptResult {
  const sums = { ...phases };
  for (const [name, ms] of Object.entries(hop.phases) as [keyof Phases, number | null][])
    if (ms !== null) sums[name] = (sums[name] ?? 0) + ms;
  return { ...hop, requestHeaders, phases: sums };
}

/** As in fetch: a 303 turns the request into a GET, as 301 and 302 do with a POST. 307 and 308 keep method and body. */
function nextRequest(request: AttemptRequest, { status, responseHeaders }: AttemptResult): AttemptRequest | null {
  const location = responseHeaders.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (status === null || !FOLLOWED.has(status) || location === undefined) return null;
  if (!URL.canParse(location, request.url)) return null;
  const url = new URL(location, request.url);
  const isSameOrigin = url.origin === new URL(request.url).origin;
  const headers = isSameOrigin ? request.headers : request.headers.filter(([name]) => !PRIVATE.has(name.toLowerCase()));
  const keeps = status === 307 || status === 308;
  if (keeps) return { ...request, url: url.href, headers };
  const bare = headers.filter(([name]) => name.toLowerCase() !== 'content-type');
  return { ...request, url: url.href, headers: bare, body: new Uint8Array(), method: 'GET' };
}
