/** Rows that come while they are far from the screen. */
import { describe, expect, it, vi } from 'vitest';
import { fakeMessage } from '../../../helpers/fake-values.ts';
import { setUpStream, startedStream } from '../../../helpers/stream-fixture.ts';

describe('the live stream', () => {
  it('draws nothing again when rows become known that are far from the screen', async () => {
    const { stream, shown, settle, asked } = setUpStream(2_000);
    const news = vi.fn();
    stream.subscribe(news);
    stream.connected(2_000, true);
    await settle();
    expect(asked.filter(({ name }) => name === 'messages.window')).toHaveLength(6);
    expect(shown()[500]).toBe(1_500);
    expect(news).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['begins 51 rows below the screen', 1_019, 2],
    ['begins 50 rows below it', 1_020, 3],
    ['ends 50 rows above it', 1_049, 3],
    ['ends 51 rows above it', 1_050, 2],
  ])('tells pages that may be drawn from far ones: one %s', async (_, from, drawn) => {
    const { stream, settle } = await startedStream(5_000);
    const news = vi.fn();
    stream.subscribe(news);
    stream.look({ from, to: from + 30, speed: 0 });
    await settle();
    expect(news).toHaveBeenCalledTimes(drawn);
  });

  it('draws the line of a day that ends far from the screen, because it moves what is below', async () => {
    const { stream, settle } = setUpStream(2_000, (at) => (at < fakeMessage(1_750).receivedAt ? 'before' : 'today'));
    const news = vi.fn();
    stream.subscribe(news);
    stream.connected(2_000, true);
    await settle();
    expect(news).toHaveBeenCalledTimes(2);
    expect(stream.snapshot().list.breaks()).toEqual([{ position: 251, day: 'before' }]);
  });

  it('takes an error back when far rows come', async () => {
    const { stream, settle, fail, advance } = await startedStream(5_000);
    fail(new Error('broken'));
    stream.look({ from: 300, to: 330, speed: 0 });
    await settle();
    expect(stream.snapshot().failure).toMatchObject({ code: 'internal' });
    fail(null);
    advance(1_000);
    await settle();
    expect(stream.snapshot().failure).toBeNull();
  });
});
