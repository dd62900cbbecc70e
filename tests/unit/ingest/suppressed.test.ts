/** Calls of suppressed users: each leaves a rejected row, and none of its bytes. In memory. */
import { beforeEach, expect, test } from 'vitest';
import { basic, KEY, makeWorld, textOf, type World } from '../../helpers/ingest-parts.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  Object.assign(world.workspace, { suppressed: () => new Set(['gone', '42']) });
});

async function stored(target: string, body: unknown) {
  const headers = [
    ['Host', 'localhost'],
    ['Authorization', basic(KEY)],
  ] as const;
  const request = { method: 'POST', target, headers, body: Buffer.from(JSON.stringify(body)), remote: null };
  expect((await world.ingest.handle(request)).status).toBe(200);
  const [kept] = world.store.kept;
  return { ...kept!, rows: kept!.messages.map(({ state, reason, reasonDetail }) => [state, reason, reasonDetail]) };
}
const track = (over: object) => ({ type: 'track', event: 'E', ...over });
const GOOD = ['queued', null, null];

test('a batch keeps the bytes of all other calls', async () => {
  const others = [track({ userId: 'kept' }), track({ anonymousId: 'gone' })];
  const batch = [others[0], track({ userId: 'gone' }), others[1], track({ userId: 42 })];
  const { request, rows } = await stored('/v1/batch', { batch });
  expect(rows).toEqual([GOOD, ['rejected', 'user_suppressed', 'gone'], GOOD, ['rejected', 'user_suppressed', '42']]);
  expect(JSON.parse(textOf(request.body))).toEqual({ batch: [others[0], null, others[1], null] });
  expect(request).toMatchObject({ path: '/v1/batch', cutCalls: 2 });
});

test('a request without any other call keeps no byte of its body', async () => {
  const { request, rows } = await stored('/v1/track', track({ userId: 'gone' }));
  expect(rows).toEqual([['rejected', 'user_suppressed', 'gone']]);
  expect([textOf(request.body), request.cutCalls]).toEqual(['', 1]);
});

test('a request without such a call is stored as it came', async () => {
  const body = track({ userId: 'gone ' });
  const { request, rows } = await stored('/v1/track', body);
  expect(rows).toEqual([GOOD]);
  expect(textOf(request.body)).toBe(JSON.stringify(body));
});
