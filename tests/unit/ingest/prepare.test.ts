import { describe, expect, it } from 'vitest';
import { prepareCall } from '../../../src/core/ingest/prepare.ts';
import { type JsonObject, MAX_CALL_BYTES } from '../../../src/core/model/call.ts';
import type { CallType } from '../../../src/core/model/vocabulary.ts';
import { textOf } from '../../helpers/ingest-parts.ts';
import { batchOf, fieldsWith, prepare, RECEIVED, wireOf } from '../../helpers/prepare-fields.ts';

const stamped = { timestamp: '2026-11-20T17:32:50.518Z', messageId: 'm1' };

describe('the documented body', () => {
  const at = '2026-11-20T17:32:50.518Z';
  const context = { library: { name: 'x' } };
  it.each([
    [
      'track',
      { event: 'E', userId: 'u', anonymousId: 'a', properties: { b: 1 }, context, integrations: {}, extra: 1 },
      { type: 'track', userId: 'u', timestamp: at, version: 1, event: 'E', properties: { b: 1 }, context },
    ],
    [
      'identify',
      { userId: 'u', traits: { email: 'e' }, context },
      { type: 'identify', userId: 'u', timestamp: at, version: 1, traits: { email: 'e' }, context },
    ],
    [
      'page',
      { userId: 'u', name: 'Home', category: 'Docs', properties: { path: '/' } },
      {
        type: 'page',
        userId: 'u',
        timestamp: at,
        version: 1,
        properties: { path: '/' },
        name: 'Home',
        category: 'Docs',
        context: {},
      },
    ],
    [
      'page',
      { userId: 'u', name: '', category: null, properties: null, context: null },
      { type: 'page', userId: 'u', timestamp: at, version: 1, context: {} },
    ],
    [
      'track',
      { userId: 'u', event: 'E', properties: null, context: null },
      { type: 'track', userId: 'u', timestamp: at, version: 1, event: 'E', context: {} },
    ],
    [
      'identify',
      { userId: 'u', traits: null, context: null },
      { type: 'identify', userId: 'u', timestamp: at, version: 1, context: {} },
    ],
    [
      'group',
      { userId: 'u', groupId: 'g', traits: null },
      { type: 'group', userId: 'u', timestamp: at, version: 1, groupId: 'g', context: {} },
    ],
    [
      'screen',
      { userId: 'u', name: null, properties: null },
      { type: 'screen', userId: 'u', timestamp: at, version: 1, context: {} },
    ],
    [
      'screen',
      { anonymousId: 'a', name: 'Main', properties: { x: 1 }, context },
      { type: 'screen', anonymousId: 'a', timestamp: at, version: 1, name: 'Main', properties: { x: 1 }, context },
    ],
    [
      'group',
      { userId: 'u', groupId: 5, traits: { name: 'G' } },
      { type: 'group', userId: 'u', timestamp: at, version: 1, groupId: '5', traits: { name: 'G' }, context: {} },
    ],
    [
      'alias',
      { userId: 'new', previousId: 'old' },
      { type: 'alias', timestamp: at, version: 1, 'Previous ID': 'old', 'User ID': 'new', context: {} },
    ],
    [
      'alias',
      { anonymousId: 'a', previousId: 'old' },
      { type: 'alias', anonymousId: 'a', timestamp: at, version: 1, 'Previous ID': 'old', context: {} },
    ],
  ] as [CallType, JsonObject, JsonObject][])('of %s %j has exactly its fields in their order', (type, call, body) => {
    expect(wireOf({ type, ...call, ...stamped })).toBe(JSON.stringify(body));
  });

  it.each(['documented', 'pass-through'] as const)('of a deletion notice has three fields (%s)', (body) => {
    const wire = wireOf({ type: 'delete', userId: 'u', context: {}, ...stamped }, { origin: 'deletion', body });
    expect(wire).toBe(`{"type":"delete","userId":"u","timestamp":"${at}"}`);
  });

  it('carries what ingest knows of the user where the call has no context, and nothing beside its own', () => {
    const call = { type: 'track', event: 'E', userId: 'u', ...stamped };
    const over = { knownContext: { ip: '10.1.2.3' } };
    expect(JSON.parse(wireOf(call, over)).context).toEqual({ ip: '10.1.2.3' });
    expect(JSON.parse(wireOf({ ...call, context: {} }, over)).context).toEqual({});
    expect(JSON.parse(wireOf({ ...call, context: [] }, over)).context).toEqual({});
    expect(JSON.parse(wireOf(call, { ...over, ...batchOf({ context: { a: 1 } }) })).context).toEqual({ a: 1 });
    expect(JSON.parse(wireOf(call, { ...over, body: 'pass-through' })).context).toBeUndefined();
  });

  it('writes characters as JSON.stringify does: no needless escapes, UTF-8', () => {
    const wire = wireOf({ type: 'track', event: 'Café <b>&\u2028', userId: '\ud800', ...stamped });
    expect(wire).toBe(
      `{"type":"track","userId":"\\ud800","timestamp":"${at}","version":1,"event":"Café <b>&\u2028","context":{}}`,
    );
  });
});

