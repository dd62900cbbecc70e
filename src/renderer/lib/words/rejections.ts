/** Why a call was rejected: for a column, in a few words, and as a line that says what to do. */

/** A narrow column has room for this many characters beside "Rejected". */
export const SHORT_REASON = 9;

/** The reason in at most {@link SHORT_REASON} characters, and in a few words. */
const REJECT_WORDS: Record<string, readonly [short: string, words: string]> = {
  no_user_anon_id: ['no id', 'no userId or anonymousId'],
  event_not_defined: ['no event', 'no event name'],
  event_not_string: ['bad event', 'the event name is not a string'],
  group_id_required: ['no group', 'no groupId'],
  previous_id_required: ['no old id', 'no previousId'],
  id_not_string: ['bad id', 'an id is not a string'],
  properties_not_object: ['bad props', 'properties is not an object'],
  traits_not_object: ['bad trait', 'traits is not an object'],
  context_not_object: ['context', 'context is not an object'],
  integrations_not_object: ['integr.', 'integrations is not an object'],
  unknown_type: ['bad type', 'unknown type'],
  call_too_large: ['too large', 'too large'],
  batch_too_large: ['too large', 'batch too large'],
  empty_batch: ['empty', 'empty batch'],
  unknown_source: ['bad key', 'unknown write key'],
  source_disabled: ['off', 'the source is off'],
  bad_timestamp: ['bad time', 'the timestamp is not a date'],
  message_id_too_long: ['long id', 'the messageId is too long'],
  invalid_json: ['bad JSON', 'bad JSON'],
  not_an_object: ['no object', 'not an object'],
  user_suppressed: ['suppr.', 'suppressed user'],
};

/** Reasons with a more specific detail: a size, a key, a name. */
const TELLING_DETAIL = new Set([
  'call_too_large',
  'batch_too_large',
  'unknown_source',
  'unknown_type',
  'bad_timestamp',
]);

export function rejectShort(reason: string | null, detail: string | null): string {
  if (reason?.endsWith('too_large') && detail !== null && detail.length <= SHORT_REASON) return detail;
  return REJECT_WORDS[reason ?? '']?.[0] ?? (reason ?? '').replaceAll('_', ' ').slice(0, SHORT_REASON);
}

export function rejectWords(reason: string | null, detail: string | null): string {
  if (reason === 'user_suppressed' && detail !== null) return `${detail} is suppressed`;
  const words = REJECT_WORDS[reason ?? '']?.[1] ?? reason ?? 'reason unknown';
  return detail !== null && TELLING_DETAIL.has(reason ?? '') ? `${words}, ${detail}` : words;
}

/** `no event name`: a reason in a few words, without the details of one call. */
export const reasonWords = (reason: string): string => rejectWords(reason, null);

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const sized = (what: string, detail: string | null, limit: string): string =>
  detail === null ? `this ${what} is too large. ${limit}` : `this ${what} is ${detail}. ${limit}`;

/** Why a call was rejected and what to do, as one line. */
export function rejectText(reason: string | null, detail: string | null): string {
  return `Rejected: ${rejectCause(reason, detail)}`;
}

function rejectCause(reason: string | null, detail: string | null): string {
  switch (reason) {
    case 'call_too_large':
      return sized('call', detail, 'The limit is 32 KB per call.');
    case 'batch_too_large':
      return detail?.endsWith(' calls') === true
        ? `this batch has ${detail}. The limit is 2,500 calls per batch.`
        : sized('batch', detail, "The limit is 500 KB per batch. Lower the SDK's flush size.");
    case 'invalid_json':
      return `the body is not valid JSON.${detail === null ? '' : ` ${detail}${/[.]$/.test(detail) ? '' : '.'}`}`;
    case 'no_user_anon_id':
      return 'this call has neither userId nor anonymousId.';
    case 'unknown_source':
      return unknownKey(detail);
    case 'source_disabled':
      return 'the source of this write key is off. Turn it on in Sources.';
    case 'event_not_defined':
      return 'a track call needs an event name.';
    case 'event_not_string':
      return 'the event name is not a string.';
    case 'group_id_required':
      return 'a group call needs a groupId.';
    case 'previous_id_required':
      return 'an alias call needs a previousId.';
    case 'id_not_string':
      return `${detail ?? 'an id'} is not a string.`;
    case 'properties_not_object':
    case 'traits_not_object':
    case 'context_not_object':
    case 'integrations_not_object':
      return `${detail ?? reason.split('_')[0]} is not an object.`;
    case 'unknown_type':
      return `${detail === null ? 'the type' : `the type ${detail}`} is not a call that Segment knows.`;
    case 'empty_batch':
      return 'the batch has no calls.';
    case 'bad_timestamp':
      return `the timestamp ${detail === null || detail === 'It is not text.' ? '' : `${detail} `}is not a date.`;
    case 'message_id_too_long':
      return 'the messageId is too long.';
    case 'user_suppressed':
      return `${detail ?? 'the user'} is suppressed.`;
    case 'not_an_object':
      return detail === null ? 'the call is not a JSON object.' : lowerFirst(detail);
    default:
      return `${reason ?? 'reason unknown'}${detail === null ? '' : `, ${detail}`}.`;
  }
}

/** Placeholders for the key in examples: `YOUR_WRITE_KEY`, `<write-key>`, `WRITE_KEY`. */
const isPlaceholder = (key: string): boolean =>
  /^(your)?(segment|source)?(api|write)?key(here)?$/i.test(key.replace(/[^a-z0-9]/gi, ''));

function unknownKey(key: string | null): string {
  if (key !== null && isPlaceholder(key))
    return `${key} stands for a write key in an example. Put the key of a source there: copy it from Sources.`;
  return `no source has ${key === null ? 'this write key' : `the write key ${key}`}. Copy the key from Sources.`;
}
