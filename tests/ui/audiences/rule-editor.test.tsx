/** The rule editor on the real engine: calls come through ingest, and people are counted of what is stored. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { ToastRegion } from '../../../src/renderer/components/toast-region.tsx';
import { call } from '../../../src/renderer/platform/connect.ts';
import AudiencesScreen from '../../../src/renderer/screens/audiences/audiences-screen.tsx';
import { dropDraft } from '../../../src/renderer/screens/audiences/rule/drafts.ts';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
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
  type as typeText,
  until,
} from '../base/harness.tsx';

const CRM = { name: 'CRM sync', url: 'http://crm.test/hook', headers: {}, enabled: true };
const KEY = 'wk_shop';

let engine: SimEngine;
let shown: Rendered;

interface Shopper {
  readonly country: string;
  readonly orders: number;
  readonly name?: string;
}

/** Six people: `usr_1` to `usr_6`. */
const SHOP: readonly Shopper[] = [
  { country: 'AT', orders: 4, name: 'Mira Kovač' },
  { country: 'DE', orders: 3 },
  { country: 'DE', orders: 2 },
  { country: 'US', orders: 5 },
  { country: 'FR', orders: 0 },
  { country: 'IT', orders: 7 },
];

const identify = (userId: string, { country, name }: Shopper) => ({
  type: 'identify',
  userId,
  traits: { address: { country }, ...(name !== undefined && { name }) },
});
const order = (userId: string, total = 30) => ({
  type: 'track',
  userId,
  event: 'Order Completed',
  properties: { total },
});

async function open(shop: readonly Shopper[] = SHOP): Promise<void> {
  engine = await connectEngine({
    config: {
      sources: [{ name: 'shop', writeKey: KEY, kind: 'server', enabled: true, webhooks: true }],
      webhooks: { entries: [CRM] },
    },
  });
  const batch = shop.flatMap((shopper, i) => [
    identify(`usr_${i + 1}`, shopper),
    ...Array.from({ length: shopper.orders }, () => order(`usr_${i + 1}`)),
  ]);
  expect(await engine.post('/v1/batch', { batch }, KEY)).toBe(200);
  navigate({ screen: 'audiences', audienceId: null, tab: 'pending', page: 'edit' });
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
  dropDraft('new');
  dropDraft(1);
  disconnect();
});

const text = () => document.body.textContent ?? '';
const input = (name: string, scope: ParentNode = document) => byName('input', name, scope) as HTMLInputElement;
const tree = () => document.querySelector<HTMLElement>('[role="tree"]')!;
const items = () => [...tree().querySelectorAll<HTMLElement>('[role="treeitem"]')];
const labels = () => items().map((item) => item.getAttribute('aria-description') ?? '');
const part = (id: string) => items().find((item) => item.getAttribute('aria-description')!.startsWith(`${id}: `))!;
const matching = () => byName('section', 'Matching people').textContent ?? '';
const of = (command: string) => engine.calls.filter(({ name }) => name === command).map((one) => one.input);

async function choose(label: string, value: string, scope: ParentNode): Promise<void> {
  const select = byName('select', label, scope) as HTMLSelectElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, value);
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

async function add(kind: string): Promise<HTMLElement> {
  const before = items().length;
  await click(byName('button', 'Condition'));
  await click(byName('[role="menuitem"]', kind));
  await until(() => items().length === before + 1);
  return items().at(-1)!;
}

/** `address.country is one of AT, DE, FR, IT`. */
async function addCountry(values = 'AT, DE, FR, IT'): Promise<void> {
  const item = await add('Trait of the user');
  await typeText(input('Trait', item), 'address.country');
  await choose('Comparison', 'is_one_of', item);
  await typeText(input('Value', item), values);
}

async function addOrders(times: string): Promise<void> {
  const item = await add('How often an event came');
  await typeText(input('Event', item), 'Order Completed');
  await typeText(input('Times', item), times);
}

describe('an empty rule', () => {
  it('says what to do, and nobody is in', async () => {
    await open();
    expect(text()).toContain('Add a condition. Without one nobody is in.');
    expect(matching()).toContain('Nobody yet.');
    await typeText(input('Name'), 'Nobody');
    await press(document.body, 's', { ctrlKey: true });
    expect(document.querySelector('footer')!.textContent).toContain('Add a condition. Without one nobody is in.');
    expect(of('audiences.save')).toEqual([]);
  });
});

