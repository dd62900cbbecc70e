import { act } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { App } from '../../../src/renderer/app.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import { emptyQuery } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { answer } from '../../helpers/sim-transport.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  loadScreens,
  press,
  type Rendered,
  render,
  settle,
  settled,
  stubResizeObserver,
  type,
  until,
} from './harness.tsx';

beforeAll(loadScreens);
beforeAll(stubResizeObserver);

const HOOK = 'http://crm.test/hook';
const config: Config = {
  sources: [{ name: 'web', writeKey: 'wk_web', kind: 'web', enabled: true, webhooks: true }],
  webhooks: { entries: [{ name: 'CRM sync', url: HOOK, headers: {}, enabled: true }] },
};

let engine: SimEngine;
let shown: Rendered | null = null;
async function open(): Promise<void> {
  engine = await connectEngine({ config }, async ({ transport, post, pass }) => {
    transport.on(HOOK, ({ body }) => answer(Buffer.from(body).includes('Refund') ? 503 : 200));
    const batch = ['Order Completed', 'Refund Issued', 'Signed Up'].map((event) => ({
      type: 'track',
      userId: 'u',
      event,
    }));
    await post('/v1/batch', { batch }, 'wk_web');
    await pass();
  });
  navigate({ screen: 'sources' });
  shown = await render(<App />);
  await settle();
}
afterEach(() => {
  act(() => {
    liveStream.selection.clear();
    liveStream.setQuery(emptyQuery);
    useView.setState({ theme: 'system' });
  });
  shown?.unmount();
  shown = null;
  disconnect();
});

const field = () => document.querySelector<HTMLInputElement>('[role="combobox"]');
const options = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
const titles = (group: string) =>
  [...document.querySelectorAll(`[role="group"][aria-label="${group}"] [role="option"]`)].map((one) => one.textContent);
const chosen = () => document.getElementById(field()?.getAttribute('aria-activedescendant') ?? '')?.textContent;
const openPalette = async () => {
  await press(document.body, 'k', { ctrlKey: true });
  await until(() => field() !== null);
};

