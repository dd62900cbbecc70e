import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import { heldKeys } from '../../../src/renderer/screens/sources/held-calls.ts';
import SourcesScreen from '../../../src/renderer/screens/sources/sources-screen.tsx';
import { makeRow } from '../../helpers/fake-data.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  inputsOf,
  lastCall,
  type Rendered,
  render,
  settle,
  settled,
  type as typeText,
} from './harness.tsx';

interface OpenOptions {
  sources?: Config['sources'];
  before?: () => Promise<void>;
}

const SOURCES: Config['sources'] = [
  { name: 'web', writeKey: 'wk_web_51ab', kind: 'web', enabled: true, webhooks: true },
  { name: 'checkout-api', writeKey: 'wk_dev_7f3a9c', kind: 'server', enabled: true, webhooks: true },
  { name: 'ios-app', writeKey: 'wk_ios_93d0', kind: 'mobile', enabled: true, webhooks: true },
];
const CRM = { name: 'CRM sync', url: 'http://crm.test/hook', headers: {}, enabled: true };

let engine: SimEngine;
let shown: Rendered;
/** `before` happens while no window is open. */
async function open({ sources = SOURCES, before = async () => {} }: OpenOptions = {}): Promise<void> {
  engine = await connectEngine({ config: { sources, webhooks: { entries: [CRM] } } });
  await before();
  shown = await render(
    <>
      <SourcesScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
afterEach(() => {
  shown.unmount();
  disconnect();
});

const text = () => document.body.textContent ?? '';
const input = (name: string) => byName('input', name) as HTMLInputElement;
const saves = () => inputsOf('sources.save');

describe('sources', () => {
  it('shows write keys and turns sources on and off', async () => {
    await open();
    expect(text()).toContain('wk_dev_7f3a9c');
    await click(byName('[role="switch"]', 'Send messages of checkout-api to Webhooks'));
    expect(saves()).toEqual([
      { id: 2, name: 'checkout-api', writeKey: 'wk_dev_7f3a9c', kind: 'server', enabled: true, webhooks: false },
    ]);
  });
  it('keeps both of two switches that are flipped at once', async () => {
    await open();
    await act(async () => {
      byName('[role="switch"]', 'Send messages of checkout-api to Webhooks').click();
      byName('[role="switch"]', 'Receive calls of checkout-api').click();
    });
    await settle();
    expect(saves().at(-1)).toMatchObject({ id: 2, enabled: false, webhooks: false });
  });
  it('adds a source, with a key made by the engine when none is given', async () => {
    await open({ sources: SOURCES.slice(0, 1) });
    await click(byName('button', 'Add source'));
    const dialog = document.querySelector('[role="dialog"]')!;
    await click(byName('footer button', 'Add source', dialog));
    expect(text()).toContain('Enter a name.');
    await typeText(input('Name'), 'checkout');
    await click(byName('[role="radio"]', 'Web'));
    await click(byName('footer button', 'Add source', dialog));
    expect(saves()).toEqual([{ name: 'checkout', kind: 'web', enabled: true, webhooks: true, writeKey: undefined }]);
    expect(document.querySelector('[role="dialog"]')).toBeNull();
    expect(text()).toContain('2 sources');
  });
  it('puts a taken write key under its field and keeps the dialog open', async () => {
    await open();
    await click(byName('button', 'Edit ios-app'));
    await typeText(input('Write key'), 'wk_web_51ab');
    await click(byName('button', 'Save source'));
    const field = input('Write key');
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'The source web has this write key.',
    );
  });
  it('is removed only after asking', async () => {
    await open();
    await click(byName('button', 'Remove ios-app'));
    expect(engine.calls.some(({ name }) => name === 'sources.remove')).toBe(false);
    await click(byName('[role="dialog"] footer button', 'Remove'));
    expect(lastCall()).toEqual({ name: 'sources.remove', input: { id: 3 } });
  });
});

describe('track events', () => {
  const track = (event: string) => engine.post('/v1/track', { userId: 'u', event }, 'wk_dev_7f3a9c');
  const sent = async () => {
    for (const event of ['Order Completed', 'Order Completed', 'Product Added']) await track(event);
  };
  const switches = () => inputsOf('sources.switchEvent');

  it('are listed with their counts, found by a part of their name, and switched one by one', async () => {
    await open({ before: sent });
    await click(byName('button', 'Track events of checkout-api: All on'));
    const dialog = document.querySelector('[role="dialog"]')!;
    expect(dialog.textContent).toContain('2 received');
    expect(dialog.textContent).toContain('1 received');
    await typeText(byName('input', 'Find an event', dialog) as HTMLInputElement, 'ORDER');
    expect(
      [...dialog.querySelectorAll('[aria-label="Events"] li')].map(
        (item) => item.querySelector('[title]')?.textContent,
      ),
    ).toEqual(['Order Completed']);
    await click(byName('[role="switch"]', 'Send Order Completed to Webhooks'));
    expect(switches()).toEqual([{ id: 2, event: 'Order Completed', on: false }]);
    await settle();
    await click(byName('[role="switch"]', 'Send Order Completed to Webhooks'));
    expect(switches()[1]).toEqual({ id: 2, event: 'Order Completed', on: true });
    await click(byName('[role="dialog"] button', 'Close'));
    expect(text()).toContain('All on');
  });

  it('that have not come yet are switched off by their name, exactly as it is written', async () => {
    await open();
    await click(byName('button', 'Track events of checkout-api: All on'));
    await settle();
    const field = byName('input', 'Name of an event to switch off') as HTMLInputElement;
    await typeText(field, ' Not Seen ');
    await click(byName('[role="dialog"] button', 'Switch off'));
    await settle();
    expect(switches()).toEqual([{ id: 2, event: ' Not Seen ', on: false }]);
    expect(field.value).toBe('');
    expect(byName('[role="switch"]', 'Send  Not Seen  to Webhooks').getAttribute('aria-checked')).toBe('false');
    expect(byName('button', 'Track events of checkout-api: 1 off').textContent).toBe('1 off');
  });

  it('says how many calls of a switched-off event were not sent', async () => {
    await open();
    await settled(call('sources.switchEvent', { id: 2, event: 'Order Completed', on: false }));
    await settled(sent());
    await click(byName('button', 'Track events of checkout-api: 1 off'));
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('2 received, 2 not sent');
  });

  it('whose name was cut cannot be switched, and a list that cannot be read says so', async () => {
    await open({ before: async () => void (await track('x'.repeat(2_000))) });
    await click(byName('button', 'Track events of checkout-api: All on'));
    expect(text()).toContain('Always on');
    expect(document.querySelector('[aria-label="Events"] [role="switch"]')).toBeNull();
    await click(byName('[role="dialog"] button', 'Close'));
    engine.failNext('sources.events', new ContractError('stopped'));
    await click(byName('button', 'Track events of ios-app: All on'));
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('The engine has stopped');
  });
});

describe('more events than are listed', () => {
  it('are counted', async () => {
    const batch = Array.from({ length: 503 }, (_, i) => ({ type: 'track', userId: 'u', event: `Event ${i}` }));
    await open({ before: async () => void (await engine.post('/v1/batch', { batch }, 'wk_ios_93d0')) });
    await click(byName('button', 'Track events of ios-app: All on'));
    expect(text()).toContain('3 events with fewer calls not listed.');
  });
});

describe('calls with an unknown key', () => {
  it('are offered a source with that key, and taken in once it is there', async () => {
    await open({
      before: async () => {
        for (const userId of ['a', 'b', 'c']) await engine.post('/v1/identify', { userId }, 'wk_x91');
      },
    });
    await click(byName('button', 'Add a source with this key'));
    expect(input('Write key').value).toBe('wk_x91');
    await typeText(input('Name'), 'found');
    await click(byName('[role="dialog"] footer button', 'Add source'));
    await settle();
    expect(engine.calls).toContainEqual({ name: 'messages.reingestHeld', input: { writeKey: 'wk_x91' } });
    expect(text()).toContain('3 held calls taken in.');
    await settle();
    expect(text()).not.toContain('Add a source with this key');
  });
  it('are counted by key, most calls first, without keys that a source has', () => {
    const row = (id: number, key: string | null, reason = 'unknown_source') => ({
      ...makeRow(id, { hostile: false, now: 0, total: 9 }),
      reason,
      reasonDetail: key,
    });
    const rows = [row(1, 'a'), row(2, 'b'), row(3, 'b'), row(4, 'known'), row(5, 'c', 'invalid_json'), row(6, null)];
    expect(heldKeys(rows, new Set(['known']))).toEqual([
      { writeKey: 'b', calls: 2 },
      { writeKey: 'a', calls: 1 },
    ]);
  });
});
