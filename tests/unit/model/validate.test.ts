import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/model/call.ts';
import { countText, overSizeText, rejectionText } from '../../../src/core/model/reason-text.ts';
import { badTimestamp, clientTimeOf, validateCall } from '../../../src/core/model/validate.ts';
import { type CallType, REJECT_REASONS } from '../../../src/core/model/vocabulary.ts';

const base: Record<CallType, JsonObject> = {
  track: { userId: 'u', event: 'E' },
  identify: { userId: 'u', traits: {} },
  page: { userId: 'u' },
  screen: { userId: 'u' },
  group: { userId: 'u', groupId: 'g' },
  alias: { userId: 'u', previousId: 'p' },
  delete: { userId: 'u' },
};
const reasonOf = (type: CallType | null, over: JsonObject) =>
  validateCall({ ...(type === null ? {} : base[type]), ...over }, type, null)?.reason ?? null;

describe('a call is good', () => {
  it.each(Object.keys(base) as CallType[])('a plain %s', (type) => {
    expect(reasonOf(type, {})).toBeNull();
  });

  it.each([
    ['track', { userId: null, anonymousId: 'a' }],
    ['track', { userId: 42 }],
    ['track', { userId: '', anonymousId: 0 }],
    ['track', { properties: null, context: null, integrations: null, anonymousId: null, messageId: null }],
    ['identify', { traits: null }],
    ['identify', { properties: 'only traits matter here' }],
    ['track', { traits: 'only properties matter here' }],
    ['alias', { userId: null, anonymousId: 'a', previousId: 7 }],
    ['alias', { traits: 'an alias has none', properties: 'neither' }],
    ['delete', { traits: 'a notice has none' }],
    ['group', { groupId: 5 }],
    ['track', { messageId: 'm'.repeat(99) }],
    ['track', { messageId: '😀'.repeat(99) }],
    ['track', { category: null, unknown: { anything: [1] } }],
  ] as [CallType, JsonObject][])('%s with %j', (type, over) => {
    expect(reasonOf(type, over)).toBeNull();
  });
});

