/**
 * HTTP Archive 1.2: for each message the request that brought its call, and each attempt to deliver it. Fields that the
 * format does not have begin with an underscore, as it asks for.
 */
import { jsonText } from '../../../contract/plain-text.ts';
import type { Exported, ExportedAttempt, ExportedBytes, ExportedHeader, ExportedRequest } from '../exported.ts';
import type { FileFacts, Format } from './format.ts';

export const har: Format = {
  head: ({ version, at }) => {
    const creator = { name: 'Hookbench', version };
    return `{"log":{"version":"1.2","creator":${jsonText(creator)},"comment":${jsonText(`Exported ${at}`)},"entries":[\n`;
  },
  message: (message, index, facts) => {
    const entries = [callEntry(message, facts), ...message.attempts.map((one) => attemptEntry(message, one))];
    return entries.map((entry, i) => `${index === 0 && i === 0 ? '' : ',\n'}${jsonText(entry)}`).join('');
  },
  tail: () => '\n]}}\n',
};

const NOTHING_CACHED = {};
const UNKNOWN = -1;

/** The request that brought the call. Where it is not stored any more, the entry still tells of the message. */
function callEntry(message: Exported, { port }: FileFacts): object {
  const request = message.request ?? LOST;
  return {
    startedDateTime: message.receivedAt,
    time: 0,
    request: {
      method: request.method,
      url: `http://localhost:${port}${request.path}`,
      ...requestParts(request.headers, request),
    },
    response: { status: request.status, statusText: '', ...responseParts([], NOT_KEPT, UNKNOWN) },
    cache: NOTHING_CACHED,
    timings: { send: 0, wait: 0, receive: 0 },
    _hookbench: { kind: 'call', ...about(message) },
  };
}

const NOT_KEPT: ExportedBytes = { bodyLeftOut: 'not_kept' };
const LOST: ExportedRequest = { method: 'POST', path: '/v1/batch', status: 0, headers: [], ...NOT_KEPT };

const about = ({ messageId, type, name, state, reason, delivered }: Exported) => ({
  messageId,
  type,
  name,
  state,
  reason,
  delivered,
});

function attemptEntry(message: Exported, attempt: ExportedAttempt): object {
  const { messageId } = message;
  const { webhook, slot, round, replay, outcome, reason, detail, durationMs } = attempt;
  const timings = timingsOf(attempt);
  const { ssl: _, ...counted } = timings;
  return {
    startedDateTime: attempt.startedAt,
    time: Object.values(counted).reduce((sum, ms) => sum + Math.max(0, ms), 0),
    request: {
      method: 'POST',
      url: attempt.url,
      ...requestParts(attempt.requestHeaders, sentBytes(message, attempt)),
    },
    response: {
      status: attempt.status ?? 0,
      statusText: attempt.statusText,
      ...responseParts(attempt.responseHeaders, attempt.response, attempt.responseBytes),
    },
    cache: NOTHING_CACHED,
    timings,
    _hookbench: { kind: 'attempt', messageId, webhook, slot, round, replay, outcome, reason, detail, durationMs },
  };
}

function sentBytes({ delivered, request }: Exported, { replay, sentBody }: ExportedAttempt): ExportedBytes {
  if (sentBody !== undefined) return sentBody;
  if (replay === 'received') return request ?? NOT_KEPT;
  return delivered === null ? NOT_KEPT : { body: delivered };
}

/** Milliseconds; -1 for a phase that did not happen. `ssl` is part of `connect`. */
function timingsOf({ phases }: ExportedAttempt) {
  const [queue, dns, tcp, tls, certificate, send, wait, read] = phases;
  const secured = sum(tls, certificate);
  return {
    blocked: queue ?? UNKNOWN,
    dns: dns ?? UNKNOWN,
    connect: sum(tcp, tls, certificate),
    ssl: secured,
    send: send ?? 0,
    wait: wait ?? 0,
    receive: read ?? 0,
  };
}

const sum = (...parts: Array<number | null | undefined>): number =>
  parts.every((part) => part === null || part === undefined)
    ? UNKNOWN
    : parts.reduce<number>((all, part) => all + (part ?? 0), 0);

function requestParts(headers: readonly ExportedHeader[], bytes: ExportedBytes | ExportedRequest) {
  const body = 'body' in bytes ? bytes.body : 'bodyBase64' in bytes ? bytes.bodyBase64 : null;
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(harHeader),
    queryString: [],
    headersSize: UNKNOWN,
    bodySize: body === null ? UNKNOWN : Buffer.byteLength(body, 'bodyBase64' in bytes ? 'base64' : 'utf8'),
    ...(body !== null && {
      postData: {
        mimeType: headerOf(headers, 'content-type') ?? 'application/json',
        params: [],
        text: body,
        ...('bodyBase64' in bytes && { _encoding: 'base64' }),
      },
    }),
  };
}

function responseParts(headers: readonly ExportedHeader[], bytes: ExportedBytes, size: number) {
  const content = {
    size: Math.max(0, size),
    mimeType: headerOf(headers, 'content-type') ?? 'x-unknown',
    ...('body' in bytes && { text: bytes.body }),
    ...('bodyBase64' in bytes && { text: bytes.bodyBase64, encoding: 'base64' }),
    ...('bodyLeftOut' in bytes && { comment: LEFT_OUT[bytes.bodyLeftOut] }),
  };
  return {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers.map(harHeader),
    content,
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: UNKNOWN,
    bodySize: size,
  };
}

const LEFT_OUT = {
  not_kept: 'Not kept.',
  too_much: 'Left out: the answers of this message are too large together.',
  masked: 'Left out: chosen fields cannot be masked in it.',
} as const;

const headerOf = (headers: readonly ExportedHeader[], name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name)?.value;

const harHeader = ({ name, value, hiddenLength }: ExportedHeader): object =>
  value === undefined ? { name, value: `[hidden, ${hiddenLength} characters]`, _hidden: true } : { name, value };
