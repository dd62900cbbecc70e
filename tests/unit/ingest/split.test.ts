import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { textsOf } from '../../../src/core/ingest/prepare.ts';
import { type CallRoute, type Calls, overflowed, splitCalls } from '../../../src/core/ingest/split.ts';
import { findingsIn, isStringified } from '../../../src/core/model/json-findings.ts';

const BATCH = { kind: 'batch' } as const;
const TRACK = { kind: 'call', type: 'track' } as const;
const PIXEL = { kind: 'pixel', type: 'page' } as const;
const splitOf = (route: CallRoute, body: string | Uint8Array, encoding: string | null = null, target = '/') =>
  splitCalls({ route, target, body: Buffer.from(body as string), encoding });

describe('what stands around the calls', () => {
  it.each([
    ['{"batch":[{}]}', '{"batch":[', ']}'],
    ['{"batch":[{},{"a":1}]}', '{"batch":[', ']}'],
    ['{"writeKey":"k","batch":[{"e":"é"}],"sentAt":"x"}', '{"writeKey":"k","batch":[', '],"sentAt":"x"}'],
    ['{"é":"😀","batch":[1,2,3]}', '{"é":"😀","batch":[', ']}'],
    ['{"batch": [1], "b":1.0, "a" :{}, "1":2}', '{"1":2,"batch":[', '],"b":1,"a":{}}'],
    ['{"__proto__":1,"batch":[1]}', '{"__proto__":1,"batch":[', ']}'],
  ])('of %s is as JSON.stringify gives it', (text, before, after) => {
    expect(splitOf(BATCH, text)).toMatchObject({ around: { before, after } });
  });

  it('of a batch after a field like it is cut too early, so that the text counts as changed and is searched', () => {
    const text = '{"context":{"batch":[]},"batch":[1]}';
    const { calls, around } = splitOf(BATCH, text) as Calls;
    expect(isStringified(text, textsOf(calls), around)).toBe(false);
    expect(findingsIn(text, true)).toEqual([]);
  });

  it('of a single call is nothing', () => {
    const route = { kind: 'call', type: 'track' } as const;
    const one = splitCalls({ route, target: '/v1/track', body: Buffer.from('{"a":1}'), encoding: null });
    expect(one).toMatchObject({ ok: true, around: { before: '', after: '' }, decodedBytes: 7 });
  });
});

describe('the calls of a request', () => {
  it('to a path of one call are the body, of the type that the path names', () => {
    const text = '{"writeKey":"k","type":"page"}';
    expect(splitOf(TRACK, gzipSync(text), 'gzip')).toEqual({
      ok: true,
      calls: [{ writeKey: 'k', type: 'page' }],
      type: 'track',
      batch: null,
      writeKey: 'k',
      decodedBytes: 30,
      text,
      around: { before: '', after: '' },
    });
  });

  it('to a batch are its items in their order, and what the batch says for all of them', () => {
    const text =
      '{"batch":[1,{"a":2}],"context":{"c":1},"integrations":[],"sentAt":"2026-11-20T17:33:00Z","writeKey":"k"}';
    expect(splitOf(BATCH, text)).toEqual({
      ok: true,
      calls: [1, { a: 2 }],
      type: null,
      batch: {
        context: { c: 1 },
        integrations: {},
        sentAt: Date.UTC(2026, 10, 20, 17, 33),
        notes: [{ code: 'empty_array_to_object', field: 'integrations of the batch' }],
      },
      writeKey: 'k',
      decodedBytes: text.length,
      text,
      around: { before: '{"batch":[', after: text.slice(text.indexOf('],"context"')) },
    });
  });

  it('of a pixel is what its query says', () => {
    expect(splitOf(PIXEL, 'unread', null, '/v1/pixel/page?writeKey=k&userId=u')).toEqual({
      ok: true,
      calls: [{ writeKey: 'k', userId: 'u' }],
      type: 'page',
      batch: null,
      writeKey: 'k',
      decodedBytes: 0,
      text: '',
      around: { before: '', after: '' },
    });
  });

  it.each([
    ['{"writeKey":"body","batch":[{"writeKey":"first"}]}', 'body'],
    ['{"writeKey":"","batch":[{"writeKey":"first"},{"writeKey":"second"}]}', 'first'],
    ['{"writeKey":7,"batch":[{"writeKey":"first"}]}', 'first'],
    ['{"batch":[{"writeKey":""},{"writeKey":"second"}]}', null],
    ['{"batch":[null,{"writeKey":"second"}]}', null],
    ['{"batch":["writeKey"]}', null],
  ])('%s has the write key %j', (text, writeKey) => {
    expect(splitOf(BATCH, text)).toMatchObject({ writeKey });
  });
});