describe('the pass-through body', () => {
  it('is the whole normalised message without the write key', () => {
    const call = {
      event: 'E',
      userId: 42,
      anonymousId: null,
      writeKey: 'secret',
      extra: { a: [1] },
      sentAt: '2026-11-20T12:32:49-05:00',
      ...stamped,
    };
    const message = prepare(call, { type: 'track', body: 'pass-through' });
    expect(JSON.parse(textOf(message.wire))).toEqual({
      event: 'E',
      userId: '42',
      anonymousId: null,
      extra: { a: [1] },
      messageId: 'm1',
      type: 'track',
      sentAt: '2026-11-20T17:32:49.000Z',
      originalTimestamp: '2026-11-20T17:32:50.518Z',
      timestamp: '2026-11-20T17:33:01.518Z',
      receivedAt: RECEIVED,
    });
  });

  it('carries merged context and integrations, and alias by its own keys', () => {
    const call = { type: 'alias', userId: 'new', previousId: 'old', integrations: { All: true }, ...stamped };
    const over = batchOf({ context: { library: { name: 'go' } }, integrations: { Mail: false } });
    const body = JSON.parse(wireOf(call, { ...over, body: 'pass-through' }));
    expect(body).toMatchObject({
      previousId: 'old',
      userId: 'new',
      context: { library: { name: 'go' } },
      integrations: { Mail: false, All: true },
    });
  });
});

