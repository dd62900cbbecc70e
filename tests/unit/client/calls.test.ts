/** Which calls are taken, and in which words the others are refused. */
import { describe, expect, it } from 'vitest';
import { type CallErrorCode, callErrorCodes, type Kind } from '../../../src/client/index.ts';
import { call, good, kinds } from './any-call.ts';
import { simClient } from './sim-client.ts';

describe('required fields', () => {
  it.each(kinds)('%s is taken with no more than it needs', (kind) => {
    expect(call(kind, good[kind])).toBeNull();
  });

  const refused: readonly [Kind, object, CallErrorCode, string | null][] = [
    ['identify', {}, 'no_user_anon_id', 'userId'],
    ['track', { event: 'E' }, 'no_user_anon_id', 'userId'],
    ['screen', { name: 'S' }, 'no_user_anon_id', 'userId'],
    ['group', { groupId: 'g' }, 'no_user_anon_id', 'userId'],
    ['identify', { userId: '' }, 'no_user_anon_id', 'userId'],
    ['identify', { userId: null, anonymousId: null }, 'no_user_anon_id', 'userId'],
    ['page', { name: 'Home' }, 'user_id_required', 'userId'],
    ['page', { anonymousId: 'a' }, 'user_id_required', 'userId'],
    ['alias', { previousId: 'p' }, 'user_id_required', 'userId'],
    ['alias', { userId: 'u' }, 'previous_id_required', 'previousId'],
    ['group', { userId: 'u' }, 'group_id_required', 'groupId'],
    ['track', { userId: 'u' }, 'event_not_defined', 'event'],
    ['track', { userId: 'u', event: '' }, 'event_not_defined', 'event'],
    ['track', { userId: 'u', event: 7 }, 'event_not_string', 'event'],
    ['identify', { userId: 42 }, 'id_not_string', 'userId'],
    ['identify', { anonymousId: {} }, 'id_not_string', 'anonymousId'],
    ['group', { userId: 'u', groupId: 1 }, 'id_not_string', 'groupId'],
    ['alias', { userId: 'u', previousId: 1 }, 'id_not_string', 'previousId'],
    ['identify', { userId: 'u', messageId: 1 }, 'id_not_string', 'messageId'],
    ['identify', { userId: 'u', messageId: 'm'.repeat(100) }, 'message_id_too_long', 'messageId'],
    ['page', { userId: 'u', name: 1 }, 'name_not_string', 'name'],
    ['page', { userId: 'u', category: [] }, 'category_not_string', 'category'],
    ['identify', { userId: 'u', traits: [] }, 'traits_not_object', 'traits'],
    ['identify', { userId: 'u', traits: new Map([['lost', 1]]) }, 'traits_not_object', 'traits'],
    ['page', { userId: 'u', traits: 'x' }, 'traits_not_object', 'traits'],
    ['track', { userId: 'u', event: 'E', properties: new Date(0) }, 'properties_not_object', 'properties'],
    ['page', { userId: 'u', traits: {}, properties: {} }, 'unknown_field', 'properties'],
    ['group', { ...good.group, context: 1 }, 'context_not_object', 'context'],
    ['alias', { ...good.alias, integrations: false }, 'integrations_not_object', 'integrations'],
    ['track', { ...good.track, userID: 'u' }, 'unknown_field', 'userID'],
    ['track', { ...good.track, traits: {} }, 'unknown_field', 'traits'],
    ['alias', { ...good.alias, anonymousId: 'a' }, 'unknown_field', 'anonymousId'],
    ['identify', { userId: 'u', timestamp: 'yesterday' }, 'bad_timestamp', 'timestamp'],
    ['identify', { userId: 'u', timestamp: new Date(Number.NaN) }, 'bad_timestamp', 'timestamp'],
    ['identify', { userId: 'u', timestamp: new Date(8.64e15) }, 'bad_timestamp', 'timestamp'],
    ['identify', { userId: 'u', timestamp: 1_700_000_000_000 }, 'bad_timestamp', 'timestamp'],
    ['identify', { userId: 'u', timestamp: ['2026-11-20'] }, 'bad_timestamp', 'timestamp'],
  ];
  it.each(refused)('%s %j is refused: %s', (kind, message, code, field) => {
    const error = call(kind, message);
    expect(error).toMatchObject({ name: 'CallError', code, field });
    expect(error!.message).toMatch(/^[A-Z`'"a-z][^!]+\.$/);
  });

  it.each([undefined, null, 'text', 7, [], () => {}])('%j in place of the message is refused', (given) => {
    expect(call('track', given)?.code).toBe('not_an_object');
  });

  it('a circular value, a BigInt and a getter that throws, are refused with the cause', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(call('identify', { userId: 'u', traits: circle })).toMatchObject({ code: 'not_serialisable' });
    expect(call('identify', { userId: 'u', traits: { big: 1n } })).toMatchObject({ code: 'not_serialisable' });
    const trap = {
      userId: 'u',
      get traits(): object {
        throw new RangeError('boom');
      },
    };
    const error = call('identify', trap);
    expect(error).toMatchObject({ code: 'not_serialisable', message: 'identify cannot be written as JSON: boom' });
    expect(error!.cause).toBeInstanceOf(RangeError);
  });

  it('what is no message, and what cannot be written, is told without a field', () => {
    expect(call('track', 'x')).toMatchObject({ field: null, message: 'track needs an object with its fields.' });
    const trap = {
      get userId(): string {
        throw 'no error at all';
      },
    };
    expect(call('page', trap)).toMatchObject({
      field: null,
      message: 'page cannot be written as JSON: no error at all',
      cause: 'no error at all',
    });
  });

  it.each([
    ['identify', {}, 'identify needs a userId or an anonymousId.'],
    ['page', {}, 'page needs a userId.'],
    ['alias', { anonymousId: undefined }, 'alias needs a userId.'],
    ['group', { userId: 'u' }, 'group needs a groupId.'],
    ['alias', { userId: 'u' }, 'alias needs a previousId.'],
    ['track', { userId: 'u' }, 'track needs an event.'],
    ['track', { userId: 'u', event: 1 }, 'event must be text.'],
    ['track', { userId: 1 }, 'userId must be text.'],
    ['page', { userId: 'u', name: 1 }, 'name must be text.'],
    ['page', { userId: 'u', category: 1 }, 'category must be text.'],
    ['identify', { userId: 'u', traits: 1 }, 'traits must be an object.'],
    ['track', { ...good.track, properties: 1 }, 'properties must be an object.'],
    ['track', { ...good.track, context: 1 }, 'context must be an object.'],
    ['track', { ...good.track, integrations: 1 }, 'integrations must be an object.'],
    [
      'screen',
      { userId: 'u', traits: {}, properties: {} },
      'screen sends its traits as properties: give one of the two.',
    ],
    ['identify', { userId: 'u', timestamp: 5 }, 'timestamp must be a date or ISO 8601 text.'],
    ['identify', { userId: 'u', ['x'.repeat(41)]: 5 }, `identify has no field "${'x'.repeat(40)}".`],
  ] as [Kind, object, string][])('%s %j is refused in words', (kind, message, text) => {
    expect(call(kind, message)?.message).toBe(text);
  });

  const many = { traits: {}, properties: {}, name: 'n', category: 'c', event: 'e', groupId: 'g', previousId: 'p' };
  const own: Readonly<Record<Kind, readonly string[]>> = {
    identify: ['traits', 'anonymousId'],
    track: ['event', 'properties', 'anonymousId'],
    page: ['name', 'category', 'traits', 'properties', 'anonymousId'],
    screen: ['name', 'category', 'traits', 'properties', 'anonymousId'],
    group: ['groupId', 'traits', 'anonymousId'],
    alias: ['previousId'],
  };
  it.each(kinds)('%s has fields of its own, and refuses those of the others unless they are undefined', (kind) => {
    for (const [field, value] of Object.entries({ ...many, anonymousId: 'a', userID: 'u' })) {
      const known = own[kind].includes(field);
      expect([field, call(kind, { ...good[kind], [field]: value })?.code ?? null]).toEqual([
        field,
        known ? null : 'unknown_field',
      ]);
      if (!known) expect(call(kind, { ...good[kind], [field]: undefined })).toBeNull();
    }
  });

  it.each([
    'userId',
    'anonymousId',
    'groupId',
    'previousId',
    'messageId',
    'name',
    'category',
    'traits',
    'properties',
    'context',
  ])('a %s of null or undefined is none', (field) => {
    for (const kind of kinds.filter((one) => [...own[one], 'userId', 'messageId', 'context'].includes(field))) {
      if (field in good[kind]) continue;
      for (const value of [null, undefined]) expect(call(kind, { ...good[kind], [field]: value })).toBeNull();
    }
  });

  it('a page with an anonymousId alone is taken where the client allows it', async () => {
    expect(call('page', { anonymousId: 'a' }, { allowAnonymousPages: true })).toBeNull();
    expect(call('page', { name: 'n' }, { allowAnonymousPages: true })?.code).toBe('no_user_anon_id');
  });

  it.each(['m', '😀'])(
    'a messageId of 99 characters is taken, as ingest takes it, and one more is not (%s)',
    (character) => {
      expect(call('track', { ...good.track, messageId: character.repeat(99) })).toBeNull();
      expect(call('track', { ...good.track, messageId: character.repeat(100) })?.message).toBe(
        'messageId has 100 characters; it may have 99.',
      );
    },
  );

  it('refused calls are never sent, are counted, and speak in the log once for each code', async () => {
    const { client, time, requests, log } = simClient({ size: 1 });
    for (let i = 0; i < 3; i++) client.track({ userId: 'u', event: '' });
    client.alias({ userId: '', previousId: 'p' });
    await time.advance(60_000);
    expect(requests).toEqual([]);
    expect(client.stats).toMatchObject({ accepted: 0, refused: 4, queued: 0 });
    expect(log).toEqual([
      'warn analytics: track refused (event_not_defined): track needs an event.',
      'warn analytics: alias refused (user_id_required): alias needs a userId.',
    ]);
  });
});

it('the codes of refused calls are distinct', () => {
  expect(new Set(callErrorCodes).size).toBe(callErrorCodes.length);
});
