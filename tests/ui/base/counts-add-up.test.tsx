import type { ReactElement } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { MESSAGE_STATES } from '../../../src/contract/names.ts';
import type { MessageStateName, StatusView } from '../../../src/contract/values.ts';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { Banners } from '../../../src/renderer/frame/banners.tsx';
import { StatusBar } from '../../../src/renderer/frame/status-bar.tsx';
import { formatCount } from '../../../src/renderer/lib/format.ts';
import { STATE_WORDS } from '../../../src/renderer/lib/words/states.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import { StateChips } from '../../../src/renderer/screens/live/state-chips.tsx';
import OverviewScreen from '../../../src/renderer/screens/overview/overview-screen.tsx';
import { StorageSection } from '../../../src/renderer/screens/settings/storage-section.tsx';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { byName, click, connectEngine, disconnect, type Rendered, render, settle, settled, until } from './harness.tsx';

/** 1, 2, 4, … messages in each state: whatever is left out of a sum, or is in it twice, makes it another number. */
const COUNTS = Object.fromEntries(MESSAGE_STATES.map((state, i) => [state, 2 ** i])) as StatusView['counts'];
const of = (...states: MessageStateName[]): number => states.reduce((sum, state) => sum + COUNTS[state], 0);
const TOTAL = of(...MESSAGE_STATES);
const OPEN = of('queued', 'delivering', 'waiting', 'retrying', 'paused');

const WRITE_KEY = 'wk_web';
const CONFIG: Config = {
  sources: [{ name: 'web', writeKey: WRITE_KEY, kind: 'web', enabled: true, webhooks: true }],
};

let shown: Rendered | null = null;
/** Shows a part of the interface over the real engine, whose counters were told of {@link COUNTS}. */
async function show(part: ReactElement, prepare: (engine: SimEngine) => Promise<unknown> = async () => {}) {
  await connectEngine({ config: CONFIG }, async (engine) => {
    await prepare(engine);
    const { counters } = engine.engine.parts;
    const before = counters.byState();
    const changes = new Changes();
    for (const state of MESSAGE_STATES) changes.counts.set(state, COUNTS[state] - before[state]);
    counters.committed(changes);
  });
  shown = await render(part);
  await settle();
}
afterEach(() => {
  shown?.unmount();
  shown = null;
  disconnect();
});

const text = (): string => document.body.textContent ?? '';
describe('counts of states add up to the total', () => {
  it('in the chips of the live stream', async () => {
    // Wide enough for every chip.
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(2_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await show(<StateChips live={liveStream.snapshot()} />);
    const words = new Set(['All', ...MESSAGE_STATES.map((state) => STATE_WORDS[state].word)]);
    const chips = [...document.querySelectorAll('[aria-label="Message state"] button')]
      .map((chip) => chip.textContent)
      // Saved filters stand behind them.
      .filter((chip) => words.has(chip.replace(/ [\d,]+$/, '')));
    expect(chips[0]).toBe(`All ${formatCount(TOTAL)}`);
    const states = MESSAGE_STATES.map((state) => `${STATE_WORDS[state].word} ${formatCount(COUNTS[state])}`);
    expect(chips.slice(1).sort()).toEqual(states.sort());
  });

  it('in the status bar, which says how many wait for a sender', async () => {
    await show(<StatusBar />);
    expect(text()).toContain(`Queue ${of('queued')}`);
    expect(text()).toContain(`Waiting ${of('waiting')}`);
    expect(text()).toContain(`Retrying ${of('retrying')}`);
    expect(text()).toContain(`${formatCount(TOTAL)} messages`);
  });

  it('in the note under what is to be delivered', async () => {
    const order = { type: 'track', userId: 'u', event: 'Order Completed' };
    await show(<OverviewScreen />, (engine) => engine.post('/v1/track', order, WRITE_KEY));
    const tile = byName('button', /To be delivered/).textContent!;
    for (const state of ['queued', 'delivering', 'waiting', 'retrying', 'paused'] as const)
      expect(tile).toContain(`${COUNTS[state]} ${STATE_WORDS[state].word.toLowerCase()}`);
  });

  it('in the banners of a full store and of a pause', async () => {
    await show(<Banners />);
    await settled(call('storage.save', { maxMessages: 100 }));
    await settled(call('destination.save', { paused: true }));
    await until(() => useRecords.getState().status!.storage.full);
    expect(text()).toContain(`The store is full: ${formatCount(OPEN)} messages wait to be delivered.`);
    expect(text()).toContain(`${formatCount(OPEN - of('delivering'))} messages wait.`);
  });

  it('where finished messages are deleted', async () => {
    await show(<StorageSection />);
    expect(text()).toContain(`${formatCount(TOTAL - OPEN)} messages are finished`);
    await click(byName('button', 'Delete'));
    expect(text()).toContain(`${formatCount(OPEN)} messages wait for delivery and stay`);
  });
});
