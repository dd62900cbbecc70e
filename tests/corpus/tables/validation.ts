/** Every reason for which a call is rejected, for every kind of call that it can meet. */
import {
  call,
  json,
  KINDS,
  type Kind,
  queued,
  rejected,
  rejectedCall,
  request,
  shown,
  taken,
  track,
} from '../build.ts';
import type { CorpusCase, ExpectedMessage, Topic } from '../case.ts';

const one = (kind: Kind, over: object): Buffer => request(`/v1/${kind}`, json(call(kind, over)));

const fails = (
  name: string,
  kind: Kind,
  over: object,
  reason: string,
  more: Partial<ExpectedMessage> = {},
): CorpusCase => rejectedCall(`${kind}: ${name}`, one(kind, over), reason, { type: kind, ...more });

const passes = (name: string, kind: Kind, over: object, more: Partial<ExpectedMessage> = {}): CorpusCase =>
  taken(`${kind}: ${name}`, one(kind, over), [queued({ type: kind, ...more })]);

const each = (make: (kind: Kind) => readonly CorpusCase[]): CorpusCase[] => KINDS.flatMap(make);

const identity = each((kind) => [
  ...[undefined, null, ''].flatMap((value) => [
    fails(`both ids ${shown(value)}`, kind, { userId: value, anonymousId: value }, 'no_user_anon_id', { userId: null }),
    passes(`anonymousId alone, userId ${shown(value)}`, kind, { userId: value, anonymousId: 'a' }, { userId: null }),
  ]),
  ...[true, [], ['u'], {}, { id: 'u' }].map((value) =>
    fails(`userId ${json(value)}`, kind, { userId: value }, 'id_not_string', { detail: 'userId' }),
  ),
  ...[false, [], {}].map((value) =>
    fails(`anonymousId ${json(value)}`, kind, { anonymousId: value }, 'id_not_string', { detail: 'anonymousId' }),
  ),
  passes('userId is a number', kind, { userId: 42 }, { userId: '42', notes: ['id_number_to_string'] }),
]);

const ids: readonly CorpusCase[] = [
  ...[0, -1, 1.5, 1e21, 9007199254740991].map((value) =>
    passes(`userId ${value}`, 'track', { userId: value }, { userId: String(value), notes: ['id_number_to_string'] }),
  ),
  rejectedCall(
    'track: userId 1e400',
    request('/v1/track', '{"messageId":"corpus-infinite","userId":1e400,"event":"E"}'),
    'id_not_string',
    { detail: 'userId', notes: ['number_lost'] },
  ),
  ...[' ', '\u0000', '\u202e', '0', 'null', '__proto__', 'x'.repeat(5_000), '\u{1f600}'].map((value) =>
    passes(`userId as text ${shown(value)}`, 'track', { userId: value }, { userId: value }),
  ),
  passes(
    'anonymousId is a number',
    'track',
    { userId: null, anonymousId: 7 },
    { notes: ['id_number_to_string'], wire: '"anonymousId":"7"' },
  ),
  passes(
    'both ids are numbers',
    'identify',
    { userId: 1, anonymousId: 2 },
    { notes: ['id_number_to_string', 'id_number_to_string'] },
  ),
  ...['groupId', 'previousId', 'messageId'].flatMap((field) =>
    [true, {}, []].map((value) =>
      fails(`${field} ${json(value)}`, 'track', { [field]: value }, 'id_not_string', { detail: field }),
    ),
  ),
];

const required: readonly CorpusCase[] = [
  ...[undefined, null, ''].map((value) =>
    fails(`event ${shown(value)}`, 'track', { event: value }, 'event_not_defined'),
  ),
  ...[0, 7, true, false, [], ['E'], {}].map((value) =>
    fails(`event ${json(value)}`, 'track', { event: value }, 'event_not_string'),
  ),
  ...[' ', '\u0000', '\u200b', 'e'.repeat(10_000), '__proto__', '\u05d0'].map((value) =>
    passes(`event ${shown(value)}`, 'track', { event: value }),
  ),
  ...[undefined, null, ''].flatMap((value) => [
    fails(`groupId ${shown(value)}`, 'group', { groupId: value }, 'group_id_required'),
    fails(`previousId ${shown(value)}`, 'alias', { previousId: value }, 'previous_id_required'),
  ]),
  passes('groupId is a number', 'group', { groupId: 7 }, { notes: ['id_number_to_string'], wire: '"groupId":"7"' }),
  passes(
    'previousId is a number',
    'alias',
    { previousId: 7 },
    { notes: ['id_number_to_string'], wire: '"Previous ID":"7"' },
  ),
  ...(['page', 'screen'] as const).flatMap((kind) =>
    [undefined, null, '', 7, {}].map((value) => passes(`name ${shown(value)}`, kind, { name: value })),
  ),
];

