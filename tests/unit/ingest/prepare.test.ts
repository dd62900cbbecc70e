/** The row of a prepared call: what it holds, its size, and the reasons of its rejection. */
import { describe, expect, it } from 'vitest';
import { prepareCall } from '../../../src/core/ingest/prepare.ts';
import { MAX_CALL_BYTES } from '../../../src/core/model/call.ts';
import { textOf } from '../../helpers/ingest-parts.ts';
import { batchOf, fieldsWith, prepare } from '../../helpers/prepare-fields.ts';

const stamped = { timestamp: '2026-11-20T17:32:50.518Z', messageId: 'm1' };

describe('what is rejected', () => {
  it.each([
    ['timestamp in words', { timestamp: 'yesterday' }, 'bad_timestamp', 'yesterday'],
    ['timestamp as a number', { timestamp: 1795195970518 }, 'bad_timestamp', 'It is not text.'],
    ['empty timestamp', { timestamp: '' }, 'bad_timestamp', ''],
    ['unknown type', { type: 'Track' }, 'unknown_type', 'Track'],
    ['deletion by a client', { type: 'delete' }, 'unknown_type', 'delete'],
    ['type of a prototype key', { type: 'constructor' }, 'unknown_type', 'constructor'],
  ])('%s', (_, over, reason, reasonDetail) => {
    const message = prepare({ type: 'track', event: 'E', userId: 'u', ...over });
    expect(message).toMatchObject({ state: 'rejected', reason, reasonDetail, wire: null, userId: 'u' });
    expect(message.type).toBe(reason === 'unknown_type' ? 'unknown' : 'track');
  });

  it.each([1, 'x', null, true, [], [{}]])('a batch item %j that is no object', (item) => {
    const message = prepare(item);
    expect(message).toMatchObject({ state: 'rejected', reason: 'not_an_object', type: 'unknown', wire: null });
  });

  it('a messageId of 100 characters, under an assigned one', () => {
    const message = prepare({ type: 'page', userId: 'u', messageId: 'm'.repeat(100) });
    expect(message).toMatchObject({ reason: 'message_id_too_long', messageId: 'assigned-1' });
  });

  it('an unknown source for good calls and bad ones, but not over-size ones', () => {
    const refusal = { reason: 'unknown_source', detail: 'k' } as const;
    expect(prepare({ type: 'track' }, { refusal })).toMatchObject({ reason: 'unknown_source', reasonDetail: 'k' });
    const large = { type: 'page', userId: 'u', pad: 'x'.repeat(MAX_CALL_BYTES) };
    expect(prepare(large, { refusal }).reason).toBe('call_too_large');
  });

  it('row texts of a rejected call stay short whatever was sent', () => {
    const message = prepare({ type: 'identify', userId: 'u'.repeat(40_000), traits: { ['t'.repeat(5_000)]: 1 } });
    expect(message.reason).toBe('call_too_large');
    expect(message.userId?.length).toBe(1000);
    expect(message.name.length).toBe(300);
  });
});

