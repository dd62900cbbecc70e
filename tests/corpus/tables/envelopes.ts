/** What a body can be: values at the top level, shapes of batches, what the envelope says for its calls. */
import {
  call,
  json,
  KINDS,
  notAnObject,
  notJson,
  queued,
  rejected,
  rejectedCall,
  request,
  shown,
  TIMESTAMP,
  taken,
  track,
} from '../build.ts';
import type { CorpusCase, ExpectedMessage, Topic } from '../case.ts';

const NO_OBJECT = 'The body is not a JSON object.';

const SCALARS = ['null', '[]', '[{}]', '"x"', '""', '0', '-1.5', 'true', 'false', '[[]]', '"{}"', `[${json(track())}]`];

/** What was refused before with the same bytes: a repeat, which is counted on the row of the first. */
const again = (name: string, bytes: Uint8Array, says: string): CorpusCase =>
  notJson(name, bytes, says, { messages: [] });

const topLevel: readonly CorpusCase[] = [
  ...['/v1/batch', '/v1/track'].flatMap((path) => [
    ...SCALARS.map((text) => notAnObject(`${path} ${shown(text)}`, request(path, text), NO_OBJECT)),
    notJson(`${path} without a body`, request(`${path}?empty`, null), 'The body is empty.'),
    again(`${path} with an empty body`, request(`${path}?empty`, ''), 'The body is empty.'),
    again(`${path} with an empty chunked body`, request(`${path}?empty`, '', { chunked: true }), 'The body is empty.'),
  ]),
  rejectedCall('/v1/track {}', request('/v1/track', '{}'), 'no_user_anon_id', { type: 'track' }),
];

const emptyBatch = (name: string, body: string): CorpusCase =>
  taken(name, request('/v1/batch', body), [rejected('empty_batch')], { strict: { status: 200, code: null } });

const batches: readonly CorpusCase[] = [
  emptyBatch('{}', '{}'),
  emptyBatch('an empty batch', '{"batch":[]}'),
  emptyBatch('a batch that is null', '{"context":{},"batch":null,"messageId":"x","sentAt":"x"}'),
  emptyBatch('a key that is not batch', json({ Batch: [track()] })),
  emptyBatch('a single call without a batch', json(track())),
  ...['{}', '"x"', '""', '0', '1', 'true', 'false', '{"0":{}}'].map((text) =>
    notAnObject(`a batch that is ${text}`, request('/v1/batch', `{"batch":${text}}`), 'The batch is not an array.'),
  ),
  ...['null', '1', '"x"', 'true', '[]', '[[]]', '"{}"'].map((text) =>
    taken(`a call that is ${text}`, request('/v1/batch', `{"batch":[${text}]}`), [
      rejected('not_an_object', { type: 'unknown' }),
    ]),
  ),
  taken('a call that is {}', request('/v1/batch', '{"batch":[{}]}'), [rejected('unknown_type', { type: 'unknown' })]),
  taken(
    'good calls around bad ones',
    request('/v1/batch', json({ batch: [track(), null, track({ event: '' }), 7, track()] })),
    [queued(), rejected('not_an_object'), rejected('event_not_defined'), rejected('not_an_object'), queued()],
  ),
  taken(
    'one call of each kind',
    request('/v1/batch', json({ batch: KINDS.map((kind) => call(kind)) })),
    KINDS.map((kind) => queued({ type: kind })),
  ),
  taken('a batch within a batch', request('/v1/batch', json({ batch: [{ batch: [track()] }] })), [
    rejected('unknown_type'),
  ]),
  taken('a batch to the path of one call', request('/v1/track', json({ batch: [track()] })), [
    rejected('no_user_anon_id', { type: 'track' }),
  ]),
  taken('two batches', request('/v1/batch', `{"batch":[${json(track())}],"batch":[]}`), [rejected('empty_batch')], {
    strict: { status: 200, code: null },
  }),
  taken('a batch behind an empty one', request('/v1/batch', `{"batch":[],"batch":[${json(track())}]}`), [queued()]),
];

