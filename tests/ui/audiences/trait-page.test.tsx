/** Computed traits on the real engine: calls come through ingest, and values are computed of what is stored. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import type { ComputedTraitInput } from '../../../src/contract/people.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import AudiencesScreen from '../../../src/renderer/screens/audiences/audiences-screen.tsx';
import { useTraitDrafts } from '../../../src/renderer/screens/audiences/traits/trait-drafts.ts';
import { navigate, type Route, useRouteStore } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
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

const KEY = 'wk_shop';
let engine: SimEngine;
let shown: Rendered;

const order = (userId: string, total: unknown, currency = 'EUR') => ({
  type: 'track',
  userId,
  event: 'Order Completed',
  properties: { total, currency },
});
const ORDERS = [
  { type: 'identify', userId: 'usr_1', traits: { name: 'Mira Kovač' } },
  order('usr_1', 100),
  order('usr_1', 50.5),
  order('usr_2', 80),
  order('usr_3', '184.50'),
  order('usr_4', 10, 'USD'),
];
const LIFETIME: ComputedTraitInput = {
  kind: 'sum',
  event: 'Order Completed',
  path: 'properties.total',
  where: [{ path: 'properties.currency', test: { op: 'is', value: 'EUR' } }],
  withinMs: null,
};

const post = async (...batch: object[]) => expect(await settled(engine.post('/v1/batch', { batch }, KEY))).toBe(200);
const add = (name: string, definition: ComputedTraitInput) =>
  settled(call('audiences.save', { kind: 'trait', name, source: { by: 'computed', definition: definition as never } }));

async function open(route: Partial<Route> = {}, before: () => Promise<unknown> = async () => {}): Promise<void> {
  engine = await connectEngine({
    config: {
      sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: { entries: [{ name: 'CRM', url: 'http://crm.test/hook', headers: {}, enabled: true }] },
    },
  });
  await post(...ORDERS);
  await before();
  navigate({ screen: 'audiences', audienceId: null, tab: 'pending', traits: true, ...route } as Route);
  shown = await render(
    <>
      <AudiencesScreen />
      <ToastRegion />
    </>,
  );
  await settle();
}
const openLifetime = () =>
  open({}, async () => {
    await add('Lifetime value', LIFETIME);
  });
afterEach(() => {
  shown.unmount();
  useTraitDrafts.setState({ fresh: null, edits: new Map() });
  disconnect();
});

const text = () => document.body.textContent ?? '';
const input = (name: string) => byName('input', name) as HTMLInputElement;
const select = (name: string) => byName('select', name) as HTMLSelectElement;
const section = (name: string) => byName('section', name);
async function choose(name: string, value: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select(name), value);
    select(name).dispatchEvent(new Event('change', { bubbles: true }));
  });
  await settle();
}
const rows = () =>
  [...document.querySelectorAll('[aria-label="Changed values"] [role="row"]')]
    .slice(1)
    .map((row) => [...row.querySelectorAll('[role="cell"]')].map((cell) => cell.textContent));
/** What the webhook was told, in order, without the orders themselves. */
const told = () =>
  engine.transport.sent
    .map(({ body }) => JSON.parse(body) as { type: string; userId: string; traits?: Record<string, unknown> })
    .filter(({ type, traits }) => type === 'identify' && traits !== undefined && !('name' in traits))
    .map(({ userId, traits }) => [userId, Object.values(traits!)[0]]);
const entry = () => byName('[role="grid"] [role="row"]', /Lifetime value/).textContent ?? '';

describe('without a trait', () => {
  it('a sample counts the orders of each user', async () => {
    await open();
    expect(text()).toContain('No computed trait yet.');
    expect(text()).toContain('Computed traits are delivered as identify calls');
    await click(byName('button', 'Sample trait'));
    await until(() => text().includes('Sample trait added'));
    expect(inputsOf('audiences.save')).toEqual([
      {
        kind: 'trait',
        name: 'Orders placed',
        source: {
          by: 'computed',
          definition: { kind: 'count', event: 'Order Completed', path: null, where: [], withinMs: null },
        },
      },
    ]);
    await until(() => text().includes('4 of 4'));
    expect(useRouteStore.getState().route).toMatchObject({ traits: true, audienceId: 1 });
  });

  it('says so at the address of one that is not there', async () => {
    await open({ audienceId: 9 } as Partial<Route>);
    expect(text()).toContain('There is no computed trait 9.');
  });
});

