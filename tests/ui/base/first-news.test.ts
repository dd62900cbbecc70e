/** When the page draws its first screen. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { type SimEngine, startSimEngine } from '../../helpers/sim-engine.ts';
import { turnUntil } from '../../helpers/turns.ts';

/** What was there when the page was drawn. */
let drawn: { readonly connection: string; readonly ready: boolean; readonly phase: string; readonly rows: number }[];
let onFirstNews: typeof import('../../../src/renderer/first-news.ts').onFirstNews;
let connect: typeof import('../../../src/renderer/platform/connect.ts');
let feed: typeof import('../../../src/renderer/stores/feed.ts').feed;
let navigate: typeof import('../../../src/renderer/stores/route.ts').navigate;
let draw: () => void;

beforeEach(async () => {
  // A new page: the stores of the one before would still have its rows.
  vi.resetModules();
  ({ onFirstNews } = await import('../../../src/renderer/first-news.ts'));
  connect = await import('../../../src/renderer/platform/connect.ts');
  ({ feed } = await import('../../../src/renderer/stores/feed.ts'));
  ({ navigate } = await import('../../../src/renderer/stores/route.ts'));
  const { useRecords } = await import('../../../src/renderer/stores/records.ts');
  const { liveStream } = await import('../../../src/renderer/stores/live/store.ts');
  drawn = [];
  draw = () => {
    const { connection, ready } = useRecords.getState();
    const { phase, count } = liveStream.snapshot();
    drawn.push({ connection, ready, phase, rows: count });
  };
  navigate({ screen: 'live', messageId: null, tab: 'attempts', full: false });
  // Turns of the test go on, and the longest wait does not end before the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
  connect.stopConnection();
});

const KEY = 'wk_shop';
const sources = [{ name: 'shop', writeKey: KEY, kind: 'web' as const, enabled: true, webhooks: true }];

/** An engine with two messages, whose rows it keeps, and a page that it has greeted. */
async function greeted(): Promise<{ engine: SimEngine; release: () => void }> {
  const engine = await startSimEngine({ config: { sources } });
  await engine.post('/v1/batch', { batch: [1, 2].map((n) => ({ type: 'track', userId: 'u', event: `${n}` })) }, KEY);
  const release = engine.hold('messages.window');
  onFirstNews(draw);
  connect.startConnection(async () => engine.open(), feed);
  await turnUntil(() => connect.connectionState() === 'open', engine.pass);
  await engine.pass(100);
  return { engine, release };
}

it('the live stream is drawn once, with its rows', async () => {
  const { engine, release } = await greeted();
  expect(drawn).toEqual([]);
  release();
  await turnUntil(() => drawn.length > 0, engine.pass);
  vi.advanceTimersByTime(1_000);
  await engine.post('/v1/track', { userId: 'u', event: '3' }, KEY);
  await engine.pass(1_000);
  expect(drawn).toEqual([{ connection: 'open', ready: true, phase: 'ready', rows: 2 }]);
});

it('another screen is drawn with the greeting and waits for no rows', async () => {
  navigate({ screen: 'sources' });
  const { release } = await greeted();
  expect(drawn).toMatchObject([{ ready: true, phase: 'loading', rows: 0 }]);
  release();
});

it('the live stream is drawn without rows when they cannot be read', async () => {
  const engine = await startSimEngine({ config: { sources } });
  await engine.post('/v1/track', { userId: 'u', event: '1' }, KEY);
  engine.failNext('messages.window', new ContractError('internal'));
  onFirstNews(draw);
  connect.startConnection(async () => engine.open(), feed);
  await turnUntil(() => drawn.length > 0, engine.pass);
  expect(drawn).toMatchObject([{ ready: true, phase: 'loading', rows: 0 }]);
});

it('a page that is refused, or cannot connect, is drawn at once', async () => {
  const { TokenRefused } = await import('../../../src/renderer/platform/openers.ts');
  for (const error of [new TokenRefused(), new Error('nobody answers')]) {
    onFirstNews(draw);
    connect.startConnection(async () => {
      throw error;
    }, feed);
    const before = drawn.length;
    await turnUntil(() => drawn.length > before);
    connect.stopConnection();
  }
  expect(drawn.map(({ connection }) => connection)).toEqual(['refused', 'lost']);
});

it('a page without an answer is drawn after 150 ms, and once', () => {
  onFirstNews(draw);
  connect.startConnection(() => new Promise(() => {}), feed);
  vi.advanceTimersByTime(149);
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(drawn).toEqual([{ connection: 'connecting', ready: false, phase: 'loading', rows: 0 }]);
  vi.advanceTimersByTime(1_000);
  expect(drawn).toHaveLength(1);
});
