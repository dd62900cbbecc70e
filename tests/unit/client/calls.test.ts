import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallError, type CallErrorCode, callErrorCodes, type Kind } from '../../../src/client/index.ts';
import { MAX_CALL_BYTES } from '../../../src/client/limits.ts';
import { bytesOf, isTooDeep } from '../../../src/client/measure.ts';
import { isTimestamp, timestampOf } from '../../../src/client/timestamp.ts';
import { parseTimestamp } from '../../../src/core/model/timestamp.ts';
import { simClient } from './sim-client.ts';

const good: Readonly<Record<Kind, object>> = {
  identify: { userId: 'u' },
  track: { userId: 'u', event: 'E' },
  page: { userId: 'u' },
  screen: { anonymousId: 'a' },
  group: { userId: 'u', groupId: 'g' },
  alias: { userId: 'u', previousId: 'p' },
};
const kinds = Object.keys(good) as Kind[];

/** What a program without types can give. */
function call(kind: Kind, message: unknown, options = {}): CallError | null {
  const { client } = simClient(options);
  return (client[kind] as (given: unknown) => CallError | null).call(client, message);
}

/** The message as it was sent. */
async function sent(kind: Kind, message: unknown, options = {}): Promise<Record<string, unknown>> {
  const { client, time, requests } = simClient({ size: 1, ...options });
  expect((client[kind] as (given: unknown) => CallError | null).call(client, message)).toBeNull();
  await time.settle();
  return requests[0]!.body.batch[0]!;
}

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
    expect(error!.message).toMatch(/^[^!]+\.?$/);
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

