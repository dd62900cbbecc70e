/** The live screen on the real engine, for its tests. */
import { act } from 'react';
import { afterEach, beforeAll, beforeEach, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { preloadDetail } from '../../../src/renderer/screens/live/deferred-detail.ts';
import LiveScreen from '../../../src/renderer/screens/live/live-screen.tsx';
import { emptyQuery } from '../../../src/renderer/stores/live/filter.ts';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { HOME, navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { answer, type Behaviour } from '../../helpers/sim-transport.ts';
import {
  connectEngine,
  disconnect,
  type Rendered,
  render,
  settle,
  stubResizeObserver,
  type as typeText,
  until,
} from '../base/harness.tsx';

// As in a page that had a moment of rest.
beforeAll(preloadDetail);

beforeAll(stubResizeObserver);
// jsdom has no layout: the list gets a size here, and 20 rows of 30 px fit in it.
beforeAll(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(720);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(720);
});

export const KEY = 'wk_live';
/** As many calls as surely fit into one request. */
const BATCH = 500;
export const HOOK = 'http://crm.test/hook';
export const sources: Config['sources'] = [{ name: 'web', writeKey: KEY, kind: 'web', enabled: true, webhooks: true }];
const entries = [{ name: 'CRM sync', url: HOOK, headers: {}, enabled: true }];

export type Call = Readonly<Record<string, unknown>>;
/** A call that the webhook answers with this status. */
export const track = (event: string, status = 200): Call => ({
  type: 'track',
  userId: 'usr_8f21',
  event,
  properties: { status },
});
const asTheCallSays: Behaviour = ({ body }) => {
  const { properties, traits } = JSON.parse(Buffer.from(body).toString());
  return answer((properties ?? traits).status);
};
/** Calls of two types, in turn accepted, declined and to be tried again. */
export const mixedCalls = (count: number): Call[] =>
  Array.from({ length: count }, (_, n) => {
    const status = [200, 410, 503][n % 3];
    return n % 2 === 0
      ? track('Order Completed', status)
      : { type: 'identify', userId: 'usr_8f21', traits: { status } };
  });

export let engine: SimEngine;
let shown: Rendered | undefined;
/** `before` happens while the page is not connected. */
export async function open(
  calls: readonly Call[] = mixedCalls(60),
  setup: SimEngineSetup = {},
  before: (made: Pick<SimEngine, 'hold'>) => void = () => {},
): Promise<void> {
  engine = await connectEngine(
    { config: { sources, webhooks: { entries } }, ...setup },
    async ({ transport, ...made }) => {
      transport.on(HOOK, asTheCallSays);
      for (let from = 0; from < calls.length; from += BATCH)
        await made.post('/v1/batch', { batch: calls.slice(from, from + BATCH) }, KEY);
      await made.pass();
      before(made);
    },
  );
  shown = await render(
    <>
      <LiveScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
/** Before the first message: no webhook either. */
export const openFresh = (setup: SimEngineSetup = {}) => open([], { config: { sources }, ...setup });
beforeEach(() => navigate(HOME));
afterEach(() => {
  act(() => {
    liveStream.selection.clear();
    liveStream.setQuery(emptyQuery);
    liveStream.unclear();
    liveStream.unhide();
    liveStream.resume();
    liveStream.showNewest();
  });
  shown?.unmount();
  shown = undefined;
  disconnect();
});

export const rows = () =>
  [...document.querySelectorAll<HTMLElement>('[role="row"][data-id]')].sort((a, b) => index(a) - index(b));
const index = (row: HTMLElement) => Number(row.getAttribute('aria-rowindex'));
export const ids = () => rows().map((row) => Number(row.dataset.id));
export const text = () => document.body.textContent ?? '';
export const search = () => document.querySelector<HTMLElement>('[role="searchbox"]')!;
/** Types into the filter, and waits for its first page: after a slow answer, the list waits for the typing to rest. */
export async function typeFilter(text: string): Promise<void> {
  await typeText(search() as HTMLInputElement, text);
  await until(() => !liveStream.snapshot().starting);
  await settle();
}
/** Calls arrive, and what follows from them within a batch's time. */
export const receive = async (...batch: readonly Call[]) => {
  await act(async () => void (await engine.post('/v1/batch', { batch }, KEY)));
  await settle();
};
export const pass = (ms: number) => act(() => engine.pass(ms));
