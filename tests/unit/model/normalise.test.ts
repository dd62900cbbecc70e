import { describe, expect, it } from 'vitest';
import { deliveredBody, fullMessage, previousIdOf } from '../../../src/core/model/body.ts';
import type { JsonObject } from '../../../src/core/model/call.ts';
import type { Note } from '../../../src/core/model/message.ts';
import {
  mergeUnder,
  normaliseCall,
  type RequestFields,
  timeOf,
  withEmptyObjects,
} from '../../../src/core/model/normalise.ts';
import type { CallType } from '../../../src/core/model/vocabulary.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const request: RequestFields = {
  receivedAt: NOON,
  receivedAtText: '2026-11-20T12:00:00.000Z',
  batch: null,
  ip: '127.0.0.1',
  correction: 'wrong_clock',
};
const normal = (call: JsonObject, type: CallType | null = 'track', over: Partial<RequestFields> = {}) =>
  normaliseCall(
    { messageId: 'm', timestamp: '2026-11-20T12:00:00.000Z', ...call },
    type,
    { ...request, ...over },
    () => 'assigned',
  );

describe('ids', () => {
  it.each([
    ['group', { groupId: 'g', previousId: 'p' }, { groupId: 'g', previousId: null }],
    ['alias', { groupId: 'g', previousId: 'p' }, { groupId: null, previousId: 'p' }],
    ['track', { groupId: 'g', previousId: 'p' }, { groupId: null, previousId: null }],
    ['track', { userId: '', anonymousId: null }, { userId: null, anonymousId: null }],
    ['track', { userId: {}, anonymousId: [] }, { userId: null, anonymousId: null }],
  ] as const)('of a %s call %j are read as %j', (type, call, ids) => {
    expect(normal(call, type)).toMatchObject(ids);
  });

  it.each([
    ['group', { groupId: 7 }, 'groupId'],
    ['alias', { previousId: 7 }, 'previousId'],
    ['track', { userId: 7 }, 'userId'],
    ['track', { anonymousId: 7 }, 'anonymousId'],
    ['track', { messageId: 7 }, 'messageId'],
  ] as const)('a number in a %s call %j is noted by its field', (type, call, field) => {
    expect(normal(call, type)).toMatchObject({ [field]: '7', notes: [{ code: 'id_number_to_string', field }] });
  });

  it('of other types of call are not touched, nor noted', () => {
    expect(normal({ groupId: 7, previousId: 7 }).notes).toEqual([]);
  });

  it('a messageId that cannot be used is replaced, and only then a new one is asked for', () => {
    expect(normal({ messageId: {} })).toMatchObject({ messageId: 'assigned' });
    const ask = () => {
      throw new Error('asked for an id that nobody needs');
    };
    expect(normaliseCall({ messageId: 'own' }, 'page', request, ask).messageId).toBe('own');
  });
});

describe('notes', () => {
  it.each([
    [{ messageId: null }, { code: 'message_id_assigned', field: 'messageId' }],
    [{ timestamp: null }, { code: 'timestamp_missing', field: 'timestamp' }],
    [{ traits: [] }, { code: 'empty_array_to_object', field: 'traits' }],
    [{ sentAt: '2026-11-20T12:00:05.001Z' }, { code: 'clock_skew_corrected', field: 'timestamp', detail: '−5.001 s' }],
  ])('tell what was done to %j', (call, note) => {
    expect(normal(call).notes).toEqual([note]);
  });

  it('tell of a time that was moved with the right clock', () => {
    const moved = normal({ sentAt: '2026-11-20T11:59:59.000Z' }, 'track', { correction: 'always' });
    expect(moved.notes).toEqual([{ code: 'timestamp_moved', field: 'timestamp', detail: '+1.000 s' }]);
    expect(moved.timestamp).toBe('2026-11-20T12:00:01.000Z');
  });

  it('of the envelope come first, for each of its calls, and stay as they were', () => {
    const ofBatch: Note = { code: 'empty_array_to_object', field: 'context of the batch' };
    const batch = { context: {}, integrations: undefined, sentAt: null, notes: [ofBatch] };
    for (let n = 0; n < 2; n += 1) {
      expect(normal({ userId: 7 }, 'track', { batch }).notes).toEqual([
        ofBatch,
        { code: 'id_number_to_string', field: 'userId' },
      ]);
    }
    expect(batch.notes).toEqual([ofBatch]);
  });

  it.each([
    [1, '+0.001 s'],
    [-1, '−0.001 s'],
    [59_999, '+59.999 s'],
  ])('say to the millisecond by how much a time was moved: %i', (ms, detail) => {
    const sentAt = new Date(NOON - ms).toISOString();
    expect(normal({ sentAt }, 'track', { correction: 'always' }).notes[0]).toMatchObject({ detail });
  });
});

describe('an empty array where an object belongs', () => {
  it.each(['properties', 'traits', 'context', 'integrations'])('is an empty object in %s, in its place', (field) => {
    const notes: Note[] = [];
    const given = { before: [], [field]: [], after: 1 };
    const changed = withEmptyObjects(given, notes, ' of the batch');
    expect(JSON.stringify(changed)).toBe(JSON.stringify({ before: [], [field]: {}, after: 1 }));
    expect(notes).toEqual([{ code: 'empty_array_to_object', field: `${field} of the batch` }]);
    expect(given[field]).toEqual([]);
  });

  it('is looked for nowhere else: a call without one comes back as it is', () => {
    const notes: Note[] = [];
    const call = { properties: { list: [] }, traits: [1], context: null, groups: [] };
    expect(withEmptyObjects(call, notes)).toBe(call);
    expect(notes).toEqual([]);
  });
});

