import { expect, test } from 'vitest';
import { signatureOf } from '../../../src/core/model/signature.ts';
import { Searches } from '../../../src/core/signature-lab/searches.ts';

const BODY = Buffer.from('{"type":"track","name":"Zoë & Co","total":184.5}');
const ASKED = { body: BODY, secret: 'key', digest: '0'.repeat(40) };

/** Each look at the clock takes a millisecond, and a turn is over when `soon` is asked. */
function searchesInTime() {
  const time = { now: 0, turns: 0 };
  const searches = new Searches<string>({
    clock: { mono: () => (time.now += 1) },
    timers: {
      soon: (next) => {
        time.turns += 1;
        queueMicrotask(next);
      },
    },
  });
  return { time, searches };
}

test('a long search is answered in parts until it is done', async () => {
  const { time, searches } = searchesInTime();
  let part = await searches.begin(ASKED, 'context');
  const tried: number[] = [];
  while (!part.done) {
    tried.push(part.tried);
    part = (await searches.goOn(part.search))!;
  }
  expect(part).toMatchObject({ done: true, verdict: { kind: 'unexplained' }, context: 'context' });
  expect(tried.length).toBeGreaterThan(1);
  expect(tried).toEqual(tried.toSorted((a, b) => a - b));
  // The parts end after a fifth of a second each, and a turn after 4 ms.
  expect(time.now).toBeGreaterThan(200 * tried.length);
  expect(time.turns).toBeGreaterThan(tried.length * 10);
});

test('nothing happens between two parts, and a search that has ended is gone', async () => {
  const { time, searches } = searchesInTime();
  const part = await searches.begin(ASKED, '');
  const { now } = time;
  await new Promise((resolve) => setImmediate(resolve));
  expect(time.now).toBe(now);
  expect(part.done).toBe(false);
  expect(searches.goOn('other')).toBeNull();
  const short = await searches.begin({ ...ASKED, digest: signatureOf('key', BODY) }, '');
  expect(short).toMatchObject({ done: true, verdict: { kind: 'match' } });
  expect(searches.goOn('2')).toBeNull();
});

test('the fifth search that is open ends the oldest', async () => {
  const { searches } = searchesInTime();
  const parts = [];
  for (let i = 0; i < 5; i += 1) parts.push(await searches.begin(ASKED, ''));
  const names = parts.map((part) => (part.done ? '' : part.search));
  expect(searches.goOn(names[0]!)).toBeNull();
  expect(await searches.goOn(names[1]!)).toMatchObject({ done: false });
});