describe('the counts', () => {
  it('of each condition and of the result are those of the engine', async () => {
    await open();
    await addCountry();
    await until(() => matching().includes('5of 6 people'));
    await addOrders('3');
    await until(() => matching().includes('3of 6 people'));
    expect(labels()).toEqual([
      'All of these, 3 people',
      '1: address.country is one of AT, DE, FR, IT, 5 people',
      '2: Order Completed at least 3 times in the last 7 days, 4 people',
    ]);
    expect(tree().getAttribute('aria-label')).toBe(
      'All of: address.country is one of AT, DE, FR, IT; Order Completed at least 3 times in the last 7 days',
    );
    expect(matching()).toContain('50.0%');
  });

  it('follow a call at once, and say what the last edit did', async () => {
    await open();
    await addOrders('4');
    await until(() => matching().includes('3of 6 people'));
    await typeText(input('Times'), '3');
    await until(() => matching().includes('4of 6 people'));
    expect(matching()).toContain('+1by your last edit: at least 4 became at least 3');
    await act(async () => void (await engine.post('/v1/track', order('usr_3'), KEY)));
    await until(() => matching().includes('5of 6 people'));
    expect(matching()).toContain('+1joined in the last minute');
  });

  it('say when the next member leaves, and why', async () => {
    await open();
    await addOrders('7');
    await until(() => matching().includes('1of 6 people'));
    expect(matching()).toMatch(/until usr_6 leaves: an Order Completed gets older than 7 days/);
  });

  it('of a rule that is counted for long show how far it is, and can be cancelled', async () => {
    await open();
    await addOrders('3');
    await until(() => matching().includes('4of 6 people'));
    const slow = { done: false, progress: 0.62, people: 6, members: 0, nodes: [], sentence: 'All of: slow' };
    engine.answer('people.rule', () => ({ ...slow, joinedLastMinute: 0, leftLastMinute: 0, nextLeave: null }));
    await typeText(input('Times'), '2');
    await until(() => matching().includes('so far 62%'));
    expect(matching()).toContain('4of 6 people');
    await click(byName('button', 'Cancel'));
    expect(matching()).not.toContain('so far');
    expect(byName('button', 'Count')).toBeTruthy();
    expect(of('people.cancel').length).toBeGreaterThan(0);
  });
});

