import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import type { AttemptResult } from '../../../src/core/model/attempt.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { takeShellFacts, useShellFacts } from '../../../src/renderer/platform/desktop.ts';
import WebhooksScreen from '../../../src/renderer/screens/webhooks/webhooks-screen.tsx';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { EVIL_CERTIFICATE, SELF_SIGNED, TRUSTED } from '../../helpers/fake-data.ts';
import { type SimEngine, workspaceWithoutKey } from '../../helpers/sim-engine.ts';
import { always, noConnection, result } from '../../helpers/sim-transport.ts';
import {
  blur,
  byName,
  click,
  connectEngine,
  disconnect,
  inputsOf,
  lastCall,
  press,
  type Rendered,
  render,
  settle,
  type as typeText,
} from './harness.tsx';

type Entry = NonNullable<NonNullable<Config['webhooks']>['entries']>[number];

const hook = (name: string, url: string, more: Partial<Entry> = {}): Entry => ({
  name,
  url,
  headers: {},
  enabled: true,
  ...more,
});
/** The fourth and fifth only count. */
const HOOKS: Entry[] = [
  hook('CRM sync', 'https://crm.acme.test/hooks/segment', {
    headers: { 'X-Tenant': { value: 'acme', shown: true }, Authorization: `Bearer ${'k'.repeat(24)}` },
  }),
  hook('Warehouse loader', 'http://localhost:4010/ingest'),
  hook('Flaky receiver', 'http://localhost:8766/r/flaky'),
  hook('Legacy ERP', 'https://erp.acme.test:8443/webhooks'),
  hook('Archive', 'http://localhost:8766/r/slow', { enabled: false }),
];

const DOUBLING = { baseMs: 10_000, factor: 2, maxMs: 1_200_000, seed: 1 };

let engine: Pick<SimEngine, 'calls' | 'failNext'>;
let shown: Rendered;
async function open(slot: number | null, webhooks: Config['webhooks'] = { entries: HOOKS }): Promise<void> {
  engine = await connectEngine({ config: { webhooks: { sharedSecret: 'a secret that ends in 12', ...webhooks } } });
  await show(slot);
}
/** After one call, to which the first and the fourth webhook had these results. */
async function openCalled(slot: number, crm: AttemptResult, erp: AttemptResult): Promise<void> {
  const sources = [{ name: 'web', writeKey: 'wk_web', kind: 'web' as const, enabled: true, webhooks: true }];
  engine = await connectEngine({ config: { sources, webhooks: { entries: HOOKS } } }, async (started) => {
    for (const [i, one] of [
      [0, crm],
      [3, erp],
    ] as const)
      started.transport.on(HOOKS[i]!.url, always({ afterMs: 1, result: one }));
    await started.post('/v1/track', { userId: 'u', event: 'Order Completed' }, 'wk_web');
    await started.pass();
  });
  await show(slot);
}
async function show(slot: number | null): Promise<void> {
  navigate({ screen: 'webhooks', slot });
  shown = await render(
    <>
      <WebhooksScreen />
      <ToastRegion />
    </>,
  );
}
beforeEach(() => navigate({ screen: 'webhooks', slot: null }));
afterEach(() => {
  shown.unmount();
  disconnect();
});

const saves = () => inputsOf('webhooks.save');
const text = () => document.body.textContent ?? '';
const input = (name: string) => byName('input', name) as HTMLInputElement;