describe('a request without a call to take', () => {
  const data = (value: unknown) =>
    `/?data=${encodeURIComponent(Buffer.from(JSON.stringify(value)).toString('base64'))}`;
  const none = (status: number, code: string | null, reason: string, detail: string | null) => ({
    ok: false,
    status,
    code,
    rejection: { reason, detail },
    writeKey: null,
    decodedBytes: 0,
  });
  const calls = (count: number) => `{"writeKey":"k","batch":[${Array(count).fill('{}').join()}]}`;
  const large = Buffer.alloc(512_001, 'x');

  it.each<[string, () => ReturnType<typeof splitCalls>, object]>([
    ['is empty', () => splitOf(TRACK, ''), none(400, 'invalid_json', 'invalid_json', 'The body is empty.')],
    [
      'is no JSON',
      () => splitOf(BATCH, '{'),
      { ...none(400, 'invalid_json', 'invalid_json', 'The body ends too early.'), decodedBytes: 1 },
    ],
    [
      'is no object',
      () => splitOf(TRACK, '[1]'),
      { ...none(400, 'not_an_object', 'not_an_object', 'The body is not a JSON object.'), decodedBytes: 3 },
    ],
    [
      'has a batch that is no array',
      () => splitOf(BATCH, '{"writeKey":"k","batch":{}}'),
      {
        ...none(400, 'not_an_object', 'not_an_object', 'The batch is not an array.'),
        decodedBytes: 27,
        writeKey: 'k',
      },
    ],
    [
      'has an empty batch',
      () => splitOf(BATCH, '{"writeKey":"k","batch":[]}'),
      { ...none(200, null, 'empty_batch', null), decodedBytes: 27, writeKey: 'k' },
    ],
    ['has no batch', () => splitOf(BATCH, '{}'), { ...none(200, null, 'empty_batch', null), decodedBytes: 2 }],
    [
      'has a batch of null',
      () => splitOf(BATCH, '{"batch":null}'),
      { ...none(200, null, 'empty_batch', null), decodedBytes: 14 },
    ],
    [
      'has 2,501 calls',
      () => splitOf(BATCH, calls(2501)),
      {
        ...none(400, 'batch_too_large', 'batch_too_large', '2,501 calls'),
        decodedBytes: calls(2501).length,
        writeKey: 'k',
      },
    ],
    [
      'is too long',
      () => splitOf(BATCH, large),
      { ...none(400, 'batch_too_large', 'batch_too_large', '501 KB'), decodedBytes: 512_001 },
    ],
    [
      'inflates to too much, nobody knows how much',
      () => splitOf(BATCH, gzipSync(large), 'gzip'),
      none(400, 'batch_too_large', 'batch_too_large', 'over 500 KB'),
    ],
    [
      'is damaged',
      () => splitOf(BATCH, 'x', 'gzip'),
      none(400, 'invalid_json', 'invalid_json', 'The gzip data is damaged.'),
    ],
    [
      'has an encoding that nobody knows',
      () => splitOf(BATCH, 'x', 'b'.repeat(50)),
      none(
        415,
        'unsupported_encoding',
        'invalid_json',
        `The content encoding ${'b'.repeat(40)} is not known. Use gzip or none.`,
      ),
    ],
    [
      'is a pixel whose data is no object',
      () => splitOf(PIXEL, '', null, data([])),
      none(400, 'not_an_object', 'not_an_object', 'data is not a JSON object.'),
    ],
    [
      'is a pixel whose data is empty',
      () => splitOf(PIXEL, '', null, '/?data='),
      none(400, 'invalid_json', 'invalid_json', 'The body is empty.'),
    ],
    [
      'was not read to its end',
      () => overflowed(600_000),
      { ...none(400, 'batch_too_large', 'batch_too_large', '586 KB'), decodedBytes: 600_000 },
    ],
    [
      'came without its length and was not read to its end',
      () => overflowed(null),
      none(400, 'batch_too_large', 'batch_too_large', 'over 500 KB'),
    ],
  ])('that %s says so', (_title, take, expected) => {
    expect(take()).toEqual(expected);
  });

  it('has at most 2,500 calls', () => {
    expect(splitOf(BATCH, calls(2500))).toMatchObject({ ok: true });
  });
});
