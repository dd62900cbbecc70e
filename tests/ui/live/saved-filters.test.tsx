import { act } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { REST_MS } from '../../../src/renderer/lib/deferred.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import { useSavedDialog } from '../../../src/renderer/screens/live/use-saved-filters.ts';
import { emptyQuery } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { byName, click, focus, press, settle, type as typeText, until } from '../base/harness.tsx';
import { engine, ids, open, pass, receive, search, text, track, typeFilter } from './world.tsx';

const input = (name: string) => document.querySelector<HTMLInputElement>(`input[aria-label="${name}"]`)!;
const chip = (name: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('[aria-label="Saved filters"] button')].find((button) =>
    button.textContent?.startsWith(name),
  );
const saved = () => useRecords.getState().savedFilters!.filters.map(({ name }) => name);
/** Px that the chips have; 720 again after the test. */
function rowWidth(px: number): void {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(px);
  onTestFinished(() => void vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(720));
}
/** Sets the filter, opens the dialog by Ctrl S and saves under a name. */
async function save(filter: string, name: string): Promise<void> {
  act(() => liveStream.setQuery(emptyQuery));
  await focus(search());
  await typeFilter(`${filter} `);
  await settle();
  await press(search(), 's', { ctrlKey: true });
  const field = document.querySelector<HTMLInputElement>('[role="dialog"] form input')!;
  // What is typed replaces the suggested name.
  expect([field.value, field.selectionStart, field.selectionEnd]).toEqual([filter, 0, filter.length]);
  await typeText(field, name);
  await click(byName('[role="dialog"] form button', /Save|Replace/));
  await pass(600);
  await settle();
}

afterEach(() => act(() => useSavedDialog.setState({ open: false })));

describe('saved filters', () => {
  it('are chips with their count among all messages; one replaces the filter and new messages count', async () => {
    await open();
    await save('type:identify', 'People');
    await save('status:failed', 'Failed ones');
    expect(saved()).toEqual(['People', 'Failed ones']);
    expect(document.querySelector('[role="dialog"]')).toBeNull();
    await until(() => chip('People')?.textContent === 'People 30');
    await click(chip('People')!);
    await settle();
    expect(liveStream.snapshot().query.terms).toEqual([{ key: 'type', values: ['identify'] }]);
    expect(chip('People')?.getAttribute('aria-pressed')).toBe('true');
    await receive({ type: 'identify', userId: 'b', traits: { status: 200 } }, track('Order Completed'));
    await until(() => chip('People')?.textContent === 'People 31');
  });

  it('are counted once the first rows are drawn and nothing was typed for half a second', async () => {
    const frames: FrameRequestCallback[] = [];
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) => frames.push(run));
    onTestFinished(() => void vi.mocked(window.requestAnimationFrame).mockRestore());
    const rests: Array<() => void> = [];
    const realTimer = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) =>
      ms === REST_MS ? rests.push(run) : realTimer(run, ms)) as typeof setTimeout);
    onTestFinished(() => void vi.mocked(globalThis.setTimeout).mockRestore());
    const isCounted = () => engine.calls.some(({ name }) => name === 'messages.counts');
    rowWidth(2_000);
    await open();
    await until(() => ids().length > 0);
    for (const run of frames.splice(0)) run(0);
    await pass(1_000);
    expect(isCounted()).toBe(false);
    expect(rests.length).toBeGreaterThan(0);
    for (const rest of rests.splice(0)) rest();
    await pass(1_000);
    expect(isCounted()).toBe(false);
    for (const run of frames.splice(0)) run(0);
    await until(isCounted);
    await until(() => /^Replays \d/.test(chip('Replays')?.textContent ?? ''));
  });

  it('count a replay, which moves no message from state to state', async () => {
    rowWidth(2_000);
    await open([track('One'), track('Two'), track('Three')]);
    await until(() => chip('Replays')?.textContent === 'Replays 0');
    const webhookIds = useRecords.getState().webhooks.map(({ id }) => id);
    void call('replay.bulk', { select: { ids: [1, 2] }, webhookIds });
    await until(() => chip('Replays')?.textContent === 'Replays 2');
  });

  it('that do not fit are in a menu of their own, beside that of the states', async () => {
    rowWidth(300);
    await open();
    const more = [...document.querySelectorAll('[role="group"] > button')]
      .map((button) => button.textContent)
      .filter((label) => label?.includes('more'));
    expect(more).toEqual([expect.stringMatching(/^\d more states$/), '4 more filters']);
    await click(byName('button', '4 more filters'));
    await until(() => document.querySelector('[role="menuitem"]')?.textContent?.endsWith('0') === true);
    expect(document.querySelector('[role="menu"]')?.firstElementChild?.textContent).toBe('Saved filters');
    expect([...document.querySelectorAll('[role="menuitem"]')].map((item) => item.textContent)).toEqual([
      '200 but dropped is:dropped0',
      'Replays is:replayed0',
      'Slow answers took:1s0',
      'Deletions type:delete0',
      'Edit saved filters',
    ]);
  });

  it('are applied by Shift and their number', async () => {
    await open();
    await save('type:identify', 'People');
    await save('status:failed', 'Failed ones');
    await act(async () => search().blur());
    await press(document.body, '!', { shiftKey: true, code: 'Digit1' });
    await settle();
    expect(liveStream.snapshot().query.terms).toEqual([{ key: 'type', values: ['identify'] }]);
    expect(ids()[0]).toBe(60);
    await press(document.body, '(', { shiftKey: true, code: 'Digit9' });
    expect(liveStream.snapshot().query.terms).toEqual([{ key: 'type', values: ['identify'] }]);
  });

  it('are renamed, moved and removed, and built-in ones hidden, in the dialog', async () => {
    await open();
    await save('type:identify', 'People');
    await save('status:failed', 'Failed ones');
    await press(document.body, 's', { ctrlKey: true });
    await click(byName('[role="dialog"] button', 'Move Failed ones up'));
    await settle();
    expect(saved()).toEqual(['Failed ones', 'People']);
    await typeText(input('Name of People'), 'Identifies');
    await press(input('Name of People'), 'Enter');
    await settle();
    expect(saved()).toEqual(['Failed ones', 'Identifies']);
    await click(byName('[role="dialog"] button', 'Remove Failed ones'));
    await click(byName('[role="dialog"] button', 'Hide Replays'));
    await settle();
    expect(useRecords.getState().savedFilters).toMatchObject({
      filters: [{ name: 'Identifies' }],
      hidden: ['replays'],
    });
    expect(text()).toContain('hidden');
  });

  it('are not saved without a filter, nor without a name', async () => {
    await open();
    await press(document.body, 's', { ctrlKey: true });
    expect(document.querySelector('[role="dialog"]')).toBeNull();
    await save('type:identify', ' ');
    expect(text()).toContain('Enter a name.');
    expect(saved()).toEqual([]);
  });
});
