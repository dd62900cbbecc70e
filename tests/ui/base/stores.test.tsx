import { act } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import type { LiveParts } from '../../../src/contract/live.ts';
import { SCREENS } from '../../../src/renderer/app.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import { takeToken, watchToken } from '../../../src/renderer/platform/token.ts';
import { feed } from '../../../src/renderer/stores/feed.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import {
  cacheRows,
  clearRecords,
  getRow,
  MAX_CACHED_ROWS,
  useRecords,
  useRow,
} from '../../../src/renderer/stores/records.ts';
import {
  formatRoute,
  lastRoute,
  navigate,
  parseRoute,
  useRouteStore,
  watchRoute,
} from '../../../src/renderer/stores/route.ts';
import { useNow } from '../../../src/renderer/stores/ticker.ts';
import { resolveTheme, setTheme, useView, watchTheme } from '../../../src/renderer/stores/view.ts';
import { makeRow } from '../../helpers/fake-data.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { connectEngine, disconnect, render, settle, settled } from './harness.tsx';

const rowOf = (id: number) => makeRow(id, { hostile: false, now: 0, total: 1 });

describe('records', () => {
  afterEach(disconnect);

  const KEY = 'wk_dev_7f3a9c';
  const config: Config = {
    sources: [{ name: 'web', writeKey: KEY, kind: 'web', enabled: true, webhooks: true }],
    webhooks: {
      paused: true,
      entries: [{ name: 'CRM sync', url: 'http://crm.test/hook', headers: {}, enabled: true }],
    },
  };
  const signUps = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'track', userId: 'u', event: 'Signed Up' }));
  const receive = (engine: SimEngine, count: number) =>
    act(async () => void (await engine.post('/v1/batch', { batch: signUps(count) }, KEY)));

  it('re-renders only the component of the row that changed', async () => {
    const engine = await connectEngine({ config });
    await receive(engine, 3);
    await settle();
    cacheRows(await settled(call('messages.byIds', { ids: [1, 2] })));
    const renders: Record<number, string[]> = { 1: [], 2: [] };
    const Row = ({ id }: { id: number }) => {
      renders[id]?.push(useRow(id)?.state ?? 'none');
      return null;
    };
    const { unmount } = await render(
      <>
        <Row id={1} />
        <Row id={2} />
      </>,
    );
    await settled(call('messages.stop', { id: 2 }));
    await settle();
    expect(renders[1]).toHaveLength(1);
    expect(renders[2]?.at(-1)).toBe('stopped');
    await settled(call('storage.clear', {}));
    await settle();
    expect(renders[2]?.at(-1)).toBe('none');
    unmount();
  });

  it('keeps a bounded number of rows, and those on screen', async () => {
    await connectEngine();
    const Watch = () => <i>{useRow(1)?.id}</i>;
    cacheRows([rowOf(1), rowOf(2)]);
    const { container, unmount } = await render(<Watch />);
    await act(async () => cacheRows(Array.from({ length: MAX_CACHED_ROWS }, (_, i) => rowOf(i + 10))));
    expect(getRow(1)?.id).toBe(1);
    expect(getRow(2)).toBeUndefined();
    expect(getRow(MAX_CACHED_ROWS + 9)).toBeDefined();
    expect(container.textContent).toBe('1');
    unmount();
  });

  it('drops cached rows and counts a reset when the engine says so', async () => {
    const engine = await connectEngine({ config });
    // A row of no list: the live list asks for its own again.
    cacheRows([rowOf(9_999)]);
    // More than a batch of changes holds.
    await receive(engine, 1_100);
    await settle();
    expect(getRow(9_999)).toBeUndefined();
    expect(useRecords.getState().resets).toBe(1);
  });

  it('keeps one record for each live part, whatever its name, and forgets it before the next engine', async () => {
    // Only an engine of tomorrow has such a part.
    const engine = await connectEngine({ config });
    await receive(engine, 20);
    await settle();
    const parts = { later: 'a part of tomorrow' } as Partial<LiveParts>;
    act(() => feed.changed({ seq: 99, reset: false, messages: [], removedMessages: [], parts }));
    expect(useRecords.getState()).toMatchObject({ later: 'a part of tomorrow', status: { total: 20 } });
    clearRecords();
    expect(useRecords.getState()).not.toHaveProperty('later');
    expect(useRecords.getState().status).toBeUndefined();
  });

  it('has a row before the live list learns of it', async () => {
    const engine = await connectEngine({ config });
    const seen: Array<number | undefined> = [];
    const heard = vi.spyOn(liveStream, 'batch').mockImplementation(({ messages }) => {
      seen.push(getRow(messages[0]?.id ?? 0)?.id, useRecords.getState().status?.total);
    });
    await receive(engine, 1);
    await settle();
    heard.mockRestore();
    expect(seen.slice(0, 2)).toEqual([1, 1]);
  });
});