describe('a call is rejected', () => {
  it.each([
    ['unknown_type', null, { userId: 'u' }],
    ['no_user_anon_id', 'track', { userId: undefined }],
    ['no_user_anon_id', 'track', { userId: '', anonymousId: null }],
    ['no_user_anon_id', 'alias', { userId: null }],
    ['no_user_anon_id', 'delete', { userId: null, anonymousId: 'a' }],
    ['event_not_defined', 'track', { event: undefined }],
    ['event_not_defined', 'track', { event: null }],
    ['event_not_defined', 'track', { event: '' }],
    ['event_not_string', 'track', { event: 5 }],
    ['event_not_string', 'track', { event: { name: 'x' } }],
    ['group_id_required', 'group', { groupId: undefined }],
    ['group_id_required', 'group', { groupId: '' }],
    ['previous_id_required', 'alias', { previousId: null }],
    ['id_not_string', 'track', { userId: true }],
    ['id_not_string', 'track', { userId: {} }],
    ['id_not_string', 'track', { userId: JSON.parse('1e400') }],
    ['id_not_string', 'track', { anonymousId: ['a'] }],
    ['id_not_string', 'group', { groupId: [] }],
    ['id_not_string', 'alias', { previousId: false }],
    ['id_not_string', 'page', { messageId: {} }],
    ['properties_not_object', 'track', { properties: 'x' }],
    ['properties_not_object', 'page', { properties: [[]] }],
    ['properties_not_object', 'screen', { properties: 1 }],
    ['traits_not_object', 'identify', { traits: [{}] }],
    ['traits_not_object', 'group', { traits: 'x' }],
    ['context_not_object', 'track', { context: [null] }],
    ['integrations_not_object', 'track', { integrations: false }],
    ['message_id_too_long', 'track', { messageId: 'm'.repeat(100) }],
    ['message_id_too_long', 'track', { messageId: '😀'.repeat(100) }],
  ] as [string, CallType | null, JsonObject][])('%s: %s with %j', (reason, type, over) => {
    expect(reasonOf(type, over)).toBe(reason);
  });

  it('for what the envelope of its batch says', () => {
    const batch = (over: JsonObject) => validateCall(base.track, 'track', { context: {}, integrations: {}, ...over });
    expect(batch({})).toBeNull();
    expect(batch({ context: null, integrations: undefined })).toBeNull();
    expect(batch({ context: 'x' })).toEqual({ reason: 'context_not_object', detail: 'context of the batch' });
    expect(batch({ integrations: [], context: [] })).toBeNull();
    expect(batch({ integrations: [1] })).toEqual({
      reason: 'integrations_not_object',
      detail: 'integrations of the batch',
    });
  });

  it.each([
    ['an id by its field', 'track', { userId: {} }, 'userId'],
    ['an id by its field', 'track', { anonymousId: {} }, 'anonymousId'],
    ['an id by its field', 'track', { groupId: {} }, 'groupId'],
    ['an id by its field', 'track', { previousId: {} }, 'previousId'],
    ['an id by its field', 'track', { messageId: {} }, 'messageId'],
    ['a messageId by its characters', 'track', { messageId: 'm'.repeat(100) }, '100 characters'],
    [
      'a messageId by its characters, a surrogate pair for one',
      'track',
      { messageId: '😀'.repeat(100) },
      '100 characters',
    ],
    ['the beginning of an unknown type', null, { type: 't'.repeat(41) }, 't'.repeat(40)],
    ['no type where it is empty', null, { type: '' }, null],
    ['no type where it is no text', null, { type: 5 }, null],
    ['nothing where the reason says it all', 'track', { userId: null }, null],
    ['nothing where the reason says it all', 'track', { event: '' }, null],
    ['nothing where the reason says it all', 'track', { event: 5 }, null],
    ['nothing where the reason says it all', 'group', { groupId: null }, null],
    ['nothing where the reason says it all', 'alias', { previousId: null }, null],
    ['nothing where the reason says it all', 'track', { properties: 1 }, null],
    ['nothing where the reason says it all', 'group', { traits: 1 }, null],
    ['nothing where the reason says it all', 'track', { context: 1 }, null],
    ['nothing where the reason says it all', 'track', { integrations: 1 }, null],
  ] as [string, CallType | null, JsonObject, string | null][])('with %s (%s %j)', (_, type, over, detail) => {
    const call = { ...(type === null ? {} : base[type]), ...over };
    expect(validateCall(call, type, null)?.detail).toBe(detail);
  });

  it.each([
    [{ userId: {}, event: '' }, 'track', 'id_not_string'],
    [{ event: '', properties: 1 }, 'track', 'no_user_anon_id'],
    [{ userId: 'u', event: '', properties: 1 }, 'track', 'event_not_defined'],
    [{ userId: 'u', properties: 1, context: 1 }, 'page', 'properties_not_object'],
    [{ userId: 'u', context: 1, integrations: 1 }, 'page', 'context_not_object'],
    [{ userId: 'u', integrations: 1, messageId: 'm'.repeat(100) }, 'page', 'integrations_not_object'],
  ] as [JsonObject, CallType, string][])('for the first fault of %j alone', (call, type, reason) => {
    expect(validateCall(call, type, { context: 1, integrations: 1 })?.reason).toBe(reason);
  });
});

describe('the own time of a call', () => {
  it.each([
    [{ timestamp: 'a', originalTimestamp: 'b' }, 'a'],
    [{ timestamp: '', originalTimestamp: 'b' }, ''],
    [{ timestamp: null, originalTimestamp: 'b' }, 'b'],
    [{ originalTimestamp: 'b' }, 'b'],
    [{}, null],
  ])('in %j is %j', (call, time) => {
    expect(clientTimeOf(call)).toBe(time);
  });

  it.each([
    [{ timestamp: 'x'.repeat(41) }, 'x'.repeat(40)],
    [{ timestamp: 5 }, 'It is not text.'],
  ])('is shown by its beginning where it cannot be read: %j', (call, detail) => {
    expect(badTimestamp(call)).toEqual({ reason: 'bad_timestamp', detail });
  });
});

