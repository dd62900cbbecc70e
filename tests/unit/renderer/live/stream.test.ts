import { describe, expect, it, vi } from 'vitest';
import { emptyQuery, queryOf } from '../../../../src/renderer/stores/live/filter.ts';
import { setUpStream, startedStream } from '../../../helpers/stream-fixture.ts';

describe('the live stream', () => {
  it('is ready at once when the store is empty', () => {
    const { stream } = setUpStream(0);
    stream.connected(0, true);
    expect(stream.snapshot()).toMatchObject({ phase: 'ready', count: 0 });
  });

  it('loads the newest page and shows a row that arrives in the same turn', async () => {
    const { stream, add, batch, shown } = await startedStream(5);
    expect(shown()).toEqual([5, 4, 3, 2, 1]);
    batch([add(6)]);
    expect(shown()[0]).toBe(6);
    expect(stream.snapshot()).toMatchObject({ mode: 'following', count: 6, matching: 6 });
  });

  it('tells who counts messages when they came, changed or were removed, also while the page was without engine', async () => {
    const { stream, add, batch } = await startedStream(5);
    const heard = vi.fn();
    const end = stream.subscribeMessages(heard);
    batch([]);
    stream.connected(5, false);
    expect(heard).toHaveBeenCalledTimes(0);
    batch([add(6)]);
    batch([], { removedMessages: [2] });
    batch([], { reset: true });
    stream.connected(5, true);
    expect(heard).toHaveBeenCalledTimes(4);
    end();
    batch([add(7)]);
    expect(heard).toHaveBeenCalledTimes(4);
  });

  it('counts rows that come while the first page is on its way once', async () => {
    const { stream, add, batch, settle, shown } = setUpStream(5);
    stream.connected(5, true);
    batch([add(6)]);
    await settle();
    expect(shown()).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('holds rows while reading and shows them on the way back to the top', async () => {
    const { stream, add, batch, shown } = await startedStream(100);
    stream.scrolled(20);
    batch([add(101), add(102)]);
    expect(shown()[0]).toBe(100);
    expect(stream.snapshot()).toMatchObject({ mode: 'reading', held: 2 });
    stream.showNewest();
    expect(shown()[0]).toBe(102);
    expect(stream.snapshot()).toMatchObject({ mode: 'following', held: 0 });
  });

  it('holds rows while a menu is open and shows them when it closes', async () => {
    const { stream, add, batch, shown } = await startedStream(3);
    stream.reading({ menuOpen: true });
    batch([add(4)]);
    expect(shown()[0]).toBe(3);
    stream.reading({ menuOpen: false });
    expect(shown()[0]).toBe(4);
  });

  it('holds rows while paused even at the top, and newest may be looked at without resuming', async () => {
    const { stream, add, batch, shown } = await startedStream(3);
    stream.pause();
    batch([add(4)]);
    expect(stream.snapshot()).toMatchObject({ mode: 'paused', held: 1, pausedAt: 1_000_000 });
    stream.showNewest();
    expect(shown()[0]).toBe(4);
    batch([add(5)]);
    expect(stream.snapshot()).toMatchObject({ mode: 'paused', held: 1 });
    stream.resume();
    expect(shown()[0]).toBe(5);
  });

  it('applies four times a second above 50 messages a second, and loses none', async () => {
    const { stream, add, batch, advance, shown } = await startedStream(1);
    batch(Array.from({ length: 200 }, (_, i) => add(2 + i)));
    expect(stream.snapshot().rate).toBe(100);
    advance(100);
    batch([add(202)]);
    expect(stream.snapshot().count).toBe(201);
    advance(160);
    expect(stream.snapshot().count).toBe(202);
    expect(shown()[0]).toBe(202);
    advance(3_000);
    expect(stream.snapshot().rate).toBeNull();
  });

  it('clears the view and brings it back, with what came meanwhile', async () => {
    const { stream, add, batch, shown } = await startedStream(3);
    stream.clear();
    expect(stream.snapshot()).toMatchObject({ count: 0, cleared: 3 });
    expect(stream.snapshot().list.hiddenBy(2)).toBe('cleared');
    batch([add(4)]);
    expect(shown()).toEqual([4]);
    stream.undoClear();
    expect(shown()).toEqual([4, 3, 2, 1]);
  });

  it('asks again when a reset says that changes were missed, and keeps the place of who reads', async () => {
    const { stream, add, batch, settle, shown } = await startedStream(100);
    stream.scrolled(20);
    for (let id = 101; id <= 110; id += 1) add(id);
    batch([], { reset: true });
    await settle();
    expect(shown()[0]).toBe(100);
    expect(stream.snapshot().held).toBe(10);
  });

  it('fetches far rows when they come on screen', async () => {
    const { stream, shown, settle, asked } = await startedStream(2_000);
    expect(shown()[1_500]).toBeUndefined();
    const before = stream.snapshot().list;
    stream.look({ from: 1_500, to: 1_530, speed: 0 });
    await settle();
    expect(shown()[1_500]).toBe(500);
    expect(stream.snapshot().list).not.toBe(before);
    expect(asked.filter(({ name }) => name === 'messages.window').length).toBeLessThan(15);
  });

  it('starts anew, and does not ask for ever, when rows that it counted are not there', async () => {
    const { stream, store, shown, settle, asked } = await startedStream(2_000);
    for (let id = 1; id <= 1_500; id += 1) store.delete(id);
    stream.look({ from: 1_500, to: 1_530, speed: 0 });
    await settle();
    expect(stream.snapshot().count).toBe(500);
    expect(shown()[0]).toBe(2_000);
    expect(asked.length).toBeLessThan(30);
  });

  it('tries again after an error, and says what it was', async () => {
    const { stream, settle, fail, advance } = setUpStream(5);
    fail(new Error('broken'));
    stream.connected(5, true);
    await settle();
    expect(stream.snapshot()).toMatchObject({ phase: 'loading', failure: { code: 'internal' } });
    fail(null);
    advance(1_000);
    await settle();
    expect(stream.snapshot()).toMatchObject({ phase: 'ready', failure: null, count: 5 });
  });
});

describe('the filtered stream', () => {
  const failed = queryOf({ key: 'status', values: ['failed'] });

  it('shows what matches, newest first, and rows that begin to match', async () => {
    const { stream, add, batch, settle, shown } = await startedStream(9);
    stream.setQuery(failed);
    await settle();
    expect(shown()).toEqual([9, 6, 3]);
    batch([add(10, { state: 'queued' })]);
    expect(shown()).toEqual([9, 6, 3]);
    batch([add(10, { state: 'failed' }), add(7, { state: 'failed' })]);
    expect(shown()).toEqual([10, 9, 7, 6, 3]);
  });

  it('shows the first matches with the answer that names them, and asks apart for the rows that did not come with it', async () => {
    const { stream, store, asked, settle, shown } = await startedStream(900);
    const old = Array.from({ length: 70 }, (_, i) => 70 - i);
    for (const id of old) store.set(id, { ...store.get(id)!, state: 'paused' });
    asked.length = 0;
    stream.setQuery(queryOf({ key: 'status', values: ['paused'] }));
    await settle();
    expect(shown()).toEqual(old);
    expect(asked.map(({ name }) => name)).toEqual(['messages.ids', 'messages.byIds']);
    expect(asked[1]!.input).toEqual({ ids: old.slice(60) });
  });

  it('knows the number of matches from the rows when all of them came at once', async () => {
    const { stream, store, unanswered, settle } = await startedStream(90);
    for (const id of [4, 5]) store.set(id, { ...store.get(id)!, type: 'group' });
    for (const id of [7, 8, 9]) store.set(id, { ...store.get(id)!, type: 'page', state: 'failed' });
    unanswered.add('messages.counts');
    stream.setQuery(queryOf({ key: 'type', values: ['group', 'page'] }));
    await settle();
    const states = [4, 5].map((id) => store.get(id)!.state);
    const counts = Object.fromEntries(states.map((state) => [state, states.filter((one) => one === state).length]));
    expect(stream.snapshot().counts).toEqual({
      counts: { ...counts, failed: (counts.failed ?? 0) + 3 },
      total: 90,
      progress: null,
    });
    stream.setQuery(queryOf({ key: 'type', values: ['group', 'page'] }, { key: 'status', values: ['failed'] }));
    await settle();
    expect(stream.snapshot().count).toBe(3);
    expect(stream.snapshot().counts).toMatchObject({ counts: { failed: (counts.failed ?? 0) + 3 } });
  });

  it('counts the matches once the first rows came, and where these are all only after a rest', async () => {
    const { stream, store, asked, answers, advance, settle, shown } = await startedStream(90);
    for (const id of [4, 5]) store.set(id, { ...store.get(id)!, type: 'group' });
    const counted = () => asked.filter(({ name }) => name === 'messages.counts').length;
    let release = (_: unknown) => {};
    const hold = () => answers.set('messages.ids', () => new Promise((resolve) => (release = resolve)));
    const answerWith = async (page: unknown) => {
      answers.delete('messages.ids');
      release(page);
      await settle();
    };
    hold();
    stream.setQuery(queryOf({ key: 'type', values: ['group'] }));
    await settle();
    expect(counted()).toBe(0);
    await answerWith({ ids: [5, 4], rows: [store.get(5), store.get(4)], scannedTo: 1, more: false });
    expect(shown()).toEqual([5, 4]);
    expect(counted()).toBe(0);
    advance(250);
    await settle();
    expect(counted()).toBe(1);
    hold();
    stream.setQuery(queryOf({ key: 'type', values: ['track'] }));
    await settle();
    expect(counted()).toBe(1);
    await answerWith({ ids: [], rows: [], scannedTo: 50, more: true });
    expect(counted()).toBe(2);
  });

  it.each([
    [60, { failed: 60 }],
    [61, undefined],
  ])('takes the rows that came for all matches only when they are: %i', async (matches, counts) => {
    const { stream, store, unanswered, settle } = await startedStream(200);
    for (let id = 1; id <= matches; id += 1) store.set(id, { ...store.get(id)!, type: 'group', state: 'failed' });
    unanswered.add('messages.counts');
    stream.setQuery(queryOf({ key: 'type', values: ['group'] }));
    await settle();
    expect(stream.snapshot().count).toBe(matches);
    expect(stream.snapshot().counts?.counts).toEqual(counts);
  });

  it('does not take the rows of a later page for all matches when those before them are hidden', async () => {
    const { stream, store, settle, answers, unanswered } = await startedStream(20);
    for (const id of store.keys()) store.set(id, { ...store.get(id)!, type: 'group' });
    stream.hide([20, 19]);
    unanswered.add('messages.counts');
    const pages = [
      { ids: [20, 19], rows: [store.get(20), store.get(19)], scannedTo: 19, more: true },
      { ids: [18], rows: [store.get(18)], scannedTo: 1, more: false },
    ];
    answers.set('messages.ids', () => pages.shift());
    stream.setQuery(queryOf({ key: 'type', values: ['group'] }));
    await settle();
    expect(pages).toEqual([]);
    expect(stream.snapshot().counts).toBeNull();
  });

  it('keeps a row that ceased to match until it is refreshed, and takes it back when it matches again', async () => {
    const { stream, add, batch, settle, shown } = await startedStream(9);
    stream.setQuery(failed);
    await settle();
    batch([add(6, { state: 'delivered' })]);
    expect(shown()).toEqual([9, 6, 3]);
    expect(stream.snapshot().unmatched).toBe(1);
    batch([add(6, { state: 'failed' })]);
    expect(stream.snapshot().unmatched).toBe(0);
    batch([add(9, { state: 'delivered' })]);
    stream.refresh();
    expect(shown()).toEqual([6, 3]);
  });

  it('asks the engine which new rows match a text', async () => {
    const { stream, add, batch, settle, shown } = await startedStream(9);
    stream.setQuery({ ...emptyQuery, text: '"Event 4"' });
    await settle();
    expect(shown()).toEqual([4]);
    batch([add(10, { name: 'Event 42' }), add(11, { name: 'Other' })]);
    await settle();
    expect(shown()).toEqual([10, 4]);
  });

  it('follows every key while the engine answers quickly, and shows only the last search', async () => {
    const { stream, settle, shown, advance, searches } = await startedStream(9);
    stream.setQuery({ ...emptyQuery, text: 'E' }, { typing: true });
    stream.setQuery({ ...emptyQuery, text: '"Event 4"' }, { typing: true });
    expect(searches()).toBe(2);
    advance(50);
    await settle();
    expect(shown()).toEqual([4]);
    stream.setQuery({ ...emptyQuery, text: '"Event 3"' }, { typing: true });
    await settle();
    expect(shown()).toEqual([3]);
  });

  it('waits until the typing rests after a slow answer, and no longer after a quick one', async () => {
    const { stream, settle, shown, advance, searches } = await startedStream(9);
    stream.setQuery({ ...emptyQuery, text: 'E' }, { typing: true });
    advance(51);
    await settle();
    stream.setQuery({ ...emptyQuery, text: '"Event' }, { typing: true });
    advance(79);
    stream.setQuery({ ...emptyQuery, text: '"Event 3"' }, { typing: true });
    advance(79);
    expect([searches(), stream.snapshot().starting]).toEqual([1, true]);
    advance(1);
    await settle();
    expect([searches(), shown(), stream.snapshot().starting]).toEqual([2, [3], false]);
    stream.setQuery({ ...emptyQuery, text: '"Event 4"' }, { typing: true });
    expect(searches()).toBe(3);
  });

  it('waits while a search has no answer, however fast the keys come', async () => {
    const { stream, advance, searches } = await startedStream(9);
    for (const text of ['E', 'Ev', 'Eve', 'Even', 'Event']) {
      stream.setQuery({ ...emptyQuery, text }, { typing: true });
      advance(25);
    }
    expect(searches()).toBe(3);
  });

  it('says that the filter keeps the open message out', async () => {
    const { stream, settle } = await startedStream(9);
    stream.setQuery(failed);
    await settle();
    expect(stream.snapshot().list.hiddenBy(8)).toBe('filter');
    expect(stream.snapshot().list.hiddenBy(9)).toBeNull();
    stream.setQuery(emptyQuery);
    expect(stream.snapshot().list.hiddenBy(8)).toBeNull();
  });

  it('does not bring back cleared rows', async () => {
    const { stream, settle, shown } = await startedStream(9);
    stream.clear();
    stream.setQuery(failed);
    await settle();
    expect(shown()).toEqual([]);
    stream.unclear();
    expect(shown()).toEqual([9, 6, 3]);
  });
});