describe('routes', () => {
  it('reads back every route that it writes', () => {
    const routes = [
      '#/live',
      '#/live/12',
      '#/live/12/payload',
      '#/live/12/attempts/full',
      '#/live/12/attempts/34',
      '#/live/12/payload/34/full',
      '#/receivers/flaky',
      '#/receivers/flaky/15',
      '#/replay',
      '#/replay/9',
      '#/webhooks',
      '#/webhooks/3',
      '#/sources',
      '#/audiences',
      '#/audiences/traits',
      '#/audiences/3',
      '#/audiences/3/members',
      '#/audiences/3/syncs',
      '#/audiences/new',
      '#/audiences/3/edit',
      '#/audiences/3/import',
      '#/audiences/3/syncs/2',
      '#/audiences/traits/4',
      '#/audiences/traits/4/syncs/1',
      '#/audiences/traits/new',
      '#/deletions',
      '#/deletions/new',
      '#/deletions/suppressed',
      '#/deletions/7',
    ];
    expect(routes.map((hash) => formatRoute(parseRoute(hash)))).toEqual(routes);
  });
  it.each(SCREENS.map(({ id }) => id))('the screen %s has an address of its own', (id) => {
    expect(parseRoute(`#/${id}`).screen).toBe(id);
    expect(formatRoute(parseRoute(`#/${id}`)).split('/')[1]).toBe(id);
  });
  it('keeps an address that leads nowhere, so that the page can say so', () => {
    expect(parseRoute('#/nowhere/3')).toEqual({ screen: 'unknown', address: 'nowhere/3' });
    expect(formatRoute(parseRoute('#/nowhere/3'))).toBe('#/nowhere/3');
  });
  it.each([
    'audiences/x',
    'audiences/0',
    'audiences/new/1',
    'audiences/3/edit/1',
    'audiences/3/nothing',
    'audiences/3/members/1',
    'audiences/3/syncs/0',
    'audiences/3/syncs/1/2',
    'audiences/traits/x',
    'audiences/traits/1/members',
    'audiences/traits/new/1',
    'deletions/x',
    'deletions/0',
    'deletions/3/users',
    'deletions/new/1',
  ])('has no page at %s', (address) => expect(parseRoute(`#/${address}`)).toEqual({ screen: 'unknown', address }));
  it('has an address for each receiver', () => {
    expect(parseRoute('#/receivers/my-own')).toEqual({ screen: 'receivers', receiverId: 'my-own' });
    expect(parseRoute('#/receivers/../x')).toEqual({ screen: 'receivers', receiverId: null });
    expect(formatRoute({ screen: 'receivers', receiverId: 'ok' })).toBe('#/receivers/ok');
  });
  it('takes no address, and a message that cannot be, for the live stream', () => {
    for (const hash of ['', '#', '#/live/-1', '#/live/0', '#/live/1e5', '#token=abc', '#/live/99999999999999999999'])
      expect(formatRoute(parseRoute(hash))).toBe('#/live');
  });
  it('takes no attempt and no request from an address without what it belongs to', () => {
    for (const [hash, is] of [
      ['#/live/12/attempts/0', '#/live/12'],
      ['#/live/12/attempts/x/full', '#/live/12'],
      ['#/live/x/attempts/34', '#/live'],
      ['#/receivers/Flaky/15', '#/receivers'],
      ['#/receivers/flaky/0', '#/receivers/flaky'],
    ] as const)
      expect(formatRoute(parseRoute(hash))).toBe(is);
  });
  it('forgets what a link has opened on a screen, and keeps what is selected there', () => {
    const stop = watchRoute();
    navigate({ screen: 'receivers', receiverId: 'flaky', hit: 15 });
    navigate({ screen: 'live', messageId: 12, tab: 'payload', full: true, attempt: 34 });
    navigate({ screen: 'sources' });
    expect(formatRoute(lastRoute('receivers'))).toBe('#/receivers/flaky');
    expect(formatRoute(lastRoute('live'))).toBe('#/live/12/payload/full');
    stop();
  });
  it('follows the address and remembers the last route of each screen', () => {
    const stop = watchRoute();
    navigate({ screen: 'webhooks', slot: 2 });
    expect(location.hash).toBe('#/webhooks/2');
    navigate({ screen: 'sources' }, { replace: true });
    expect(lastRoute('webhooks')).toEqual({ screen: 'webhooks', slot: 2 });
    history.replaceState(null, '', '#/replay/7');
    window.dispatchEvent(new Event('hashchange'));
    expect(useRouteStore.getState().route).toEqual({ screen: 'replay', messageId: 7 });
    stop();
  });
});

