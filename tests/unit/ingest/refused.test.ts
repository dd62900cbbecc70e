/** What is refused of a request: all of it, its body, or some of its calls. In memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { IngestRequest } from '../../../src/core/ingest/request.ts';
import { MAX_CALL_BYTES } from '../../../src/core/model/call.ts';
import { basic, KEY, makeWorld, type World } from '../../helpers/ingest-parts.ts';
import { AUTHORIZED, bytes, error, HOST, requestOf, seen, success, track } from './request-and-answer.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
});

const post = (...asked: Parameters<typeof requestOf>) => world.ingest.handle(requestOf(...asked));

describe('a request that is refused before it is looked at', () => {
  it('has no Host, and is answered so that a page may read it', async () => {
    const answer = await post('/v1/track', track(), { headers: [] });
    expect(seen(answer)).toEqual(error(400, 'invalid_request', 'The request must have exactly one Host header.'));
    expect([world.store.kept, world.answered]).toEqual([[], []]);
  });

  it.each([
    ['POST', '/nowhere', 404, 'not_found', 'There is nothing at this path. Calls go to /v1/batch.', {}],
    ['POST', '/t', 404, 'not_found', 'Use /v1/t: the host that the client is given must end in /v1.', {}],
    ['GET', '/v1/track', 405, 'method_not_allowed', 'Use POST here.', { Allow: 'POST, OPTIONS' }],
    ['POST', '/health', 405, 'method_not_allowed', 'Use GET, HEAD here.', { Allow: 'GET, HEAD, OPTIONS' }],
  ])('is %s %s: %i', async (method, target, status, code, message, headers) => {
    expect(seen(await post(target, track(), { method }))).toEqual(error(status, code, message, headers));
    expect([world.store.kept, world.answered]).toEqual([[], []]);
  });
});

describe('calls that are rejected', () => {
  const large = track({ pad: 'x'.repeat(MAX_CALL_BYTES) });
  const bad = track({ event: '' });
  const eventless = 'A track call needs an event name.';
  const tooLarge = 'This call is 32.1 KB. The limit is 32 KB per call.';

  it.each([
    ['segment', [bad], success, 1],
    ['segment', [track(), large, large], error(400, 'call_too_large', `Call 2 of 3: ${tooLarge}`), 2],
    ['segment', [large], error(400, 'call_too_large', tooLarge), 1],
    ['strict', [track()], success, 0],
    ['strict', [bad], error(400, 'event_not_defined', eventless), 1],
    ['strict', [track(), track(), bad, large], error(400, 'event_not_defined', `Call 3 of 4: ${eventless}`), 2],
  ] as const)('in %s mode (%#): the answer names the first that counts', async (mode, batch, answer, rejected) => {
    world.settings = { ...world.settings, mode };
    expect(seen(await post('/v1/batch', { batch }))).toEqual(answer);
    const code = 'code' in answer.json ? answer.json.code : null;
    expect(world.answered).toEqual([{ status: answer.status, code, calls: batch.length, rejected }]);
    expect(world.store.kept[0]?.request).toMatchObject({ status: answer.status, code });
    expect(world.store.kept[0]?.request.fingerprint === null).toBe(answer.status === 200);
  });
});

describe('a request that holds no call', () => {
  const json = 'The body is not valid JSON.';
  it.each([
    ['{', 'segment', error(400, 'invalid_json', `${json} The body ends too early.`), 'invalid_json'],
    ['[]', 'strict', error(400, 'not_an_object', 'The body is not a JSON object.'), 'not_an_object'],
    ['{"batch":[]}', 'segment', success, 'empty_batch'],
    ['{"batch":[]}', 'strict', success, 'empty_batch'],
  ] as const)('%s in %s mode leaves one row that says so', async (body, mode, answer, reason) => {
    world.settings = { ...world.settings, mode };
    expect(seen(await post('/v1/batch', body))).toEqual(answer);
    const code = 'code' in answer.json ? answer.json.code : null;
    const { status } = answer;
    expect(world.store.kept).toMatchObject([
      {
        dedupe: false,
        request: { status, code, sourceId: 1, decodedBytes: body.length },
        messages: [
          { messageId: 'assigned-1', position: 0, origin: 'sdk', state: 'rejected', reason, size: body.length },
        ],
      },
    ]);
    expect(world.observed).toHaveLength(1);
    expect(world.answered).toEqual([{ status, code, calls: 1, rejected: 1 }]);
  });

  it.each([600_000, null])(
    'because it was not read to its end (%s bytes) is known again by its start',
    async (length) => {
      const send = (first: string) => post('/v1/batch', '', { overflow: { bytes: length, first: Buffer.from(first) } });
      const size = length === null ? 'over 500 KB' : '586 KB';
      const message = `This batch is ${size}. The limit is 500 KB per batch. Lower the SDK's flush size.`;
      for (const first of ['a', 'a', 'b'])
        expect(seen(await send(first))).toEqual(error(400, 'batch_too_large', message));
      const [one, same, other] = world.store.kept.map(({ request }) =>
        Buffer.from(request.fingerprint ?? []).toString('hex'),
      );
      expect(one).toMatch(/^[0-9a-f]{64}$/);
      expect([same === one, other === one]).toEqual([true, false]);
      expect(world.store.kept[0]?.request).toMatchObject({ decodedBytes: length ?? 0, writeKey: KEY });
    },
  );

  it.each<[string, Partial<IngestRequest>]>([
    ['path', { target: '/v1/b' }],
    ['key', { headers: [HOST, ['Authorization', basic('other')]] }],
    ['encoding', { headers: [...AUTHORIZED, ['Content-Encoding', 'br']] }],
    ['body', { body: bytes('[') }],
  ])('with another %s is another one', async (_what, over) => {
    await post('/v1/batch', '{');
    await post('/v1/batch', '{', over);
    const [one, other] = world.store.kept.map(({ request }) => Buffer.from(request.fingerprint!).toString('hex'));
    expect(other).not.toBe(one);
  });
});
