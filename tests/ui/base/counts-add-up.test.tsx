import { act, type ReactElement } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MESSAGE_STATES } from '../../../src/contract/names.ts';
import type { MessageStateName, StatusView } from '../../../src/contract/values.ts';
import { Banners } from '../../../src/renderer/frame/banners.tsx';
import { StatusBar } from '../../../src/renderer/frame/status-bar.tsx';
import { formatCount } from '../../../src/renderer/lib/format.ts';
import { STATE_WORDS } from '../../../src/renderer/lib/words/states.ts';
import { StateChips } from '../../../src/renderer/screens/live/state-chips.tsx';
import OverviewScreen from '../../../src/renderer/screens/overview/overview-screen.tsx';
import { StorageSection } from '../../../src/renderer/screens/settings/storage-section.tsx';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { byName, click, connectFake, disconnectFake, type Rendered, render, settle } from './harness.tsx';

/** 1, 2, 4, … messages in each state: whatever is left out of a sum, or is in it twice, makes it another number. */
const COUNTS = Object.fromEntries(MESSAGE_STATES.map((state, i) => [state, 2 ** i])) as StatusView['counts'];
const of = (...states: MessageStateName[]): number => states.reduce((sum, state) => sum + COUNTS[state], 0);
const TOTAL = of(...MESSAGE_STATES);
const OPEN = of('queued', 'delivering', 'waiting', 'retrying', 'paused');

let shown: Rendered | null = null;
/** Shows a part of the interface with {@link COUNTS}. */
async function show(part: ReactElement): Promise<void> {
  await connectFake();
  shown = await render(part);
  const { status } = useRecords.getState();
  await act(async () => useRecords.setState({ status: { ...status!, counts: COUNTS, total: TOTAL } }));
  await settle();
}
afterEach(() => {
  shown?.unmount();
  shown = null;
  disconnectFake();
});

const text = (): string => document.body.textContent ?? '';
describe('counts of states add up to the total', () => {
  it('in the chips of the live stream', async () => {
    // Wide enough for every chip.
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(2_000);
    onTestFinished(() => void vi.restoreAllMocks());
    await show(<StateChips live={liveStream.snapshot()} />);
    const chips = [...document.querySelectorAll('[aria-label="Message state"] button')].map((chip) => chip.textContent);
    expect(chips[0]).toBe(`All ${formatCount(TOTAL)}`);
    const states = MESSAGE_STATES.map((state) => `${STATE_WORDS[state].word} ${formatCount(COUNTS[state])}`);
    expect(
      chips
        .slice(1)
        .filter((chip) => chip !== '200 but dropped')
        .sort(),
    ).toEqual(states.sort());
  });

  it('in the status bar, which says how many wait for a sender', async () => {
    await show(<StatusBar />);
    expect(text()).toContain(`Queue ${of('queued')}`);
    expect(text()).toContain(`Waiting ${of('waiting')}`);
    expect(text()).toContain(`Retrying ${of('retrying')}`);
    expect(text()).toContain(`${formatCount(TOTAL)} messages`);
  });

  it('in the note under what is to be delivered', async () => {
    await show(<OverviewScreen />);
    await settle(60);
    const tile = byName('button', /To be delivered/).textContent!;
    for (const state of ['queued', 'delivering', 'waiting', 'retrying', 'paused'] as const)
      expect(tile).toContain(`${COUNTS[state]} ${STATE_WORDS[state].word.toLowerCase()}`);
  });

  it('in the banners of a full store and of a pause', async () => {
    await show(<Banners />);
    const { destination, status } = useRecords.getState();
    const full = { ...status!, storage: { ...status!.storage, full: true } };
    await act(async () => useRecords.setState({ status: full, destination: { ...destination!, paused: true } }));
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