describe('the palette', () => {
  it('opens by its key and by its button, runs by Enter, and closes by its key', async () => {
    await open();
    await openPalette();
    await type(field()!, 'dark');
    expect(chosen()).toContain('Dark theme');
    await press(field()!, 'Enter');
    expect(useView.getState().theme).toBe('dark');
    await until(() => field() === null);
    await click(byName('button', /^Find or run/));
    await until(() => field() !== null);
    await press(field()!, 'k', { metaKey: true });
    await until(() => field() === null);
  });

  it('stays open by Ctrl Enter, and moves round by the arrows', async () => {
    await open();
    await openPalette();
    await type(field()!, 'retry clock to');
    expect(options()).toHaveLength(3);
    await press(field()!, 'ArrowUp');
    expect(chosen()).toContain('240×');
    await press(field()!, 'ArrowDown');
    expect(chosen()).toContain('10×');
    await press(field()!, 'Enter', { ctrlKey: true });
    expect(engine.calls).toContainEqual({ name: 'clock.setSpeed', input: { speed: 10 } });
    expect(field()).not.toBeNull();
  });

  it('goes to screens, sections and things by name', async () => {
    await open();
    await openPalette();
    await type(field()!, 'crm');
    await press(field()!, 'Enter');
    expect(useRouteStore.getState().route).toEqual({ screen: 'webhooks', slot: 1 });
    await openPalette();
    await type(field()!, 'storage');
    await press(field()!, 'Enter');
    expect(useRouteStore.getState().route).toEqual({ screen: 'settings', section: 'storage' });
  });

  it('finds messages as the filter does, by text and by tokens, and hands the text to it', async () => {
    await open();
    await openPalette();
    await type(field()!, 'refund');
    await until(() => titles('Messages').length > 0);
    expect(titles('Messages')).toEqual(['Refund Issuedu, retrying', 'Filter the live streamrefund']);
    await press(field()!, 'Enter');
    expect(useRouteStore.getState().route).toMatchObject({ screen: 'live', messageId: 2 });
    await openPalette();
    await type(field()!, 'status:delivered');
    await until(() => titles('Messages').length === 3);
    await press(field()!, 'ArrowUp');
    expect(chosen()).toContain('Filter the live stream');
    await press(field()!, 'Enter');
    expect(liveStream.snapshot().read.terms).toEqual([{ key: 'status', values: ['delivered'] }]);
  });

  it('says what is unreadable as a filter', async () => {
    await open();
    await openPalette();
    await type(field()!, 'stats:delivered');
    await until(() =>
      (document.querySelector('[role="dialog"] [role="status"]')?.textContent ?? '').startsWith('There is'),
    );
    expect(options()).toHaveLength(0);
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('Nothing found.');
  });

  it('puts what the open message can do first, and nothing that it cannot', async () => {
    await open();
    await act(async () => navigate({ screen: 'live', messageId: 2, tab: 'attempts', full: false }));
    await settle();
    await openPalette();
    expect(titles('Actions').slice(0, 2)).toEqual([
      'Retry now Refund Issuedopen message⇧R',
      'Stop retrying Refund Issuedopen messageS',
    ]);
    await type(field()!, 'stop');
    await press(field()!, 'Enter');
    await until(() => useRecords.getState().status?.counts.stopped === 1);
    await openPalette();
    expect(titles('Actions')[0]).toContain('Open in Replay Refund Issued');
  });

  it('tries all messages that wait for a retry now, and says how many were made due', async () => {
    await open();
    await openPalette();
    await type(field()!, 'retry all');
    expect(titles('Actions')).toEqual([]);
    await type(field()!, 'retry 1 retrying');
    expect(titles('Actions')).toEqual(['Retry 1 retrying message now']);
    const refunds = ['Refund Issued', 'Refund Sent'].map((event) => ({ type: 'track', userId: 'u', event }));
    await settled(engine.post('/v1/batch', { batch: refunds }, 'wk_web'));
    await until(() => useRecords.getState().status?.counts.retrying === 3);
    await type(field()!, 'retr');
    expect(titles('Actions')[0]).toBe('Retry all 3 retrying messages now');
    const sent = engine.transport.sent.length;
    await press(field()!, 'Enter');
    await until(() => document.body.textContent?.includes('3 messages are due now') === true);
    await until(() => engine.transport.sent.length === sent + 3);
  });

  it('offers no retry of all while nothing is sent', async () => {
    await open();
    await openPalette();
    await type(field()!, 'retry 1 message');
    expect(titles('Actions')).toHaveLength(1);
    await act(async () => void call('destination.save', { paused: true }));
    await until(() => titles('Actions').length === 0);
    await act(async () => void call('destination.save', { paused: false }));
    await until(() => titles('Actions').length === 1);
  });

  it('does not open over a dialog', async () => {
    await open();
    await press(document.body, '?');
    await press(document.body, 'k', { ctrlKey: true });
    expect(field()).toBeNull();
  });
});

it('the title says what is open', async () => {
  await open();
  const { name } = useRecords.getState().workspace!;
  expect(document.title).toBe(`Sources · ${name}`);
  await act(async () => navigate({ screen: 'live', messageId: 1, tab: 'attempts', full: false }));
  await settle();
  expect(document.title).toBe(`Order Completed · Live · ${name}`);
  await act(async () => navigate({ screen: 'people', personId: 'usr_8f21' }));
  expect(document.title).toBe(`usr_8f21 · People · ${name}`);
  await act(async () => navigate({ screen: 'unknown', address: 'nowhere' }));
  expect(document.title).toBe(`No such page · ${name}`);
  await act(async () => navigate({ screen: 'webhooks', slot: 1 }));
  expect(document.title).toBe(`CRM sync · Webhooks · ${name}`);
});
