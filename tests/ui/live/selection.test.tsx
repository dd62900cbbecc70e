import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { emptyQuery } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRouteStore } from '../../../src/renderer/stores/route.ts';
import { byName, click, press, settle } from '../base/harness.tsx';
import { engine, ids, mixedCalls, open, rows, search, sources, text, track, typeFilter } from './world.tsx';

const selected = () =>
  rows()
    .filter((row) => row.getAttribute('aria-selected') === 'true')
    .map((row) => Number(row.dataset.id));
const clickWith = async (target: Element, more: MouseEventInit = {}) => {
  await act(async () => {
    target.closest<HTMLElement>('[role="row"]')?.focus();
    target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1, ...more }));
  });
  await settle();
};
const focused = () => document.activeElement as HTMLElement;
const checkbox = (row: HTMLElement) => row.querySelector('[data-checkbox] svg')!;
const bar = () => document.querySelector<HTMLElement>('[aria-label="Selected messages"]');
const openId = () => (useRouteStore.getState().route as { messageId: number | null }).messageId;

describe('the menu of a row', () => {
  const openMenu = async (row: HTMLElement) => {
    await act(async () => {
      row.focus();
      row.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
    });
    await settle();
  };
  const menuItem = (name: string) => byName('[role="menuitem"]', new RegExp(`^${name}`));

  it('acts on its row, holds new rows while it is open, and gives the focus back', async () => {
    await open();
    await openMenu(rows()[3]!);
    expect(liveStream.snapshot().mode).toBe('reading');
    await click(menuItem('Select'));
    expect(selected()).toEqual([57]);
    expect(document.querySelector('[role="menu"]')).toBeNull();
    expect(focused().dataset.id).toBe('57');
    await openMenu(rows()[3]!);
    await click(menuItem('Deselect'));
    expect(selected()).toEqual([]);
    await openMenu(rows()[2]!);
    await click(menuItem('Only this event'));
    await openMenu(rows()[2]!);
    await click(menuItem('Only this user'));
    expect(liveStream.snapshot().read.terms).toEqual([
      { key: 'event', values: ['status'] },
      { key: 'user', values: [{ id: 'usr_8f21' }] },
    ]);
    await act(async () => liveStream.setQuery(emptyQuery));
    await settle();
    await openMenu(rows()[5]!);
    await click(menuItem('Open in Replay'));
    expect(useRouteStore.getState().route).toEqual({ screen: 'replay', messageId: 55 });
  });

  it('leaves selected text to the menu of the browser', async () => {
    await open();
    const range = document.createRange();
    range.selectNodeContents(rows()[3]!.lastElementChild!);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    const asked = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
    await act(async () => void rows()[3]!.dispatchEvent(asked));
    document.getSelection()?.removeAllRanges();
    expect(asked.defaultPrevented).toBe(false);
    expect(document.querySelector('[role="menu"]')).toBeNull();
  });
});

