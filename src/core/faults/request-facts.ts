/** What faults and the report read from a request, independent of what ingest makes of it. */
import type { FaultPath } from '../../contract/faults.ts';
import { wrongMethodOrPath } from '../ingest/answers.ts';
import { factsOf, type IngestRequest, refusalOf } from '../ingest/request.ts';
import { type Route, routeOf } from '../ingest/routes.ts';
import { splitCalls } from '../ingest/split.ts';
import { basicUser } from '../ingest/write-key.ts';
import { isJsonObject } from '../model/call.ts';
import type { Header } from '../model/header.ts';
import { type ClientName, libraryOf, nameFromUserAgent } from './client-name.ts';
import { cut } from './text.ts';

const MAX_TEXT = 200;

export interface HeadFacts {
  readonly path: FaultPath;
  /** From the Basic header alone; null when that has none. */
  readonly headKey: string | null;
  readonly origin: string | null;
  readonly userAgent: string;
  /** The value of X-Retry-Count, or null. */
  readonly retryCount: number | null;
}

export interface WholeFacts extends HeadFacts {
  readonly writeKey: string | null;
  readonly name: ClientName;
  /** The messageIds of the calls, each once. */
  readonly messageIds: readonly string[];
  /** How many calls brought no messageId. */
  readonly nameless: number;
}

/** Null for requests that no fault ever meets: preflights, health, unknown paths, wrong methods, refused ones. */
export function headFacts(method: string, target: string, headers: readonly Header[]): HeadFacts | null {
  const { authorization, origin, hosts } = factsOf(headers);
  if (refusalOf(target, hosts) !== null) return null;
  const route = routeOf(target);
  if (wrongMethodOrPath(route, method) !== null) return null;
  const path = pathOf(route);
  if (path === null) return null;
  const user = basicUser(authorization);
  return {
    path,
    headKey: user === null ? null : cut(user, MAX_TEXT),
    origin,
    userAgent: cut(headerValue(headers, 'user-agent') ?? '', MAX_TEXT),
    retryCount: countOf(headerValue(headers, 'x-retry-count')),
  };
}

export function wholeFacts(head: HeadFacts, request: IngestRequest): WholeFacts {
  const fromAgent = nameFromUserAgent(head.userAgent);
  const route = routeOf(request.target);
  if (route.kind === 'settings')
    return { ...head, writeKey: cut(route.writeKey, MAX_TEXT), name: fromAgent, messageIds: [], nameless: 0 };
  const nothing: WholeFacts = { ...head, writeKey: head.headKey, name: fromAgent, messageIds: [], nameless: 0 };
  if (route.kind !== 'call' && route.kind !== 'batch' && route.kind !== 'pixel') return nothing;
  if (request.overflow !== undefined) return nothing;
  const { target, body } = request;
  const split = splitCalls({ route, target, body, encoding: factsOf(request.headers).encoding });
  const writeKey = head.headKey ?? (split.writeKey === null ? null : cut(split.writeKey, MAX_TEXT));
  if (!split.ok) return { ...nothing, writeKey };
  const name = libraryOf(split.calls[0]) ?? libraryOf(split.batch) ?? fromAgent;
  return { ...head, writeKey, name, ...idsOf(split.calls) };
}

function idsOf(calls: readonly unknown[]): Pick<WholeFacts, 'messageIds' | 'nameless'> {
  const ids = calls.flatMap((call) =>
    isJsonObject(call) && typeof call.messageId === 'string' && call.messageId !== ''
      ? [cut(call.messageId, MAX_TEXT)]
      : [],
  );
  return { messageIds: [...new Set(ids)], nameless: calls.length - ids.length };
}

function pathOf(route: Route): FaultPath | null {
  switch (route.kind) {
    case 'call':
      return route.type === 'delete' ? null : route.type;
    case 'batch':
    case 'pixel':
    case 'settings':
      return route.kind;
    case 'metrics':
    case 'health':
    case 'token':
    case 'regulations':
    case 'browserSdk':
    case 'browserBundle':
    case 'unknown':
      return null;
  }
}

function headerValue(headers: readonly Header[], wanted: string): string | undefined {
  return headers.find(([name]) => name.length === wanted.length && name.toLowerCase() === wanted)?.[1];
}

function countOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
}
