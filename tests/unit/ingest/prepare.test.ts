import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PrepareFields, prepareCall, prepareCalls } from '../../../src/core/ingest/prepare.ts';
import { type JsonObject, MAX_CALL_BYTES } from '../../../src/core/model/call.ts';
import type { CallType } from '../../../src/core/model/message.ts';
import { timeOf } from '../../../src/core/model/normalise.ts';
import { NOON, textOf } from '../../helpers/ingest-parts.ts';

const RECEIVED = new Date(NOON).toISOString();

function fieldsWith(over: Partial<PrepareFields> = {}): PrepareFields {
  let ids = 0;
  const fields: PrepareFields = {
    receivedAt: NOON,
    receivedAtText: RECEIVED,
    batch: null,
    ip: '127.0.0.1',
    origin: 'sdk',
    type: null,
    refusal: null,
    switches: { destinationEnabled: true, sourceWebhooks: true, sourceName: 's', webhookCount: 1 },
    body: 'documented',
    newId: () => {
      ids += 1;
      return `assigned-${ids}`;
    },
  };
  return { ...fields, ...over };
}

const batchOf = (over: { context?: unknown; integrations?: unknown; sentAt?: unknown }) => ({
  batch: { context: over.context, integrations: over.integrations, sentAt: timeOf(over.sentAt) },
});
const prepare = (call: unknown, over: Partial<PrepareFields> = {}) => prepareCall(call, 0, fieldsWith(over));
const wireOf = (call: unknown, over: Partial<PrepareFields> = {}) => textOf(prepare(call, over).wire);
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
      },
    ],
    ['page', { userId: 'u', name: '', category: null }, { type: 'page', userId: 'u', timestamp: at, version: 1 }],
    [
      'screen',
      { anonymousId: 'a', name: 'Main', properties: { x: 1 }, context },
      { type: 'screen', anonymousId: 'a', timestamp: at, version: 1, name: 'Main', properties: { x: 1 }, context },
    ],
    [
      'group',
      { userId: 'u', groupId: 5, traits: { name: 'G' } },
      { type: 'group', userId: 'u', timestamp: at, version: 1, groupId: '5', traits: { name: 'G' } },
    ],
    [
      'alias',
      { userId: 'new', previousId: 'old' },
      { type: 'alias', timestamp: at, version: 1, 'Previous ID': 'old', 'User ID': 'new' },
    ],
    [
      'alias',
      { anonymousId: 'a', previousId: 'old' },
      { type: 'alias', anonymousId: 'a', timestamp: at, version: 1, 'Previous ID': 'old' },
    ],
  ] as [CallType, JsonObject, JsonObject][])('of %s %j has exactly its fields in their order', (type, call, body) => {
    expect(wireOf({ type, ...call, ...stamped })).toBe(JSON.stringify(body));
  });

  it.each(['documented', 'pass-through'] as const)('of a deletion notice has three fields (%s)', (body) => {
    const wire = wireOf({ type: 'delete', userId: 'u', context: {}, ...stamped }, { origin: 'deletion', body });
    expect(wire).toBe(`{"type":"delete","userId":"u","timestamp":"${at}"}`);
  });

  it('writes characters as JSON.stringify does: no needless escapes, UTF-8', () => {
    const wire = wireOf({ type: 'track', event: 'Café <b>&\u2028', userId: '\ud800', ...stamped });
    expect(wire).toBe(`{"type":"track","userId":"\\ud800","timestamp":"${at}","version":1,"event":"Café <b>&\u2028"}`);
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
      sentAt: '2026-11-20T12:32:59-05:00',
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
      sentAt: '2026-11-20T17:32:59.000Z',
      originalTimestamp: '2026-11-20T17:32:50.518Z',
      timestamp: '2026-11-20T17:32:51.518Z',
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
    ['17:32:58.001Z', 0],
    ['17:32:58.000Z', 1],
    ['17:33:02.000Z', 1],
    ['17:33:01.999Z', 0],
  ])('a clock off by 2 s is noted: sent at %s gives %i notes', (sent, notes) => {
    const message = prepare(track, batchOf({ sentAt: `2026-11-20T${sent}` }));
    expect(message.notes.filter((note) => note.code === 'clock_skew_corrected')).toHaveLength(notes);
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

describe('any calls at all', () => {
  const hostileKey = fc.constantFrom('__proto__', 'constructor', 'toJSON', 'hasOwnProperty', 'prototype', '1', '0');
  const json = fc.jsonValue({ depthSize: 'medium' });
  const dictionary = (value: fc.Arbitrary<unknown>) =>
    fc
      .array(fc.tuple(fc.oneof(hostileKey, fc.string()), value))
      // Through text, as from a client: then `__proto__` is an own key.
      .map((pairs) =>
        JSON.parse(`{${pairs.map(([key, v]) => `${JSON.stringify(key)}:${JSON.stringify(v)}`).join(',')}}`),
      );
  const call = fc
    .tuple(
      fc.record({
        type: fc.constantFrom('identify', 'track', 'page', 'screen', 'group', 'alias'),
        userId: fc.oneof(fc.string({ minLength: 1 }), fc.nat()),
        groupId: fc.string({ minLength: 1 }),
        previousId: fc.string({ minLength: 1 }),
        event: fc.string({ minLength: 1, unit: 'binary' }),
        properties: dictionary(json),
        traits: dictionary(json),
        context: dictionary(json),
        integrations: dictionary(json),
      }),
      dictionary(json),
    )
    .map(([fields, extra]) => ({ ...extra, ...fields }));
  const shape = fc.constantFrom('documented' as const, 'pass-through' as const);

  it('have a wire body that JSON.parse and JSON.stringify give back byte for byte', () => {
    fc.assert(
      fc.property(call, dictionary(json), shape, (one, context, body) => {
        const message = prepare(one, { ...batchOf({ context, integrations: context }), body });
        fc.pre(message.wire !== null);
        const wire = textOf(message.wire);
        expect(JSON.stringify(JSON.parse(wire))).toBe(wire);
      }),
      { numRuns: 400 },
    );
  });

  it('give one result each, in order, and leave every prototype alone', () => {
    const before = Reflect.ownKeys(Object.prototype).join();
    fc.assert(
      fc.property(fc.array(fc.oneof(json, call, dictionary(json))), dictionary(json), shape, (calls, context, body) => {
        const over = { ...batchOf({ context, integrations: context }), body };
        const messages = prepareCalls(calls, fieldsWith(over));
        expect(messages.map((message) => message.position)).toEqual(calls.map((_, at) => at));
        for (const message of messages) expect(message.wire === null).toBe(message.state === 'rejected');
      }),
      { numRuns: 200 },
    );
    expect(Reflect.ownKeys(Object.prototype).join()).toBe(before);
  });

  it('keep __proto__ and constructor as own keys on the way to the wire', () => {
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