describe('selecting', () => {
  it('selects by the checkbox and by Ctrl and a click, and opens by a plain click only', async () => {
    await open();
    expect(bar()).toBeNull();
    await clickWith(checkbox(rows()[1]!));
    await clickWith(rows()[3]!, { ctrlKey: true });
    await clickWith(rows()[4]!, { metaKey: true });
    expect(selected()).toEqual([59, 57, 56]);
    expect(openId()).toBeNull();
    expect(bar()?.textContent).toContain('3 selected');
    await clickWith(checkbox(rows()[1]!));
    expect(selected()).toEqual([57, 56]);
    await clickWith(rows()[0]!);
    expect(openId()).toBe(60);
    expect(selected()).toEqual([57, 56]);
    expect(rows()[0]?.getAttribute('aria-current')).toBe('true');
  });

  it('extends by Shift from where it was last, and a further one replaces the range', async () => {
    await open();
    await clickWith(rows()[8]!, { ctrlKey: true });
    await clickWith(rows()[2]!, { ctrlKey: true });
    await clickWith(rows()[5]!, { shiftKey: true });
    expect(selected()).toEqual([58, 57, 56, 55, 52]);
    await clickWith(rows()[3]!, { shiftKey: true });
    expect(selected()).toEqual([58, 57, 52]);
    await clickWith(rows()[0]!, { shiftKey: true });
    expect(selected()).toEqual([60, 59, 58, 52]);
    expect(openId()).toBeNull();
  });

  it('works by keys alone: X, Shift and arrows, Escape', async () => {
    await open();
    await press(document.body, 'j');
    await press(focused(), 'x');
    expect(selected()).toEqual([60]);
    await press(focused(), 'ArrowDown');
    await press(focused(), 'ArrowDown', { shiftKey: true });
    await press(focused(), 'ArrowDown', { shiftKey: true });
    expect(selected()).toEqual([60, 59, 58, 57]);
    await press(focused(), 'ArrowUp', { shiftKey: true });
    expect(selected()).toEqual([60, 59, 58]);
    expect(focused().dataset.id).toBe('58');
    await press(focused(), 'Escape');
    expect(selected()).toEqual([]);
    expect(bar()).toBeNull();
    expect(focused().dataset.id).toBe('58');
  });

  it('clears the selection before the detail closes', async () => {
    await open();
    await click(rows()[2]!);
    await clickWith(rows()[4]!, { ctrlKey: true });
    await press(focused(), 'Escape');
    expect(selected()).toEqual([]);
    expect(openId()).toBe(58);
    await press(focused(), 'Escape');
    expect(openId()).toBeNull();
  });

  it('extends to the oldest of rows that the list never read', async () => {
    await open(mixedCalls(3_000), { config: { sources } });
    await clickWith(rows()[1]!, { ctrlKey: true });
    await press(focused(), 'End', { shiftKey: true });
    await settle(200);
    expect(focused().dataset.id).toBe('1');
    expect(liveStream.selection.snapshot()).toMatchObject({ count: 2_999, reading: false });
    expect(bar()?.textContent).toContain('2,999 selected');
    expect(liveStream.selection.snapshot().has(3_000)).toBe(false);
  });

  it('takes all matches of the filter by Ctrl A, and counts those that leave it', async () => {
    await open();
    await typeFilter('type:track ');
    await settle();
    await press(rows()[0]!, 'a', { ctrlKey: true });
    expect(bar()?.textContent).toContain('30 selected');
    expect(bar()?.textContent).not.toContain('Select all');
    await typeFilter('status:failed ');
    await settle();
    expect(selected()).toEqual(ids());
    expect(bar()?.textContent).toContain('30 selected, 20 not in this filter');
    await press(search(), 'Escape');
    await settle();
    expect(bar()?.textContent).toMatch(/30 selected(?!,)/);
    await click(byName('button', 'Select all 60'));
    expect(bar()?.textContent).toContain('60 selected');
  });

  it('leaves Ctrl A to a field', async () => {
    await open();
    await press(search(), 'a', { ctrlKey: true });
    expect(bar()).toBeNull();
  });

  it('keeps new rows out, and forgets messages that are removed', async () => {
    await open();
    await clickWith(rows()[0]!, { ctrlKey: true });
    await press(rows()[0]!, 'a', { ctrlKey: true });
    await act(async () => void (await engine.post('/v1/batch', { batch: [track('Later')] }, 'wk_live')));
    await settle();
    expect(bar()?.textContent).toContain('60 selected');
    expect(liveStream.selection.snapshot().has(61)).toBe(false);
    await click(byName('button', '1 new message'));
    await click(byName('button', 'Select all 61'));
    await act(async () => liveStream.batch({ seq: 0, reset: false, messages: [], removedMessages: [7, 8], parts: {} }));
    expect(bar()?.textContent).toContain('59 selected');
  });

  it('says what is selected, for screen readers too', async () => {
    await open([track('One'), track('Two'), track('Three', 503)]);
    await clickWith(rows()[1]!, { ctrlKey: true });
    await clickWith(rows()[2]!, { ctrlKey: true });
    expect(bar()?.textContent).toMatch(/2 selectedall delivered, \d+ B/);
    await clickWith(rows()[0]!, { ctrlKey: true });
    expect(bar()?.textContent).toMatch(/3 selected2 delivered, 1 retrying, \d+ B/);
    const told = [...document.querySelectorAll('[role="status"]')].map((one) => one.textContent);
    expect(told).toContain('3 selected');
    expect(byName('[role="grid"]', 'Messages').getAttribute('aria-multiselectable')).toBe('true');
  });

  it('hides messages from the list, with a filter too, and Undo shows them again', async () => {
    await open();
    for (const at of [1, 2]) await clickWith(rows()[at]!, { ctrlKey: true });
    await click(byName('button', 'Hide from list'));
    expect(ids().slice(0, 3)).toEqual([60, 57, 56]);
    expect(bar()).toBeNull();
    expect(byName('[role="grid"]', 'Messages').getAttribute('aria-rowcount')).toBe('58');
    await typeFilter('type:track ');
    await settle();
    expect(ids()[0]).toBe(57);
    await press(rows()[0]!, 'a', { ctrlKey: true });
    expect(bar()?.textContent).toContain('29 selected');
    await click(byName('button', 'Undo'));
    expect(ids()[0]).toBe(59);
    await press(search(), 'Escape');
    await settle();
    expect(ids().slice(0, 4)).toEqual([60, 59, 58, 57]);
  });

  it('offers what was hidden once Undo is gone, and says where an open one is', async () => {
    await open([track('One'), track('Two')]);
    await click(rows()[0]!);
    await act(async () => void liveStream.hide([1, 2]));
    await settle();
    expect(text()).toContain('This message is hidden from the list.');
    expect(text()).toContain('You have hidden every message of this list.');
    await click(byName('button', 'Show 2 messages'));
    expect(ids()).toEqual([2, 1]);
  });

  it('exports what is selected', async () => {
    await open([track('One'), track('Two')]);
    for (const row of rows()) await clickWith(row, { ctrlKey: true });
    await click(byName('button', 'Export'));
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('2 selected messages');
  });

  it('asks before all are replayed, by the button and by R', async () => {
    await open();
    await clickWith(rows()[0]!, { ctrlKey: true });
    await clickWith(rows()[1]!, { ctrlKey: true });
    await click(byName('button', 'Replay 2… R'));
    expect(text()).toContain('Replay 2 messages to 1 webhook?');
    await click(byName('[role="dialog"] button', 'Cancel'));
    await press(rows()[0]!, 'r');
    expect(useRouteStore.getState().route.screen).toBe('live');
    await click(byName('[role="dialog"] button', 'Replay'));
    const job = engine.calls.find(({ name }) => name === 'replay.bulk');
    expect(job?.input).toMatchObject({ select: { ids: [59, 60] } });
  });

  it('copies the curl commands of all, oldest first', async () => {
    const copied = vi.fn(async (_: string) => {});
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText: copied } } }));
    try {
      await open([track('One'), track('Two'), { type: 'track', event: 'Of nobody' }]);
      for (const row of rows()) await clickWith(row, { ctrlKey: true });
      await click(byName('button', 'Copy as curl'));
      await settle(50);
      const commands = copied.mock.calls[0]?.[0].split('\n\n') ?? [];
      expect(commands).toHaveLength(3);
      expect(commands[0]).toContain('"event":"One"');
      expect(commands[1]).toContain('http://crm.test/hook');
      expect(commands[2]).toContain('/v1/track');
      expect(text()).toContain('3 curl commands copied');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
