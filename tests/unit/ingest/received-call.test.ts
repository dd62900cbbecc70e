import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { receivedCall } from '../../../src/core/ingest/received-call.ts';
import type { ReceivedBytes } from '../../../src/core/store/ports/lists.ts';

const call = (
  path: string,
  body: string | Uint8Array,
  position = 0,
  { encoding = null, code = null }: Partial<ReceivedBytes> = {},
): string => {
  const request: ReceivedBytes = { path, body: Buffer.from(body), encoding, code };
  return Buffer.from(receivedCall(request, position)).toString('latin1');
};

test('a call of a batch keeps its bytes', () => {
  const batch = '{"batch":[{"a":1.50} , { "b" : "\\u0041" }],"sentAt":"x"}';
  expect([0, 1].map((position) => call('/v1/batch', batch, position))).toEqual(['{"a":1.50}', '{ "b" : "\\u0041" }']);
  expect(call('/v1/batch', gzipSync(batch), 1, { encoding: 'gzip' })).toBe('{ "b" : "\\u0041" }');
});

test('a call of a batch keeps its bytes beside letters of several bytes', () => {
  const calls = ['{"a":"é"}', '{"b":"😀"}', '{"c":1}'];
  for (const [position, bytes] of calls.entries())
    expect(call('/v1/batch', `{"ü":1,"batch":[${calls.join()}]}`, position)).toBe(
      Buffer.from(bytes).toString('latin1'),
    );
});

test('a call of a batch is told apart in a batch that was damaged elsewhere after it was taken', () => {
  expect(call('/v1/batch', '{"batch":[{"a":1},{"b":2},{"c', 1)).toBe('{"b":2}');
  const notUtf8 = '{"batch":[{"a":"\xff"}]}';
  expect(call('/v1/batch', Buffer.from(notUtf8, 'latin1'))).toBe(notUtf8);
});

test('a batch that ingest refused as a whole comes whole, whatever calls it seems to have', () => {
  const many = `{"batch":[${Array.from({ length: 2_501 }, () => '{"a":1}').join()}]}`;
  for (const [code, body] of [
    ['invalid_json', '{"batch":[{"a":1},{"b":2},{"c'],
    ['invalid_json', '{"batch":[{"a":01},{"b":2}]}'],
    ['batch_too_large', many],
  ] as const)
    for (const position of [0, 1]) expect(call('/v1/batch', body, position, { code })).toBe(body);
});

test('a call keeps its bytes also in a batch whose answer had an error code', () => {
  expect(call('/v1/batch', '{"batch":[{"a":1},{"b":2}]}', 1, { code: 'unauthorized' })).toBe('{"b":2}');
});

test('a single call is its whole body', () => {
  expect(call('/v1/track', ' {"a":1} ')).toBe(' {"a":1} ');
  expect(call('/v1/track', gzipSync('{"a":1}'), 0, { encoding: 'gzip' })).toBe('{"a":1}');
  expect(call('/v1/track', '{"batch":[{"a":1}]}')).toBe('{"batch":[{"a":1}]}');
});

test('a batch in which no call can be told apart is its whole body', () => {
  for (const body of ['{"batch":[', '{"batch":[]}', '{"batch":1}', 'x']) expect(call('/v1/batch', body)).toBe(body);
  expect(call('/v1/batch', '{"batch":[{"a":1}]}', 1)).toBe('{"batch":[{"a":1}]}');
});

test('a body that cannot be decoded comes as it is', () => {
  expect(call('/v1/batch', 'no gzip', 0, { encoding: 'gzip' })).toBe('no gzip');
  expect(call('/v1/batch', 'br', 0, { encoding: 'br' })).toBe('br');
  expect(call('/v1/batch', '{"batch":[{"a":1}]}', 0, { encoding: 'br' })).toBe('{"batch":[{"a":1}]}');
});

test('the call of a pixel is that of its query', () => {
  const data = Buffer.from('{"event":"E"}').toString('base64');
  expect(call(`/v1/pixel/track?data=${encodeURIComponent(data)}`, '')).toBe('{"event":"E"}');
});
