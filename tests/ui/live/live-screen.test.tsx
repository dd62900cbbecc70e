import { act } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import LiveScreen from '../../../src/renderer/screens/live/live-screen.tsx';
import { emptyQuery } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { HOME, navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import type { FakeEngine, FakeOptions } from '../../helpers/fake-engine.ts';
import {
  byName,
  click,
  connectFake,
  disconnectFake,
  press,
  type Rendered,
  render,
  settle,
  type as typeText,
} from '../base/harness.tsx';

// jsdom has no layout: the list gets a size here, and 20 rows of 30 px fit in it.
beforeAll(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(720);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(720);
});

let engine: FakeEngine;
let shown: Rendered | undefined;
async function open(options: FakeOptions = {}): Promise<void> {
  engine = await connectFake({ rows: 60, ...options });
  shown = await render(
    <>
      <LiveScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
beforeEach(() => navigate(HOME));
afterEach(() => {
  act(() => {
    liveStream.setQuery(emptyQuery);
    liveStream.unclear();
    liveStream.resume();
    liveStream.showNewest();
  });
  shown?.unmount();
  shown = undefined;
  disconnectFake();
});

const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[role="row"][data-id]')].sort((a, b) => index(a) - index(b));
const index = (row: HTMLElement) => Number(row.getAttribute('aria-rowindex'));
const ids = () => rows().map((row) => Number(row.dataset.id));
const text = () => document.body.textContent ?? '';
const search = () => document.querySelector<HTMLElement>('[role="searchbox"]')!;
const push = async (work: () => void) => {
  await act(async () => work());
  await settle();
};

describe('the live stream', () => {
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
    await push(() => engine.receive(1, { name: 'Just In' }));
    expect(rows()[0]?.textContent).toContain('Just In');
    await push(() => engine.update(61, { state: 'failed', cells: 'ddddd' }));
    expect(rows()[0]?.textContent).toContain('Failed');
  });

  it('holds rows while paused, says how many, and shows them on Resume', async () => {
    await open();
    await click(byName('button', 'Pause Space'));
    await push(() => engine.receive(3));
    expect(ids()[0]).toBe(60);
    await click(byName('button', /^Paused .* 3 new\. Resume$/));
    expect(ids()[0]).toBe(63);
  });

  it('selects by a click and takes the selection along with J', async () => {
    await open();
    await click(rows()[2]!);
    expect(useRouteStore.getState().route).toMatchObject({ messageId: 58 });
    expect(rows()[2]?.getAttribute('aria-selected')).toBe('true');
    await press(document.body, 'j');
    expect(useRouteStore.getState().route).toMatchObject({ messageId: 57 });
    expect(document.activeElement).toBe(rows()[3]);
  });

  it('opens the focused row in Replay by R, and says why where there is nothing to resend', async () => {
    await open();
    await press(document.body, 'j');
    const focused = Number((document.activeElement as HTMLElement).dataset.id);
    await push(() => engine.update(focused, { state: 'rejected', reason: 'no_user_anon_id' }));
    await press(document.activeElement as HTMLElement, 'r');
    expect(text()).toContain('There is nothing to resend.');
    expect(useRouteStore.getState().route.screen).toBe('live');
    await push(() => engine.update(focused, { state: 'delivered', reason: null }));
    await press(document.activeElement as HTMLElement, 'r');
    expect(useRouteStore.getState().route).toEqual({ screen: 'replay', messageId: focused });
  });

  it('goes to the oldest row by End, once it was fetched', async () => {
    await open({ rows: 3_000 });
    await press(document.body, 'j');
    await press(document.activeElement as HTMLElement, 'End');
    await settle(200);
    expect((document.activeElement as HTMLElement).dataset.id).toBe('1');
    await push(() => liveStream.showNewest());
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
    await act(async () =>
      rows()[3]?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true, detail: 1 })),
    );
    expect(useRouteStore.getState().route).toMatchObject({ messageId: 57 });
  });

  it('takes tokens out of what is typed, and gives them back by Backspace', async () => {
    await open();
    await typeText(search(), 'type:track status:failed ');
    await settle();
    expect(document.querySelectorAll('[data-region="filter"] [aria-label^="Remove "]')).toHaveLength(2);
    expect(rows().every((row) => row.textContent?.includes('Failed') && row.textContent.includes('track'))).toBe(true);
    await press(search(), 'Backspace');
    expect(document.querySelectorAll('[data-region="filter"] [aria-label^="Remove "]')).toHaveLength(1);
  });

  it('keeps a row that no longer matches, dimmed, until Refresh', async () => {
    await open();
    await typeText(search(), 'status:retrying ');
    await settle();
    const first = ids()[0]!;
    await push(() => engine.update(first, { state: 'delivered' }));
    expect(rows()[0]?.className).toContain('dim');
    await click(byName('button', '1 row no longer matches. Refresh'));
    expect(ids()).not.toContain(first);
  });

  it('says when nothing matches and clears the filter', async () => {
    await open();
    await typeText(search(), 'user:nobody-of-this-name ');
    await settle();
    expect(text()).toContain('No message matches.');
    await click(byName('button:not([aria-label])', 'Clear filter'));
    expect(ids()[0]).toBe(60);
  });

  it('filters by a token that nothing ended yet, and counts what matches', async () => {
    await open();
    vi.useFakeTimers();
    await typeText(search(), 'user:nobody-of-this-name');
    await act(async () => vi.advanceTimersByTime(80));
    vi.useRealTimers();
    await settle();
    expect(text()).toContain('No message matches.');
    expect(document.querySelector('[data-region="filter"] [role="status"]')?.textContent).toBe('0 of 60');
    await typeText(search(), 'type:track ');
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
      await open();
      if (filter !== '') await typeText(search(), filter);
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
      await click(byName('[aria-label="Message state"] button', '200 but dropped'));
      expect(lit().map((chip) => chip.textContent)).toEqual(['200 but dropped']);
    },
  );

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
    await click(delivered);
    await typeText(search(), 'status:failed ');
    await settle();
    expect(text()).toContain('The filter keeps this message out of the list.');
    expect(useRouteStore.getState().route).toMatchObject({ messageId: Number(delivered.dataset.id) });
  });
});

