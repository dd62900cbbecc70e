/** A request as the listener hands it over, and the facts that ingest reads from its head in one pass. */
import type { ServerResponse } from 'node:http';
import type { Header } from '../model/header.ts';

export interface IngestRequest {
  readonly method: string;
  /** Path and query, as on the request line. */
  readonly target: string;
  /** In the order and case received, with repeated names. */
  readonly headers: readonly Header[];
  /** Still encoded; empty when `overflow` is set. */
  readonly body: Uint8Array;
  /** The client's address, or null. */
  readonly remote: string | null;
  /** True when it came over the https listener. */
  readonly secure?: boolean;
  /** Set when the body was over the limit. */
  readonly overflow?: BodyStart;
}

/** A body over the limit, which ingest did not read to its end. */
export interface BodyStart {
  /** Its announced length; null without one, or when that says nothing about the decoded size. */
  readonly bytes: number | null;
  /** Its first bytes as received; empty when the client asked before sending any. */
  readonly first: Uint8Array;
}

export interface IngestResponse {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array;
  /** Writes the answer in place of the listener, to misbehave on purpose. `send` writes an answer the usual way. */
  readonly write?: (response: ServerResponse, send: (answer: IngestResponse) => void) => void;
}

export interface RequestFacts {
  readonly authorization: string | null;
  /** Content codings in lower case, joined by commas; null without any. */
  readonly encoding: string | null;
  readonly origin: string | null;
  readonly hosts: readonly string[];
}

export function factsOf(headers: readonly Header[]): RequestFacts {
  let authorization: string | null = null;
  let encoding: string | null = null;
  let origin: string | null = null;
  const hosts: string[] = [];
  for (const [name, value] of headers) {
    switch (
      name.length === 4 || name.length === 6 || name.length === 13 || name.length === 16 ? name.toLowerCase() : ''
    ) {
      case 'host':
        hosts.push(value);
        break;
      case 'origin':
        origin ??= value;
        break;
      case 'authorization':
        authorization ??= value;
        break;
      case 'content-encoding':
        encoding = encoding === null ? value : `${encoding},${value}`;
        break;
    }
  }
  return { authorization, encoding: encodingName(encoding), origin, hosts };
}

function encodingName(encoding: string | null): string | null {
  if (encoding === null) return null;
  const name = encoding.trim().toLowerCase();
  return name === '' || name === 'identity' ? null : name;
}

const HOST = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/;

/**
 * Why ingest refuses a request before it looks at it, or null. It refuses requests that a program on the way could
 * read as different ones (reliability, Measured facts 11).
 */
export function refusalOf(target: string, hosts: readonly string[]): string | null {
  if (hosts.length !== 1) return 'The request must have exactly one Host header.';
  if (!HOST.test(hosts[0] as string)) return 'The Host header is not a host name or address.';
  if (!target.startsWith('/')) return 'The request target must start with a slash.';
  if (target.includes('#')) return 'The request target must not contain a fragment.';
  return null;
}

/** An address as `context.ip` shows it. Every form of loopback, and IPv4 mapped into IPv6, becomes plain IPv4. */
export function plainAddress(remote: string | null): string {
  if (remote === null || remote === '::1') return LOOPBACK;
  return remote.startsWith('::ffff:') ? remote.slice(7) : remote;
}

export const LOOPBACK = '127.0.0.1';
