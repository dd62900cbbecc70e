/** The texts in the response dialog, and the response that they describe. Pure. */
import { RECEIVER_LIMITS } from '../../../contract/receiver-limits.ts';
import type { ReceiverResponse, ReceiverResponseKind } from '../../../contract/receivers.ts';
import { wholeNumber } from '../../lib/whole-number.ts';

/** The fields of all kinds, so that a change of kind keeps what was typed. */
export interface ResponseDraft {
  kind: ReceiverResponseKind;
  status: string;
  headers: string;
  body: string;
  redirectStatus: string;
  location: string;
  holdMs: string;
  part: 'head' | 'body';
  bytesPerSecond: string;
  bytes: string;
  variant: 'banner' | 'bad_status' | 'two_lengths' | 'bad_header';
  retryAfter: string;
}
export type DraftField = keyof ResponseDraft;

export function draftOf(response: ReceiverResponse): ResponseDraft {
  const draft: ResponseDraft = {
    kind: response.kind,
    status: '200',
    headers: '',
    body: '',
    redirectStatus: '302',
    location: '/r/ok',
    holdMs: '30000',
    part: 'body',
    bytesPerSecond: '5',
    bytes: '65536',
    variant: 'banner',
    retryAfter: '10',
  };
  switch (response.kind) {
    case 'status': {
      const headers = response.headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
      return { ...draft, status: String(response.status), headers, body: response.body };
    }
    case 'redirect':
      return { ...draft, redirectStatus: String(response.status), location: response.location };
    case 'hang':
      return { ...draft, holdMs: String(response.holdMs) };
    case 'reset_during':
      return { ...draft, part: response.part };
    case 'drip': {
      const { part, status, bytesPerSecond } = response;
      return { ...draft, part, status: String(status), bytesPerSecond: String(bytesPerSecond) };
    }
    case 'endless':
      return { ...draft, status: String(response.status) };
    case 'huge_headers':
      return { ...draft, bytes: String(response.bytes) };
    case 'invalid_http':
      return { ...draft, variant: response.variant };
    case 'throttle':
      return { ...draft, retryAfter: response.retryAfter };
    default:
      return draft;
  }
}

export type ReadDraft =
  | { readonly ok: true; readonly response: ReceiverResponse }
  | { readonly ok: false; readonly field: DraftField; readonly message: string };

class Wrong extends Error {
  readonly field: DraftField;
  constructor(field: DraftField, message: string) {
    super(message);
    this.field = field;
  }
}

/** The response, or the first field that is wrong. The engine reports what only it can check. */
export function readDraft(draft: ResponseDraft): ReadDraft {
  try {
    return { ok: true, response: responseOf(draft) };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { ok: false, field: error.field, message: error.message };
  }
}

function responseOf(draft: ResponseDraft): ReceiverResponse {
  const { kind, part, variant } = draft;
  switch (kind) {
    case 'status':
      return { kind, status: number(draft, 'status', 100, 999), headers: headersOf(draft.headers), body: draft.body };
    case 'redirect': {
      const status = Number(draft.redirectStatus) as 302;
      return { kind, status, location: needed(draft, 'location', 'Enter a path or a URL.') };
    }
    case 'hang':
      return { kind, holdMs: number(draft, 'holdMs', 1, RECEIVER_LIMITS.holdMs) };
    case 'reset_during':
      return { kind, part };
    case 'drip': {
      const bytesPerSecond = number(draft, 'bytesPerSecond', 1, RECEIVER_LIMITS.bytesPerSecond);
      return { kind, part, status: number(draft, 'status', 200, 999), bytesPerSecond };
    }
    case 'endless':
      return { kind, status: number(draft, 'status', 200, 999) };
    case 'huge_headers':
      return { kind, bytes: number(draft, 'bytes', 1_024, RECEIVER_LIMITS.headerBytes) };
    case 'invalid_http':
      return { kind, variant };
    case 'throttle':
      return { kind, retryAfter: needed(draft, 'retryAfter', 'Enter seconds or a date.') };
    case 'reset':
    case 'close':
      return { kind };
  }
}

function number(draft: ResponseDraft, field: DraftField, min: number, max: number): number {
  const value = wholeNumber(draft[field], min, max);
  if (value === null) throw new Wrong(field, `Enter a whole number from ${min} to ${max}.`);
  return value;
}

function needed(draft: ResponseDraft, field: DraftField, message: string): string {
  const text = draft[field].trim();
  if (text === '') throw new Wrong(field, message);
  return text;
}

/** One `Name: value` per line. */
function headersOf(text: string): Array<{ name: string; value: string }> {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(':');
      if (at < 1) throw new Wrong('headers', `Write each header as "Name: value". This is not one: ${line.trim()}`);
      return { name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() };
    });
}