const EMPTY = 'empty_array_to_object';

const objects = each((kind) => [
  passes(
    'context and integrations as PHP writes empty ones',
    kind,
    { context: [], integrations: [] },
    {
      notes: [EMPTY, EMPTY],
      wire: '"context":{}',
    },
  ),
  ...[[[]], [{}], 'x', 1, true, ''].flatMap((value) => [
    fails(`context ${json(value)}`, kind, { context: value }, 'context_not_object'),
    fails(`integrations ${json(value)}`, kind, { integrations: value }, 'integrations_not_object'),
  ]),
  ...[undefined, null, {}].map((context) =>
    passes(`a context is delivered for ${shown(context)}`, kind, { context }, { wire: '"context":{}}' }),
  ),
  passes('context and integrations null', kind, { context: null, integrations: null }),
]);

const OF_KIND: Readonly<Record<Kind, 'properties' | 'traits' | null>> = {
  track: 'properties',
  page: 'properties',
  screen: 'properties',
  identify: 'traits',
  group: 'traits',
  alias: null,
};

const fields = each((kind) => {
  const own = OF_KIND[kind];
  const other = own === 'traits' ? 'properties' : 'traits';
  return [
    ...(own === null
      ? []
      : [[[]], [1], 'x', 1, true, ''].map((value) =>
          fails(`${own} ${json(value)}`, kind, { [own]: value }, `${own}_not_object`),
        )),
    ...(own === null ? [] : [passes(`${own} null`, kind, { [own]: null }), passes(`${own} {}`, kind, { [own]: {} })]),
    ...(own === null ? [] : [passes(`${own} []`, kind, { [own]: [] }, { notes: [EMPTY], wire: `"${own}":{}` })]),
    passes(`${other} of another kind`, kind, { [other]: 7 }),
    passes(`${other} of another kind []`, kind, { [other]: [] }, { notes: [EMPTY] }),
  ];
});

const TYPES = [
  'Track',
  'TRACK',
  'track ',
  ' track',
  'tracks',
  'delete',
  'batch',
  'import',
  'event',
  '__proto__',
  'constructor',
  'toString',
  't',
  'x'.repeat(500),
  '\u0000',
  'tr\u0430ck',
];

const types: readonly CorpusCase[] = [
  ...[undefined, null, '', 7, true, {}, [], ['track']].map((value) =>
    taken(`type ${shown(value)}`, request('/v1/batch', json({ batch: [track({ type: value })] })), [
      rejected('unknown_type', { type: 'unknown' }),
    ]),
  ),
  ...TYPES.map((value) =>
    taken(`type ${shown(value)}`, request('/v1/batch', json({ batch: [track({ type: value })] })), [
      rejected('unknown_type', { type: 'unknown', detail: value.slice(0, 40) }),
    ]),
  ),
];

const order: readonly CorpusCase[] = [
  fails('a bad id before all else', 'track', { userId: {}, event: 7, properties: [1], context: [1] }, 'id_not_string'),
  fails('no id before the event', 'track', { userId: '', event: 7, properties: [1] }, 'no_user_anon_id'),
  fails('the event before its properties', 'track', { event: 7, properties: [1] }, 'event_not_string'),
  fails('properties before context', 'track', { properties: [1], context: [1] }, 'properties_not_object'),
  fails('context before integrations', 'track', { context: [1], integrations: [1] }, 'context_not_object'),
  fails(
    'integrations before the messageId',
    'track',
    { integrations: [1], messageId: 'x'.repeat(100) },
    'integrations_not_object',
  ),
  fails(
    'the messageId before the timestamp',
    'track',
    { messageId: 'x'.repeat(100), timestamp: 'x' },
    'message_id_too_long',
  ),
];

export const validation: readonly Topic[] = [
  { topic: 'ids', cases: [...identity, ...ids] },
  { topic: 'required fields', cases: required },
  { topic: 'objects', cases: [...objects, ...fields] },
  { topic: 'types', cases: [...types, ...order] },
];
