import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { act } from 'react';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import SettingsScreen from '../../../src/renderer/screens/settings/settings-screen.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { memoryFolder } from '../../helpers/memory-folder.ts';
import type { SimEngine, SimEngineSetup } from '../../helpers/sim-engine.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';
import { byName, click, connectEngine, disconnect, type Rendered, render, until } from '../base/harness.tsx';

const WRITE_KEY = 'wk_1';
const config = {
  sources: [{ name: 'Shop', writeKey: WRITE_KEY, kind: 'server' as const, enabled: true, webhooks: false }],
};
const CALLS = 130;

let engine: SimEngine;
let shown: Rendered;

async function open(setup: SimEngineSetup, calls = CALLS): Promise<void> {
  engine = await connectEngine({ config, ...setup }, async ({ post }) => {
    const batch = Array.from({ length: calls }, (_, n) => ({ type: 'track', event: `Event ${n}`, userId: 'ada' }));
    expect(await post('/v1/batch', { batch }, WRITE_KEY)).toBe(200);
  });
  navigate({ screen: 'settings', section: 'storage' });
  shown = await render(
    <>
      <SettingsScreen />
      <ToastRegion />
    </>,
  );
}
afterEach(() => {
  shown.unmount();
  disconnect();
});

const card = (): HTMLElement => byName('h2', 'Search index').closest('section') as HTMLElement;
const text = (): string => card().textContent ?? '';
const theSwitch = (): HTMLElement => byName('[role="switch"]', 'Search index');
const isOn = (): boolean => theSwitch().getAttribute('aria-checked') === 'true';
const hasRebuild = (): boolean => [...card().querySelectorAll('button')].some((b) => b.textContent === 'Rebuild');
const asked = (): string[] => engine.calls.map(({ name }) => name).filter((name) => name.startsWith('search.'));

function statesFromNow(): string[] {
  const states: string[] = [];
  const stop = useRecords.subscribe(({ search }) => {
    if (search !== undefined) states.push(`${search.state} ${search.indexed}`);
  });
  onTestFinished(stop);
  return states;
}

describe('the card of the search index', () => {
  it('says of a small store that no index is needed, and offers nothing to rebuild', async () => {
    await open({});
    expect(text()).toContain('On, not needed yet');
    expect(text()).toContain('Below 4,096 messages a search reads every message');
    expect(isOn()).toBe(true);
    expect(hasRebuild()).toBe(false);
    expect(text()).not.toContain('search.sqlite');
  });

  it('says how many messages are in the index, how many are not, and how big its file is', async () => {
    await open({ searchFrom: 1 });
    await until(() => text().includes('Up to date'));
    // Whole blocks of 64 ids; the first one has 63, because ids begin at 1.
    expect(text()).toContain('127 of 130 messages');
    expect(text()).toContain('A search reads the other 3');
    expect(text()).toMatch(/File\d+(\.\d)? KB/);
    expect(hasRebuild()).toBe(true);
  });

  it('turns the index off and on', async () => {
    await open({ searchFrom: 1 });
    await until(() => text().includes('Up to date'));
    await click(theSwitch());
    await until(() => !isOn());
    expect(text()).toContain('A search reads every message. The file of the index is deleted.');
    expect(hasRebuild()).toBe(false);
    await click(theSwitch());
    await until(() => isOn() && text().includes('127 of 130 messages'));
  });

  it('rebuilds on request', async () => {
    await open({ searchFrom: 1 });
    await until(() => text().includes('Up to date'));
    const states = statesFromNow();
    await click(byName('button', 'Rebuild'));
    await until(() => states.at(-1) === 'ready 127');
    expect(states).toContain('building 0');
    expect(asked()).toEqual(['search.rebuild']);
  });

  it('keeps the focus on its button while the index is made again', async () => {
    await open({ searchFrom: 1 });
    await until(() => text().includes('Up to date'));
    const button = byName('button', 'Rebuild');
    button.focus();
    await click(button);
    await until(() => text().includes('127 of 130 messages'));
    const { search } = useRecords.getState();
    act(() => useRecords.setState({ search: { ...search!, state: 'building', indexed: 64 } }));
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await click(button);
    expect(asked()).toEqual(['search.rebuild']);
    act(() => useRecords.setState({ search }));
    expect(document.activeElement).toBe(button);
    expect(button.hasAttribute('aria-disabled')).toBe(false);
  });

  it('draws the progress, and no number says 100% before it is', async () => {
    await open({});
    const search = { state: 'building', indexed: 4_000, total: 12_000, bytes: 40_960, message: null } as const;
    act(() => useRecords.setState({ search }));
    const bar = byName('[role="progressbar"]', 'Building the search index');
    expect(bar.getAttribute('aria-valuetext')).toBe('4,000 of 12,000 messages, 33%');
    act(() => useRecords.setState({ search: { ...search, indexed: 11_999 } }));
    expect(text()).toContain('11,999 of 12,000 messages, 99.9%');
  });

  it('says why the index failed, and makes it again', async () => {
    const folder = tempWorkspace(memoryFolder());
    mkdirSync(join(folder, 'search.sqlite', 'x'), { recursive: true });
    await open({ folder, searchFrom: 1 });
    await until(() => text().includes('Failed: '));
    expect(text()).toContain('A search reads every message until the index is made again.');
    expect(text()).not.toContain('File');
    expect(isOn()).toBe(true);
    const { message } = useRecords.getState().search ?? {};
    expect(message).not.toBe('');
    expect(text()).toContain(`Failed: ${message}`);
    rmSync(join(folder, 'search.sqlite'), { recursive: true });
    const states = statesFromNow();
    await click(byName('button', 'Rebuild'));
    await until(() => text().includes('127 of 130 messages'));
    expect(states[0]).toBe('building 0');
    expect(text()).not.toContain('Failed');
  });

  it('says that a switch could not be saved, and shows the state as it is', async () => {
    await open({ searchFrom: 1 });
    engine.failNext('search.setEnabled', new ContractError('internal'));
    await click(theSwitch());
    expect(document.body.textContent).toContain('Could not turn the search index off');
    expect(isOn()).toBe(true);
  });
});