describe('token', () => {
  it('is taken out of the address once and kept for this tab', () => {
    history.replaceState(null, '', '#token=a%2Bb');
    expect(takeToken()).toBe('a+b');
    expect(location.href).not.toContain('token');
    expect(takeToken()).toBe('a+b');
    sessionStorage.clear();
    expect(takeToken()).toBeNull();
  });
  it('of an address opened in this tab is taken, and the page loaded again; other fragments are not', () => {
    const reload = vi.fn();
    watchToken(reload);
    history.replaceState(null, '', '#/sources');
    window.dispatchEvent(new Event('hashchange'));
    expect(reload).not.toHaveBeenCalled();
    history.replaceState(null, '', '#token=new');
    window.dispatchEvent(new Event('hashchange'));
    expect(reload).toHaveBeenCalledOnce();
    expect([location.hash, takeToken()]).toEqual(['', 'new']);
    sessionStorage.clear();
  });
});

describe('theme', () => {
  it('follows the system until one is chosen', () => {
    let light = true;
    const listeners = new Set<() => void>();
    vi.stubGlobal('matchMedia', () => ({
      get matches() {
        return light;
      },
      addEventListener: (_: string, listener: () => void) => listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
    }));
    const told: string[] = [];
    window.hookbench = { requestPort: () => {}, setTheme: (theme) => void told.push(theme) };
    const stop = watchTheme();
    expect(document.documentElement.dataset.theme).toBe('light');
    light = false;
    for (const listener of listeners) listener();
    expect(document.documentElement.dataset.theme).toBe('dark');
    setTheme('light');
    expect(document.documentElement.dataset.theme).toBe('light');
    expect(JSON.parse(localStorage.getItem('hookbench.view') ?? '{}').state.theme).toBe('light');
    setTheme('system');
    expect(resolveTheme(useView.getState().theme)).toBe('dark');
    expect(told).toEqual(['light', 'system']);
    stop();
    window.hookbench = undefined;
    expect(listeners.size).toBe(0);
    vi.unstubAllGlobals();
  });
});

describe('ticker', () => {
  it('is one timer for all, and none when nothing shows a time', async () => {
    vi.useFakeTimers();
    // Other timers may be left of the tests before.
    const begun = vi.spyOn(globalThis, 'setInterval');
    const ended = vi.spyOn(globalThis, 'clearInterval');
    const Clock = () => <i>{useNow()}</i>;
    const one = await render(<Clock />);
    const two = await render(<Clock />);
    const ticks = () => begun.mock.results.filter((_, n) => begun.mock.calls[n]![1] === 1000).map(({ value }) => value);
    const ticker = ticks()[0];
    expect(ticks()).toEqual([ticker]);
    const before = one.container.textContent;
    await act(async () => vi.advanceTimersByTime(1000));
    expect(one.container.textContent).not.toBe(before);
    expect(one.container.textContent).toBe(two.container.textContent);
    one.unmount();
    expect(ended).not.toHaveBeenCalledWith(ticker);
    two.unmount();
    expect(ended).toHaveBeenCalledWith(ticker);
    expect(ticks()).toEqual([ticker]);
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
});
