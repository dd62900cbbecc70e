/** The audiences screen on the real engine with simulated webhooks and time. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/contract/config.ts';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import AudiencesScreen from '../../../src/renderer/screens/audiences/audiences-screen.tsx';
import { navigate, type Route, useRouteStore } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
  cellsOf,
  click,
  connectEngine,
  disconnect,
  inputsOf,
  press,
  type Rendered,
  render,
  settle,
  settled,
  type as typeText,
  until,
} from '../base/harness.tsx';

const CRM = { name: 'CRM sync', url: 'http://crm.test/hook', headers: {}, enabled: true };
const buyers = (userIds: string[]) => ({
  name: 'High Value Customers',
  userIds,
  sync: { when: 'hand' as const },
  track: false,
});

let engine: SimEngine;
let shown: Rendered;
async function open(audiences: Config['audiences'] = [], route: Partial<Route> = {}): Promise<void> {
  engine = await connectEngine({ config: { audiences, webhooks: { entries: [CRM] } } });
  navigate({ screen: 'audiences', audienceId: null, tab: 'pending', ...route } as Route);
  shown = await render(
    <>
      <AudiencesScreen />
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
const dialog = () => document.querySelector<HTMLElement>('[role="dialog"]')!;
const input = (name: string) => byName('input', name) as HTMLInputElement;
const tab = (name: RegExp) => click(byName('[role="tab"]', name));
/** Pastes into the box of user ids. */
async function paste(ids: string): Promise<void> {
  const area = document.querySelector<HTMLTextAreaElement>('textarea')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, ids);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
async function sync(name: RegExp): Promise<void> {
  await click(byName('button', name));
  await until(() => text().includes('Nothing to send'));
}

describe('without an audience', () => {
  it('offers a new one and a sample; the tab of traits says that there is none', async () => {
    await open();
    expect(text()).toContain('No audience yet.');
    await click(byName('[role="radio"]', 'Traits 0'));
    expect(text()).toContain('No computed trait yet.');
    expect(document.querySelector('[aria-label="New audience"]')).toBeNull();
    await click(byName('[role="radio"]', 'Audiences 0'));
    await click(byName('button', 'Sample audience'));
    await settle();
    expect(byName('[role="grid"] [role="row"]', /Sample audience/).textContent).toContain('3');
    expect(byName('h2', 'Sample audience')).toBeTruthy();
  });

  it('says so at the address of an audience that is not there', async () => {
    await open([], { audienceId: 7 } as Partial<Route>);
    expect(text()).toContain('There is no audience 7.');
  });
});

describe('a new audience', () => {
  it('gets its property from its name, and its members by paste, byte for byte', async () => {
    await open();
    await click(byName('button', 'New audience'));
    await typeText(input('Name'), 'Käufer, 24h');
    await settle();
    expect(input('Property').value).toBe('kaufer_24h');
    await paste('b\r\n a \n\nb\na');
    expect(dialog().textContent).toContain(
      '3 ids, 1 duplicate kept once. 1 begins or ends with a space and is kept as found.',
    );
    await click(byName('button', 'Add audience'));
    await settle();
    expect(inputsOf('audiences.save')).toEqual([
      { id: undefined, kind: 'audience', name: 'Käufer, 24h', track: false },
    ]);
    expect(inputsOf('audiences.editMembers')).toEqual([{ id: 1, add: ['b', ' a ', 'a'] }]);
    expect(document.querySelector('[role="dialog"]')).toBeNull();
    expect(cellsOf('Pending changes').map((row) => row[1])).toEqual(['\u00b7a\u00b7', 'a', 'b']);
  });

  it('cannot take a property that another one sends; the next free name is one click away', async () => {
    await open([buyers(['u'])]);
    await click(byName('button', 'New audience'));
    await typeText(input('Name'), 'High-value customers');
    await settle();
    expect(dialog().textContent).toContain('The audience High Value Customers sends high_value_customers already.');
    expect((byName('button', 'Add audience') as HTMLButtonElement).disabled).toBe(true);
    await click(byName('button', 'Use high_value_customers_2'));
    await settle();
    await click(byName('button', 'Add audience'));
    await settle();
    expect(byName('[role="grid"] [role="row"]', /High-value customers/).textContent).toContain(
      'high_value_customers_2',
    );
  });

  it('of a name without Latin letters wants a property that is typed', async () => {
    await open();
    await click(byName('button', 'New audience'));
    await typeText(input('Name'), '日本');
    await settle();
    expect(dialog().textContent).toContain('The name has no Latin letter or digit. Type a property.');
    await typeText(input('Property'), '9japan');
    expect(dialog().textContent).toContain('Lower-case letters, digits and underscores, no digit first.');
    await typeText(input('Property'), 'japan');
    await settle();
    await click(byName('button', 'Add audience'));
    await settle();
    expect(inputsOf('audiences.save')).toEqual([
      { id: undefined, kind: 'audience', name: '日本', track: false, property: 'japan' },
    ]);
  });

  it('is not added twice when only its members were refused', async () => {
    await open();
    await click(byName('button', 'New audience'));
    await typeText(input('Name'), 'Once');
    await settle();
    await paste('a');
    engine.failNext('audiences.editMembers', new ContractError('store_not_writable'));
    await click(byName('button', 'Add audience'));
    await settle();
    expect(dialog().textContent).toContain('The store cannot be written.');
    await click(byName('button', 'Add audience'));
    await settle();
    expect(document.querySelectorAll('[role="grid"] [role="row"]')).toHaveLength(1);
    expect(byName('[role="grid"] [role="row"]', /Once/).textContent).toContain('1');
  });
});

