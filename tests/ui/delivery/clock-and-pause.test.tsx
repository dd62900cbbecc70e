import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { App } from '../../../src/renderer/app.tsx';
import { whyNoStep } from '../../../src/renderer/frame/clock-actions.ts';
import { stateSentence } from '../../../src/renderer/lib/words/states.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
import { makeRow } from '../../helpers/fake-data.ts';
import type { FakeEngine, FakeOptions } from '../../helpers/fake-engine.ts';
import { byName, click, connectFake, disconnectFake, press, type Rendered, render, settle } from '../base/harness.tsx';

let engine: FakeEngine;
let shown: Rendered;
async function open(options: FakeOptions = {}): Promise<void> {
  engine = await connectFake(options);
  navigate({ screen: 'sources' });
  shown = await render(<App />);
}
afterEach(() => {
  shown.unmount();
  disconnectFake();
  useView.setState({ railWanted: false });
});

const text = () => document.body.textContent ?? '';
const bar = () => document.querySelector('footer')?.textContent ?? '';
const named = (name: string) => engine.calls.filter((one) => one.name === name);

describe('retry clock', () => {
  it('pauses and resumes by button and by key, and says at which time it stands', async () => {
    await open({ now: () => Date.UTC(2026, 10, 20, 14, 32, 10) });
    const reading = new Date(Date.UTC(2026, 10, 20, 14, 32, 10)).toTimeString().slice(0, 8);
    await click(byName('button', 'Pause the retry clock'));
    expect(named('clock.pause')).toHaveLength(1);
    expect(document.querySelector('section[aria-label="Retry clock"]')?.textContent).toContain(
      `Paused at ${reading}. Waits stand still.`,
    );
    await press(document.body, ',');
    expect(named('clock.resume')).toHaveLength(1);
    expect(text()).toContain('A 4 h window takes 4 min.');
  });

  it('shows no countdown while it is paused, anywhere', async () => {
    await open();
    expect(bar()).toMatch(/next in \d:\d\d/);
    await press(document.body, ',');
    expect(bar()).toContain('clock paused');
    expect(bar()).not.toMatch(/next in|Infinity|NaN/);
    const row = { ...makeRow(1, { hostile: false, now: 0, total: 1 }), state: 'retrying' as const };
    expect(stateSentence(row, Number.POSITIVE_INFINITY)).toBe('retrying, clock paused');
  });

  it('runs again when a speed is chosen, and Undo brings the pause back', async () => {
    await open({ speed: 60 });
    await press(document.body, ',');
    await click(byName('[role="radio"]', '10×'));
    expect(useRecords.getState().clock).toMatchObject({ speed: 10, paused: false });
    await click(byName('button', 'Undo'));
    expect(useRecords.getState().clock).toMatchObject({ speed: 60, paused: true });
  });

  it('steps to the next round and says how far and to which', async () => {
    await open({ rows: 0, speed: 1 });
    await press(document.body, ',');
    const { clockAt } = useRecords.getState().clock;
    engine.receive(1, { name: 'Order Completed', state: 'retrying', round: 2, nextDueAt: clockAt + 4_000 });
    await settle();
    await click(byName('button', 'Step to the next round'));
    expect(named('clock.step')).toHaveLength(1);
    expect(text()).toContain('Stepped 4 s to round 3 of Order Completed');
    expect(document.querySelector('section[aria-label="Retry clock"]')?.textContent).toContain('Paused at');
  });

  it('names no message when several are due at once', async () => {
    await open({ rows: 0, speed: 1 });
    await press(document.body, ',');
    const { clockAt } = useRecords.getState().clock;
    engine.receive(2, { name: 'Twice', state: 'retrying', round: 2, nextDueAt: clockAt + 4_000 });
    await settle();
    await press(document.body, '.');
    expect(text()).toContain('Stepped 4 s to the next round');
  });

  it('does not step while nothing waits, and the button says why', async () => {
    await open({ fresh: true });
    const button = byName('button', 'Step to the next round: No message waits for a round.');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await click(button);
    await press(document.body, '.');
    expect(named('clock.step')).toEqual([]);
    expect(whyNoStep(5)).toBeNull();
  });

  it('has the same in the menu of the rail', async () => {
    useView.setState({ railWanted: true });
    await open();
    await click(byName('button', 'Retry clock, 60×'));
    await click(byName('[role="menuitem"]', /^Pause/));
    expect(named('clock.pause')).toHaveLength(1);
    expect(document.querySelector('button[aria-label^="Retry clock"]')?.getAttribute('aria-label')).toMatch(
      /^Retry clock, 60×, paused at /,
    );
  });

  it('lists its keys', async () => {
    await open();
    await press(document.body, '?');
    for (const line of ['Pause or resume the retry clock', 'Step to the next round', 'Pause or resume delivery'])
      expect(text()).toContain(line);
  });
});

describe('delivery pause', () => {
  it('is toggled with Ctrl or Command and a full stop, and shown on every screen with the way out', async () => {
    await open();
    await press(document.body, '.', { ctrlKey: true });
    expect(named('destination.save').at(-1)?.input).toEqual({ paused: true });
    expect(named('clock.step')).toEqual([]);
    const { queued, waiting, retrying, paused } = useRecords.getState().status!.counts;
    const banner = () =>
      [...document.querySelectorAll('main b')].find((title) => title.textContent?.startsWith('Delivery is paused.'))
        ?.parentElement?.textContent ?? '';
    expect(banner()).toContain(`Delivery is paused. ${queued + waiting + retrying + paused} messages wait.`);
    expect(bar()).toContain('Delivery paused');
    expect(bar()).not.toContain('next in');
    act(() => navigate({ screen: 'webhooks', slot: null }));
    await settle();
    expect(banner()).toContain('Delivery is paused.');
    expect(byName('button', 'Resume delivery')).toBeTruthy();
    await click(byName('button', 'Resume'));
    expect(named('destination.save').at(-1)?.input).toEqual({ paused: false });
    expect(text()).not.toContain('Delivery is paused.');
    await press(document.body, '.', { metaKey: true });
    expect(named('destination.save').at(-1)?.input).toEqual({ paused: true });
  });

  it('has a button on the Webhooks screen, apart from the switch that chooses messages', async () => {
    await open();
    act(() => navigate({ screen: 'webhooks', slot: null }));
    await settle();
    const card = byName('section', 'Destination');
    expect(card.textContent).toContain('Choose new messages');
    expect(card.textContent).toContain('Off: they become Not selected and are never sent.');
    expect(card.textContent).toContain('While paused, chosen messages wait, and nothing but replays is sent.');
    await click(byName('button', 'Pause delivery'));
    expect(named('destination.save').at(-1)?.input).toEqual({ paused: true });
    expect(card.textContent).toContain('PausedCtrl .Resume delivery');
    await click(byName('button', 'Resume delivery'));
    expect(named('destination.save').at(-1)?.input).toEqual({ paused: false });
    await click(byName('[role="switch"]', 'Choose new messages'));
    expect(named('destination.save').at(-1)?.input).toEqual({ enabled: false });
  });
});