describe('times', () => {
  it.each([
    ['2026-11-20T12:00:00Z', NOON],
    ['soon', null],
    [NOON, null],
    [null, null],
    [undefined, null],
  ])('%j on the wire is %s', (value, at) => {
    expect(timeOf(value)).toBe(at);
  });

  it('of receipt and of the call are told as the wire writes them', () => {
    expect(normal({})).toMatchObject({ timestamp: request.receivedAtText, receivedAt: request.receivedAtText });
    expect(normal({ timestamp: '2026-11-20T13:00:00+02:00' })).toMatchObject({
      timestamp: '2026-11-20T11:00:00.000Z',
      originalTimestamp: NOON - 3_600_000,
      receivedAt: request.receivedAtText,
    });
  });

  it('of a call without one is that of its receipt', () => {
    expect(normal({ timestamp: undefined })).toMatchObject({
      timestamp: request.receivedAtText,
      originalTimestamp: null,
    });
  });

  it('that cannot be read leave none, and no note', () => {
    const bad = normal({ timestamp: 'soon', sentAt: '2026-11-20T12:00:00Z' });
    expect(bad).toMatchObject({ timestamp: null, originalTimestamp: null, sentAt: NOON, notes: [] });
  });
});

describe('the context of a batch under that of a call', () => {
  const under = { a: 1, b: 1 };
  const own = { b: 2, c: 2 };
  it.each([
    [under, own, { a: 1, b: 2, c: 2 }],
    [under, undefined, under],
    [under, 'text', under],
    [under, [], under],
    [undefined, own, own],
    [[], own, own],
    [undefined, undefined, null],
    ['text', null, null],
  ])('%j under %j is %j', (batch, call, merged) => {
    expect(mergeUnder(batch, call)).toEqual(merged);
  });
});

describe('the address of the connection', () => {
  const contextOf = (context: unknown, ip: string | null = '10.0.0.1') => normal({ context }, 'track', { ip }).context;

  it.each([
    'analytics.js',
    'analytics-ios',
    'analytics-swift',
    'analytics-android',
    'analytics-kotlin',
    'analytics-react-native',
    '@segment/analytics-react-native',
    'analytics-flutter',
    'analytics_flutter',
  ])('is that of the user where %s runs', (name) => {
    expect(contextOf({ library: { name } })).toEqual({ library: { name }, ip: '10.0.0.1' });
    expect(contextOf({ library: { name }, ip: null })).toMatchObject({ ip: '10.0.0.1' });
  });

  it.each([
    [{ library: 'analytics.js' }],
    [{ library: null }],
    [{ library: { name: 'analytics-go' } }],
    [{ library: {} }],
    [{}],
    [{ library: { name: 'analytics.js' }, ip: '0.0.0.0' }],
    [{ library: { name: 'analytics.js' }, ip: '' }],
  ])('is not put into %j', (context) => {
    expect(contextOf(context)).toEqual(context);
  });

  it('is left out where it is not known, and makes no context of its own', () => {
    const context = { library: { name: 'analytics.js' } };
    expect(contextOf(context, null)).toEqual(context);
    expect(contextOf(undefined)).toBeNull();
  });
});

describe('the body', () => {
  it('of a call whose type nobody knows has what a deletion notice has', () => {
    const wire = deliveredBody('documented', normal({ userId: 'u', event: 'E' }, null), {});
    expect(JSON.parse(wire)).toMatchObject({ userId: 'u' });
    expect(wire).not.toContain('event');
  });

  it('of a page and of a screen has what was given, and nothing for an empty text', () => {
    const view = { userId: 'u', name: 'N', category: '', properties: {} };
    const keys = (type: CallType) => Object.keys(JSON.parse(deliveredBody('documented', normal(view, type), {})));
    expect(keys('page')).toEqual(['type', 'userId', 'timestamp', 'version', 'properties', 'name', 'context']);
    expect(keys('screen')).toEqual(['type', 'userId', 'timestamp', 'version', 'name', 'properties', 'context']);
  });

  it('as a whole has every id and time that is known, and the type by its path', () => {
    const call = { type: 'Group', userId: 1, anonymousId: 2, groupId: 3, messageId: 4, sentAt: 'soon' };
    expect(fullMessage(normal(call, 'group'))).toEqual({
      type: 'group',
      userId: '1',
      anonymousId: '2',
      groupId: '3',
      messageId: '4',
      sentAt: 'soon',
      timestamp: '2026-11-20T12:00:00.000Z',
      originalTimestamp: '2026-11-20T12:00:00.000Z',
      receivedAt: '2026-11-20T12:00:00.000Z',
    });
    expect(fullMessage(normal({ type: 'odd', userId: 'u' }, null)).type).toBe('odd');
  });
});

describe('the previous id of a delivered alias call', () => {
  it('is read from either shape, and from a call that was normalised', () => {
    const alias = normal({ userId: 'new', previousId: 'old' }, 'alias');
    const bodies = (['documented', 'pass-through'] as const).map((shape) =>
      JSON.parse(deliveredBody(shape, alias, {})),
    );
    expect(bodies.map(previousIdOf)).toEqual(['old', 'old']);
  });

  it.each([null, {}, { previousId: 7 }, { 'Previous ID': 7, previousId: 'old' }, { 'Previous ID': {} }])(
    'is null where %j says no text',
    (body) => expect(previousIdOf(body)).toBeNull(),
  );

  it('is the documented field where a body has both', () => {
    expect(previousIdOf({ 'Previous ID': 'documented', previousId: 'other' })).toBe('documented');
  });
});
