/** Several parts in one thread: each hears its own, and one that cannot start leaves the others alone. */
import { expect, test } from 'vitest';
import { SharedThread } from '../../src/core/adapters/shared-thread.ts';
import type { Link } from '../../src/core/adapters/thread-link.ts';

interface Said {
  readonly threadId: number;
  readonly heard?: string;
}

interface Part extends Link<{ readonly type: string; readonly text?: string }> {
  /** Resolves with the next thing that the part says, or with why it ended. */
  next(): Promise<Said | string>;
}

const sharedThread = (): SharedThread =>
  new SharedThread({
    path: new URL('../helpers/parts-worker.ts', import.meta.url),
    oldMb: 16,
    youngMb: 4,
    ended: 'It just ended.',
  });

function openPart(thread: SharedThread, name: string, data: object = {}): Part {
  const news: Array<Said | string> = [];
  const waiting: Array<(news: Said | string) => void> = [];
  const add = (one: Said | string): void => {
    const resolve = waiting.shift();
    if (resolve === undefined) news.push(one);
    else resolve(one);
  };
  const link = thread.part<{ readonly type: string }, Said>(name, data)({ heard: add, ended: add });
  const next = (): Promise<Said | string> => {
    const one = news.shift();
    return one === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(one);
  };
  return { ...link, next };
}

/** What it has said and nobody has taken yet; null when there is nothing. */
const atOnce = (part: Part): Promise<Said | string | null> => Promise.race([part.next(), Promise.resolve(null)]);

const threadOf = async (part: Part): Promise<number> => ((await part.next()) as Said).threadId;

test('two parts are in one thread, and each hears only what was said to it', async () => {
  const thread = sharedThread();
  const [one, two] = [openPart(thread, 'told'), openPart(thread, 'told')];
  const threadId = await threadOf(one);
  expect(await two.next()).toEqual({ threadId });
  two.say({ type: 'text', text: 'for two' });
  expect(await two.next()).toEqual({ threadId, heard: 'for two' });
  await one.stop();
  expect(await atOnce(one)).toEqual({ threadId, heard: 'stop' });
  await one.stop();
  two.say({ type: 'text', text: 'still there' });
  expect(await two.next()).toEqual({ threadId, heard: 'still there' });
  await two.stop();
});

test('the thread ends with its last part, and the next part has a new one', async () => {
  const thread = sharedThread();
  const exits = new Int32Array(new SharedArrayBuffer(4));
  const first = openPart(thread, 'told', { exits });
  const threadId = await threadOf(first);
  expect(exits[0]).toBe(0);
  await first.stop();
  expect(exits[0]).toBe(1);
  const second = openPart(thread, 'told');
  expect(await threadOf(second)).not.toBe(threadId);
  await second.stop();
});

test.each(['made', 'started'])('a part that throws when it is %s ends alone', async (when) => {
  const thread = sharedThread();
  const other = openPart(thread, 'told');
  const threadId = await threadOf(other);
  const thrower = openPart(thread, 'thrower', { when });
  expect(await thrower.next()).toBe(`thrown when ${when}`);
  await thrower.stop();
  other.say({ type: 'text', text: 'still there' });
  expect(await other.next()).toEqual({ threadId, heard: 'still there' });
  await other.stop();
});

test('the only part that cannot start takes the thread with it', async () => {
  const thread = sharedThread();
  const first = openPart(thread, 'told');
  const threadId = await threadOf(first);
  await first.stop();
  const thrower = openPart(thread, 'thrower', { when: 'made' });
  expect(await thrower.next()).toBe('thrown when made');
  const next = openPart(thread, 'told');
  expect(await threadOf(next)).toBeGreaterThan(threadId + 1);
  await next.stop();
});

test('an error later ends every part, and each is told why', async () => {
  const thread = sharedThread();
  const [other, thrower] = [openPart(thread, 'told'), openPart(thread, 'thrower', { when: 'heard' })];
  const threadId = await threadOf(other);
  await thrower.next();
  thrower.say({ type: 'text' });
  expect(await Promise.all([other.next(), thrower.next()])).toEqual(['thrown when heard', 'thrown when heard']);
  const next = openPart(thread, 'told');
  const nextId = await threadOf(next);
  expect(nextId).not.toBe(threadId);
  await next.stop();
  const last = openPart(thread, 'told');
  expect(await threadOf(last)).toBeGreaterThan(nextId);
  await Promise.all([last.stop(), other.stop(), thrower.stop()]);
});

test('a part that was asked to stop is not told that the thread ended', async () => {
  const thread = sharedThread();
  const [stopping, thrower] = [openPart(thread, 'thrower'), openPart(thread, 'thrower', { when: 'heard' })];
  await Promise.all([stopping.next(), thrower.next()]);
  thrower.say({ type: 'text' });
  const stopped = stopping.stop();
  expect(await thrower.next()).toBe('thrown when heard');
  await stopped;
  expect(await atOnce(stopping)).toBeNull();
});

test('a stop resolves although it ends the thread', async () => {
  const thread = sharedThread();
  const [other, thrower] = [openPart(thread, 'told'), openPart(thread, 'thrower', { when: 'stopped' })];
  await Promise.all([other.next(), thrower.next()]);
  await thrower.stop();
  expect(await other.next()).toBe('thrown when stopped');
});

test('an unknown part is told so', async () => {
  const part = openPart(sharedThread(), 'nonsense');
  expect(await part.next()).toContain('is not a function');
  await part.stop();
});
