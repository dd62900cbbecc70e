import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { App } from '../../../src/renderer/app.tsx';
import { whyNoStep } from '../../../src/renderer/frame/clock-actions.ts';
import { stateSentence } from '../../../src/renderer/lib/words/states.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import { always, answer } from '../../helpers/sim-transport.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  press,
  type Rendered,
  render,
  settle,
  settled,
} from '../base/harness.tsx';

const HOOK = 'http://crm.test/hook';
/** The first wait is 4 s, without jitter. */
const CONFIG: Config = {
  sources: [{ name: 'web', writeKey: 'wk_1', kind: 'web', enabled: true, webhooks: true }],
  webhooks: {
    retry: { baseMs: 4_000, factor: 2, maxMs: 1_200_000, windowMs: 14_400_000, jitter: 0, seed: 1 },
    entries: [{ name: 'CRM', url: HOOK, headers: {}, enabled: true }],
  },
};

let engine: SimEngine;
let shown: Rendered;
/** The webhook fails, so every call that comes in is tried again. */
async function open(speed: 1 | 60, start?: number): Promise<void> {
  engine = await connectEngine({ config: { ...CONFIG, clock: { speed } }, start });
  engine.transport.on(HOOK, always(answer(500)));
  navigate({ screen: 'sources' });
  shown = await render(<App />);
}
const fail = (event: string) => settled(engine.post('/v1/track', { userId: 'u', event }, 'wk_1'));
afterEach(() => {
  shown.unmount();
  disconnect();
  useView.setState({ railWanted: false });
});

const text = () => document.body.textContent ?? '';
const bar = () => document.querySelector('footer')?.textContent ?? '';
const named = (name: string) => engine.calls.filter((one) => one.name === name);

describe('retry clock', () => {
  it('pauses and resumes by button and by key, and says at which time it stands', async () => {
    const start = Date.UTC(2026, 10, 20, 14, 32, 10);
    await open(60, start);
    await click(byName('button', 'Pause the retry clock'));
    expect(named('clock.pause')).toHaveLength(1);
    const { clockAt } = useRecords.getState().clock;
    expect(clockAt).toBeGreaterThan(start);
    const reading = new Date(clockAt).toTimeString().slice(0, 8);
    expect(document.querySelector('section[aria-label="Retry clock"]')?.textContent).toContain(
      `Paused at ${reading}. Waits stand still.`,
    );
    await press(document.body, ',');
    expect(named('clock.resume')).toHaveLength(1);
    expect(text()).toContain('A 4 h window takes 4 min.');
  });

  it('shows no countdown while it is paused, anywhere', async () => {
    await open(1);
    await fail('Order Completed');
    expect(bar()).toMatch(/next in \d:\d\d/);
    await press(document.body, ',');
    expect(bar()).toContain('clock paused');
    expect(bar()).not.toMatch(/next in|Infinity|NaN/);
    const { rows } = await settled(
      call('messages.list', { filter: { terms: [{ key: 'status', values: ['retrying'] }] }, limit: 9 }),
    );
    expect(stateSentence(rows[0]!, Number.POSITIVE_INFINITY)).toBe('retrying, clock paused');
  });

  it('runs again when a speed is chosen, and Undo brings the pause back', async () => {
    await open(60);
    await press(document.body, ',');
    await click(byName('[role="radio"]', '10×'));
    expect(useRecords.getState().clock).toMatchObject({ speed: 10, paused: false });
    await click(byName('button', 'Undo'));
    expect(useRecords.getState().clock).toMatchObject({ speed: 60, paused: true });
  });

  it('steps to the next round and says how far and to which', async () => {
    await open(1);
    await press(document.body, ',');
    await fail('Order Completed');
    await click(byName('button', 'Step to the next round'));
    expect(named('clock.step')).toHaveLength(1);
    expect(text()).toContain('Stepped 4 s to round 2 of Order Completed');
    expect(document.querySelector('section[aria-label="Retry clock"]')?.textContent).toContain('Paused at');
  });

  it('names no message when several are due at once', async () => {
    await open(1);
    await press(document.body, ',');
    await fail('Twice');
    await fail('Twice');
    await press(document.body, '.');
    expect(text()).toContain('Stepped 4 s to the next round');
  });

  it('does not step while nothing waits, and the button says why', async () => {
    await open(1);
    const button = byName('button', 'Step to the next round: No message waits for a round.');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await click(button);
    await press(document.body, '.');
    expect(named('clock.step')).toEqual([]);
    expect(whyNoStep(5)).toBeNull();
  });

  it('has the same in the menu of the rail', async () => {
    useView.setState({ railWanted: true });
    await open(60);
    await click(byName('button', 'Retry clock, 60×'));
    await click(byName('[role="menuitem"]', /^Pause/));
    expect(named('clock.pause')).toHaveLength(1);
    expect(document.querySelector('button[aria-label^="Retry clock"]')?.getAttribute('aria-label')).toMatch(
      /^Retry clock, 60×, paused at /,
    );
  });

  it('lists its keys', async () => {
    await open(60);
    await press(document.body, '?');
    for (const line of ['Pause or resume the retry clock', 'Step to the next round', 'Pause or resume delivery'])
      expect(text()).toContain(line);
  });
});

describe('delivery pause', () => {
  it('is toggled with Ctrl or Command and a full stop, and shown on every screen with the way out', async () => {
    await open(60);
    for (const event of ['One', 'Two', 'Three']) await fail(event);
    await press(document.body, '.', { ctrlKey: true });
    expect(named('destination.save').at(-1)?.input).toEqual({ paused: true });
    expect(named('clock.step')).toEqual([]);
    const banner = () =>
      [...document.querySelectorAll('main b')].find((title) => title.textContent?.startsWith('Delivery is paused.'))
        ?.parentElement?.textContent ?? '';
    expect(banner()).toContain('Delivery is paused. 3 messages wait.');
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
    await open(60);
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