describe('a trait', () => {
  it('shows its definition as a sentence, its values, and what was left out', async () => {
    await openLifetime();
    await until(() => section('Values').textContent?.includes('median') === true);
    expect(select('Kind').value).toBe('sum');
    expect([input('Computed property'), input('Event')].map(({ value }) => value)).toEqual([
      'properties.total',
      'Order Completed',
    ]);
    expect(section('Definition').textContent).toContain('3 calls counted');
    const values = section('Values').textContent;
    expect(values).toContain('people per range, EUR');
    expect(values).toContain('median 115.25');
    expect(values).toContain('highest 150.50');
    expect(values).toContain('2 people have no value. Nothing is sent for them.');
    expect(section('Rules').textContent).toContain('1 call with a string, such as "184.50", was left out.');
    expect(entry()).toContain('Sum');
    await until(() => text().includes('2 of 4'));
  });

  it('sends each user the value once, then only what changed, with the call that changed it', async () => {
    await openLifetime();
    await until(() => rows().length === 2);
    await until(() => rows().every((row) => row[5] !== ''));
    expect(rows().map((row) => row.slice(0, 6))).toEqual([
      ['+New', 'usr_1', 'Mira Kovač', 'none', '150.50', 'Order Completed'],
      ['+New', 'usr_2', '', 'none', '80.00', 'Order Completed'],
    ]);
    await click(byName('button', 'Sync 2 users'));
    await until(() => entry().includes('In sync'));
    expect(told()).toEqual([
      ['usr_1', 150.5],
      ['usr_2', 80],
    ]);
    expect(text()).toContain('Everyone with a value was told it.');
    await post(order('usr_2', 20), order('usr_3', 49.9), order('usr_4', 5, 'USD'));
    await until(() => entry().includes('2 changed'));
    await until(() => rows()[1]?.[1] === 'usr_3' && rows().every((row) => row[5] !== ''));
    expect(rows().map((row) => row.slice(0, 6))).toEqual([
      ['~Changed', 'usr_2', '', '80.00', '100.00', 'Order Completed'],
      ['+New', 'usr_3', '', 'none', '49.90', 'Order Completed'],
    ]);
    expect(section('Changed since the last sync').textContent).toContain('1 of 3 is unchanged and not sent');
    expect(byName('a', 'Order Completed of usr_2').getAttribute('href')).toMatch(/^#\/live\/\d+\/payload$/);
    await click(byName('button', 'Sync 2 changes'));
    await until(() => entry().includes('In sync'));
    expect(told().slice(2)).toEqual([
      ['usr_2', 100],
      ['usr_3', 49.9],
    ]);
  });

  it('shows the call of a changed row, and [ and ] move on', async () => {
    await openLifetime();
    await until(() => rows().length === 2);
    await click(byName('button', 'Show the call of usr_2'));
    await until(() => text().includes('2 of 2'));
    expect(section('Body').textContent).toContain('"lifetime_value": 80');
    await press(document.body, '[');
    await until(() => text().includes('1 of 2'));
    expect(byName('[role="table"]', 'Changed values').querySelector('[aria-current]')?.textContent).toContain('usr_1');
  });

  it('is edited in place: its values follow at once, and nothing is stored before it is saved', async () => {
    await openLifetime();
    await until(() => section('Values').textContent?.includes('median') === true);
    await choose('Kind', 'count');
    await until(() => section('Values').textContent?.includes('1 person has no value') === true);
    expect(text()).toContain('Not saved.');
    expect(inputsOf('audiences.save')).toHaveLength(1);
    await press(document.body, 's', { ctrlKey: true });
    await until(() => text().includes('Trait saved'));
    expect(inputsOf('audiences.save')[1]).toMatchObject({
      id: 1,
      source: { definition: { kind: 'count', event: 'Order Completed', path: null } },
    });
    await until(() => entry().includes('Count'));
    expect(text()).not.toContain('Not saved.');
  });

  it('keeps an edit that another screen interrupts, until it is discarded', async () => {
    await openLifetime();
    await choose('Kind', 'last');
    await act(async () => navigate({ screen: 'audiences', audienceId: null, tab: 'pending' }));
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'pending', traits: true }));
    await settle();
    expect(select('Kind').value).toBe('last');
    await click(byName('button', 'Discard'));
    expect(select('Kind').value).toBe('sum');
    expect(text()).not.toContain('Not saved.');
  });

  it('says why there is no sum', async () => {
    await open({}, () =>
      add('Texts', { ...LIFETIME, where: [{ path: 'properties.total', test: { op: 'is', value: '184.50' } }] }),
    );
    await until(() => text().includes('properties.total is a string in the one call, so there is no sum.'));
    expect(text()).toContain('Nobody has a value yet.');
  });

  it('that loses a value by time sends nothing for it', async () => {
    await open({}, () => add('Lifetime value', { ...LIFETIME, withinMs: 3_600_000 }));
    await until(() => rows().length === 2);
    await click(byName('button', 'Sync 2 users'));
    await until(() => entry().includes('In sync'));
    await act(async () => engine.pass(3_700_000));
    await until(() => text().includes('Nobody has a value any more. Nothing is sent for that.'));
    expect((byName('button', 'Nothing to send') as HTMLButtonElement).disabled).toBe(true);
    expect(told()).toHaveLength(2);
  });

  it('shows its syncs on their own page, and is removed after asking', async () => {
    await openLifetime();
    await until(() => rows().length === 2);
    await click(byName('button', 'Sync 2 users'));
    await until(() => entry().includes('In sync'));
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'pending', traits: true, sync: 1 }));
    await until(() => text().includes('of 2 users settled'));
    expect(text()).toContain('hookbench traits sync "Lifetime value" --wait');
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'pending', traits: true }));
    await settle();
    await click(byName('button', 'More for Lifetime value'));
    await click(byName('[role="menuitem"]', 'Remove'));
    expect(byName('[role="dialog"]', /./).textContent).toContain('the webhooks keep the values that they were told');
    await click(byName('[role="dialog"] footer button', 'Remove'));
    await until(() => text().includes('No computed trait yet.'));
  });

  it('whose definition cannot be read can be read again', async () => {
    await open({}, async () => {
      await add('Lifetime value', LIFETIME);
      engine.failNext('audiences.get', new ContractError('stopped'));
    });
    expect(text()).toContain('Could not read the definition.');
    await click(byName('button', 'Try again'));
    await until(() => document.querySelector('select[aria-label="Kind"]') !== null);
  });
});

