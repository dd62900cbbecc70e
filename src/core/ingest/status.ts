/**
 * The status of a request whose calls are committed (decisions, Ingest). Segment mode answers 200 to all but an
 * oversized call. Strict mode answers 401 to a key without a usable source and
 * 400 to a call that fails validation.
 */

import { rejectionText } from '../model/reason-text.ts';
import type { IngestSettings, NewMessage } from '../model/records.ts';
import type { RejectReason } from '../model/vocabulary.ts';

export interface Fault {
  readonly status: 400 | 401;
  readonly code: RejectReason;
  readonly message: string;
}

/** Null for success. The valid calls of a batch are kept in any case. */
export function statusFor(messages: readonly NewMessage[], mode: IngestSettings['mode']): Fault | null {
  let first: NewMessage | null = null;
  let overSize: NewMessage | null = null;
  let refused: NewMessage | null = null;
  for (const message of messages) {
    if (message.state !== 'rejected') continue;
    first ??= message;
    if (message.reason === 'call_too_large') overSize ??= message;
    if (message.reason === 'unknown_source' || message.reason === 'source_disabled') refused ??= message;
  }
  if (mode === 'segment') return overSize === null ? null : fault(400, overSize, messages.length);
  if (refused !== null) return fault(401, refused, 1);
  return first === null ? null : fault(400, first, messages.length);
}

function fault(status: 400 | 401, message: NewMessage, calls: number): Fault {
  const code = message.reason as RejectReason;
  const text = rejectionText(code, message.reasonDetail, message.type);
  return { status, code, message: calls === 1 ? text : `Call ${message.position + 1} of ${calls}: ${text}` };
}
