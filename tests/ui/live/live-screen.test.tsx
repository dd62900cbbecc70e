import { type AddressInfo, createServer } from 'node:net';
import { act } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MESSAGE_TYPES } from '../../../src/contract/names.ts';
import { layoutOf } from '../../../src/renderer/screens/live/grid/columns.ts';
import { OPTIONAL_COLUMNS } from '../../../src/renderer/stores/live/preferences.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import { answer } from '../../helpers/sim-transport.ts';
import { byName, click, focus, press, settle, type as typeText, until } from '../base/harness.tsx';
import {
  engine,
  HOOK,
  ids,
  mixedCalls,
  open,
  openFresh,
  pass,
  receive,
  rows,
  search,
  sources,
  text,
  track,
  typeFilter,
} from './world.tsx';

describe('the live stream', () => {
  it('has twelve placeholders until its first answer, and says meanwhile of nothing that it is empty', async () => {
    let release = () => {};
    await open(mixedCalls(3), {}, (made) => {
      release = made.hold('messages.window');
    });
    expect(document.querySelector('[aria-busy="true"]')?.children).toHaveLength(12);
    expect(text()).not.toContain('No message');
    release();
    await until(() => document.querySelector('[aria-busy="true"]') === null);
    expect(rows()).toHaveLength(3);
  });

  it('has the columns of its width before its rows come, and keeps them', async () => {
    const sizes = ['clientWidth', 'offsetWidth'] as const;
    for (const size of sizes) vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(1_200);
    onTestFinished(() => {
      for (const size of sizes) vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(720);
    });
    let release = () => {};
    await open(mixedCalls(3), {}, (made) => {
      release = made.hold('messages.window');
    });
    const columns = () => byName('[role="group"]', 'Column widths').style.getPropertyValue('--cols');
    const before = columns();
    expect(before).toBe(layoutOf(1_200, []).template);
    expect(before).not.toBe(layoutOf(720, []).template);
    release();
    await until(() => rows().length === 3);
    expect(columns()).toBe(before);
  });

  it('draws neither rows nor menus nor the screen around them again for a key of the filter', async () => {
    const media = { matches: () => false };
    const list = { addEventListener: () => {}, removeEventListener: () => {} };
    const before = window.matchMedia;
    window.matchMedia = (() => Object.defineProperty({ ...list }, 'matches', { get: () => media.matches() })) as never;
    onTestFinished(() => {
      window.matchMedia = before;
    });
    await open();
    const release = engine.hold('messages.ids');
    onTestFinished(release);
    const drawn = {
      rows: vi.spyOn(liveStream.snapshot().list, 'idAt'),
      filterMenu: vi.spyOn(MESSAGE_TYPES, 'filter'),
      columnsMenu: vi.spyOn(OPTIONAL_COLUMNS, 'map'),
      screen: vi.spyOn(media, 'matches'),
    };
    onTestFinished(() => Object.values(drawn).forEach((spy) => void spy.mockRestore()));
    await typeText(search() as HTMLInputElement, 'or');
    await settle();
    expect(liveStream.snapshot().starting).toBe(true);
    for (const [part, spy] of Object.entries(drawn)) expect([part, spy.mock.calls.length]).toEqual([part, 0]);
    release();
    await until(() => !liveStream.snapshot().starting);
  });

  it('moves the scroller for another list only when it is not at its top, because the page is laid out for it', async () => {
    await open();
    const moved = vi.spyOn(Element.prototype, 'scrollTop', 'set');
    onTestFinished(() => moved.mockRestore());
    await typeFilter('type:identify ');
    await settle();
    expect(liveStream.snapshot().count).toBe(30);
    expect(moved).not.toHaveBeenCalled();
    const grid = byName('[role="grid"]', 'Messages');
    await act(async () => {
      grid.scrollTop = 150;
      grid.dispatchEvent(new Event('scroll'));
    });
    moved.mockClear();
    await typeFilter('user:usr ');
    await settle();
    expect(moved).toHaveBeenCalledWith(0);
    expect(grid.scrollTop).toBe(0);
  });

  it('is a grid of rows, newest first, each with a sentence of its own', async () => {
    await open();
    const grid = byName('[role="grid"]', 'Messages');
    expect(grid.getAttribute('aria-rowcount')).toBe('60');
    expect(ids().slice(0, 3)).toEqual([60, 59, 58]);
    expect(rows()[0]?.getAttribute('aria-label')).toMatch(/^\d\d:\d\d:\d\d\.\d{3}, \w+, .+\.$/);
    expect(rows().filter((row) => row.tabIndex === 0)).toHaveLength(1);
  });

  it('shows a row as soon as it arrives, and changes in place', async () => {
    await open();
    engine.transport.on(HOOK, () => answer(410, 1_000));
    await receive(track('Just In'));
    expect(rows()[0]?.textContent).toContain('Just In');
    expect(rows()[0]?.textContent).toContain('Delivering');
    await pass(1_000);
    await settle();
    expect(rows()[0]?.textContent).toContain('Failed');
    expect(ids()[0]).toBe(61);
  });

  it('holds rows while paused, says how many, and shows them on Resume', async () => {
    await open();
    await click(byName('button', 'Pause Space'));
    await receive(...mixedCalls(3));
    expect(ids()[0]).toBe(60);
    await click(byName('button', /^Paused .* 3 new\. Resume$/));
    expect(ids()[0]).toBe(63);
  });

  it('selects by a click and takes the selection along with J', async () => {
    await open();
    await click(rows()[2]!);
    expect(useRouteStore.getState().route).toMatchObject({ messageId: 58 });
    expect(rows()[2]?.getAttribute('aria-current')).toBe('true');
    await press(document.body, 'j');
    expect(useRouteStore.getState().route).toMatchObject({ messageId: 57 });
    expect(document.activeElement).toBe(rows()[3]);
  });

  it('shows the marks of the open message in colour, and those of other delivered ones quietly', async () => {
    await open([track('Order Completed'), track('Signed Up')]);
    const isQuiet = () => rows().map((row) => row.querySelector('[class*="quiet"][role="img"]') !== null);
    expect(isQuiet()).toEqual([true, true]);
    await click(rows()[1]!);
    expect(isQuiet()).toEqual([true, false]);
  });

  it('opens the focused row in Replay by R, a rejected one too', async () => {
    await open([track('Signed Up', 200), { type: 'track', event: 'Of nobody' }]);
    await press(document.body, 'j');
    expect((document.activeElement as HTMLElement).textContent).toContain('Rejected');
    await press(document.activeElement as HTMLElement, 'r');
    expect(useRouteStore.getState().route).toEqual({ screen: 'replay', messageId: 2 });
  });

  it('goes to the oldest row by End, once it was fetched', async () => {
    await open(mixedCalls(3_000), { config: { sources } });
    await press(document.body, 'j');
    await press(document.activeElement as HTMLElement, 'End');
    await settle(200);
    expect((document.activeElement as HTMLElement).dataset.id).toBe('1');
    await act(async () => liveStream.showNewest());
    await settle();
    await press(document.body, 'End');
    await settle(200);
    expect((document.activeElement as HTMLElement).dataset.id).toBe('1');
  });

  it('takes Shift and click for the row, not for the text between two rows', async () => {
    await open();
    const down = new MouseEvent('mousedown', { bubbles: true, cancelable: true, shiftKey: true });
    rows()[3]?.dispatchEvent(down);
    expect(down.defaultPrevented).toBe(true);
    const plain = new MouseEvent('mousedown', { bubbles: true, cancelable: true });
    rows()[3]?.dispatchEvent(plain);
    expect(plain.defaultPrevented).toBe(false);
  });

  it('takes tokens out of what is typed, and gives them back by Backspace', async () => {
    await open();
    await typeFilter('type:track status:failed ');
    await settle();
    expect(rows()).toHaveLength(10);
    expect(document.querySelectorAll('[data-region="filter"] [aria-label^="Remove "]')).toHaveLength(2);
    expect(rows().every((row) => row.textContent?.includes('Failed') && row.textContent.includes('track'))).toBe(true);
    await press(search(), 'Backspace');
    expect(document.querySelectorAll('[data-region="filter"] [aria-label^="Remove "]')).toHaveLength(1);
  });

  it('keeps a row that no longer matches, dimmed, until Refresh', async () => {
    await open([...mixedCalls(60), track('Recovers', 503)]);
    await typeFilter('status:retrying ');
    await settle();
    const first = ids()[0]!;
    engine.transport.on(HOOK, ({ body }) => answer(Buffer.from(body).includes('Recovers') ? 200 : 503));
    await pass(15_000);
    await settle();
    expect(rows()[0]?.className).toContain('dim');
    await click(byName('button', '1 row no longer matches. Refresh'));
    expect(ids()).not.toContain(first);
  });

  it('says when nothing matches and clears the filter', async () => {
    await open();
    await typeFilter('user:nobody-of-this-name ');
    await settle();
    expect(text()).toContain('No message matches.');
    await click(byName('button:not([aria-label])', 'Clear filter'));
    expect(ids()[0]).toBe(60);
  });

  it('filters by a token that nothing ended yet, and counts what matches', async () => {
    await open();
    await typeFilter('user:nobody-of-this-name');
    await settle();
    expect(text()).toContain('No message matches.');
    expect(document.querySelector('[data-region="filter"] [role="status"]')?.textContent).toBe('0 of 60');
    await typeFilter('type:track ');
    await settle();
    const count = Number(document.querySelector('[data-region="filter"] [role="status"] b')?.textContent);
    expect(count).toBe(Number(byName('[role="grid"]', 'Messages').getAttribute('aria-rowcount')));
  });

  it('names a filter that there is not, and leaves the list as it was', async () => {
    await open();
    await typeText(search(), 'hok:3 ');
    await press(search(), 'Enter');
    expect(text()).toContain('There is no filter hok:. Did you mean hook:?');
    expect(search().getAttribute('aria-invalid')).toBe('true');
    expect(ids()[0]).toBe(60);
    await press(search(), 'Escape');
    expect(text()).not.toContain('There is no filter');
    expect(search().getAttribute('aria-invalid')).toBeNull();
  });

  const chips = () => [...document.querySelectorAll<HTMLElement>('[aria-label="Message state"] button')];
  const lit = () => chips().filter((chip) => chip.getAttribute('aria-pressed') === 'true');
  const numberOf = (chip: HTMLElement) => Number(chip.querySelector('i')?.textContent?.replaceAll(',', '') ?? 0);

  it.each(['', 'type:track '])(
    'has chips that add up to All, and lights the true one (filter "%s")',
    async (filter) => {
      // Wide enough for every chip.
      vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(2_000);
      onTestFinished(() => void vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(720));
      await open([...mixedCalls(60), { type: 'track', event: 'Of nobody' }]);
      if (filter !== '') await typeFilter(filter);
      await settle();
      const [all, ...states] = chips();
      expect(numberOf(all!)).toBeGreaterThan(0);
      expect(states.reduce((sum, chip) => sum + numberOf(chip), 0)).toBe(numberOf(all!));
      expect(lit()).toEqual([all]);
      await click(byName('[aria-label="Message state"] button', /^Delivered/));
      expect(lit().map((chip) => chip.textContent)).toEqual([expect.stringMatching(/^Delivered/)]);
      expect(document.querySelector('[data-region="filter"] [role="status"] b')?.textContent).toBe(
        String(numberOf(lit()[0]!)),
      );
    },
  );

  it('keeps the focus in the filter or in a dialog while the window gets narrow', async () => {
    const listeners = new Set<() => void>();
    let isNarrow = false;
    const media = {
      get matches() {
        return isNarrow;
      },
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    };
    vi.stubGlobal('matchMedia', () => media);
    onTestFinished(() => void vi.stubGlobal('matchMedia', undefined));
    const setNarrow = (to: boolean) =>
      act(async () => {
        isNarrow = to;
        for (const listener of listeners) listener();
      });
    await open();
    const field = search();
    await focus(field);
    await setNarrow(true);
    expect(document.activeElement).toBe(field);
    await setNarrow(false);
    await click(rows()[0]!);
    await press(document.body, 'T', { shiftKey: true });
    await until(() => document.activeElement?.closest('[role="dialog"]') != null);
    await setNarrow(true);
    expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull();
  });

  it('clears the view and says that nothing was deleted; Undo brings it back', async () => {
    await open();
    await click(byName('button', 'Clear'));
    expect(text()).toContain('60 messages hidden');
    expect(text()).toContain('The list was cleared.');
    await click(byName('button', 'Undo'));
    expect(ids()).toContain(60);
  });

  it('tells that the open message is filtered out, and keeps it open', async () => {
    await open();
    const delivered = rows().find((row) => row.textContent?.includes('Delivered'))!;
    const messageId = Number(delivered.dataset.id);
    await click(delivered);
    await typeFilter('status:failed ');
    await settle();
    expect(text()).toContain('The filter keeps this message out of the list.');
    expect(useRouteStore.getState().route).toMatchObject({ messageId });
  });
});

