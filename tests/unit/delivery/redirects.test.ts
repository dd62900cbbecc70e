import { describe, expect, test } from 'vitest';
import { NOT_SENT } from '../../../src/core/delivery/sender.ts';
import { followingRedirects } from '../../../src/core/delivery/transport/redirects.ts';
import type { AttemptResult, Phases } from '../../../src/core/model/attempt.ts';
import type { AttemptRequest } from '../../../src/core/ports.ts';
import { SimTime } from '../../helpers/sim-ports.ts';

const FIRST: AttemptRequest = {
  url: 'http://a.test/hook?x=1',
  headers: [
    ['Content-Type', 'application/json'],
    ['Authorization', 'Bearer t'],
    ['COOKIE', 'c=1'],
    ['Proxy-Authorization', 'Basic x'],
    ['X-Tenant', 'acme'],
  ],
  body: Buffer.from('{}'),
  limitMs: 1_000,
  maxRedirects: 3,
};
const names = ({ headers }: AttemptRequest): string[] => headers.map(([name]) => name);

const answer = (status: number | null, location?: string, detail: string | null = null): AttemptResult => ({
  ...NOT_SENT,
  status,
  detail,
  responseHeaders:
    location === undefined
      ? [['Date', 'now']]
      : [
          ['Date', 'now'],
          ['LOCATION', location],
        ],
});

/** Sends through answers in turn, each `tookMs` after its request. */
async function follow(answers: readonly AttemptResult[], over: Partial<AttemptRequest> = {}, tookMs = 10) {
  const time = new SimTime();
  await time.advance(7);
  const sent: AttemptRequest[] = [];
  let closed = 0;
  const transport = followingRedirects(
    {
      send: async (request) => {
        sent.push(request);
        await new Promise<void>((resolve) => time.after(tookMs, resolve));
        return answers[sent.length - 1]!;
      },
      close: async () => {
        closed += 1;
      },
    },
    time,
  );
  const done = transport.send({ ...FIRST, ...over });
  await time.advance(10_000);
  await transport.close();
  expect(closed).toBe(1);
  return { sent, result: await done };
}

describe('a redirect', () => {
  test.each([301, 302, 303])('%d becomes a GET without a body and its type', async (status) => {
    const { sent, result } = await follow([answer(status, '/next'), answer(200)]);
    expect(sent[1]).toMatchObject({ url: 'http://a.test/next', method: 'GET', limitMs: 990 });
    expect(sent[1]!.body).toHaveLength(0);
    expect(names(sent[1]!)).toEqual(['Authorization', 'COOKIE', 'Proxy-Authorization', 'X-Tenant']);
    expect(result).toMatchObject({
      status: 200,
      detail: `Followed ${status} to http://a.test/next.`,
      durationMs: 20,
    });
  });

  test('each phase has its time in all hops, so that phases and duration add up', async () => {
    const took = (phases: Partial<Phases>, from: AttemptResult): AttemptResult => ({
      ...from,
      phases: { ...NOT_SENT.phases, ...phases },
    });
    const { result } = await follow([
      took({ tcpMs: 3, sendMs: 1, waitMs: 6 }, answer(302, '/next')),
      took({ sendMs: 2, waitMs: 8, readMs: 0 }, answer(200)),
    ]);
    expect(result.phases).toEqual({ ...NOT_SENT.phases, tcpMs: 3, sendMs: 3, waitMs: 14, readMs: 0 });
    expect(result.durationMs).toBe(20);
  });

  test.each([307, 308])('%d keeps method, body and headers', async (status) => {
    const { sent } = await follow([answer(status, 'http://a.test/next'), answer(200)]);
    expect(sent[1]).toEqual({ ...FIRST, url: 'http://a.test/next', limitMs: 990 });
  });

  test.each(['https://a.test/', 'http://b.test/', 'http://a.test:81/', '//b.test/x'])(
    'to %s never takes along what is private',
    async (location) => {
      const kept = await follow([answer(307, location), answer(200)]);
      expect(names(kept.sent[1]!)).toEqual(['Content-Type', 'X-Tenant']);
      const bare = await follow([answer(302, location), answer(200)]);
      expect(names(bare.sent[1]!)).toEqual(['X-Tenant']);
    },
  );

  test.each([
    ['another status', answer(300, '/next')],
    ['an answer that needs none', answer(200, '/next')],
    ['no answer', answer(null, '/next')],
    ['no place', answer(302)],
    ['a place that is none', answer(302, 'http://')],
  ])('is none with %s', async (_, first) => {
    const { sent, result } = await follow([first]);
    expect(sent).toHaveLength(1);
    expect(result).toBe(first);
  });

  test('is not followed where that is not asked for, nor where none is allowed', async () => {
    const first = answer(302, '/next');
    for (const maxRedirects of [undefined, 0]) {
      const { sent, result } = await follow([first], { maxRedirects });
      expect([sent.length, result]).toEqual([1, first]);
    }
  });
});

describe('a way of several', () => {
  test('is named whole, with what the last answer says, and ends after as many as are allowed', async () => {
    const { sent, result } = await follow([
      answer(302, '/1'),
      answer(307, '2'),
      answer(303, 'http://b.test/3'),
      answer(302, '/4', 'It said so.'),
    ]);
    expect(sent.map(({ url }) => url)).toEqual([FIRST.url, 'http://a.test/1', 'http://a.test/2', 'http://b.test/3']);
    expect(result).toMatchObject({
      status: 302,
      detail: 'Followed 302 to http://a.test/1, 307 to http://a.test/2, 303 to http://b.test/3. It said so.',
    });
  });

  test('has one limit', async () => {
    const round = [answer(302, '/1'), answer(302, '/2'), answer(302, '/3'), answer(302, '/4')];
    const { sent, result } = await follow(round, {}, 500);
    expect(sent.map(({ limitMs }) => limitMs)).toEqual([1_000, 500]);
    expect(result.durationMs).toBe(1_000);
    const late = await follow(round, {}, 1_001);
    expect(late.sent).toHaveLength(1);
  });
});
