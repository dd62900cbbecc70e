/** Each reason beside the case in which its rule was not at work. */
import { describe, expect, test } from 'vitest';
import { bodyShapeOf, type CallFacts, reasonsOf } from '../../../src/core/model/change-reasons.ts';
import type { NormalCall } from '../../../src/core/model/normalise.ts';
import { rawNumber } from '../../helpers/changed-call.ts';

const NOON = '2026-11-20T12:00:00.000Z';
const NOTHING = ['unexplained'];

interface Given extends Partial<Omit<CallFacts, 'normal'>> {
  readonly normal?: Partial<NormalCall>;
}

function factsOf({ normal, ...rest }: Given): CallFacts {
  const ids = { messageId: 'm', userId: 'u', anonymousId: null, groupId: null, previousId: null };
  const times = { timestamp: NOON, originalTimestamp: null, receivedAt: NOON, sentAt: null };
  const base = { type: 'track', ...ids, ...times, context: {}, integrations: null, call: {}, notes: [] } as const;
  return { normal: { ...base, ...normal }, batch: null, notes: [], shape: 'documented', ...rest };
}

const reasons = (form: number) => {
  return (path: string, before: unknown, after: unknown, given: Given = {}): string[] => {
    const change = before === undefined ? 'added' : after === undefined ? 'left_out' : 'rewritten';
    const found = reasonsOf({ path: path.split('.'), change, before, after, form }, factsOf(given));
    return found.map(({ code, detail }) => (detail === undefined ? code : `${code}(${detail})`));
  };
};
const normalised = reasons(1);
const delivered = reasons(2);
const batchOf = (over: Partial<NonNullable<CallFacts['batch']>>) => ({
  batch: { context: null, integrations: null, sentAt: null, ...over },
});