describe('the row', () => {
  const whole = { type: 'track', event: 'E', userId: 'u', anonymousId: 'a', ...stamped };

  it('of a good call holds its names, its state and its body', () => {
    const { wire, ...row } = prepareCall(whole, 3, fieldsWith(), JSON.stringify(whole));
    expect(row).toEqual({
      messageId: 'm1',
      position: 3,
      origin: 'sdk',
      type: 'track',
      name: 'E',
      userId: 'u',
      anonymousId: 'a',
      state: 'queued',
      reason: null,
      reasonDetail: null,
      size: JSON.stringify(whole).length,
      notes: [],
    });
    expect(JSON.parse(textOf(wire))).toMatchObject({ type: 'track', event: 'E' });
  });

  it('of a rejected call holds what could be read of it', () => {
    const bad = { ...whole, userId: 7, event: 5 };
    expect(prepareCall(bad, 2, fieldsWith({ origin: 'replay' as never }), JSON.stringify(bad))).toEqual({
      messageId: 'm1',
      position: 2,
      origin: 'replay',
      type: 'track',
      name: '',
      userId: '7',
      anonymousId: 'a',
      state: 'rejected',
      reason: 'event_not_string',
      reasonDetail: null,
      size: JSON.stringify({ ...whole, userId: 7, event: 5 }).length,
      notes: [],
      wire: null,
    });
  });

  it.each([
    ['nothing is known of it', 5, 1, 'not_an_object', null],
    ['it is over-size besides', ['x'.repeat(MAX_CALL_BYTES)], MAX_CALL_BYTES + 4, 'call_too_large', '32.1 KB'],
  ])('of what is no call says that, and when %s', (_title, call, size, reason, reasonDetail) => {
    expect(prepareCall(call, 4, fieldsWith(), JSON.stringify(call))).toEqual({
      messageId: 'assigned-1',
      position: 4,
      origin: 'sdk',
      type: 'unknown',
      name: '',
      userId: null,
      anonymousId: null,
      state: 'rejected',
      reason,
      reasonDetail,
      size,
      notes: [],
      wire: null,
    });
  });

  it('is that of no call while an item has at most 32 KB', () => {
    expect(prepare(['x'.repeat(MAX_CALL_BYTES - 4)])).toMatchObject({ size: MAX_CALL_BYTES, reason: 'not_an_object' });
  });

  it('has no ids where none were sent, or none that can be ids', () => {
    expect(prepare({ type: 'track', userId: {}, anonymousId: '' })).toMatchObject({ userId: null, anonymousId: null });
  });

  it('of a bad timestamp keeps the messageId, and a call without one gets one', () => {
    expect(prepare({ ...whole, timestamp: 'x' })).toMatchObject({ messageId: 'm1', reason: 'bad_timestamp' });
    expect(prepare({ ...whole, messageId: null, timestamp: 'x' }).reason).toBe('bad_timestamp');
  });

  it('of a call of any type that is no event has no switch: only track events can be off', () => {
    const switches = { ...fieldsWith().switches, eventsOff: new Set(['E']) };
    expect(prepare(whole, { switches })).toMatchObject({ state: 'not_selected', reason: 'event_off' });
    expect(prepare({ ...whole, type: 'page' }, { switches })).toMatchObject({ state: 'queued', reason: null });
  });

  it('notes what was changed before what is odd about its selection', () => {
    const message = prepare({ ...whole, userId: 7, integrations: { webhook: true, all: false } });
    expect(message).toMatchObject({ state: 'not_selected', reason: 'integrations_all_off' });
    expect(message.reasonDetail).toContain('"webhook"');
    expect(message.notes.map(({ code }) => code)).toEqual([
      'id_number_to_string',
      'integrations_lower_case_all',
      'integrations_near_miss',
    ]);
  });

  it('takes the type of the path before that of the call, and a deletion only of our own making', () => {
    expect(prepare(whole, { type: 'page' })).toMatchObject({ type: 'page', name: '' });
    expect(prepare({ type: 'delete', userId: 'u', ...stamped }, { origin: 'deletion' })).toMatchObject({
      type: 'delete',
      state: 'queued',
    });
  });
});

describe('the size of a call', () => {
  const sized = (bytes: number) => {
    const call = { type: 'page', userId: 'é', pad: '' };
    return { ...call, pad: 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(call))) };
  };

  it.each([
    [MAX_CALL_BYTES - 1, 'queued'],
    [MAX_CALL_BYTES, 'queued'],
    [MAX_CALL_BYTES + 1, 'rejected'],
  ])('%i bytes are %s', (bytes, state) => {
    expect(prepare(sized(bytes))).toMatchObject({ size: bytes, state });
  });

  it('is told in the words of the interface', () => {
    expect(prepare(sized(42_188)).reasonDetail).toBe('41.2 KB');
  });

  it('is that of the call as it came, not with what its batch adds', () => {
    const over = batchOf({ context: { pad: 'x'.repeat(1000) } });
    expect(prepare(sized(MAX_CALL_BYTES), over).state).toBe('queued');
  });
});