describe('what is sent', () => {
  it.each(kinds)('%s carries integrations, context, messageId and a time of the past as given', async (kind) => {
    const more = {
      integrations: { All: false, Webhooks: true, Other: { key: 1 } },
      context: { ip: '203.0.113.24' },
      messageId: 'mine',
      timestamp: '2012-12-02T00:30:08.276+02:00',
    };
    expect(await sent(kind, { ...good[kind], ...more })).toEqual({ ...good[kind], ...more, type: kind });
  });

  it('a date becomes ISO 8601, and a call without a time has that of the call', async () => {
    const at = new Date('2012-12-02T00:30:08.276Z');
    expect((await sent('track', { ...good.track, timestamp: at })).timestamp).toBe('2012-12-02T00:30:08.276Z');
    const ofAnotherRealm = runInNewContext('new Date(0)') as Date;
    expect((await sent('track', { ...good.track, timestamp: ofAnotherRealm })).timestamp).toBe(
      '1970-01-01T00:00:00.000Z',
    );
    const { client, time, requests } = simClient();
    await time.advance(1_234);
    client.track({ userId: 'u', event: 'E' });
    await time.advance(60_000);
    expect(requests[0]!.body.batch[0]!.timestamp).toBe('2025-01-15T12:00:01.234Z');
  });

  it.each(['page', 'screen'] as const)('%s sends its traits, or its properties, as properties', async (kind) => {
    const expected = { ...good[kind], type: kind, properties: { url: 'http://x/', more: 1 } };
    const view = { url: 'http://x/', more: 1 };
    expect(await sent(kind, { ...good[kind], traits: view })).toMatchObject(expected);
    expect(await sent(kind, { ...good[kind], properties: view })).toMatchObject(expected);
    expect(await sent(kind, { ...good[kind], traits: view })).not.toHaveProperty('traits');
  });

  it('empty maps and texts, null and undefined are left out, as in version 2', async () => {
    const empty = {
      traits: {},
      context: null,
      integrations: undefined,
      anonymousId: '',
      messageId: '',
      timestamp: null,
    };
    const message = await sent('identify', { userId: 'u', ...empty });
    expect(Object.keys(message)).toEqual(['userId', 'type', 'messageId', 'timestamp']);
  });

  it.each([
    ['identify', { anonymousId: 'a', userId: '' }, ['anonymousId']],
    ['track', { anonymousId: 'a', userId: '', event: 'E', properties: {} }, ['anonymousId', 'event']],
    ['page', { userId: 'u', anonymousId: '', name: '', category: '', properties: {} }, ['userId']],
    ['screen', { anonymousId: 'a', userId: null, name: null, category: null, traits: {} }, ['anonymousId']],
    ['group', { anonymousId: 'a', userId: '', groupId: 'g', traits: {}, timestamp: '' }, ['anonymousId', 'groupId']],
    ['alias', { userId: 'u', previousId: 'p', context: {}, integrations: {} }, ['previousId', 'userId']],
  ] as [Kind, object, string[]][])('%s %j leaves out what is empty', async (kind, message, fields) => {
    const { timestamp, ...rest } = await sent(kind, message);
    expect(Object.keys(rest)).toEqual([...fields, 'type', 'messageId']);
    expect(timestamp).toBe('2025-01-15T12:00:00.000Z');
  });

  it('fields stand in the order of version 2', async () => {
    const common = { userId: 'u', context: { a: 1 }, integrations: { a: true } };
    const view = { ...common, anonymousId: 'a', name: 'n', category: 'c', traits: { a: 1 } };
    const order = async (kind: Kind, message: object) =>
      Object.keys(await sent(kind, message))
        .slice(2, -3)
        .join();
    expect(await order('identify', { ...common, anonymousId: 'a', traits: { a: 1 } })).toBe(
      'traits,anonymousId,userId',
    );
    expect(await order('page', view)).toBe('properties,anonymousId,userId,category,name');
    expect(await order('screen', view)).toBe('properties,anonymousId,userId,category,name');
    expect(await order('track', { ...common, anonymousId: 'a', event: 'E', properties: { a: 1 } })).toBe(
      'properties,anonymousId,userId,event',
    );
    expect(await order('group', { ...common, anonymousId: 'a', groupId: 'g', traits: { a: 1 } })).toBe(
      'traits,anonymousId,userId,groupId',
    );
    expect(await order('alias', { ...common, previousId: 'p' })).toBe('previousId,userId');
  });

  it('an object that writes itself as JSON is written so', async () => {
    class Money {
      readonly #cents = 995;
      toJSON(): object {
        return { cents: this.#cents };
      }
    }
    expect(await sent('track', { ...good.track, properties: new Money() })).toMatchObject({
      properties: { cents: 995 },
    });
  });

  it('what the caller changes later is not sent', async () => {
    const { client, time, requests } = simClient();
    const properties = { n: 1 };
    client.track({ userId: 'u', event: 'E', properties });
    properties.n = 2;
    await time.advance(5_000);
    expect(requests[0]!.body.batch[0]!.properties).toEqual({ n: 1 });
  });
});

describe('sizes', () => {
  /** A call of exactly so many bytes. */
  const ofBytes = (bytes: number, character = 'x'): object => {
    const message = (note: string): object => ({ userId: 'u', event: 'E', properties: { note }, messageId: 'm' });
    const around = bytesOf(
      '{"properties":{"note":""},"userId":"u","event":"E","type":"track","messageId":"m","timestamp":"2025-01-15T12:00:00.000Z"}',
    );
    const width = bytesOf(character);
    const count = Math.floor((bytes - around) / width);
    return message(character.repeat(count) + 'x'.repeat(bytes - around - count * width));
  };

  it.each(['x', 'é', '😀'])('a call of 32 KiB is taken, one of a byte more is refused (%s)', (character) => {
    expect(call('track', ofBytes(MAX_CALL_BYTES, character))).toBeNull();
    const error = call('track', ofBytes(MAX_CALL_BYTES + 1, character));
    expect(error).toMatchObject({ code: 'call_too_large' });
    expect(error!.message).toBe('track is 32769 bytes as JSON; a call may have 32768.');
  });

  it('the length of any text in UTF-8 is that of an encoder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 4_000 }), (text, times) => {
        const long = text.repeat(times);
        expect(bytesOf(long)).toBe(new TextEncoder().encode(long).length);
      }),
      { numRuns: 50 },
    );
  });

  it('510 levels are taken, 511 are refused, brackets in texts do not count', () => {
    const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
    // The message itself is one level.
    expect(call('identify', { userId: 'u', traits: nested(509) })).toBeNull();
    expect(call('identify', { userId: 'u', traits: nested(510) })).toMatchObject({
      code: 'too_deep',
      message: 'identify nests deeper than 510 levels.',
    });
    expect(call('identify', { userId: 'u', traits: { text: '[{"\\'.repeat(2_000) } })).toBeNull();
    expect(isTooDeep('['.repeat(511) + ']'.repeat(511))).toBe(true);
    expect(isTooDeep('['.repeat(510) + ']'.repeat(510))).toBe(false);
  });
});

