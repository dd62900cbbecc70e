/** The search index on the real engine: it finds what reading every message finds, and keeps nothing that was erased. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MessageFilter } from '../../src/contract/filter.ts';
import { configOf, type RunningEngine, startEngine } from '../helpers/engine-fixture.ts';

const MESSAGES = 300;
const DOOMED = 'usr_doomed_5d10';

/** Different letters for each number. */
const word = (n: number): string => `w${(Math.imul(n, 0x9e3779b1) >>> 0).toString(36)}`;

async function send(engine: RunningEngine): Promise<void> {
  const batch = Array.from({ length: MESSAGES }, (_, n) => ({
    type: 'track',
    event: n % 2 === 0 ? 'Even Sent' : 'Odd Sent',
    userId: n === 100 ? DOOMED : `usr_${n % 7}`,
    properties: { word: word(n), place: "It's 100%_'quoted'", ...(n % 50 === 0 && { said: 'He "said" C:\\so\n' }) },
  }));
  expect(await engine.post('/v1/batch', { batch })).toBe(200);
}

const ready = (engine: RunningEngine, least: number): Promise<unknown> =>
  engine.until(async () => {
    const view = await engine.client.call('search.get');
    return view.state === 'ready' && view.indexed >= least ? view : undefined;
  });

async function idsOf({ client }: RunningEngine, filter: MessageFilter): Promise<number[]> {
  const ids: number[] = [];
  for (let before: number | undefined; ; ) {
    const stretch = before === undefined ? {} : { before };
    const page = await client.call('messages.ids', { filter, limit: 40, rows: 3, ...stretch });
    expect(page.rows.map(({ id }) => id)).toEqual(page.ids.slice(0, 3));
    ids.push(...page.ids);
    if (!page.more) return ids;
    before = page.scannedTo;
  }
}

async function countOf({ client }: RunningEngine, filter: MessageFilter): Promise<number> {
  let sum = 0;
  for (let before: number | undefined; ; ) {
    const page = await client.call('messages.counts', { filter, ...(before !== undefined && { before }) });
    sum += Object.values(page.counts).reduce((all, n) => all + n, 0);
    if (!page.more) return sum;
    before = page.scannedTo;
  }
}

async function eventsOf({ client }: RunningEngine, filter: MessageFilter): Promise<Array<[string, number]>> {
  const sums = new Map<string, number>();
  for (let before: number | undefined; ; ) {
    const page = await client.call('messages.values', {
      filter,
      key: 'event',
      ...(before !== undefined && { before }),
    });
    for (const [value, n] of page.counts) sums.set(value, (sums.get(value) ?? 0) + n);
    if (!page.more) return [...sums].sort();
    before = page.scannedTo;
  }
}

const text = (...texts: string[]): MessageFilter => ({ terms: texts.map((one) => ({ key: 'text', values: [one] })) });
const filters: MessageFilter[] = [
  text(word(7)),
  text(word(8).toUpperCase(), 'even sent'),
  text(word(8), 'odd sent'),
  text("100%_'q"),
  text('he "said" c:\\so\n'),
  text('usr_3'),
  text('us'),
  text('not in any message'),
  { terms: [{ key: 'user', values: ['_doomed'] }] },
  { terms: [{ key: 'event', values: ['odd*'] }] },
  { terms: [{ key: 'text', values: ['even sent'], not: true }] },
];

describe.each([{ thread: false }, { thread: true }])(
  'the search index, in the background thread: $thread',
  ({ thread }) => {
    const start = (more = {}): Promise<RunningEngine> =>
      startEngine({ config: configOf([]), searchFrom: 1, backgroundThread: thread, ...more });

    test('leads to the same messages and counts as reading all of them', async () => {
      const engine = await start();
      await send(engine);
      await ready(engine, 255);
      const found = [];
      for (const filter of filters)
        found.push([await idsOf(engine, filter), await countOf(engine, filter), await eventsOf(engine, filter)]);
      expect(
        await engine.engine.parts.search.find({ texts: [word(7)], before: 200, after: 0, most: 99 }),
      ).toMatchObject({
        ranges: [{ bottom: 1 }],
      });
      await engine.client.call('search.setEnabled', { enabled: false });
      const read = [];
      for (const filter of filters)
        read.push([await idsOf(engine, filter), await countOf(engine, filter), await eventsOf(engine, filter)]);
      expect(found).toEqual(read);
      expect(found.map(([ids]) => (ids as number[]).length)).toEqual([1, 1, 0, 300, 6, 43, 300, 0, 1, 150, 150]);
      expect(found.map(([, , events]) => events)[6]).toEqual([
        ['Even Sent', 150],
        ['Odd Sent', 150],
      ]);
    });

    test('is deleted when it is turned off, stays off after a restart, and comes back when it is turned on', async () => {
      const engine = await start();
      await send(engine);
      await ready(engine, 255);
      const path = join(engine.workspace, 'search.sqlite');
      expect(existsSync(path)).toBe(true);
      expect(await engine.client.call('search.setEnabled', { enabled: false })).toMatchObject({ state: 'off' });
      expect(existsSync(path)).toBe(false);
      await engine.stop();
      const again = await start({ workspace: engine.workspace, key: engine.key });
      await again.until(async () => ((await again.client.call('search.get')).state === 'off' ? true : undefined));
      await again.client.call('search.setEnabled', { enabled: true });
      await ready(again, 255);
      expect(existsSync(path)).toBe(true);
      await again.client.call('search.rebuild');
      await ready(again, 255);
    });

    test('holds nothing of an erased user when the deletion says that it is finished', async () => {
      const engine = await start();
      await send(engine);
      await ready(engine, 255);
      const blocks = () => engine.engine.parts.search.find({ texts: [DOOMED], before: 256, after: 0, most: 99 });
      expect((await blocks())?.ranges).toEqual([{ top: 128, bottom: 64 }]);
      const { id } = await engine.client.call('deletions.create', { userIds: [DOOMED], erase: true, suppress: true });
      await engine.until(async () =>
        (await engine.client.call('deletions.get', { id })).phase === 'finished' ? true : undefined,
      );
      expect((await blocks())?.ranges).toEqual([]);
    });
  },
);