describe('the first run', () => {
  it('counts requests and rejects, and gives way to the first message', async () => {
    await open({ fresh: true });
    expect(text()).toContain('Send your first event');
    expect(text()).toContain('0 requests seen since start');
    await push(() => engine.receive(1, { name: 'Signed Up' }));
    expect(text()).not.toContain('Send your first event');
    expect(rows()[0]?.textContent).toContain('Signed Up');
    expect(text()).toMatch(/First event received after/);
  });

  it('calls a rejected call rejected, and offers a webhook with the first good event', async () => {
    await open({ fresh: true });
    await push(() =>
      engine.receive(1, { state: 'rejected', reason: 'unknown_source', reasonDetail: 'YOUR_WRITE_KEY' }),
    );
    expect(text()).toContain('The first call was rejected.');
    expect(text()).toContain('YOUR_WRITE_KEY stands for a write key in an example.');
    expect(text()).not.toMatch(/First event received/);
    await push(() => engine.receive(1, { state: 'not_selected', reason: 'no_webhook' }));
    expect(text()).toMatch(/First event received after/);
    expect(text()).toContain('No webhook is set up, so nothing is sent.');
    await click(byName('button', 'Add a webhook'));
    expect(useRouteStore.getState().route).toEqual({ screen: 'webhooks', slot: null });
  });

  it('does not lead away from a message that the person asked for before it came', async () => {
    await open({ fresh: true });
    const asked = { screen: 'live', messageId: 1, tab: 'payload', full: false } as const;
    await act(async () => navigate(asked));
    await push(() => engine.receive(1, { name: 'Signed Up' }));
    expect(text()).toMatch(/First event received after/);
    expect(useRouteStore.getState().route).toEqual(asked);
  });

  it('says so when nothing can arrive', async () => {
    await open({ fresh: true, listener: { state: 'port_in_use', holder: 'node (process 1)' } });
    expect(text()).toContain('Not listening, so nothing can arrive');
    expect(byName('button', 'Send a sample event').hasAttribute('disabled')).toBe(true);
  });
});