describe('the keyboard', () => {
  it('goes through the parts, moves them, and puts back what Backspace removed', async () => {
    await open();
    await addCountry();
    await addOrders('3');
    await click(byName('button', 'Group'));
    const inner = items().at(-1)!;
    await typeText(input('Trait', inner), 'name');
    await choose('Comparison', 'exists', inner);
    await until(() => matching().includes('of 6 people'));
    const says = () => labels().map((label) => label.replace(/, \d+ people$/, ''));
    const country = 'address.country is one of AT, DE, FR, IT';
    const orders = 'Order Completed at least 3 times in the last 7 days';
    await until(() => says().length === 5);
    expect(says()).toEqual(['All of these', `1: ${country}`, `2: ${orders}`, '3: Any of these', '3a: name exists']);

    part('1').focus();
    await press(part('1'), 'ArrowDown');
    expect(document.activeElement).toBe(part('2'));
    await press(part('2'), 'ArrowUp', { altKey: true });
    expect(says().slice(1, 3)).toEqual([`1: ${orders}`, `2: ${country}`]);
    expect(document.activeElement).toBe(part('1'));
    await press(part('2'), 'ArrowRight', { altKey: true });
    expect(says()).toEqual(['All of these', `1: ${orders}`, '2: Any of these', `2a: ${country}`, '2b: name exists']);
    await press(part('2a'), 'ArrowLeft', { altKey: true });
    expect(says().at(-1)).toBe(`3: ${country}`);

    await press(part('2a'), 'Backspace');
    expect(says()).toEqual(['All of these', `1: ${orders}`, `2: ${country}`]);
    await click(byName('button', 'Undo'));
    expect(says()).toEqual(['All of these', `1: ${orders}`, '2: Any of these', '2a: name exists', `3: ${country}`]);

    await press(part('1'), 'Enter');
    expect(document.activeElement).toBe(input('Event'));
    await press(input('Event'), 'Backspace');
    expect(says()).toHaveLength(5);
    await press(input('Times'), 'Escape');
    expect(document.activeElement).toBe(part('1'));
  });

  it('nests groups to three levels, not further', async () => {
    await open();
    await click(byName('button', 'Group'));
    await click(byName('button', 'Add to group 1'));
    await click(byName('[role="menuitem"]', 'Group'));
    expect(items().map((item) => item.getAttribute('aria-level'))).toEqual(['1', '2', '3', '3', '4']);
    await click(byName('button', 'Add to group 1b'));
    expect(byName('[role="menuitem"]', 'Group').getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the name', () => {
  it('of a trait that a source sends itself is warned of, with the next free name', async () => {
    await open();
    await typeText(input('Name'), 'Address');
    await until(() => text().includes('A receiver cannot tell the two apart.'));
    expect(text()).toContain(
      'shop already sends a trait address in 6 identify calls. A receiver cannot tell the two apart.',
    );
    expect((byName('button', /^Save audience/) as HTMLButtonElement).disabled).toBe(false);
    await click(byName('button', 'Use address_2'));
    await until(() => !text().includes('A receiver cannot'));
    expect(input('Trait sent').value).toBe('address_2');
  });

  it('of another audience is an error, and nothing can be saved', async () => {
    await open();
    await addOrders('3');
    await typeText(input('Name'), 'Buyers');
    await press(document.body, 's', { ctrlKey: true });
    await until(() => document.querySelector('h2')?.textContent === 'Buyers');
    await act(async () => navigate({ screen: 'audiences', audienceId: null, tab: 'pending', page: 'edit' }));
    await typeText(input('Name'), 'Buyers!');
    await until(() => text().includes('The audience Buyers sends buyers already.'));
    expect((byName('button', /^Save audience/) as HTMLButtonElement).disabled).toBe(true);
  });
});

describe('what is wrong', () => {
  it('stands under its field, and nothing is saved', async () => {
    await open();
    await addOrders('2.5');
    expect(part('1').textContent).toContain('2.5 is not a whole number of times.');
    expect(input('Times').getAttribute('aria-invalid')).toBe('true');
    await typeText(input('Name'), 'Wrong');
    await press(document.body, 's', { ctrlKey: true });
    expect(document.querySelector('footer')!.textContent).toContain('Some conditions are not complete.');
    expect(of('audiences.save')).toEqual([]);
  });

  it('a field that is empty is named only when somebody wants to save', async () => {
    await open();
    const item = await add('Trait of the user');
    expect(item.textContent).not.toContain('Choose a trait.');
    await typeText(input('Name'), 'Empty');
    await press(document.body, 's', { ctrlKey: true });
    expect(item.textContent).toContain('Choose a trait. Type a value.');
  });

  it('an event that never came says so, and nobody is in', async () => {
    await open();
    await addOrders('1');
    await typeText(input('Event'), 'Order Complet');
    await act(async () => input('Event').blur());
    await until(() => part('1').textContent!.includes('Not seen yet. 0 people.'));
    await until(() => matching().includes('0of 6 people'));
  });

  it('a count that fails can be tried again', async () => {
    await open();
    await addOrders('2');
    await until(() => matching().includes('5of 6 people'));
    engine.failNext('people.rule', new ContractError('people_off'));
    await typeText(input('Times'), '3');
    await until(() => matching().includes('Could not count. People do not run'));
    await click(byName('button', 'Try again'));
    await until(() => matching().includes('4of 6 people'));
  });
});

describe('the sample', () => {
  it('says why each is in, and marks the condition', async () => {
    await open();
    await addCountry();
    await addOrders('3');
    await until(() => matching().includes('3of 6 people'));
    const sample = () => byName('section', 'Sample');
    await until(() => sample().textContent!.includes('usr_6'));
    expect([...sample().querySelectorAll('li')].map((row) => row.textContent)).toEqual([
      'Mira Kova\u010dusr_11AT24 times',
      'usr_21DE23 times',
      'usr_61IT27 times',
    ]);
    const chip = [...sample().querySelectorAll('button')].find((one) => one.textContent === '24 times')!;
    const classes = () => part('2').className.split(' ').length;
    const before = classes();
    await act(async () => chip.focus());
    expect(classes()).toBe(before + 1);
    await click(chip);
    expect(document.activeElement).toBe(part('2'));
  });

  it('answers whether one user is in, with the first condition that fails', async () => {
    await open();
    await addCountry();
    await addOrders('3');
    await until(() => matching().includes('3of 6 people'));
    const verdict = () => byName('section', 'Is this user in?').querySelector('[role="status"]')!.textContent;
    await typeText(input('User id'), 'usr_3');
    await until(() => verdict() !== '');
    expect(verdict()).toBe('No.22 times in 7 days, 3 needed. All else fits.');
    await typeText(input('User id'), 'usr_4');
    await until(() => verdict()!.includes('US'));
    expect(verdict()).toBe('No.1address.country is US. All else fits.');
    await typeText(input('User id'), 'usr_1');
    await until(() => verdict()!.startsWith('Yes.'));
    await typeText(input('User id'), 'usr_1 ');
    await until(() => verdict()!.startsWith('No.'));
    expect(verdict()).toBe('No.No source knows it.');
  });
});

it('answers about the last complete rule while a further condition is written', async () => {
  await open();
  await addOrders('3');
  await until(() => matching().includes('4of 6 people'));
  await add('Trait of the user');
  await typeText(input('User id'), 'usr_3');
  const verdict = () => byName('section', 'Is this user in?').querySelector('[role="status"]')!.textContent!;
  await until(() => verdict() !== '');
  expect(verdict()).toBe('No.12 times in 7 days, 3 needed.');
});

it('knows the properties of the event for a filter', async () => {
  await open();
  await addOrders('3');
  await click(byName('button', 'Count only calls where'));
  await until(() => of('people.properties').length > 0);
  expect(of('people.properties')).toContainEqual({ event: 'Order Completed' });
  await typeText(input('Property'), 'properties.totl');
  await act(async () => input('Property').blur());
  await until(() => part('1').textContent!.includes('Not in its newest calls.'));
  await typeText(input('Property'), 'properties.total');
  await act(async () => input('Property').blur());
  await until(() => !part('1').textContent!.includes('Not in its newest calls.'));
});

describe('saving', () => {
  it('stores the rule, and the audience has its members', async () => {
    await open();
    await typeText(input('Name'), 'Repeat Buyers (EU)');
    await settle();
    expect(input('Trait sent').value).toBe('repeat_buyers_eu');
    await addCountry();
    await addOrders('3');
    await press(document.body, 's', { ctrlKey: true });
    await until(() => document.querySelector('h2')?.textContent === 'Repeat Buyers (EU)');
    expect(of('audiences.save')).toMatchObject([
      {
        name: 'Repeat Buyers (EU)',
        source: {
          by: 'computed',
          definition: {
            match: 'all',
            of: [
              { kind: 'trait', path: 'address.country', test: { op: 'is_one_of', values: ['AT', 'DE', 'FR', 'IT'] } },
              { kind: 'event', event: 'Order Completed', op: 'at_least', times: 3, withinMs: 604_800_000, where: [] },
            ],
          },
        },
      },
    ]);
    await until(() => byName('[role="grid"] [role="row"]', /Repeat Buyers/).textContent!.includes('3'));
    await click(byName('button', 'Edit rule'));
    await until(() => items().length === 3);
    expect(input('Value').value).toBe('AT, DE, FR, IT');
    expect(byName('[role="radio"]', 'Import').getAttribute('aria-disabled')).toBe('true');
  });

  it('reads a stored rule again when nobody has changed its draft', async () => {
    await open();
    await addOrders('3');
    await typeText(input('Name'), 'Buyers');
    await press(document.body, 's', { ctrlKey: true });
    await until(() => document.querySelector('h2')?.textContent === 'Buyers');
    const edit = async (): Promise<void> => {
      await click(byName('button', 'Edit rule'));
      await until(() => items().length === 2);
    };
    await edit();
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'members' }));
    const [{ source }] = of('audiences.save') as [{ source: { by: 'computed'; definition: { of: [object] } } }];
    source.definition.of = [{ ...source.definition.of[0], times: 9 }];
    await settled(call('audiences.save', { id: 1, kind: 'audience', name: 'Buyers', source } as never));
    await edit();
    expect(input('Times').value).toBe('9');
    await typeText(input('Times'), '8');
    await act(async () => navigate({ screen: 'audiences', audienceId: 1, tab: 'members' }));
    await edit();
    expect(input('Times').value).toBe('8');
  });

  it('a draft stays while another screen is shown, and Undo brings a discarded one back', async () => {
    await open();
    await typeText(input('Name'), 'Later');
    await act(async () => navigate({ screen: 'audiences', audienceId: null, tab: 'pending' }));
    await click(byName('button', /^Later/));
    expect(input('Name').value).toBe('Later');
    await click(byName('button', 'Discard'));
    expect(text()).not.toContain('from the name');
    await click(byName('button', 'Undo'));
    expect(input('Name').value).toBe('Later');
  });
});
