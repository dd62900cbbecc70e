/** The demo in a window: the first page that opens it, the tour bar, and how it ends. On the real engine. */
import { act } from 'react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { DemoShell } from '../../../src/core/demo/handlers.ts';
import { App } from '../../../src/renderer/app.tsx';
import { useEnded } from '../../../src/renderer/frame/demo/end-demo.tsx';
import { TOUR_TEXTS } from '../../../src/renderer/frame/demo/tour.ts';
import { leave } from '../../../src/renderer/platform/leave.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { HOME, navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  loadScreens,
  press,
  type Rendered,
  render,
  stubResizeObserver,
  until,
} from '../base/harness.tsx';

beforeAll(loadScreens);
beforeAll(stubResizeObserver);

let view: Rendered | null = null;
let engine: SimEngine;
const went: string[] = [];

beforeEach(() => {
  went.length = 0;
  vi.spyOn(leave, 'to').mockImplementation((url) => void went.push(url));
  navigate(HOME);
});
afterEach(() => {
  view?.unmount();
  view = null;
  disconnect();
  useEnded.setState(false, true);
  vi.restoreAllMocks();
});

const text = () => document.body.textContent ?? '';
const route = () => useRouteStore.getState().route;

async function open(setup: SimEngineSetup): Promise<void> {
  engine = await connectEngine(setup);
  view = await render(<App />);
  await until(() => text().includes('Live stream'));
}

/** A shell that answers as told. */
const shell = (answers: Partial<DemoShell>): DemoShell => ({
  open: () => Promise.reject(new ContractError('demo_failed')),
  address: () => Promise.reject(new ContractError('demo_failed')),
  reset: () => Promise.resolve(null),
  end: () => Promise.resolve({ url: null }),
  ...answers,
});

describe('the first page', () => {
  it('opens the demo with D and goes there', async () => {
    await open({ demoShell: shell({ open: async () => ({ url: 'http://demo/launch/1', existing: false }) }) });
    await until(() => text().includes('See it work, or send your own'));
    await press(document.body, 'd');
    await until(() => went.length > 0);
    expect(went).toEqual(['http://demo/launch/1']);
  });

  it('offers to go to a demo that runs already', async () => {
    await open({ demoShell: shell({ open: async () => ({ url: 'http://demo/launch/2', existing: true }) }) });
    await click(byName('button', /^Start with a demo shop/));
    await until(() => text().includes('Another demo runs: Go to it'));
    expect(byName('a', 'Go to it').getAttribute('href')).toBe('http://demo/launch/2');
    expect(went).toEqual([]);
  });

  it('stays and says so when the demo has a window of its own', async () => {
    await open({ demoShell: shell({ open: async () => ({ url: null, existing: false }) }) });
    await press(document.body, 'd');
    await until(() => text().includes('The demo shop opened in a window of its own.'));
    expect((byName('button', /^Start with a demo shop/) as HTMLButtonElement).disabled).toBe(false);
    expect(went).toEqual([]);
  });

  it('says what to do where no demo can be opened', async () => {
    await open({});
    await click(byName('button', /^Start with a demo shop/));
    await until(() => text().includes('Run hookbench demo in a terminal.'));
  });

  it('opens another workspace from its foot', async () => {
    const shop = { folder: '/home/ada/shop', name: 'shop', openedAt: 1, isDemo: false, isThere: true };
    await open({ demoShell: { ...shell({}), workspaces: async () => [shop] } });
    await click(byName('main button', 'Open another workspace'));
    await until(() => document.querySelector('[role="menu"]')?.textContent?.includes('shop') === true);
    await click(byName('[role="menuitem"]', 'New workspace…'));
    await until(() => document.querySelector('[role="dialog"]')?.textContent?.includes('New workspace') === true);
  });

  it('leads to audiences and deletions', async () => {
    await open({});
    expect(byName('main a', 'Audiences').getAttribute('href')).toBe('#/audiences');
    expect(byName('main a', 'Deletions').getAttribute('href')).toBe('#/deletions');
  });
});

describe('the tour', () => {
  const start = async (more: SimEngineSetup = {}) => {
    await open({ demo: { seed: 42, rate: 20 }, receivers: true, ...more });
    await until(() => useRecords.getState().demo?.state === 'running');
  };
  const bar = () => document.querySelector<HTMLElement>('[aria-label^="Demo tour"]');

  it('goes through five steps, each with its page and its words, and can be brought back', async () => {
    await start();
    expect(document.title).toMatch(/ \u00b7 Demo shop$/);
    expect(bar()?.getAttribute('aria-label')).toBe('Demo tour, step 1 of 5');
    expect(bar()?.textContent).toContain(TOUR_TEXTS[1]);
    document.body.focus();
    const focused = document.activeElement;
    await press(document.body, 'n');
    await until(() => bar()?.getAttribute('aria-label') === 'Demo tour, step 2 of 5');
    expect(bar()?.textContent).toContain(
      'Email tool answered 503, Ad network nothing within 5 s. The order arrived all the same.',
    );
    expect(route().screen).toBe('live');
    expect(document.activeElement).toBe(focused);
    await press(document.body, 'n');
    await until(() => route().screen === 'audiences');
    expect(route()).toMatchObject({ audienceId: 1 });
    await press(document.body, 'n');
    await until(() => route().screen === 'deletions');
    expect(route()).toMatchObject({ requestId: 1 });
    await press(document.body, 'N', { shiftKey: true });
    await until(() => route().screen === 'audiences');
    await click(byName('button', /^Next: Delete notices/));
    await until(() => route().screen === 'deletions');
    await click(byName('button', /^Next: Ahead 4 h/));
    await until(() => route().screen === 'overview');
    expect(engine.engine.parts.retryClock.state.speed).toBe(240);
    // While the page loads, the last one is still in the document, hidden.
    await until(() => document.querySelectorAll('#main').length === 1);
    await click(byName('button', /^Finish the tour/));
    await until(() => bar() === null);
    expect(document.activeElement?.id).toBe('main');
    expect(engine.engine.parts.retryClock.state.speed).toBe(1);
    await click(byName('button', /^Demo running/));
    await until(() => bar()?.getAttribute('aria-label') === 'Demo tour, step 1 of 5');
  });

  it('asks before the demo ends, and goes back to where it was opened', async () => {
    await start({ demoShell: shell({ end: async () => ({ url: 'http://own/launch/3' }) }) });
    await click(byName('button', 'End demo'));
    const dialog = document.querySelector<HTMLElement>('[role="dialog"]');
    expect(dialog?.textContent).toContain('End the demo?');
    expect(dialog?.textContent).toContain('Its workspace is kept until you remove it.');
    expect(went).toEqual([]);
    await click(byName('[role="dialog"] button', 'End the demo'));
    await until(() => went.length > 0);
    expect(went).toEqual(['http://own/launch/3']);
  });

  it('says that it has ended where there is no page to go back to', async () => {
    await start({ demoShell: shell({}) });
    await click(byName('button', 'End demo'));
    await act(async () => byName('[role="dialog"] button', 'End the demo').click());
    await until(() => text().includes('The demo has ended.'));
  });

  it('is in no other workspace', async () => {
    await open({});
    expect(bar()).toBeNull();
    expect(text()).not.toContain('End demo');
    expect(text()).not.toContain('Demo running');
  });
});
