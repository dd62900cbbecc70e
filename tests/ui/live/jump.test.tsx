import { act } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatIso } from '../../../src/renderer/lib/format.ts';
import { queryOf } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { getRow } from '../../../src/renderer/stores/records.ts';
import { byName, press, settle, type as typeText, until } from '../base/harness.tsx';
import { engine, KEY, mixedCalls, open, receive, text, track } from './world.tsx';

const START = Date.parse('2026-11-20T10:00:00Z');
const STEP = 1_000;

/** 30 calls at once, then one after each second: 6 of them, the even ones track calls. */
async function openList(): Promise<void> {
  await open([], { start: START });
  await act(async () => {
    await engine.post('/v1/batch', { batch: mixedCalls(30) }, KEY);
    for (let n = 0; n < 6; n += 1) {
      await engine.pass(STEP);
      const call = n % 2 === 0 ? track('Order Completed') : { userId: 'usr_1', traits: { status: 200 } };
      await engine.post(n % 2 === 0 ? '/v1/track' : '/v1/identify', call, KEY);
    }
  });
  await until(() => liveStream.snapshot().count === 36);
}

const dialog = (): HTMLElement | null => document.querySelector('[role="dialog"]');
const field = (): HTMLElement => byName('input', 'Time');
const focused = (): number => Number((document.activeElement as HTMLElement).dataset.id);
const at = (id: number): number => getRow(id)!.receivedAt;

/** A window of this width for `matchMedia`; gives a function that changes it. */
function fakeWidth(first: number): (width: number) => void {
  let width = first;
  const listeners = new Set<() => void>();
  vi.stubGlobal('matchMedia', (query: string) => ({
    get matches() {
      return width <= Number(/max-width: (\d+)px/.exec(query)?.[1] ?? 0);
    },
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }));
  onTestFinished(() => void vi.stubGlobal('matchMedia', undefined));
  return (next) => {
    width = next;
    for (const listener of listeners) listener();
  };
}

async function jump(time: string): Promise<void> {
  await press(document.body, 'T', { shiftKey: true });
  await until(() => dialog() !== null);
  await typeText(field(), time);
  await act(async () => field().closest('form')!.requestSubmit());
}
async function jumped(time: number): Promise<void> {
  await jump(formatIso(time));
  await until(() => dialog() === null && !Number.isNaN(focused()));
}

describe('a jump to a time', () => {
  it('keeps what was typed when the window becomes narrow and wide again', async () => {
    const resize = fakeWidth(1_440);
    await openList();
    await press(document.body, 'T', { shiftKey: true });
    await until(() => dialog() !== null);
    await typeText(field(), 'yesterday 9:0');
    const grid = byName('[role="grid"]', 'Messages');
    for (const width of [900, 1_440]) {
      await act(async () => resize(width));
      await settle();
      expect(byName('[role="grid"]', 'Messages')).toBe(grid);
      expect((field() as HTMLInputElement).value).toBe('yesterday 9:0');
    }
  });

  it('shows the row that was received nearest to it, and focuses it', async () => {
    await openList();
    await jumped(at(33) + 10);
    expect(focused()).toBe(33);
    expect(liveStream.snapshot().mode).toBe('reading');
    await jumped(at(34) - 10);
    expect(focused()).toBe(34);
  });

  it('finds the nearest row of a filter, in either direction', async () => {
    await openList();
    act(() => liveStream.setQuery(queryOf({ key: 'type', values: ['identify'] })));
    await until(() => liveStream.snapshot().matching === 18);
    // The call 33 is a track call; 32 and 34 match.
    expect([32, 33, 34].map((id) => getRow(id)?.type)).toEqual(['identify', 'track', 'identify']);
    const middle = (at(32) + at(34)) / 2;
    await jumped(Math.floor(middle) + 10);
    expect(focused()).toBe(34);
    await jumped(Math.floor(middle) - 10);
    expect(focused()).toBe(32);
  });

  it('goes to the end of the list and says so when there is nothing at that time', async () => {
    await openList();
    await jumped(START - STEP);
    expect(focused()).toBe(1);
    expect(text()).toContain('No message at that time or earlier');
    expect(text()).toContain('This is its oldest one.');
    await jumped(START + 500 * STEP);
    expect(focused()).toBe(36);
    expect(text()).toContain('No message at that time or later');
    expect(text()).toContain('This is its newest one.');
  });

  it('goes to the oldest row that Clear has left', async () => {
    await openList();
    act(() => liveStream.clear());
    await receive(track('After 0'), track('After 1'), track('After 2'));
    await until(() => liveStream.snapshot().count === 3);
    await jumped(at(33));
    expect(focused()).toBe(37);
    expect(text()).toContain('No message at that time or earlier');
  });

  it('says what it reads, and what it cannot read', async () => {
    await open();
    await jump('noonish');
    await settle();
    expect(dialog()?.textContent).toContain('"noonish" is not a time. Write 14:32, yesterday 9:00');
    await typeText(field(), '2026-01-31 14:32');
    expect(dialog()?.textContent).toContain('31 Jan 2026, 14:32:00.000');
    expect(dialog()?.textContent).not.toContain('is not a time');
  });

  it('moves nothing after it was cancelled', async () => {
    await openList();
    let answer = (_: unknown): void => {};
    engine.answer('messages.at', () => new Promise((done) => (answer = done)));
    await jump(formatIso(START));
    expect(dialog()?.textContent).toContain('Reading the list');
    await act(async () => byName('button', 'Cancel').click());
    await until(() => dialog() === null);
    answer({ rank: 0, row: getRow(1) ?? { id: 1, receivedAt: START } });
    await settle();
    // A jump would move in the next frame.
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await act(async () => void (await frame()));
    await act(async () => void (await frame()));
    expect(focused()).not.toBe(1);
    expect(liveStream.snapshot().mode).toBe('following');
  });
});