describe('the dry run', () => {
  it('shows each call exactly as it is sent, and [ and ] go through them', async () => {
    await open([buyers(['a', 'b', 'c'])]);
    expect(text()).toContain('The first sync sends 3 identify calls, 0 of them removals. Nothing is sent yet.');
    const panel = byName('aside', 'Next sync');
    expect(panel.textContent).toContain('1 of 3');
    await press(document.body, ']');
    await press(document.body, ']');
    await press(document.body, ']');
    expect(panel.textContent).toContain('3 of 3');
    await press(document.body, '[');
    expect(panel.textContent).toContain('2 of 3');
    const body = byName('section', 'Body').textContent ?? '';
    expect(body).toContain('"userId": "b"');
    expect(body).toContain('+    "high_value_customers": true');
    expect(body).toContain('"context": {}');
    expect(engine.transport.sent).toHaveLength(0);
  });

  it('loads further calls as they are asked for', async () => {
    await open([buyers(Array.from({ length: 120 }, (_, i) => `u${String(i).padStart(3, '0')}`))]);
    for (let i = 0; i < 60; i += 1) await press(document.body, ']');
    await settle();
    expect(byName('aside', 'Next sync').textContent).toContain('61 of 120');
    expect(byName('section', 'Body').textContent).toContain('"userId": "u060"');
  });

  it('that cannot be made can be tried again', async () => {
    engine = await connectEngine({ config: { audiences: [buyers(['a'])], webhooks: { entries: [CRM] } } });
    engine.failNext('audiences.dryRun', new ContractError('stopped'));
    navigate({ screen: 'audiences', audienceId: 1, tab: 'pending' });
    shown = await render(<AudiencesScreen />);
    await settle();
    expect(text()).toContain('Could not make it.');
    await click(byName('button', 'Try again'));
    await until(() => text().includes('1 of 1'));
  });
});