describe('a new trait', () => {
  const openNew = () => open({ page: 'edit' } as Partial<Route>);

  it('shows its values before it is saved, with Ctrl S', async () => {
    await openNew();
    await typeText(input('Name'), 'Favourite currency');
    await choose('Kind', 'most_frequent');
    expect(text()).toContain('Say what is computed. Its values show here.');
    await typeText(input('Computed property'), 'properties.currency');
    await typeText(input('Event'), 'Order Completed');
    await until(() => section('Values').textContent?.includes('people per value') === true);
    expect(byName('svg', /Favourite currency of 4 people: most, 3, have EUR/)).toBeTruthy();
    expect(inputsOf('audiences.save')).toEqual([]);
    await press(input('Name'), 's', { ctrlKey: true });
    await until(() => text().includes('Trait added'));
    expect(useRouteStore.getState().route).toMatchObject({ traits: true, audienceId: 1 });
    expect(byName('[role="grid"] [role="row"]', /Favourite currency/).textContent).toContain('favourite_currency');
  });

  it('shows nothing of the values before while its definition is not complete', async () => {
    await openNew();
    await until(() => section('Values').textContent?.includes('median') === true);
    await choose('Kind', 'sum');
    expect(section('Values').textContent).toBe('ValuesSay what is computed. Its values show here.');
    await typeText(input('Computed property'), 'properties.total');
    await until(() => section('Values').textContent?.includes('median') === true);
  });

  it('is not saved without a name or a property, and says what is missing', async () => {
    await openNew();
    await click(byName('button', /^Save trait/));
    expect(text()).toContain('Enter a name.');
    await typeText(input('Name'), 'X');
    await choose('Kind', 'sum');
    await click(byName('button', /^Save trait/));
    expect(text()).toContain('Choose a property, such as properties.total.');
    expect(text()).toContain('The definition is not complete.');
    expect(inputsOf('audiences.save')).toEqual([]);
  });

  it('shows as a draft over the list, and comes back with Undo', async () => {
    await openNew();
    await typeText(input('Name'), 'Orders');
    await act(async () => navigate({ screen: 'audiences', audienceId: null, tab: 'pending', traits: true }));
    await settle();
    await click(byName('button', /^Orders.*Draft$/));
    expect(input('Name').value).toBe('Orders');
    await click(byName('button', 'Discard'));
    expect(text()).toContain('No computed trait yet.');
    await click(byName('button', 'Undo'));
    expect(input('Name').value).toBe('Orders');
  });
});