describe('of the normalised call', () => {
  test.each(['userId', 'anonymousId', 'groupId', 'previousId', 'messageId'])('%s: a number became a text', (id) => {
    expect(normalised(id, 7, '7')).toEqual(['id_number_to_string']);
    expect(normalised(id, rawNumber('7.0'), '7')).toEqual(['id_number_to_string']);
    expect(normalised(id, 'a', 'b')).toEqual(NOTHING);
    expect(normalised(id, 7, 8)).toEqual(NOTHING);
  });

  test('a messageId was assigned when a note says so', () => {
    const notes = [{ code: 'timestamp_missing' }, { code: 'message_id_assigned' }] as const;
    expect(normalised('messageId', null, 'new', { normal: { notes } })).toEqual(['message_id_assigned']);
    expect(normalised('messageId', null, 'new')).toEqual(NOTHING);
  });

  test('a write key is only left out, and a type comes only from a path', () => {
    expect(normalised('writeKey', 'wk', undefined)).toEqual(['write_key']);
    expect(normalised('writeKey', 'wk', 'other')).toEqual(NOTHING);
    expect(normalised('type', 'page', 'track')).toEqual(['path_type']);
    expect(normalised('type', 'page', 'odd', { normal: { type: null } })).toEqual(NOTHING);
  });

  test('a timestamp is missing, is the original one, or is written otherwise', () => {
    const at = (call: object, before: unknown) =>
      normalised('timestamp', before, NOON, { normal: { call: { ...call } } });
    expect(at({}, undefined)).toEqual(['timestamp_missing']);
    expect(at({ originalTimestamp: NOON }, undefined)).toEqual(['original_timestamp']);
    expect(at({ originalTimestamp: NOON }, null)).toEqual(['original_timestamp']);
    expect(at({ timestamp: '2026-11-20T12:00:00Z' }, '2026-11-20T12:00:00Z')).toEqual(['time_millisecond']);
    expect(at({ timestamp: '2026-11-20T13:00:00+01:00' }, '2026-11-20T13:00:00+01:00')).toEqual(['time_utc']);
  });

  test('the time of sending is that of the batch, or is written otherwise', () => {
    const text = '2026-11-20T12:00:00Z';
    expect(normalised('sentAt', text, NOON)).toEqual(['time_millisecond']);
    expect(normalised('sentAt', text, NOON, batchOf({}))).toEqual(['time_millisecond']);
    expect(normalised('sentAt', text, NOON, batchOf({ sentAt: 1 }))).toEqual(['sent_at_of_batch']);
    for (const odd of ['soon', undefined, ['2026-11-20']]) expect(normalised('sentAt', odd, NOON)).toEqual(NOTHING);
  });

  test.each(['properties', 'traits', 'context', 'integrations'])('%s: an empty list stands for an object', (field) => {
    expect(normalised(field, [], {})).toEqual(['empty_array_to_object']);
    expect(normalised(field, null, {})).toEqual(NOTHING);
  });

  test('a whole context or list of integrations comes from the batch', () => {
    for (const field of ['context', 'integrations']) {
      expect(normalised(field, undefined, { a: 1 }, batchOf({ [field]: { a: 1 } }))).toEqual(['merged_from_batch']);
      expect(normalised(field, undefined, { a: 1 }, batchOf({ [field]: 'text' }))).toEqual(NOTHING);
      expect(normalised(field, undefined, { a: 1 })).toEqual(NOTHING);
    }
  });

  test.each([
    [{}, { ip: '1.2.3.4' }, true],
    [{ ip: null }, { ip: '1.2.3.4' }, true],
    [{ ip: '5.6.7.8' }, { ip: '5.6.7.8' }, false],
    [{}, {}, false],
    [{}, { ip: null }, false],
  ])('a context from the batch, %j, now %j, has the address of the connection: %s', (context, now, isFilled) => {
    const found = normalised('context', undefined, now, { normal: { context: now }, ...batchOf({ context }) });
    expect(found).toEqual(['merged_from_batch', ...(isFilled ? ['ip_of_connection'] : [])]);
  });

  test('an address is that of the connection where neither call nor batch has one', () => {
    const other = batchOf({ context: { ip: '5.6.7.8' } });
    expect(normalised('context.ip', undefined, '1.2.3.4')).toEqual(['ip_of_connection']);
    expect(normalised('context.ip', null, '1.2.3.4')).toEqual(['ip_of_connection']);
    expect(normalised('context.ip', null, '1.2.3.4', other)).toEqual(['ip_of_connection']);
    expect(normalised('context.ip', undefined, '5.6.7.8', other)).toEqual(['merged_from_batch']);
    expect(normalised('context.ip', undefined, null, batchOf({ context: { ip: null } }))).toEqual([
      'merged_from_batch',
    ]);
    expect(normalised('context.ip', 'a', 'b')).toEqual(NOTHING);
    expect(normalised('integrations.ip', undefined, true, batchOf({ integrations: { ip: null } }))).toEqual([
      'merged_from_batch',
    ]);
  });

  test('a key comes from the batch when the batch has it and the call has not', () => {
    const batch = batchOf({ context: { a: 1, library: { name: 'x' } } });
    expect(normalised('context.a', undefined, 1, batch)).toEqual(['merged_from_batch']);
    expect(normalised('context.a', 2, 1, batch)).toEqual(NOTHING);
    expect(normalised('context.b', undefined, 1, batch)).toEqual(NOTHING);
    expect(normalised('context.library.name', undefined, 'x', batch)).toEqual(NOTHING);
    expect(normalised('context.length', undefined, 4, batchOf({ context: 'text' }))).toEqual(NOTHING);
    expect(normalised('properties.a', undefined, 1, batch)).toEqual(NOTHING);
  });

  test('numbers are written otherwise, and nothing else changed', () => {
    const written = { a: rawNumber('1.0'), b: [rawNumber('1e999'), null, 'text', true], c: rawNumber('2.0') };
    const now = { a: 1, b: [null, null, 'text', true], c: 2 };
    expect(normalised('properties.x', written, now)).toEqual(['number_form', 'number_lost']);
    expect(normalised('properties.x', { a: rawNumber('1.0'), b: 'text' }, { a: 1, b: 'text' })).toEqual([
      'number_form',
    ]);
    expect(normalised('properties.x', written, { ...now, c: 3 })).toEqual(NOTHING);
    expect(normalised('properties.x', 1, undefined)).toEqual(NOTHING);
  });
});

