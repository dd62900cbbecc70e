import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/model/call.ts';
import { type CallType, REJECT_REASONS } from '../../../src/core/model/message.ts';
import { overSizeText, rejectionText } from '../../../src/core/model/reason-text.ts';
import { validateCall } from '../../../src/core/model/validate.ts';

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
    ['properties_not_object', 'page', { properties: [] }],
    ['properties_not_object', 'screen', { properties: 1 }],
    ['traits_not_object', 'identify', { traits: [] }],
    ['traits_not_object', 'group', { traits: 'x' }],
    ['context_not_object', 'track', { context: [] }],
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
    expect(batch({ integrations: [] })?.reason).toBe('integrations_not_object');
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
    ['event_not_defined', null, 'A track call needs an event name.'],
  ] as const)('%s %s', (reason, detail, text) => {
    expect(rejectionText(reason, detail, 'track')).toBe(text);
  });

  it.each(REJECT_REASONS)('%s has a sentence', (reason) => {
    expect(rejectionText(reason, 'It is x.', 'track')).toMatch(/\.$/);
    expect(rejectionText(reason, null, 'unknown')).toMatch(/\.$/);
  });

  it.each([
    [313, '313 B'],
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