describe('the first run', () => {
  it('counts requests and rejects, and gives way to the first message', async () => {
    await openFresh();
    expect(text()).toContain('See it work, or send your own');
    expect(text()).toContain('0 requests, 0 rejected');
    await receive(track('Signed Up'));
    expect(text()).not.toContain('See it work, or send your own');
    expect(rows()[0]?.textContent).toContain('Signed Up');
    expect(text()).toMatch(/First event received after/);
  });

  it('calls a rejected call rejected, and offers a webhook with the first good event', async () => {
    await openFresh();
    await act(async () => void (await engine.post('/v1/track', track('Signed Up'), 'YOUR_WRITE_KEY')));
    await settle();
    expect(text()).toContain('The first call was rejected.');
    expect(text()).toContain('YOUR_WRITE_KEY stands for a write key in an example.');
    expect(text()).not.toMatch(/First event received/);
    await receive(track('Signed Up'));
    expect(text()).toMatch(/First event received after/);
    expect(text()).toContain('No webhook is set up, so nothing is sent.');
    await click(byName('button', 'Add a webhook'));
    expect(useRouteStore.getState().route).toEqual({ screen: 'webhooks', slot: null });
  });

  it('does not lead away from a message that the person asked for before it came', async () => {
    await openFresh();
    const asked = { screen: 'live', messageId: 1, tab: 'payload', full: false } as const;
    await act(async () => navigate(asked));
    await receive(track('Signed Up'));
    expect(text()).toMatch(/First event received after/);
    expect(useRouteStore.getState().route).toEqual(asked);
  });

  it('says so when nothing can arrive', async () => {
    const holder = createServer();
    onTestFinished(() => void holder.close());
    await new Promise<void>((listening) => holder.listen(0, '127.0.0.1', listening));
    await openFresh({ ingestPort: (holder.address() as AddressInfo).port });
    expect(text()).toContain('Not listening, so nothing can arrive');
    expect(byName('button', 'Send a sample event').hasAttribute('disabled')).toBe(true);
  });
});