describe('what is normalised', () => {
  const track = { type: 'track', event: 'E', userId: 'u', ...stamped };

  it('numbers as ids become text with a note', () => {
    const message = prepare({ ...track, userId: 42, anonymousId: 1e21, messageId: 7 });
    expect(message).toMatchObject({ userId: '42', anonymousId: '1e+21', messageId: '7', state: 'queued' });
    expect(message.notes.map((note) => note.field)).toEqual(['userId', 'anonymousId', 'messageId']);
  });

  it.each([undefined, null, ''])('a messageId of %j is assigned and noted', (messageId) => {
    const message = prepare({ ...track, messageId });
    expect(message.messageId).toBe('assigned-1');
    expect(message.notes).toEqual([{ code: 'message_id_assigned', field: 'messageId' }]);
  });

  it.each([undefined, null])('a timestamp of %j is the time of receipt and noted', (timestamp) => {
    const message = prepare({ ...track, timestamp }, batchOf({ sentAt: '2020-01-01T00:00:00Z' }));
    expect(JSON.parse(textOf(message.wire)).timestamp).toBe(RECEIVED);
    expect(message.notes).toEqual([{ code: 'timestamp_missing', field: 'timestamp' }]);
  });

  it('originalTimestamp stands in for a missing timestamp', () => {
    const call = { ...track, timestamp: undefined, originalTimestamp: '2020-02-02T02:02:02.222Z' };
    expect(JSON.parse(wireOf(call)).timestamp).toBe('2020-02-02T02:02:02.222Z');
  });

  it.each([
    ['17:32:54.999Z', true],
    ['17:32:55.000Z', false],
    ['17:32:59.588Z', false],
    ['17:33:05.000Z', false],
    ['17:33:05.001Z', true],
  ])('a clock is wrong, and its timestamps corrected with a note, beyond 5 s: sent at %s is %s', (sent, wrong) => {
    const message = prepare(track, batchOf({ sentAt: `2026-11-20T${sent}` }));
    expect(message.notes.map((note) => note.code)).toEqual(wrong ? ['clock_skew_corrected'] : []);
    expect(JSON.parse(textOf(message.wire)).timestamp === stamped.timestamp).toBe(!wrong);
  });

  it('every timestamp is corrected when that is set, with a note of another kind below 5 s', () => {
    const sentAt = '2026-11-20T17:32:59.588Z';
    const moved = prepare(track, { ...batchOf({ sentAt }), correction: 'always' });
    expect(JSON.parse(textOf(moved.wire)).timestamp).toBe('2026-11-20T17:32:50.930Z');
    expect(moved.notes).toEqual([{ code: 'timestamp_moved', field: 'timestamp', detail: '+0.412 s' }]);
    const still = prepare(track, { ...batchOf({ sentAt: RECEIVED }), correction: 'always' });
    expect(still.notes).toEqual([]);
  });

  it('an import is never corrected', () => {
    const message = prepare(track, { ...batchOf({ sentAt: '2020-01-01T00:00:00Z' }), correction: 'never' });
    expect(JSON.parse(textOf(message.wire)).timestamp).toBe(stamped.timestamp);
    expect(message.notes).toEqual([]);
  });

  it('an empty array is an empty object with a note, wherever an object belongs', () => {
    const call = { type: 'track', event: 'E', userId: 'u', integrations: [], properties: [], context: [], ...stamped };
    const message = prepare(call);
    expect(JSON.parse(textOf(message.wire))).toMatchObject({ properties: {}, context: {} });
    expect(message).toMatchObject({ state: 'queued', size: Buffer.byteLength(JSON.stringify(call)) });
    expect(message.notes).toEqual(
      ['properties', 'context', 'integrations'].map((field) => ({ code: 'empty_array_to_object', field })),
    );
    for (const type of ['identify', 'group']) {
      const { wire, notes } = prepare({ type, userId: 'u', groupId: 'g', traits: [], ...stamped });
      expect(JSON.parse(textOf(wire)).traits).toEqual({});
      expect(notes).toEqual([{ code: 'empty_array_to_object', field: 'traits' }]);
    }
    const whole = JSON.parse(wireOf(call, { body: 'pass-through' }));
    expect(Object.keys(whole).slice(0, 6)).toEqual(Object.keys(call).slice(0, 6));
    expect(whole).toMatchObject({ integrations: {}, properties: {}, context: {} });
    expect(prepare({ ...call, properties: [1] })).toMatchObject({ reason: 'properties_not_object' });
  });

  it('says by how much a clock was corrected', () => {
    const slow = prepare(track, batchOf({ sentAt: '2026-11-20T16:33:00.000Z' }));
    expect(slow.notes[0]).toEqual({ code: 'clock_skew_corrected', field: 'timestamp', detail: '+3600.000 s' });
    const fast = prepare(track, batchOf({ sentAt: '2026-11-20T17:33:10.500Z' }));
    expect(fast.notes[0]?.detail).toBe('−10.500 s');
    expect(JSON.parse(textOf(fast.wire)).timestamp).toBe('2026-11-20T17:32:40.018Z');
  });

  it('takes the sending time of the envelope before that of the call', () => {
    const call = { ...track, sentAt: '2026-11-20T17:32:51.000Z' };
    expect(JSON.parse(wireOf(call, batchOf({ sentAt: RECEIVED }))).timestamp).toBe(stamped.timestamp);
    expect(JSON.parse(wireOf(call, batchOf({}))).timestamp).toBe('2026-11-20T17:32:59.518Z');
  });

  it('ignores a sending time that cannot be read', () => {
    expect(JSON.parse(wireOf({ ...track, sentAt: 'soon' })).timestamp).toBe(stamped.timestamp);
  });

  it('merges the context of the batch under the own one, key by key', () => {
    const call = { ...track, context: { ip: '1.2.3.4', app: { version: '2' } } };
    const over = batchOf({ context: { library: { name: 'analytics-go' }, app: { name: 'A' }, ip: '9.9.9.9' } });
    expect(JSON.parse(wireOf(call, over)).context).toEqual({
      library: { name: 'analytics-go' },
      app: { version: '2' },
      ip: '1.2.3.4',
    });
    expect(JSON.parse(wireOf(track, over)).context.ip).toBe('9.9.9.9');
  });

  it('integrations of the batch select unless the call says otherwise', () => {
    const over = batchOf({ integrations: { All: false } });
    expect(prepare(track, over)).toMatchObject({ state: 'not_selected', reason: 'integrations_all_off' });
    expect(prepare({ ...track, integrations: { Webhooks: true } }, over).state).toBe('queued');
  });

  it.each([
    ['analytics.js', true],
    ['analytics-ios', true],
    ['analytics-kotlin', true],
    ['@segment/analytics-react-native', true],
    ['@segment/analytics-node', false],
    ['analytics-go', false],
    ['analytics-python', false],
    ['analytics-java', false],
    ['constructor', false],
  ])('fills the address for a library on the device: %s %s', (name, filled) => {
    const context = { library: { name } };
    const sent = JSON.parse(wireOf({ ...track, context })).context;
    expect(sent).toEqual(filled ? { library: { name }, ip: '127.0.0.1' } : { library: { name } });
  });

  it('keeps an address that was sent', () => {
    const context = { library: { name: 'analytics.js' }, ip: '0.0.0.0' };
    expect(JSON.parse(wireOf({ ...track, context })).context.ip).toBe('0.0.0.0');
  });
});

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

describe('keys that JavaScript knows', () => {
  it('stay own keys on the way to the wire: __proto__ and constructor', () => {
    const text =
      '{"type":"track","event":"E","userId":"u","messageId":"m","timestamp":"2026-11-20T17:32:50.518Z",' +
      '"properties":{"__proto__":{"polluted":1},"constructor":2},"context":{"__proto__":{"polluted":1}},"__proto__":{"x":1}}';
    const over = batchOf({ context: JSON.parse('{"__proto__":{"polluted":2},"constructor":3}') });
    expect(wireOf(JSON.parse(text), over)).toBe(
      '{"type":"track","userId":"u","timestamp":"2026-11-20T17:32:50.518Z","version":1,"event":"E",' +
        '"properties":{"__proto__":{"polluted":1},"constructor":2},' +
        '"context":{"__proto__":{"polluted":1},"constructor":3}}',
    );
    const whole = wireOf(JSON.parse(text), { ...over, body: 'pass-through' });
    expect(whole).toContain('"__proto__":{"x":1}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
