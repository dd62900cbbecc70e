/** Bodies that hold bad calls, or none: what is answered, and which rows say so. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, send, sendJson, startIngest, stopAll, track } from '../helpers/ingest-http.ts';
import { basic, KEY } from '../helpers/ingest-parts.ts';

let ingest: Running;
beforeEach(async () => {
  ingest = await startIngest();
});
afterEach(stopAll);

describe('a batch with bad calls', () => {
  const batch = [
    track(),
    5,
    track({ event: '' }),
    { type: 'page' },
    track({ timestamp: 'x' }),
    track({ event: 'Last' }),
  ];
  it.each([
    ['segment', 200, undefined],
    ['strict', 400, 'Call 2 of 6: The call is not a JSON object.'],
  ] as const)('keeps the good ones and records the others (%s mode: %i)', async (mode, status, message) => {
    ingest.settings = { ...ingest.settings, mode };
    const answer = await sendJson(ingest.port, '/v1/batch', { batch });
    expect([answer.status, answer.json.message]).toEqual([status, message]);
    expect(ingest.store.messages.map(({ reason }) => reason)).toEqual([
      null,
      'not_an_object',
      'event_not_defined',
      'no_user_anon_id',
      'bad_timestamp',
      null,
    ]);
    expect(ingest.answered[0]).toMatchObject({ calls: 6, rejected: 4 });
  });
});

describe('a body that holds no call', () => {
  const deep = (levels: number) => `{"properties":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  it.each([
    ['malformed JSON', '{"a":\n1,}', 400, 'invalid_json', 'invalid_json', 'Unexpected token at line 2, column 3.'],
    ['nothing', '', 400, 'invalid_json', 'invalid_json', 'The body is empty.'],
    [
      'invalid UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      400,
      'invalid_json',
      'invalid_json',
      'The body is not valid UTF-8.',
    ],
    ['a byte order mark', '\ufeff{}', 400, 'invalid_json', 'invalid_json', 'The body starts with a byte order mark.'],
    ['513 levels', deep(513), 400, 'invalid_json', 'invalid_json', 'The body nests deeper than 512 levels.'],
    ['null', 'null', 400, 'not_an_object', 'not_an_object', 'The body is not a JSON object.'],
    ['an array', '[]', 400, 'not_an_object', 'not_an_object', 'The body is not a JSON object.'],
    ['text', '"x"', 400, 'not_an_object', 'not_an_object', 'The body is not a JSON object.'],
    ['a batch that is no array', '{"batch":{}}', 400, 'not_an_object', 'not_an_object', 'The batch is not an array.'],
    ['a batch of null', '{"batch":null}', 200, undefined, 'empty_batch', null],
    ['an empty batch', '{"batch":[]}', 200, undefined, 'empty_batch', null],
    ['no batch', '{}', 200, undefined, 'empty_batch', null],
  ])('%s', async (_, body, status, code, reason, reasonDetail) => {
    const answer = await send(ingest.port, { body });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    if (status !== 200) expect(answer.json).toMatchObject({ success: false, error: answer.json.message });
    expect(ingest.store.kept[0]).toMatchObject({
      request: { status, sourceId: 1, writeKey: KEY, code: code ?? null },
      messages: [{ type: 'unknown', state: 'rejected', reason, reasonDetail, wire: null }],
    });
    expect(ingest.answered).toEqual([{ status, code: code ?? null, calls: 1, rejected: 1 }]);
  });

  it('512 levels are a call', async () => {
    const answer = await send(ingest.port, { path: '/v1/page', body: deep(512).replace('{', '{"userId":"u","x":1,') });
    expect(answer.status).toBe(200);
    expect(ingest.store.messages[0]?.reason).toBe('properties_not_object');
  });

  it.each(['br', 'gzip, gzip', 'zstd'])('Content-Encoding %s is 415', async (encoding) => {
    const answer = await send(ingest.port, {
      body: 'x',
      headers: { Authorization: basic(KEY), 'Content-Encoding': encoding },
    });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_encoding']);
    expect(ingest.store.messages).toMatchObject([{ state: 'rejected' }]);
  });

  it('damaged gzip is 400', async () => {
    const headers = { Authorization: basic(KEY), 'Content-Encoding': 'gzip' };
    const answer = await send(ingest.port, { body: '{"batch":[]}', headers });
    expect([answer.status, answer.json.message]).toEqual([
      400,
      'The body is not valid JSON. The gzip data is damaged.',
    ]);
  });
});
