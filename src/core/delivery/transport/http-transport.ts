import type { SecureContext } from 'node:tls';
import { remembering } from '../../model/remembering.ts';
import type { AttemptRequest, Clock, Timers, Transport } from '../../ports.ts';
import { PassingSet } from '../passing.ts';
import { Attempt } from './attempt.ts';
import { readAuthorities } from './authorities.ts';
import { createTrust } from './certificate.ts';
import { createLookup, type Lookup } from './dial.ts';
import { noConnection } from './failures.ts';
import { ConnectionPool } from './pool.ts';
import { followingRedirects } from './redirects.ts';

export interface HttpTransportOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  /**
   * PEM certificates to trust beside the bundled and the system's; a text may hold several. Read at each attempt over
   * https. A new array replaces the one before. Anything that is not a certificate is left out.
   */
  readonly ca?: () => readonly string[];
  /** Hookbench's own listening ports, read at every dial. A webhook that leads to them is refused. */
  readonly ownPorts?: () => readonly number[];
  /** Replaces the system's resolver. */
  readonly lookup?: Lookup;
  /** How long an unused connection is kept. Default {@link KEEP_ALIVE_MS}. */
  readonly keepAliveMs?: number;
}

const NO_AUTHORITIES: readonly string[] = [];

/**
 * Shorter than most receivers' limit (5 s and more), so that we close first and rarely use a connection that is
 * closing.
 */
export const KEEP_ALIVE_MS = 4000;

export interface HttpTransport extends Transport {
  /** Open connections, busy and unused. */
  stats(): { readonly connections: number; readonly unused: number };
}

/**
 * Sends attempts over HTTP/1.1 and TLS (delivery specification, sections 4, 5 and 7; decisions, Delivery).
 * Follows redirects only as far as the request says. No decompression, no proxy, no resending; one deadline over the
 * whole attempt, redirects included.
 */
export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  const { clock, timers, ownPorts = () => [], lookup = createLookup(), keepAliveMs = KEEP_ALIVE_MS } = options;
  const { ca = () => NO_AUTHORITIES } = options;
  const trustOf = remembering(1, (own: readonly string[]) => createTrust(own.flatMap(readAuthorities)));
  const trust = (): SecureContext => trustOf(ca());
  const pool = new ConnectionPool({ timers, lookup, ownPorts, keepAliveMs, trust });
  const open = new PassingSet<Attempt>();
  let closed = false;

  const start = (attempt: Attempt): void => {
    if (closed) {
      attempt.interrupt();
      return;
    }
    const target = targetOf(attempt.request.url);
    if (!target) {
      attempt.fail(noConnection('unsupported_url', 'The URL is not a plain http or https URL.'));
      return;
    }
    pool.take(target.origin).carry(attempt, target.path);
  };

  const once: Transport = {
    send(request: AttemptRequest) {
      // Reading the lists of authorities takes about 40 ms, once. Done here so that it does not count against the first
      // attempt's limit.
      if (request.url.startsWith('https:')) trust();
      const attempt = new Attempt(request, clock, timers);
      const place = open.add(attempt);
      start(attempt);
      void attempt.done.then(() => open.remove(place));
      return attempt.done;
    },
    async close() {
      closed = true;
      for (const attempt of open.all()) attempt.interrupt();
      await pool.close();
    },
  };
  return {
    ...followingRedirects(once, clock),
    stats: () => ({ connections: pool.size, unused: pool.idle }),
  };
}

interface Target {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
}

/** Credentials in a URL would have to be sent or silently dropped. We do neither. */
const targetOf = remembering(8, (text: string): Target | null => {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url?.username !== '' || url.password !== '') return null;
  return { origin: url.origin, path: url.pathname + url.search };
});
