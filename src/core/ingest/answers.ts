/**
 * The bodies of answers. Success is exactly `{"success":true}` and an error always has `code`, `message` and
 * `error`: for each of the three there is a client that reads it, and retries or loses calls without it.
 */
import type { Header } from '../model/header.ts';
import type { IngestResponse } from './request.ts';
import { methodsOf, type Route } from './routes.ts';

/** Codes that an answer has and a call's reason never has. docs/errors.md lists them. */
export type AnswerCode =
  | 'invalid_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'unsupported_encoding'
  | 'request_timeout'
  | 'headers_too_large'
  | 'store_not_writable'
  | 'storage_full'
  | 'unauthorized'
  | 'invalid_regulation'
  | 'internal';

const JSON_TYPE: Header = ['Content-Type', 'application/json'];

/** What a handler decided, before the headers of the answer are added. */
export interface Answer {
  readonly status: number;
  /** Null when there is no error. */
  readonly code: string | null;
  readonly body: string | Uint8Array;
  readonly headers: readonly Header[];
}

export const SUCCESS: Answer = { status: 200, code: null, body: '{"success":true}', headers: [JSON_TYPE] };

export function errorBody(code: string, message: string): string {
  return JSON.stringify({ success: false, code, message, error: message });
}

export function errorAnswer(status: number, code: string, message: string, headers: readonly Header[] = []): Answer {
  return { status, code, body: errorBody(code, message), headers: [JSON_TYPE, ...headers] };
}

export function jsonAnswer(value: unknown): Answer {
  return { status: 200, code: null, body: JSON.stringify(value), headers: [JSON_TYPE, ['Cache-Control', 'no-store']] };
}

export function withHeaders(answer: Answer, more: readonly Header[]): IngestResponse {
  return { status: answer.status, headers: [...answer.headers, ...more], body: answer.body };
}

/** Seconds that a client should wait when nothing can be stored. */
const RETRY_AFTER_SECONDS = '5';

export function notWritable(): Answer {
  const message = 'The store cannot be written, so the request was not stored. Send it again later.';
  return errorAnswer(503, 'store_not_writable' satisfies AnswerCode, message, [['Retry-After', RETRY_AFTER_SECONDS]]);
}

export function storageFull(): Answer {
  const message = 'The storage limit is reached and every stored message still waits. Send it again later.';
  return errorAnswer(429, 'storage_full' satisfies AnswerCode, message, [['Retry-After', RETRY_AFTER_SECONDS]]);
}

export function internalError(): Answer {
  return errorAnswer(500, 'internal' satisfies AnswerCode, 'Something failed inside Hookbench, so nothing was stored.');
}

/** Null when the route accepts this method. */
export function wrongMethodOrPath(route: Route, method: string): Answer | null {
  if (route.kind === 'unknown') {
    return errorAnswer(404, 'not_found', route.hint ?? 'There is nothing at this path. Calls go to /v1/batch.');
  }
  const methods = methodsOf(route);
  if (methods.includes(method)) return null;
  const allowed = methods.join(', ');
  return errorAnswer(405, 'method_not_allowed', `Use ${allowed} here.`, [['Allow', `${allowed}, OPTIONS`]]);
}

/** The listener that the client asked: it should send its calls there too. */
export interface Origin {
  readonly protocol: 'http' | 'https';
  /** `localhost` with the port. The name covers both loopback addresses and stands in the certificate. */
  readonly host: string;
}

/**
 * What browser and phone libraries ask before they send (GET /v1/projects/:writeKey/settings). It lists one
 * integration only: any other makes the browser library fetch code from the network. `sampleRate` is 0
 * because the library sends its metrics over https. The answer is never a 404: the library would not start.
 */
export function settingsAnswer(writeKey: string, { protocol, host }: Origin): Answer {
  return jsonAnswer({
    integrations: { 'Segment.io': { apiKey: writeKey, apiHost: `${host}/v1`, protocol } },
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
}