const types: readonly CorpusCase[] = [
  ...KINDS.map((kind) =>
    taken(`the path /v1/${kind} says the type`, request(`/v1/${kind}`, json(call(kind, { type: undefined }))), [
      queued({ type: kind }),
    ]),
  ),
  taken('the path wins over the type in the call', request('/v1/identify', json(track({ traits: {} }))), [
    queued({ type: 'identify' }),
  ]),
  taken('a type that is no text, where the path says it', request('/v1/track', json(track({ type: 7 }))), [
    queued({ type: 'track' }),
  ]),
];

const LONG_AGO = '2020-01-01T00:00:00.000Z';

const EMPTY = 'empty_array_to_object';

const withEnvelope = (name: string, envelope: object, over: object, message: ExpectedMessage): CorpusCase =>
  taken(name, request('/v1/batch', json({ batch: [track(over)], ...envelope })), [message]);

const envelopes: readonly CorpusCase[] = [
  withEnvelope('context of the batch', { context: { app: 'x' } }, {}, queued({ wire: '"context":{"app":"x"}' })),
  withEnvelope(
    'context of both',
    { context: { a: 1, b: 1 } },
    { context: { b: 2 } },
    queued({ wire: '"context":{"a":1,"b":2}' }),
  ),
  withEnvelope(
    'context of both, not merged deeper',
    { context: { a: { x: 1 } } },
    { context: { a: { y: 2 } } },
    queued({ wire: '"context":{"a":{"y":2}}' }),
  ),
  withEnvelope(
    'context of the call is null',
    { context: { a: 1 } },
    { context: null },
    queued({ wire: '"context":{"a":1}' }),
  ),
  withEnvelope(
    'context of the batch is null',
    { context: null },
    { context: { a: 1 } },
    queued({ wire: '"context":{"a":1}' }),
  ),
  withEnvelope(
    'context and integrations of the batch as PHP writes empty ones',
    { context: [], integrations: [] },
    {},
    queued({ notes: [EMPTY, EMPTY], wire: '"context":{}' }),
  ),
  withEnvelope(
    'empty arrays in the batch and in the call',
    { context: [], integrations: [] },
    { context: [], integrations: [], properties: [] },
    queued({ notes: Array.from({ length: 5 }, () => EMPTY), wire: '"properties":{},"context":{}' }),
  ),
  ...[[[]], [1], 'x', 1, true].flatMap((value) => [
    withEnvelope(
      `context of the batch ${json(value)}`,
      { context: value },
      {},
      rejected('context_not_object', { detail: 'context of the batch' }),
    ),
    withEnvelope(
      `integrations of the batch ${json(value)}`,
      { integrations: value },
      {},
      rejected('integrations_not_object', { detail: 'integrations of the batch' }),
    ),
  ]),
  withEnvelope(
    'integrations of the batch',
    { integrations: { All: false } },
    {},
    { state: 'not_selected', reason: 'integrations_all_off' },
  ),
  withEnvelope(
    'integrations of the call win',
    { integrations: { Webhooks: false } },
    { integrations: { Webhooks: true } },
    queued(),
  ),
  withEnvelope(
    'integrations of both count',
    { integrations: { All: false } },
    { integrations: { Webhooks: true } },
    queued(),
  ),
  withEnvelope('sentAt of the batch', { sentAt: LONG_AGO }, {}, queued({ notes: ['clock_skew_corrected'] })),
  withEnvelope('sentAt of the call', {}, { sentAt: LONG_AGO }, queued({ notes: ['clock_skew_corrected'] })),
  ...[null, '', 'x', 7, {}, []].map((value) =>
    withEnvelope(`sentAt of the batch ${json(value)}`, { sentAt: value }, {}, queued({ wire: TIMESTAMP })),
  ),
  withEnvelope(
    'a timestamp of the batch is not its calls\u2019',
    { timestamp: LONG_AGO },
    {},
    queued({ wire: TIMESTAMP }),
  ),
  withEnvelope(
    'fields that nobody knows',
    { sequence: 7, messageId: 'x', _metadata: {} },
    { channel: 'server', _metadata: { a: 1 } },
    queued(),
  ),
];

export const envelopeTopics: readonly Topic[] = [
  { topic: 'top level', cases: topLevel },
  { topic: 'batches', cases: [...batches, ...types] },
  { topic: 'envelopes', cases: envelopes },
];
