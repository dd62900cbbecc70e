import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { Term } from '../../../src/contract/filter.ts';
import { emptyQuery, queryOf } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { byName, click, settled, until } from '../base/harness.tsx';
import { engine, KEY, mixedCalls, open, text, track } from './world.tsx';

const TRACK = { key: 'type', values: ['track'] } as const;
const GONE = { key: 'event', values: ['Gone'] } as const;
const FAILED = { key: 'status', values: ['failed'] } as const;
const offers = () =>
  [...document.querySelectorAll('button')].filter((one) => / match(es)? without /.test(one.textContent!));

const filterBy = async (...terms: Term[]): Promise<void> => {
  act(() => liveStream.setQuery(queryOf(...terms)));
  await until(() => liveStream.snapshot().count === 0 && !liveStream.snapshot().scanning);
};

describe('a filter that nothing matches', () => {
  it('offers to remove the token without which the most messages match', async () => {
    await open();
    await filterBy(TRACK, FAILED, GONE);
    await until(() => offers().length > 0);
    expect(text()).toContain('No message matches.');
    expect(offers().map((one) => one.textContent)).toEqual(['10 match without event:Gone']);
    await click(offers()[0]!);
    await until(() => liveStream.snapshot().matching === 10);
    expect(liveStream.snapshot().query).toEqual(queryOf(TRACK, FAILED));
  });

  it('offers the best one of several, and follows what comes', async () => {
    await open();
    const identify = { key: 'type', values: ['identify'] } as const;
    const made = { key: 'event', values: ['Order Completed'] } as const;
    await filterBy(identify, made);
    // 30 track calls have this event, and 30 calls are identify calls: the first token wins.
    await until(() => offers().length > 0);
    expect(offers()[0]?.textContent).toBe('30 match without type:identify');
    await settled(engine.post('/v1/identify', { userId: 'ada', traits: {} }, KEY));
    await until(() => offers()[0]?.textContent === '31 match without event:"Order Completed"');
    await settled(engine.post('/v1/batch', { batch: [track('Order Completed'), track('Order Completed')] }, KEY));
    await until(() => offers()[0]?.textContent === '32 match without type:identify');
  });

  it('offers nothing for one token, and nothing when no single one is in the way', async () => {
    await open();
    await filterBy(GONE);
    expect(offers()).toEqual([]);
    await filterBy(GONE, { key: 'user', values: ['nobody'] });
    await until(() => engine.calls.filter(({ name }) => name === 'messages.counts').length >= 3);
    expect(offers()).toEqual([]);
  });

  it('says Searching instead when the first answer takes long', async () => {
    await open();
    await filterBy(GONE, TRACK);
    vi.useFakeTimers();
    engine.answer('messages.ids', () => new Promise(() => {}));
    act(() => liveStream.setQuery(queryOf(GONE, FAILED)));
    expect(text()).toContain('No message matches.');
    expect(offers()).toEqual([]);
    await act(async () => vi.advanceTimersByTime(300));
    vi.useRealTimers();
    expect(text()).not.toContain('No message matches.');
    expect(text()).toContain('Searching');
  });
});

describe('while messages are still counted', () => {
  const part = { counts: { failed: 3 }, scannedTo: 31, more: true, newest: 60, oldest: 1, total: 60 };

  it('every number says that it is one so far, and nothing says all', async () => {
    // More than the rows that come with the first ids, which would say how many there are.
    await open(mixedCalls(61));
    engine.answer('messages.counts', ({ before }: { before?: number }) =>
      before === undefined ? part : new Promise(() => {}),
    );
    act(() => liveStream.setQuery(queryOf({ key: 'text', values: ['usr'] })));
    await until(() => text().includes('3 of 60 so far, 50%'));
    const chips = [...document.querySelectorAll('[aria-label="Message state"] button')].map((one) => one.textContent);
    expect(chips.filter((words) => /^(All|Failed)/.test(words ?? ''))).toEqual(['All 3+', 'Failed 3+']);
  });

  it('the selection does not claim to be the whole list', async () => {
    await open();
    const [first, second] = [60, 59];
    engine.answer('messages.ids', ({ before }: { before?: number }) =>
      before === undefined ? { ids: [first, second], rows: [], scannedTo: 59, more: true } : new Promise(() => {}),
    );
    act(() => liveStream.setQuery(queryOf({ key: 'text', values: ['usr'] })));
    await until(() => liveStream.snapshot().count === 2);
    act(() => {
      liveStream.selection.toggle(first);
      liveStream.selection.toggle(second);
    });
    expect(byName('[role="checkbox"]', 'Select all messages of the list').getAttribute('aria-checked')).toBe('mixed');
    act(() => {
      liveStream.selection.clear();
      liveStream.setQuery(emptyQuery);
    });
  });
});