describe('a webhook', () => {
  it('opens in place and saves its URL on Enter, with secret header values kept', async () => {
    await open(null);
    await click(byName('button', 'Settings of CRM sync'));
    await typeText(input('URL'), 'https://crm.acme.test/v2');
    await press(input('URL'), 'Enter');
    expect(saves()).toEqual([
      {
        id: 1,
        name: 'CRM sync',
        url: 'https://crm.acme.test/v2',
        enabled: true,
        headers: [
          { name: 'X-Tenant', value: null, at: 0 },
          { name: 'Authorization', value: null, at: 1 },
        ],
      },
    ]);
    expect(text()).toContain('All changes saved');
  });

  it('keeps the stored URL active when a new one is refused, and says so', async () => {
    await open(1);
    await typeText(input('URL'), 'crm.acme.test');
    await blur(input('URL'));
    expect(text()).toContain('Enter a full URL that starts with http:// or https://.');
    expect(text()).toContain('A change is not saved');
    expect(useRecords.getState().webhooks[0]?.url).toBe('https://crm.acme.test/hooks/segment');
    await press(input('URL'), 'Escape');
    expect(input('URL').value).toBe('https://crm.acme.test/hooks/segment');
  });

  it('never shows a stored secret value; replacing it sends the new one and hides it again', async () => {
    await open(1);
    expect(text()).toContain('hidden, 31 characters');
    await click(byName('button', 'Replace the value of Authorization'));
    await typeText(input('Value of Authorization'), 'Bearer new');
    await press(input('Value of Authorization'), 'Enter');
    expect(saves().at(-1)).toMatchObject({ headers: [{}, { name: 'Authorization', value: 'Bearer new' }] });
    expect(text()).toContain('hidden, 10 characters');
    expect(document.body.innerHTML).not.toContain('Bearer new');
  });

  it('shows a value in clear only while its header is marked, and sends the mark at once', async () => {
    await open(1);
    expect(input('Value of X-Tenant').value).toBe('acme');
    await click(byName('button', 'Hide the value of X-Tenant'));
    expect(saves().at(-1)).toMatchObject({
      headers: [
        { name: 'X-Tenant', at: 0, shown: false },
        { at: 1, shown: false },
      ],
    });
    expect(text()).toContain('hidden, 4 characters');
    await click(byName('button', 'Show the value of X-Tenant in clear'));
    expect(saves().at(-1)).toMatchObject({
      headers: [{ name: 'X-Tenant', value: null, at: 0, shown: true }, { value: null }],
    });
    expect(input('Value of X-Tenant').value).toBe('acme');
  });

  it('copies a hidden value on request and shows it nowhere', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (copied: string) => void written.push(copied) },
    });
    try {
      await open(1);
      await click(byName('button', 'Copy the value of Authorization'));
      await settle();
      expect(lastCall()).toMatchObject({
        name: 'webhooks.headerValue',
        input: { id: 1, name: 'Authorization', at: 1 },
      });
      expect(written).toHaveLength(1);
      expect(written[0]).toHaveLength(31);
      expect(document.body.innerHTML).not.toContain(written[0]);
      expect(JSON.stringify(useRecords.getState())).not.toContain(written[0]);
      engine.failNext('webhooks.headerValue', new ContractError('header_not_found'));
      await click(byName('button', 'Copy the value of Authorization'));
      await settle();
      expect(text()).toContain('There is no such static header any more.');
      expect(written).toHaveLength(1);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('keeps the places of headers with one name when one of them is removed', async () => {
    await open(2);
    for (const value of ['first', 'second', 'third']) {
      await click(byName('button', 'Add header'));
      await typeText(
        [...document.querySelectorAll<HTMLInputElement>('input[aria-label="Header name"]')].at(-1)!,
        'X-Key',
      );
      await typeText(input('Value of X-Key'), value);
      await press(input('Value of X-Key'), 'Enter');
    }
    await click(document.querySelector('button[aria-label="Remove header X-Key"]') as HTMLElement);
    expect(saves().at(-1)).toMatchObject({
      headers: [
        { name: 'X-Key', value: null, at: 1 },
        { value: null, at: 2 },
      ],
    });
  });

  it('shows no tail of a short secret', async () => {
    await open(null, { sharedSecret: 'abcd' });
    expect(text()).toContain('hidden, 4 characters');
    expect(text()).not.toContain('ending in');
  });

  it('puts a header error under the header at fault', async () => {
    await open(2);
    await click(byName('button', 'Add header'));
    await typeText(input('Header name'), 'X-Signature');
    await typeText(input('Value of X-Signature'), 'abc');
    await press(input('Value of X-Signature'), 'Enter');
    const name = input('Header name');
    expect(name.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(name.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'X-Signature is set by Hookbench and cannot be a static header.',
    );
  });

  it('is switched off at once and drawn as paused', async () => {
    await open(null);
    await click(byName('[role="switch"]', 'Send to CRM sync'));
    expect(saves().at(-1)).toMatchObject({ id: 1, enabled: false });
    expect(byName('[role="switch"]', 'Send to CRM sync').getAttribute('aria-checked')).toBe('false');
  });

  it('keeps both of two changes that are made at once', async () => {
    await open(1);
    await typeText(input('Name'), 'Marketing');
    await act(async () => {
      input('Name').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      byName('[role="switch"]', 'Send to CRM sync').click();
    });
    await settle();
    expect(saves().at(-1)).toMatchObject({ id: 1, name: 'Marketing', enabled: false });
  });

  it('is removed only after asking', async () => {
    await open(1);
    await click(byName('button', 'Remove'));
    expect(text()).toContain('is not tried again');
    expect(engine.calls.some(({ name }) => name === 'webhooks.remove')).toBe(false);
    const dialog = document.querySelector('[role="dialog"]')!;
    await click(byName('button', 'Remove', dialog));
    expect(lastCall()).toEqual({ name: 'webhooks.remove', input: { id: 1 } });
    expect(text()).toContain('4 of 5 used');
  });
});

