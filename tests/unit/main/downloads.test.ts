/** Which downloads may go on, and what the page is told of their end, over the double's session. */
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { beforeEach, expect, test, vi } from 'vitest';

vi.mock('electron', () => createRequire(import.meta.url)('../../../tools/electron-double/electron.cjs'));
const { app, session } = (await import('electron')) as unknown as {
  app: { becomeReady(): void };
  session: { fromPartition(name: string): EventEmitter };
};
const { Downloads } = await import('../../../src/main/downloads.ts');

app.becomeReady();
let own: EventEmitter;
let downloads: InstanceType<typeof Downloads>;
beforeEach(() => {
  own = session.fromPartition(crypto.randomUUID());
  downloads = new Downloads();
  downloads.take(own as never, { page: 'app://hookbench', isDevelopment: false });
});

/** A download as the session hears of it; `end` ends it. */
function begin(url: string) {
  const item = Object.assign(new EventEmitter(), { getURL: () => url, getSavePath: () => '/home/ada/calls.ndjson' });
  const event = { preventDefault: vi.fn() };
  own.emit('will-download', event, item);
  return { refused: event.preventDefault.mock.calls.length > 0, end: (state: string) => item.emit('done', {}, state) };
}

test('the page is told where its file went, whether it asks before or after the end', async () => {
  const first = begin('blob:app://hookbench/4c1f');
  const asked = downloads.endOf('4c1f');
  first.end('completed');
  const second = begin('blob:app://hookbench/77aa');
  second.end('completed');
  const saved = { end: 'saved', path: '/home/ada/calls.ndjson' };
  expect([first.refused, await asked, await downloads.endOf('77aa')]).toEqual([false, saved, saved]);
});

test('a closed dialog and a failed write are different ends, each of its own file', async () => {
  const [closed, broken] = [begin('blob:app://hookbench/1'), begin('blob:app://hookbench/2')];
  const ends = Promise.all([downloads.endOf('1'), downloads.endOf('2')]);
  broken.end('interrupted');
  closed.end('cancelled');
  expect(await ends).toEqual([{ end: 'cancelled' }, { end: 'failed' }]);
});

const SAVED = { end: 'saved', path: '/home/ada/calls.ndjson' };
const ended = (blob: string, state: string) => begin(`blob:app://hookbench/${blob}`).end(state);

test('an end is told once', async () => {
  ended('1', 'completed');
  const asked = [downloads.endOf('1'), downloads.endOf('1')];
  ended('1', 'cancelled');
  expect(await Promise.all(asked)).toEqual([SAVED, { end: 'cancelled' }]);
});

test('whoever was told an end gets no other one', async () => {
  const asked = [downloads.endOf('1')];
  ended('1', 'completed');
  ended('1', 'cancelled');
  asked.push(downloads.endOf('1'));
  ended('1', 'interrupted');
  expect(await Promise.all(asked)).toEqual([SAVED, { end: 'cancelled' }]);
});

test('of ends that nobody asked for the last hundred are kept', async () => {
  for (let i = 0; i <= 100; i++) ended(`${i}`, 'completed');
  const asked = [downloads.endOf('0'), downloads.endOf('1')];
  for (const blob of ['0', '1']) ended(blob, 'cancelled');
  expect(await Promise.all(asked)).toEqual([{ end: 'cancelled' }, SAVED]);
});

test('nothing but a file of the page is downloaded', () => {
  expect(begin('https://example.com/a.zip').refused).toBe(true);
  expect(begin('app://hookbench/index.html').refused).toBe(true);
});
