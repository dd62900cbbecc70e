import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cutCalls, decodedText, holdsCalls } from '../../../src/core/ingest/cut-calls.ts';
import type { JsonObject } from '../../../src/core/model/call.ts';

const isDoomed = ({ userId }: JsonObject): boolean => userId === 'doomed';
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const batch = (body: string) => ({ path: '/v1/batch', body: Buffer.from(body), encoding: null });

describe('calls of a batch', () => {
  test('leave a null, and the others keep every byte', () => {
    const body =
      '{ "batch" : [ {"userId":"kept", "n":1.0 },{"userId":"doomed"} ,{"userId":"kept","é":"\\u00e9"}] ,"x":1}';
    const cut = cutCalls(batch(body), isDoomed)!;
    expect(text(cut.body)).toBe(body.replace('{"userId":"doomed"}', 'null'));
    expect(cut).toMatchObject({ path: '/v1/batch', encoding: null, cutCalls: 1 });
  });

  test('stay in their coding', () => {
    const body = '{"batch":[{"userId":"doomed"},{"userId":"kept"}]}';
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
    ] as const) {
      const cut = cutCalls({ ...batch(''), body: pack(body), encoding }, isDoomed)!;
      expect(cut.encoding).toBe('gzip');
      expect(text(gunzipSync(cut.body))).toBe('{"batch":[null,{"userId":"kept"}]}');
    }
  });

  test('go with the whole body when no other one is left', () => {
    const cut = cutCalls(batch('{"batch":[{"userId":"doomed"},{"userId":"doomed"}],"secret":1}'), isDoomed)!;
    expect([cut.body.length, cut.cutCalls]).toEqual([0, 2]);
  });

  test('are left alone when none is meant', () => {
    expect(cutCalls(batch('{"batch":[{"userId":"kept"},null,7]}'), isDoomed)).toBeNull();
    expect(cutCalls(batch('{"batch":'), isDoomed)).toBeNull();
    expect([holdsCalls(batch('{"batch":')), holdsCalls(batch('{"batch":[{}]}'))]).toEqual([false, true]);
  });
});

test('a single call takes the body with it, a pixel its query', () => {
  const call = { path: '/v1/track', body: Buffer.from('{"userId":"doomed"}'), encoding: null };
  expect(cutCalls(call, isDoomed)).toMatchObject({ path: '/v1/track', cutCalls: 1 });
  expect(cutCalls(call, isDoomed)!.body).toHaveLength(0);
  const data = Buffer.from('{"userId":"doomed"}').toString('base64');
  const pixel = { path: `/v1/pixel/track?data=${data}`, body: new Uint8Array(), encoding: null };
  expect(cutCalls(pixel, isDoomed)!.path).toBe('/v1/pixel/track');
});

test('only a path that takes calls holds calls', () => {
  const body = '{"userId":"doomed"}';
  const at = (path: string, encoding: string | null = null) => ({ path, body: Buffer.from(body), encoding });
  const paths = ['/v1/track', '/v1/batch', '/v1/pixel/track?userId=doomed', '/v1/elsewhere'];
  expect(paths.map((path) => holdsCalls(at(path)))).toEqual([true, false, true, false]);
  expect(cutCalls(at('/v1/elsewhere'), isDoomed)).toBeNull();
});

test('the text of a body is read out of its coding', () => {
  const body = gzipSync('{"name":"é"}');
  expect(decodedText({ path: '/v1/track', body, encoding: 'gzip' })).toBe('{"name":"é"}');
  expect(decodedText({ path: '/v1/track', body, encoding: 'br' })).toBeNull();
});
