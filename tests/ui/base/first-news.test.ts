/** What the first screen waits for before it is drawn. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onFirstNews } from '../../../src/renderer/first-news.ts';
import { startConnection } from '../../../src/renderer/platform/connect.ts';
import { TokenRefused } from '../../../src/renderer/platform/openers.ts';
import { feed } from '../../../src/renderer/stores/feed.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { HOME, navigate } from '../../../src/renderer/stores/route.ts';
import { startSimEngine } from '../../helpers/sim-engine.ts';
import { turnUntil } from '../../helpers/turns.ts';
import { disconnect } from './harness.tsx';

/** Whether the greeting was there when the page was drawn, and how many rows. */
let drawn: { readonly ready: boolean; readonly rows: number }[];
beforeEach(() => {
  drawn = [];
  navigate(HOME);
  // Turns of the test go on, and the longest wait does not end before the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  disconnect();
});

const draw = () => drawn.push({ ready: useRecords.getState().ready, rows: liveStream.snapshot().count });

const KEY = 'wk_shop';
const sources = [{ name: 'shop', writeKey: KEY, kind: 'web' as const, enabled: true, webhooks: true }];

/** An engine with two messages, and a page that connects to it. Rows come when the test lets them. */
async function connecting(): Promise<{ pass: () => Promise<void>; release: () => void }> {
  const engine = await startSimEngine({ config: { sources } });
  await engine.post('/v1/batch', { batch: [1, 2].map((n) => ({ type: 'track', userId: 'u', event: `${n}` })) }, KEY);
  const release = engine.hold('messages.window');
  onFirstNews(draw);
  startConnection(async () => engine.open(), feed);
  await turnUntil(() => useRecords.getState().ready, engine.pass);
  return { pass: () => engine.pass(100), release };
}

it('the live stream is drawn once, with its rows', async () => {
  const { pass, release } = await connecting();
  await pass();
  expect(drawn).toEqual([]);
  release();
  await turnUntil(() => drawn.length > 0, pass);
  vi.advanceTimersByTime(1_000);
  await pass();
  expect(drawn).toEqual([{ ready: true, rows: 2 }]);
});

it('another screen is drawn with the greeting', async () => {
  navigate({ screen: 'sources' });
  const { release } = await connecting();
  expect(drawn).toEqual([{ ready: true, rows: expect.any(Number) }]);
  release();
});

it('a page that the engine refuses is drawn at once', async () => {
  onFirstNews(draw);
  startConnection(async () => {
    throw new TokenRefused();
  }, feed);
  await turnUntil(() => drawn.length > 0);
  expect(useRecords.getState().connection).toBe('refused');
});

it('a page without an answer is drawn after 150 ms, and once', () => {
  onFirstNews(draw);
  startConnection(() => new Promise(() => {}), feed);
  vi.advanceTimersByTime(149);
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(drawn).toEqual([{ ready: false, rows: expect.any(Number) }]);
});