describe('a certificate', () => {
  const settings = () => document.querySelector('[aria-label^="Close settings of"]')?.closest('li');
  const trusted = result('accepted', { status: 200, certificate: TRUSTED });
  const refused = result('refused_certificate', { reason: 'self_signed', certificate: SELF_SIGNED });
  it('is shown on the card of an https webhook and expands to all details', async () => {
    await openCalled(1, trusted, refused);
    expect(settings()?.textContent).toContain('Certificate trusted, valid to 3 Mar 2027');
    await click(byName('button', 'View certificate'));
    const dialog = document.querySelector('[role="dialog"]')?.textContent ?? '';
    for (const fact of ['CRM sync', 'CN=crm.acme.test', 'Acme Issuing CA 3', 'DNS:www.crm.acme.test', '9C:41:7E'])
      expect(dialog).toContain(fact);
  });
  it('folds what a server says at length until it is asked for', async () => {
    await openCalled(4, trusted, { ...refused, certificate: EVIL_CERTIFICATE });
    await click(byName('button', 'View certificate'));
    const dialog = () => document.querySelector('[role="dialog"]')?.textContent ?? '';
    expect(dialog()).not.toContain('x'.repeat(400));
    await click(byName('button', /^Show all 1,9\d\d characters$/));
    expect(dialog()).toContain('x'.repeat(1_900));
    expect(dialog()).toContain('U+202E');
  });
  it('says why it was refused, and nothing for plain http', async () => {
    await openCalled(4, noConnection().result, refused);
    expect(settings()?.textContent).toContain('Refused: self-signed');
    await click(byName('button', 'View certificate'));
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('No request is sent to this server.');
    act(() => navigate({ screen: 'webhooks', slot: 2 }));
    await settle();
    expect(settings()?.textContent).not.toMatch(/[Cc]ertificate/);
    act(() => navigate({ screen: 'webhooks', slot: 1 }));
    await settle();
    expect(settings()?.textContent).toContain('No certificate seen yet');
  });
});