describe('the words for it', () => {
  it.each([
    ['call_too_large', '41.2 KB', 'This call is 41.2 KB. The limit is 32 KB per call.'],
    ['batch_too_large', '612 KB', "This batch is 612 KB. The limit is 500 KB per batch. Lower the SDK's flush size."],
    ['batch_too_large', '2,501 calls', 'This batch has 2,501 calls. The limit is 2,500 calls per batch.'],
    [
      'invalid_json',
      'Unexpected token at line 3, column 17.',
      'The body is not valid JSON. Unexpected token at line 3, column 17.',
    ],
    ['no_user_anon_id', null, 'This call has neither userId nor anonymousId.'],
    ['unknown_source', 'wk_x91', 'No source has the write key wk_x91. Copy the key from Sources.'],
    ['unknown_source', null, 'The request has no write key.'],
    ['invalid_json', null, 'The body is not valid JSON.'],
    ['event_not_defined', null, 'A track call needs an event name.'],
    ['event_not_string', null, 'The event name of a track call is text.'],
    ['not_an_object', null, 'The call is not a JSON object.'],
    ['not_an_object', 'The batch is no array.', 'The batch is no array.'],
    ['empty_batch', null, 'The batch has no calls.'],
    ['group_id_required', null, 'A group call needs a groupId.'],
    ['previous_id_required', null, 'An alias call needs a previousId.'],
    ['id_not_string', null, 'An id is neither text nor a number.'],
    ['id_not_string', 'userId', 'userId is neither text nor a number.'],
    ['properties_not_object', null, 'properties is not an object.'],
    ['traits_not_object', null, 'traits is not an object.'],
    ['context_not_object', null, 'context is not an object.'],
    ['context_not_object', 'context of the batch', 'context of the batch is not an object.'],
    ['integrations_not_object', null, 'integrations is not an object.'],
    ['integrations_not_object', 'integrations of the batch', 'integrations of the batch is not an object.'],
    ['unknown_type', null, 'The call has no type.'],
    ['unknown_type', 'tracker', 'tracker is not a type of call.'],
    ['source_disabled', 'dev', 'The source dev is off.'],
    ['user_suppressed', 'u1', 'The user u1 is suppressed. Lift the suppression under Deletions.'],
    ['bad_timestamp', null, 'The timestamp of this track call is not ISO 8601.'],
    ['message_id_too_long', '100 characters', 'The messageId has 100 characters. It must have fewer than 100.'],
  ] as const)('%s %s', (reason, detail, text) => {
    expect(rejectionText(reason, detail, 'track')).toBe(text);
  });

  it('does not name the type of a call that has none', () => {
    expect(rejectionText('bad_timestamp', null, 'unknown')).toBe('The timestamp of this call is not ISO 8601.');
  });

  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [1_234_567, '1,234,567'],
  ])('%i is written %s', (count, text) => {
    expect(countText(count)).toBe(text);
  });

  it.each(REJECT_REASONS)('%s has a sentence', (reason) => {
    expect(rejectionText(reason, 'It is x.', 'track')).toMatch(/\.$/);
    expect(rejectionText(reason, null, 'unknown')).toMatch(/\.$/);
  });

  it.each([
    [313, '313 B'],
    [1_023, '1023 B'],
    [1_024, '1 KB'],
    [102_350, '100 KB'],
    [102_400, '100 KB'],
    [102_401, '101 KB'],
    [42_189, '41.3 KB'],
    [42_188, '41.2 KB'],
    [32_769, '32.1 KB'],
    [40_960, '40 KB'],
    [512_001, '501 KB'],
    [626_688, '612 KB'],
  ])('%i bytes read %s', (bytes, text) => {
    expect(overSizeText(bytes)).toBe(text);
  });
});
