/** Depth, sizes and counts at their limits: one below, at, and one above. */
import {
  call,
  type Given,
  json,
  notJson,
  queued,
  refused,
  rejected,
  request,
  taken,
  track,
  trackText,
} from '../build.ts';
import type { CorpusCase, Topic } from '../case.ts';

/** Written out here, so that a limit cannot move unseen. */
const MAX_CALL_BYTES = 32_768;
const MAX_REQUEST_BYTES = 512_000;
const MAX_CALLS = 2_500;
const MAX_DEPTH = 512;

const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
const TOO_DEEP = `nests deeper than ${MAX_DEPTH} levels.`;
/** The call and its properties are two levels. */
const FREE = MAX_DEPTH - 2;

const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const depth: readonly CorpusCase[] = [
  taken('arrays, 511 levels', request('/v1/track', trackText(nested('[', ']', FREE - 1))), [queued()]),
  taken('arrays, 512 levels', request('/v1/track', trackText(nested('[', ']', FREE))), [queued()]),
  notJson('arrays, 513 levels', request('/v1/track', trackText(nested('[', ']', FREE + 1))), TOO_DEEP),
  taken('objects, 512 levels', request('/v1/track', trackText(objects(FREE))), [queued()]),
  notJson('objects, 513 levels', request('/v1/track', trackText(objects(FREE + 1))), TOO_DEEP),
  notJson(
    'objects and arrays, 513 levels',
    request('/v1/track', trackText(nested('[{"a":[', ']}]', FREE / 3 + 1))),
    TOO_DEEP,
  ),
  notJson(
    '513 levels behind 600 siblings',
    request('/v1/track', trackText(`[${'[],'.repeat(600)}${nested('[', ']', FREE)}]`)),
    TOO_DEEP,
  ),
  taken('600 siblings on one level', request('/v1/track', trackText(`[${'[],'.repeat(600)}[]]`)), [queued()]),
  taken('600 brackets in a string', request('/v1/track', trackText(`"${'[{'.repeat(300)}"`)), [queued()]),
  taken('brackets behind an escaped quote', request('/v1/track', trackText(`"\\"${'['.repeat(600)}"`)), [queued()]),
  notJson('5,000 levels', request('/v1/track', trackText(nested('[', ']', 5_000))), TOO_DEEP),
  notJson('100,000 levels', request('/v1/track', nested('[', ']', 100_000)), TOO_DEEP),
  notJson('500 KB of opening brackets', request('/v1/track', '['.repeat(MAX_REQUEST_BYTES)), TOO_DEEP),
  notJson('500 KB of opening braces', request('/v1/track', '{"a":'.repeat(100_000)), TOO_DEEP),
  notJson('512 opening brackets', request('/v1/track', '['.repeat(MAX_DEPTH)), 'The body ends too early.'),
  notJson(
    '513 levels in the envelope',
    request('/v1/batch', `{"x":${nested('[', ']', MAX_DEPTH)},"batch":[]}`),
    TOO_DEEP,
  ),
  notJson(
    '513 levels in one call of a batch',
    request('/v1/batch', `{"batch":[${json(track())},${nested('[', ']', FREE + 1)}]}`),
    TOO_DEEP,
  ),
];

/** A track call of exactly this many bytes as compact JSON. */
function sized(bytes: number, filler = 'x'): object {
  const bare = json(track({ properties: { fill: '' } }));
  const each = Buffer.byteLength(filler);
  const left = bytes - Buffer.byteLength(bare);
  const fill = filler.repeat(Math.floor(left / each)) + 'x'.repeat(left % each);
  return { ...(JSON.parse(bare) as object), properties: { fill } };
}

const CALL_OVER = { status: 400, code: 'call_too_large' } as const;

/** An over-size call is refused and yet recorded, so that the person can see it. */
const overSize = (name: string, bytes: Uint8Array, says = 'The limit is 32 KB per call.'): CorpusCase =>
  refused(name, bytes, CALL_OVER.status, CALL_OVER.code, { says, messages: [rejected('call_too_large')] });

const spread = (text: string): string => text.replaceAll(',"', ` ,${' '.repeat(8_000)}"`);

