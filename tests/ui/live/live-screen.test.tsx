import { act } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import LiveScreen from '../../../src/renderer/screens/live/live-screen.tsx';
import { emptyQuery } from '../../../src/renderer/stores/live-filter.ts';
import { liveStream } from '../../../src/renderer/stores/live-store.ts';
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

  it('takes tokens out of what is typed, and gives them back by Backspace', async () => {
    await open();
    await typeText(search(), 'type:track status:failed ');
    await settle();
    expect(document.querySelectorAll('.lv-tok')).toHaveLength(2);
    expect(rows().every((row) => row.textContent?.includes('Failed') && row.textContent.includes('track'))).toBe(true);
    await press(search(), 'Backspace');
    expect(document.querySelectorAll('.lv-tok')).toHaveLength(1);
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
    await click(byName('.empty button', 'Clear filter'));
    expect(ids()[0]).toBe(60);
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

  it('says so when nothing can arrive', async () => {
    await open({ fresh: true, listener: { state: 'port_in_use', holder: 'node (process 1)' } });
    expect(text()).toContain('Not listening, so nothing can arrive');
    expect(byName('button', 'Send a sample event').hasAttribute('disabled')).toBe(true);
  });
});