describe('the bounds of the queue', () => {
  it('refuse what does not fit, and take calls again when some were sent', async () => {
    const { client, time, requests, setAnswer } = simClient({ size: 5, maxQueuedMessages: 10 });
    setAnswer(() => ({ status: 200, afterMs: 100 }));
    const codes = Array.from({ length: 12 }, (_, n) => client.track({ userId: 'u', event: `E${n}` })?.code ?? 'taken');
    expect(codes).toEqual([...Array(10).fill('taken'), 'queue_full', 'queue_full']);
    const error = client.track({ userId: 'u', event: 'E' });
    expect(error!.message).toMatch(/^The queue is full \(10 messages, \d+ bytes; at most 10 and 33554432\)\.$/);
    await time.advance(100);
    expect(client.stats).toMatchObject({ accepted: 10, refused: 3, sent: 5, queued: 5 });
    expect(client.track({ userId: 'u', event: 'E' })).toBeNull();
    await time.advance(5_000);
    expect(requests.flatMap(({ body }) => body.batch)).toHaveLength(11);
    expect(client.stats).toMatchObject({ queued: 0, queuedBytes: 0 });
  });

  it('hold in bytes too', () => {
    const { client } = simClient({ maxQueuedBytes: 40_000, size: 1 });
    const properties = { note: 'é'.repeat(10_000) };
    expect(client.track({ userId: 'u', event: 'E', properties })).toBeNull();
    expect(client.track({ userId: 'u', event: 'E', properties })?.code).toBe('queue_full');
    expect(client.stats.queuedBytes).toBeLessThan(40_000);
  });
});

describe('timestamps', () => {
  const parts = fc.tuple(
    fc.constantFrom('2026', '0000', '0001', '9999', '2024', '1900', '26', 'x026'),
    fc.constantFrom('-01', '-02', '-12', '-13', '-00', '/01', '-1'),
    fc.constantFrom('-01', '-28', '-29', '-30', '-31', '-00', '-32'),
    fc.constantFrom(
      '',
      'T12:31:04',
      't12:31',
      ' 23:59:59',
      'T24:00:00',
      'T00:00:60',
      'T12',
      'T12:60:00',
      'T1:02:03',
      'T00:00',
    ),
    fc.constantFrom('', '.1', '.708795692', ',5', '.'),
    fc.constantFrom('', 'Z', 'z', '-0500', '-05:00', '+02', '+24:00', '+00:60', '+1', 'ZZ', ' Z', '+23:59'),
  );

  it('are taken and refused as ingest does', () => {
    fc.assert(
      fc.property(parts, (all) => {
        const text = all.join('');
        expect([text, isTimestamp(text)]).toEqual([text, parseTimestamp(text) !== null]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('of the client are those of toISOString', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (ms) => {
        expect(timestampOf(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });
});

it('the codes of refused calls are distinct', () => {
  expect(new Set(callErrorCodes).size).toBe(callErrorCodes.length);
});