const calls: readonly CorpusCase[] = [
  ...([-1, 0] as const).map((over) =>
    taken(`a call of 32 KiB ${over}`, request('/v1/track', json(sized(MAX_CALL_BYTES + over))), [queued()]),
  ),
  overSize('a call of 32 KiB + 1', request('/v1/track', json(sized(MAX_CALL_BYTES + 1))), 'This call is 32.1 KB.'),
  taken(
    'a call of 32 KiB in characters of four bytes',
    request('/v1/track', json(sized(MAX_CALL_BYTES, '\u{1f600}'))),
    [queued()],
  ),
  overSize(
    'a call of 32 KiB + 1 in characters of four bytes',
    request('/v1/track', json(sized(MAX_CALL_BYTES + 1, '\u{1f600}'))),
  ),
  taken('a call of 32 KiB and 40 KB of spaces', request('/v1/track', spread(json(sized(MAX_CALL_BYTES)))), [queued()]),
  overSize('a call of 32 KiB + 1 and 40 KB of spaces', request('/v1/track', spread(json(sized(MAX_CALL_BYTES + 1))))),
  taken('40 KB of escapes that are 7 KB of text', request('/v1/track', trackText(`"${'\\u0041'.repeat(6_700)}"`)), [
    queued(),
  ]),
  overSize('a call of 499 KB', request('/v1/track', json(sized(499 * 1024))), 'This call is 499 KB.'),
  taken('a call of 32 KiB in a batch', request('/v1/batch', json({ batch: [sized(MAX_CALL_BYTES)] })), [queued()]),
  overSize('a call of 32 KiB + 1 in a batch', request('/v1/batch', json({ batch: [sized(MAX_CALL_BYTES + 1)] }))),
  refused(
    'the good calls beside an over-size one are kept',
    request('/v1/batch', json({ batch: [track(), sized(MAX_CALL_BYTES + 1), track()] })),
    CALL_OVER.status,
    CALL_OVER.code,
    { says: 'Call 2 of 3: ', messages: [queued(), rejected('call_too_large', { detail: '32.1 KB' }), queued()] },
  ),
  overSize('a value of 40 KB that is no call', request('/v1/batch', json({ batch: ['x'.repeat(40_000)] }))),
  overSize(
    'an over-size call of an unknown type',
    request('/v1/batch', json({ batch: [{ ...sized(MAX_CALL_BYTES + 5), type: 'x' }] })),
  ),
  taken(
    'a batch context of 40 KB is not part of its calls',
    request('/v1/batch', json({ batch: [track()], context: { x: 'x'.repeat(40_000) } })),
    [queued()],
  ),
];

/** A batch of exactly this many bytes as sent. */
function batchOf(bytes: number): string {
  const text = json({ batch: Array.from({ length: 16 }, () => sized(30_000)) });
  return `${text.slice(0, -1)}${' '.repeat(bytes - text.length)}}`;
}

const SIXTEEN = Array.from({ length: 16 }, () => queued());

const tooLarge = (name: string, bytes: Uint8Array, detail: string, more: Partial<CorpusCase> = {}): CorpusCase =>
  refused(name, bytes, 400, 'batch_too_large', {
    says: `This batch is ${detail}. The limit is 500 KB per batch.`,
    messages: [rejected('batch_too_large', { detail })],
    ...more,
  });

const sent = (bytes: number, given?: Given): Buffer => request('/v1/batch', batchOf(bytes), given);

const requests: readonly CorpusCase[] = [
  taken('a request of 500 KiB - 1', sent(MAX_REQUEST_BYTES - 1), SIXTEEN),
  taken('a request of 500 KiB', sent(MAX_REQUEST_BYTES), SIXTEEN),
  tooLarge('a request of 500 KiB + 1', sent(MAX_REQUEST_BYTES + 1), '501 KB', { closes: true }),
  taken('a chunked request of 500 KiB', sent(MAX_REQUEST_BYTES, { chunked: true }), SIXTEEN),
  tooLarge('a chunked request of 500 KiB + 1', sent(MAX_REQUEST_BYTES + 1, { chunked: true }), 'over 500 KB', {
    closes: true,
  }),
  tooLarge('a request of 2 MB', request('/v1/batch', 'x'.repeat(2_000_000)), '1954 KB', { closes: true }),
  tooLarge('a chunked request of 2 MB', request('/v1/batch', 'x'.repeat(2_000_000), { chunked: true }), 'over 500 KB', {
    closes: true,
  }),
  tooLarge('one call of 2 MB', request('/v1/track', 'x'.repeat(2_000_000)), '1954 KB', { closes: true }),
];

const small = (): object => call('track', { timestamp: undefined, messageId: undefined });
const SMALL = queued({ notes: ['message_id_assigned', 'timestamp_missing'] });
const many = (count: number): Buffer => request('/v1/batch', json({ batch: Array.from({ length: count }, small) }));
const countOver = (count: number, detail: string): CorpusCase =>
  refused(`${count} calls`, many(count), 400, 'batch_too_large', {
    says: `This batch has ${detail}. The limit is 2,500 calls per batch.`,
    messages: [rejected('batch_too_large', { detail })],
  });

const counts: readonly CorpusCase[] = [
  ...[MAX_CALLS - 1, MAX_CALLS].map((count) =>
    taken(
      `${count} calls`,
      many(count),
      Array.from({ length: count }, () => SMALL),
    ),
  ),
  countOver(MAX_CALLS + 1, '2,501 calls'),
  refused(
    '200,000 calls that are zeros',
    request('/v1/batch', `{"batch":[${'0,'.repeat(199_999)}0]}`),
    400,
    'batch_too_large',
    {
      messages: [rejected('batch_too_large', { detail: '200,000 calls' })],
    },
  ),
  taken('a property with 10,001 zeros', request('/v1/track', trackText(`[${'0,'.repeat(10_000)}0]`)), [queued()]),
];

export const sizes: readonly Topic[] = [
  { topic: 'depth', cases: depth },
  { topic: 'sizes', cases: [...calls, ...requests, ...counts] },
];
