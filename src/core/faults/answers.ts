/**
 * The answers that faults give. A whole answer keeps the shape that clients read, unless the fault changes that
 * shape.
 */
import type { FaultAction } from '../../contract/faults.ts';
import { errorAnswer, SUCCESS } from '../ingest/answers.ts';
import type { IngestResponse } from '../ingest/request.ts';
import type { Header } from '../model/header.ts';

type Status = Extract<FaultAction, { kind: 'status' }>;

const PAGE =
  '<!doctype html><html><head><title>Welcome</title></head><body><p>Not what was asked for.</p></body></html>';

export const EMPTY: IngestResponse = { status: 200, headers: [], body: '' };

/** `wallNow` is in epoch milliseconds, for a Retry-After date. 204, 205 and 304 have no body. */
export function statusAnswer(action: Status, wallNow: number): IngestResponse {
  const { status } = action;
  const retryAfter = retryAfterHeader(action, wallNow);
  if (status === 204 || status === 205 || status === 304) return { status, headers: retryAfter, body: '' };
  if (status < 300) return { ...SUCCESS, status, headers: [...SUCCESS.headers, ...retryAfter] };
  const message = `This request was answered ${status} on purpose: ingest faults are on.`;
  return errorAnswer(status, 'ingest_fault', message, retryAfter);
}

function retryAfterHeader({ retryAfter, retryAfterForm }: Status, wallNow: number): Header[] {
  if (retryAfter === null) return [];
  // A date has whole seconds. Round up, so that it is never earlier than the rule says.
  const at = Math.ceil(wallNow / 1000 + retryAfter) * 1000;
  return [['Retry-After', retryAfterForm === 'seconds' ? String(retryAfter) : new Date(at).toUTCString()]];
}

/** Whether the body of this content type is an HTML page; any other type has the usual body. */
export const isPage = (contentType: string): boolean => /^text\/html\b/i.test(contentType);

export function otherTypeAnswer(contentType: string): IngestResponse {
  const body = isPage(contentType) ? PAGE : SUCCESS.body;
  return { status: 200, headers: [['Content-Type', contentType]], body };
}
