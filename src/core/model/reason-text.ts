/** The sentences for rejected calls in the interface and in HTTP answers, and how sizes are written. */
import { MAX_CALLS } from './call.ts';
import type { CallType, RejectReason } from './vocabulary.ts';

/**
 * A size that broke a limit: `41.2 KB` (1 KB is 1,024 bytes), rounded up so that it never reads as the limit itself.
 * From 100 KB on, it has no decimals.
 */
export function overSizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return `${kilobytes < 100 ? Math.ceil(kilobytes * 10) / 10 : Math.ceil(kilobytes)} KB`;
}

export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** One or two sentences: what is wrong, then the limit or what to do. */
export function rejectionText(reason: RejectReason, detail: string | null, type: CallType | 'unknown'): string {
  switch (reason) {
    case 'call_too_large':
      return `This call is ${detail}. The limit is 32 KB per call.`;
    case 'batch_too_large':
      return detail?.endsWith('calls') === true
        ? `This batch has ${detail}. The limit is ${countText(MAX_CALLS)} calls per batch.`
        : `This batch is ${detail}. The limit is 500 KB per batch. Lower the SDK's flush size.`;
    case 'invalid_json':
      return detail === null ? 'The body is not valid JSON.' : `The body is not valid JSON. ${detail}`;
    case 'not_an_object':
      return detail ?? 'The call is not a JSON object.';
    case 'empty_batch':
      return 'The batch has no calls.';
    case 'no_user_anon_id':
      return 'This call has neither userId nor anonymousId.';
    case 'event_not_defined':
      return 'A track call needs an event name.';
    case 'event_not_string':
      return 'The event name of a track call is text.';
    case 'group_id_required':
      return 'A group call needs a groupId.';
    case 'previous_id_required':
      return 'An alias call needs a previousId.';
    case 'id_not_string':
      return `${detail ?? 'An id'} is neither text nor a number.`;
    case 'properties_not_object':
      return 'properties is not an object.';
    case 'traits_not_object':
      return 'traits is not an object.';
    case 'context_not_object':
      return `${detail ?? 'context'} is not an object.`;
    case 'integrations_not_object':
      return `${detail ?? 'integrations'} is not an object.`;
    case 'unknown_type':
      return detail === null ? 'The call has no type.' : `${detail} is not a type of call.`;
    case 'unknown_source':
      return detail === null
        ? 'The request has no write key.'
        : `No source has the write key ${detail}. Copy the key from Sources.`;
    case 'source_disabled':
      return `The source ${detail} is off.`;
    case 'bad_timestamp':
      return `The timestamp of this ${type === 'unknown' ? '' : `${type} `}call is not ISO 8601.`;
    case 'user_suppressed':
      return `The user ${detail} is suppressed. Lift the suppression under Deletions.`;
    case 'message_id_too_long':
      return `The messageId has ${detail}. It must have fewer than 100.`;
  }
}
