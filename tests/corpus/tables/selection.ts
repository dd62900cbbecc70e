/** What `integrations` and the source's switches decide, and the messageId. */
import { json, KEYS, newMessageId, notSelected, queued, rejectedCall, request, shown, taken, track } from '../build.ts';
import type { CorpusCase, ExpectedMessage, Topic } from '../case.ts';

const OFF = notSelected('integrations_off');
const ALL_OFF = notSelected('integrations_all_off');
const LOWER = ['integrations_lower_case_all'];
const NEAR = ['integrations_near_miss'];

const ROWS: readonly (readonly [integrations: object, message: ExpectedMessage])[] = [
  [{}, queued()],
  [{ All: true }, queued()],
  [{ All: false }, ALL_OFF],
  [{ All: null }, queued()],
  [{ All: 0 }, queued()],
  [{ All: 'false' }, queued()],
  [{ All: {} }, queued()],
  [{ all: false }, { ...ALL_OFF, notes: LOWER }],
  [{ ALL: false }, { ...ALL_OFF, notes: LOWER }],
  [{ all: true }, queued({ notes: LOWER })],
  [{ All: true, all: false }, queued()],
  [{ All: false, all: true }, ALL_OFF],
  [{ Webhooks: true }, queued()],
  [{ Webhooks: false }, OFF],
  [{ Webhooks: null }, queued()],
  [{ Webhooks: 0 }, queued()],
  [{ Webhooks: '' }, queued()],
  [{ Webhooks: 'false' }, queued()],
  [{ Webhooks: {} }, queued()],
  [{ Webhooks: [] }, queued()],
  [{ All: false, Webhooks: true }, queued()],
  [{ All: false, Webhooks: {} }, queued()],
  [{ All: false, Webhooks: null }, queued()],
  [{ All: true, Webhooks: false }, OFF],
  [
    { All: false, webhooks: true },
    { ...ALL_OFF, notes: NEAR },
  ],
  [{ webhooks: false }, queued({ notes: NEAR })],
  [{ WebHooks: true }, queued({ notes: NEAR })],
  [{ Webhook: true }, queued({ notes: NEAR })],
  [{ web_hooks: false }, queued({ notes: NEAR })],
  [{ 'Web Hooks': false }, queued({ notes: NEAR })],
  [{ webhooks: false, Webhooks: false }, OFF],
  [{ 'Segment.io': true }, queued()],
  [{ 'Segment.io': false, Amplitude: false }, queued()],
  [{ 'Webhooks ': false }, queued({ notes: ['integrations_near_miss'] })],
  [JSON.parse('{"__proto__":false}') as object, queued()],
  [JSON.parse('{"__proto__":{"Webhooks":false,"All":false}}') as object, queued()],
  [{ constructor: false, hasOwnProperty: false }, queued()],
];

const chosen = ROWS.map(([integrations, message]) =>
  taken(`integrations ${json(integrations)}`, request('/v1/track', json(track({ integrations }))), [message]),
);

const switches: readonly CorpusCase[] = [
  taken('a source without webhooks', request('/v1/track', json(track()), { key: KEYS.unused }), [
    notSelected('source_destination_off', { detail: 'without webhooks' }),
  ]),
  taken(
    'a source without webhooks, asked for by name',
    request('/v1/track', json(track({ integrations: { Webhooks: true } })), { key: KEYS.unused }),
    [notSelected('source_destination_off')],
  ),
  rejectedCall('a source that is off', request('/v1/track', json(track()), { key: KEYS.off }), 'source_disabled', {
    detail: 'switched off',
  }),
  rejectedCall(
    'a source that is off, and a bad call',
    request('/v1/track', json(track({ event: 7 })), { key: KEYS.off }),
    'source_disabled',
  ),
];

const withId = (messageId: unknown): Buffer => request('/v1/track', json(track({ messageId })));
const ASSIGNED = queued({ notes: ['message_id_assigned'] });

const IDS = [
  'x',
  ' ',
  '\u0000',
  'node-next-1763659864000-0b5f',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  '\u202e',
  'x'.repeat(99),
  '\u{1f600}'.repeat(99),
];

const again = newMessageId();
const other = newMessageId();
const within = newMessageId();
const failed = newMessageId();
const NONE: readonly ExpectedMessage[] = [];

const messageIds: readonly CorpusCase[] = [
  ...IDS.map((id) => taken(`messageId ${shown(id)}`, withId(id), [queued({ messageId: id })])),
  ...[undefined, null, ''].map((id) => taken(`messageId ${shown(id)}`, withId(id), [ASSIGNED])),
  ...[0, 7, -1.5].map((id) =>
    taken(`messageId ${id}`, withId(id), [queued({ messageId: String(id), notes: ['id_number_to_string'] })]),
  ),
  ...['x'.repeat(100), 'x'.repeat(30_000), '\u{1f600}'.repeat(100)].map((id) =>
    rejectedCall(`messageId ${shown(id)} of ${[...id].length}`, withId(id), 'message_id_too_long', {
      detail: `${[...id].length} characters`,
    }),
  ),
  taken('a messageId for the first time', withId(again), [queued({ messageId: again })]),
  taken('the same messageId again', withId(again), NONE),
  taken(
    'the same messageId in another kind of call',
    request('/v1/identify', json({ messageId: again, userId: 'u' })),
    NONE,
  ),
  taken(
    'the same messageId of another source',
    request('/v1/track', json(track({ messageId: again })), { key: KEYS.unused }),
    [notSelected('source_destination_off', { messageId: again })],
  ),
  taken(
    'the same messageId three times in a batch',
    request('/v1/batch', json({ batch: [1, 2, 3].map(() => track({ messageId: within })) })),
    [queued({ messageId: within, repeats: 2 })],
  ),
  taken(
    'the same messageId beside new ones',
    request('/v1/batch', json({ batch: [track(), track({ messageId: again }), track({ messageId: other })] })),
    [queued(), queued({ messageId: other })],
  ),
  rejectedCall(
    'a messageId of a call that fails',
    request('/v1/track', json(track({ messageId: failed, event: 7 }))),
    'event_not_string',
    { messageId: failed },
  ),
  taken('the same messageId once the call is good', withId(failed), [queued({ messageId: failed })]),
  taken('a messageId in other letters', withId(again.toUpperCase()), [queued({ messageId: again.toUpperCase() })]),
];

export const selection: readonly Topic[] = [
  { topic: 'integrations', cases: [...chosen, ...switches] },
  { topic: 'messageIds', cases: messageIds },
];