describe('of the delivered body', () => {
  test('a deletion notice leaves fields out, and nothing else happens to it', () => {
    const notice = { normal: { type: 'delete' } } as const;
    expect(delivered('context', {}, undefined, notice)).toEqual(['not_in_delete']);
    expect(delivered('version', undefined, 1, notice)).toEqual(NOTHING);
  });

  test('the whole message, and a call of an unknown type, have no rules', () => {
    expect(delivered('version', undefined, 1)).toEqual(['destination_version']);
    expect(delivered('version', undefined, 1, { shape: 'pass-through' })).toEqual(NOTHING);
    expect(delivered('version', undefined, 1, { normal: { type: null } })).toEqual(NOTHING);
  });

  test.each([
    ['track', ['event', 'properties']],
    ['identify', ['traits']],
    ['page', ['properties', 'name', 'category']],
    ['screen', ['properties', 'name']],
    ['group', ['groupId', 'traits']],
    ['alias', []],
  ] as const)('of a %s call %j are left out where they are empty, and other fields always', (type, fields) => {
    const left = (field: string, before: unknown) => delivered(field, before, undefined, { normal: { type } });
    for (const field of ['event', 'properties', 'traits', 'name', 'category', 'groupId']) {
      const empty = (fields as readonly string[]).includes(field) ? 'empty_left_out' : 'not_documented';
      expect([field, left(field, null), left(field, '')]).toEqual([field, [empty], [empty]]);
      expect([field, left(field, 'x')]).toEqual([field, ['not_documented']]);
    }
    expect(delivered('own', 1, 2, { normal: { type } })).toEqual(NOTHING);
  });

  test('ids are empty, take their documented names in an alias call, or give way to the user id', () => {
    const alias = { normal: { type: 'alias' } } as const;
    expect(delivered('userId', '', undefined)).toEqual(['empty_left_out']);
    expect(delivered('userId', 'u', undefined, alias)).toEqual(['alias_name']);
    expect(delivered('userId', 'u', undefined)).toEqual(NOTHING);
    expect(delivered('anonymousId', 'a', undefined)).toEqual(['user_id_sent']);
    expect(delivered('anonymousId', null, undefined, { normal: { userId: null } })).toEqual(['empty_left_out']);
    expect(delivered('previousId', 'p', undefined, alias)).toEqual(['alias_name']);
    expect(delivered('previousId', 'p', undefined)).toEqual(['not_documented']);
    expect(delivered('previousId', 'p', 'q', alias)).toEqual(NOTHING);
    for (const name of ['User ID', 'Previous ID']) {
      expect(delivered(name, undefined, 'u', alias)).toEqual(['alias_name']);
      expect(delivered(name, undefined, 'u')).toEqual(NOTHING);
      expect(delivered(name, 'u', undefined, alias)).toEqual(['not_documented']);
    }
  });

  test('a context is always there', () => {
    expect(delivered('context', undefined, {}, { normal: { context: null } })).toEqual(['context_always']);
    expect(delivered('context.a', undefined, 1)).toEqual(NOTHING);
  });

  test('integrations are routing, with what selection noted of the key', () => {
    const notes = [{ code: 'integrations_lower_case_all', field: 'integrations.all' }] as const;
    const left = (path: string, given: Given = {}) => delivered(path, true, undefined, given);
    expect(left('integrations')).toEqual(['routing']);
    expect(left('integrations', { notes })).toEqual(['routing_all(all)', 'routing']);
    expect(left('integrations.all', { notes })).toEqual(['routing_all(all)', 'routing']);
    expect(left('integrations.other', { notes })).toEqual(['routing']);
    expect(left('integrations', { notes: [{ code: 'integrations_near_miss' }] })).toEqual(['routing']);
    expect(delivered('integrations', true, false)).toEqual(NOTHING);
  });
});

test('a reason without a detail has none', () => {
  const change = { path: ['version'], change: 'added', before: undefined, after: 1, form: 2 } as const;
  expect(reasonsOf(change, factsOf({}))).toStrictEqual([{ code: 'destination_version' }]);
});

test.each([
  [null, 'documented'],
  ['{"userId":"u"}', 'documented'],
  ['null', 'documented'],
  ['{"messageId":"m"}', 'pass-through'],
])('the body %s is %s', (body, shape) => {
  expect(bodyShapeOf(body)).toBe(shape);
});