describe('adding', () => {
  it('names a webhook after its host and opens its settings', async () => {
    await open(null, { entries: [], sharedSecret: undefined });
    await click(byName('button', 'Add webhook'));
    await typeText(input('URL'), 'http://localhost:4010/ingest');
    await click(byName('button[type="submit"]', 'Add webhook'));
    expect(saves()).toEqual([
      { name: 'localhost:4010', url: 'http://localhost:4010/ingest', headers: [], enabled: true },
    ]);
    expect(location.hash).toBe('#/webhooks/1');
    expect(byName('button', 'Close settings of localhost:4010').getAttribute('aria-expanded')).toBe('true');
  });
  it('is not offered for a sixth', async () => {
    await open(null);
    expect((byName('button', 'Add webhook') as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('destination', () => {
  it('changes body, limit and on or off at once', async () => {
    await open(null);
    await click(byName('[role="radio"]', 'Pass-through'));
    await click(byName('[role="radio"]', '10 s'));
    await click(byName('[role="switch"]', 'Choose new messages'));
    expect(inputsOf('destination.save')).toEqual([{ body: 'pass-through' }, { timeoutMs: 10_000 }, { enabled: false }]);
  });
  it('says what failed and keeps the old choice', async () => {
    await open(null);
    engine.failNext('destination.save', new ContractError('store_not_writable'));
    await click(byName('[role="radio"]', 'Pass-through'));
    expect(text()).toContain('Could not save the destination');
    expect(byName('[role="radio"]', 'Documented').getAttribute('aria-checked')).toBe('true');
    for (const close of document.querySelectorAll<HTMLElement>('[aria-label="Close notice"]')) await click(close);
  });
  it('reads the delivery rules from the engine', async () => {
    await open(null, { retry: { ...DOUBLING, windowMs: 7_200_000, jitter: 0 } });
    expect(text()).toContain('2 h from the first attempt');
    expect(text()).not.toContain('±');
  });
});

describe('shared secret', () => {
  it('is shown once when made here, and not after', async () => {
    await open(null, { entries: [], sharedSecret: undefined });
    await click(byName('button', 'New secret'));
    const secret = /[0-9a-f]{48}/.exec(text())?.[0] ?? '';
    expect(secret).not.toBe('');
    expect(text()).toContain('Copy it now. It is not shown again.');
    await click(byName('button', 'Done'));
    expect(document.body.innerHTML).not.toContain(secret);
    expect(text()).toContain('Signing on');
  });
  it('can be entered, in a field that hides it', async () => {
    await open(null, { entries: [], sharedSecret: undefined });
    await click(byName('button', 'Enter one'));
    const field = input('Shared secret of the receivers');
    expect(field.type).toBe('password');
    await typeText(field, 'hunter22');
    await click(byName('button', 'Save secret'));
    expect(lastCall()).toEqual({ name: 'destination.setSecret', input: { secret: 'hunter22' } });
    expect(document.body.innerHTML).not.toContain('hunter22');
  });
  it('is turned off only after asking', async () => {
    await open(null);
    await click(byName('button', 'Turn signing off'));
    await click(byName('button', 'Turn off'));
    expect(lastCall()).toEqual({ name: 'destination.setSecret', input: { secret: null } });
    expect(text()).toContain('Requests are not signed.');
  });
  it('says what to do when it cannot be read', async () => {
    const folder = await workspaceWithoutKey({ webhooks: { entries: HOOKS, sharedSecret: 'a secret' } });
    engine = await connectEngine({ folder });
    await show(null);
    expect(document.querySelector('[role="alert"]')?.textContent).toContain(
      'The shared secret cannot be read, so nothing is sent.',
    );
  });
  it('says when the desktop keeps the key in a file, and nothing in a browser', async () => {
    await open(null);
    expect(text()).not.toContain('lies in a file');
    const titleBar = { height: 0, buttons: 'right' as const };
    for (const keyStorage of ['system', 'file'] as const) {
      window.hookbench = { requestPort: () => {}, facts: async () => ({ keyStorage, theme: 'dark', titleBar }) };
      await act(async () => takeShellFacts(() => {}));
      expect(text().includes('The key that seals secrets lies in a file')).toBe(keyStorage === 'file');
    }
    window.hookbench = undefined;
    act(() => useShellFacts.setState({ facts: null }));
  });
});