describe('a sync', () => {
  it('sends every member first, then only what changed, and its ledger stands in the history', async () => {
    await open([buyers(['a', 'b', 'c'])]);
    await sync(/^Sync 3 members/);
    expect(engine.transport.sent).toHaveLength(3);
    expect(byName('[role="grid"] [role="row"]', /High Value/).textContent).toContain('In sync');
    await tab(/^Members/);
    await click(byName('button', 'Remove b'));
    await click(byName('button', 'Add members'));
    await paste('d\na');
    await click(byName('button', 'Add 2 members'));
    await settle();
    expect(text()).toContain('1 was in already.');
    expect(byName('[role="grid"] [role="row"]', /High Value/).textContent).toContain('+1 \u22121');
    await tab(/^Pending/);
    await until(() => text().includes('2 unchanged members are not sent.'));
    expect(cellsOf('Pending changes').map((row) => [row[1], row[3]])).toEqual([
      ['b', 'Removed'],
      ['d', 'Added'],
    ]);
    await sync(/^Sync 2 changes/);
    expect(engine.transport.sent).toHaveLength(5);
    await tab(/^Syncs/);
    await until(() => cellsOf('Syncs').length === 2);
    expect(cellsOf('Syncs').map((row) => [row[1], ...row.slice(3)])).toEqual([
      ['Sync 2', '2', '2', '0', '0'],
      ['First sync', '3', '3', '0', '0'],
    ]);
  });

  it('locks the property, and says so', async () => {
    await open([buyers(['a'])]);
    await sync(/^Sync 1 member/);
    await click(byName('button', 'More for High Value Customers'));
    await click(byName('[role="menuitem"]', 'Edit name and property'));
    expect(input('Property').disabled).toBe(true);
    expect(dialog().textContent).toContain('Make a copy to send another name.');
    await typeText(input('Name'), 'VIP');
    await click(byName('button', 'Save audience'));
    await settle();
    expect(byName('[role="grid"] [role="row"]', /VIP/).textContent).toContain('high_value_customers');
  });

  it('waits while delivery is paused, says why, is stopped and resumed', async () => {
    await open([buyers(['a', 'b'])]);
    await settled(call('destination.save', { paused: true }));
    await click(byName('button', /^Sync 2 members/));
    await until(() => text().includes('It waits: delivery is paused by a person. Resume it to go on.'));
    await click(byName('button', 'Stop'));
    await until(() => text().includes('Stopped at 0 of 2. Resume goes on with the next one.'));
    await settled(call('destination.save', { paused: false }));
    await click(byName('button', 'Resume'));
    await until(() => text().includes('Nothing to send'));
    expect(engine.transport.sent).toHaveLength(2);
  });

  it('is begun by Ctrl Enter, once', async () => {
    await open([buyers(['a'])]);
    await press(document.body, 'Enter', { ctrlKey: true });
    await press(document.body, 'Enter', { ctrlKey: true });
    await until(() => text().includes('Nothing to send'));
    expect(inputsOf('audiences.sync')).toHaveLength(1);
  });

  it('runs by the retry clock when it is told to', async () => {
    await open([buyers(['a'])]);
    await click(byName('[role="radio"]', '10 min'));
    expect(inputsOf('audiences.save')).toEqual([
      { id: 1, kind: 'audience', name: 'High Value Customers', sync: { when: 'every', everyMs: 600_000 } },
    ]);
    expect(text()).toContain('Follows the retry clock: every 10 min.');
    expect(engine.transport.sent).toHaveLength(0);
    await act(async () => engine.pass(600_000));
    await until(() => engine.transport.sent.length === 1);
  });
});

describe('members', () => {
  it('are found by a part of the id, removed, and put back by Undo', async () => {
    await open([buyers(['anna', 'bert', 'hannah'])], { audienceId: 1, tab: 'members' } as Partial<Route>);
    await typeText(input('Find a member'), 'ANNA');
    await until(() => cellsOf('Members').length === 2);
    await click(byName('button', 'Remove hannah'));
    await until(() => cellsOf('Members').length === 1);
    await click(byName('button', 'Undo'));
    await until(() => cellsOf('Members').length === 2);
  });

  it('of a long list are drawn a few at a time', async () => {
    await open([buyers([])], { audienceId: 1, tab: 'members' } as Partial<Route>);
    for (let from = 0; from < 3_000; from += 1_000) {
      const add = Array.from({ length: 1_000 }, (_, i) => `u${String(from + i).padStart(6, '0')}`);
      await settled(call('audiences.editMembers', { id: 1, add }));
    }
    await until(() => document.querySelectorAll('[role="table"] [role="row"]').length > 10);
    expect(document.querySelectorAll('[role="table"] [role="row"]').length).toBeLessThan(80);
    expect(byName('[role="table"]', 'Members').getAttribute('aria-rowcount')).toBe('3001');
  });

  it('that cannot be read can be read again', async () => {
    engine = await connectEngine({ config: { audiences: [buyers(['a'])] } });
    engine.failNext('audiences.members', new ContractError('stopped'));
    navigate({ screen: 'audiences', audienceId: 1, tab: 'members' });
    shown = await render(<AudiencesScreen />);
    await settle();
    expect(text()).toContain('Could not read the list.');
    await click(byName('button', 'Try again'));
    await until(() => document.querySelector('[role="table"]') !== null);
    expect(cellsOf('Members')).toHaveLength(1);
  });
});

describe('the list', () => {
  it('is moved through with the arrows, and an audience is removed only after asking', async () => {
    await open([buyers(['a']), { name: 'Churn Risk', userIds: [], sync: { when: 'hand' }, track: false }]);
    await press(byName('[role="grid"] [role="row"]', /High Value/), 'ArrowDown');
    expect(useRouteStore.getState().route).toMatchObject({ audienceId: 2 });
    expect(document.activeElement?.textContent).toContain('Churn Risk');
    await click(byName('button', 'More for Churn Risk'));
    await click(byName('[role="menuitem"]', 'Remove'));
    expect(inputsOf('audiences.remove')).toEqual([]);
    await click(byName('[role="dialog"] footer button', 'Remove'));
    await settle();
    expect(inputsOf('audiences.remove')).toEqual([{ id: 2 }]);
    expect(document.querySelectorAll('[role="grid"] [role="row"]')).toHaveLength(1);
  });
});
