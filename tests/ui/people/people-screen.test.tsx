/** People on the real engine. */
import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import PeopleScreen from '../../../src/renderer/screens/people/people-screen.tsx';
import { liveStream } from '../../../src/renderer/stores/live/store.ts';
import { useRecords } from '../../../src/renderer/stores/records.ts';
import { formatRoute, navigate, parseRoute, useRouteStore } from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
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

const KEY = 'wk_shop';
const CONFIG = {
  sources: [{ name: 'storefront-web', writeKey: KEY, kind: 'web' as const, enabled: true, webhooks: true }],
};

let engine: SimEngine;
let shown: Rendered;
type Call = Record<string, unknown> & { readonly type: string };

async function open(calls: readonly Call[], personId: string | null = null): Promise<void> {
  engine = await connectEngine({ config: CONFIG });
  if (calls.length > 0) await send(...calls);
  navigate({ screen: 'people', personId });
  shown = await render(<PeopleScreen />);
  await settle();
}
const send = (...batch: Call[]) => settled(engine.post('/v1/batch', { batch }, KEY));
afterEach(() => {
  shown.unmount();
  useView.setState({ peopleSort: 'last_seen' });
  disconnect();
});

async function choose(select: HTMLElement, value: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, value);
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

const text = () => document.body.textContent ?? '';
const names = () => [...document.querySelectorAll('[data-person]')].map((row) => row.firstElementChild?.textContent);
const region = (name: string) => document.querySelector<HTMLElement>(`[aria-label="${name}"]`);

const anonymousId = '5e0c91';
const SHOP: readonly Call[] = [
  { type: 'identify', userId: 'usr_41c0', anonymousId, traits: { name: 'Lee Park' } },
  { type: 'track', anonymousId, event: 'Product Added' },
  { type: 'page', anonymousId, name: 'Shipping' },
  { type: 'identify', userId: 'usr_8f21', anonymousId, traits: { name: 'Mira', seats: 12, email: 'm@example.com' } },
  { type: 'alias', userId: 'usr_8f21', previousId: 'guest_2217' },
  { type: 'group', userId: 'usr_8f21', groupId: 'grp_118', traits: { name: 'Acme Outlet' } },
  { type: 'identify', userId: 'usr_8f21', traits: { seats: '12' } },
];

describe('the list', () => {
  it('says how somebody appears, and shows who does', async () => {
    await open([]);
    await until(() => text().includes('Nobody yet.'));
    expect(text()).toContain('A person appears with the first call that has a userId or anonymousId.');
    await send({ type: 'track', userId: 'usr_1', event: 'Seen' }, { type: 'page', anonymousId: 'a1', name: 'Home' });
    await until(() => names().length === 2);
    expect(text()).toContain('2 people');
    expect(region('People')?.textContent).toContain('anon a1');
  });

  it('has twelve placeholders until the first answer, and is not empty meanwhile', async () => {
    engine = await connectEngine({ config: CONFIG });
    await send(...SHOP);
    let answer = () => {};
    const asked = new Promise<void>((done) => {
      answer = done;
    });
    engine.answer('people.list', async () => {
      await asked;
      return { people: 0, matching: 0, isCounted: true, uncounted: 0, withFindings: 0, rows: [] };
    });
    navigate({ screen: 'people', personId: null });
    shown = await render(<PeopleScreen />);
    const list = region('People')!;
    expect(list.querySelector('[aria-busy="true"]')).not.toBeNull();
    await until(() => list.querySelectorAll('[data-skeleton="shown"] > div').length === 12);
    expect(text()).not.toContain('Nobody yet.');
    answer();
    await until(() => text().includes('Nobody yet.'));
    expect(list.querySelector('[data-skeleton]')).toBeNull();
  });

  it('never says that all calls are read while it waits for the answer', async () => {
    await open(SHOP);
    await until(() => names().length === 2 && useRecords.getState().people?.progress === 1);
    engine.failNext('people.list', new ContractError('people_counting', 'The calls are being read.'));
    await send({ type: 'track', userId: 'usr_1', event: 'Seen' });
    await until(() => text().includes('Reading the stored calls, '));
    expect(text()).toContain('Reading the stored calls, 99.9%');
  });

  it('is searched by a name, and says when nobody matches', async () => {
    await open(SHOP);
    await until(() => names().length === 2);
    expect(names()).toEqual(['Mira', 'Lee Park']);
    await typeText(byName('input', 'Search people'), 'lee');
    await until(() => names().length === 1);
    expect(text()).toContain('1 of 2 people');
    await typeText(byName('input', 'Search people'), 'nobody');
    await until(() => text().includes('Nobody matches.'));
    await click(byName('button', 'Clear search'));
    await until(() => names().length === 2);
  });

  it('marks who has findings, in the order that was chosen', async () => {
    await open([...SHOP, { type: 'track', userId: 'usr_9', event: 'Seen' }]);
    await until(() => text().includes('3 people, 2 with findings'));
    const marks = () =>
      [...document.querySelectorAll('[data-person]')].map((row) => row.querySelector('[role="img"]')?.ariaLabel);
    expect(marks()).toEqual([undefined, '3 findings', '1 finding']);
    await choose(byName('select', 'Order of people'), 'findings');
    await until(() => names()[0] === 'Mira');
    expect(names()).toEqual(['Mira', 'Lee Park', 'No name']);
    expect(useView.getState().peopleSort).toBe('findings');
    await choose(byName('select', 'Order of people'), 'last_seen');
    await until(() => names()[0] === 'No name');
    // The call that makes a finding changes the mark.
    await send(
      { type: 'identify', userId: 'usr_9', traits: { a: 1 } },
      { type: 'identify', userId: 'usr_9', traits: { a: '1' } },
    );
    await until(() => marks()[0] === '1 finding');
    expect(text()).toContain('3 people, 3 with findings');
  });

  it('says dots, and not nothing, for findings that are still counted', async () => {
    engine = await connectEngine({ config: CONFIG });
    await send(...SHOP);
    engine.amend('people.list', (view) => ({
      ...view,
      isCounted: false,
      uncounted: 1,
      rows: view.rows.map((row, i) => ({ ...row, findings: i === 0 ? null : 0 })),
    }));
    navigate({ screen: 'people', personId: null });
    shown = await render(<PeopleScreen />);
    await until(() => names().length === 2);
    const marks = [...document.querySelectorAll('[data-person] [role="img"]')].map(({ ariaLabel }) => ariaLabel);
    expect(marks).toEqual(['Findings are being counted']);
    expect(region('People')!.querySelector('[role="status"]')!.textContent).toBe('2 people');
    await choose(byName('select', 'Order of people'), 'findings');
    await until(() => text().includes('1 of 2 people counted'));
  });

  it('is walked with the arrow keys, one stop for Tab', async () => {
    await open(SHOP, 'usr_8f21');
    await until(() => names().length === 2);
    const rows = [...document.querySelectorAll<HTMLElement>('[data-person]')];
    expect(rows.map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
    rows[0]!.focus();
    await press(rows[0]!, 'ArrowDown');
    expect(formatRoute(useRouteStore.getState().route)).toBe('#/people/usr_41c0');
    expect(document.activeElement).toBe(rows[1]);
    await press(rows[1]!, 'ArrowDown');
    expect(formatRoute(useRouteStore.getState().route)).toBe('#/people/usr_41c0');
  });

  it('says why it cannot be read, and reads again', async () => {
    engine = await connectEngine({ config: CONFIG });
    await send(...SHOP);
    engine.failNext('people.list', new ContractError('people_off', 'The thread of people ended.'));
    navigate({ screen: 'people', personId: null });
    shown = await render(<PeopleScreen />);
    await until(() => text().includes('Could not read people.'));
    expect(text()).toContain('The thread of people ended.');
    await click(byName('button', 'Try again'));
    await until(() => names().length === 2);
    expect(text()).not.toContain('Could not read people.');
  });
});

describe('a person', () => {
  it('has findings, each with its call and its number in the timeline', async () => {
    await open(SHOP, 'usr_8f21');
    await until(() => region('Findings') !== null);
    const findings = [...region('Findings')!.querySelectorAll('li')];
    expect(findings.map((one) => one.querySelector('.medium')?.textContent)).toEqual([
      'A trait changed its type: seats',
      'identify after track: 2 calls before were anonymous',
      'Two users on one anonymousId: no reset at logout',
    ]);
    expect(findings.map((one) => one.querySelector('a')?.getAttribute('href'))).toEqual([
      '#/live/7/payload',
      '#/live/4/payload',
      '#/live/2/payload',
    ]);
    await until(() => region('Calls')!.textContent!.includes('Product Added'));
    const numbers = [...region('Calls')!.querySelectorAll('li')].map(
      (row) => row.querySelector('[title^="Finding"]')?.textContent,
    );
    expect(numbers).toEqual(['1', undefined, undefined, '2', undefined, '3']);
    expect([...region('Calls')!.firstElementChild!.children].map((one) => one.textContent)).toEqual([
      'Received',
      '',
      'Type',
      'Event',
      'Source',
      '12345',
    ]);
    expect(region('Calls')!.querySelector('summary')?.textContent).toContain('Session 1today');
    const ties = [...region('Calls')!.querySelectorAll('[role="img"][aria-label*="Id"]')].map((one) => one.ariaLabel);
    expect(ties.at(-1)).toBe('with an anonymousId alone');
  });

  it('shows its ids as a picture and as a table, with the way to who shares one', async () => {
    await open(SHOP, 'guest_2217');
    await until(() => region('Identity') !== null);
    const identity = region('Identity')!;
    expect(identity.textContent).toContain('1 anonymous id, 1 alias, 1 group');
    expect(identity.querySelector('[role="img"]')?.getAttribute('aria-label')).toBe(
      'Identity: 1 anonymous id, 1 alias, 1 group',
    );
    await click(byName('button', 'View as table'));
    expect([...identity.querySelectorAll('tbody tr')].map((row) => row.textContent)).toEqual([
      '5e0c91usr_8f21',
      '5e0c91usr_41c0 (another person)',
      'guest_2217usr_8f21',
    ]);
    expect(identity.textContent).not.toContain('same person');
    expect([...identity.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['#/people/usr_41c0']);
    await click(byName('button', 'View as graph'));
    expect(identity.textContent).toContain('same person');
  });

  it.each([
    ['at the edge, when nothing is left of it', { userId: 'usr_1' }, ['0px', '0px']],
    ['beside its anonymous id', { userId: 'usr_1', anonymousId }, ['0px', '180px', '180px']],
  ])('draws a person and its group %s', async (_where, ids, lefts) => {
    await open([{ type: 'group', ...ids, groupId: 'acme' }], 'usr_1');
    await until(() => region('Identity') !== null);
    const nodes = region('Identity')!.querySelectorAll<HTMLElement>('[title]');
    expect([...nodes].map(({ style }) => style.left)).toEqual(lefts);
  });

  it('shows traits with the values before, and the type where it changed', async () => {
    await open(SHOP, 'usr_8f21');
    await until(() => region('Traits') !== null);
    const traits = [...region('Traits')!.querySelectorAll('dl > div')].map((one) => one.lastElementChild?.textContent);
    expect(traits).toEqual(['"12" was 12, a number', 'm@example.com', 'Mira']);
    await send({ type: 'identify', userId: 'usr_8f21', traits: { seats: null } });
    await send({ type: 'identify', userId: 'usr_8f21', traits: { seats: 7 } });
    await until(() => region('Traits')!.textContent!.includes('7 was'));
    expect(region('Traits')!.querySelector('dl > div')?.lastElementChild?.textContent).toBe('7 was null, "12", 12');
  });

  it('leads to its calls in the live stream', async () => {
    await open(SHOP, 'usr_8f21');
    await until(() => text().includes('Show 7 calls with these ids'));
    await click(byName('button', 'Show 7 calls with these ids'));
    expect(useRouteStore.getState().route.screen).toBe('live');
    const ids = ['usr_8f21', 'guest_2217', '5e0c91'].map((id) => ({ id }));
    expect(liveStream.snapshot().query.terms).toEqual([
      { key: 'user', values: ids },
      { key: 'status', values: ['rejected'], not: true },
      { key: 'type', values: ['delete'], not: true },
    ]);
  });

  it('says how many calls it leads to where one of its ids is also that of another person', async () => {
    await open(SHOP, 'usr_8f21');
    await until(() => text().includes('Show 7 calls with these ids'));
    await send({ type: 'track', userId: 'usr_8f2', event: 'A longer id' });
    await send({ type: 'track', userId: 'usr_8f21' });
    await until(() => text().includes('3 people'));
    await click(byName('button', 'Show 7 calls with these ids'));
    const filter = { terms: liveStream.snapshot().query.terms };
    expect((await settled(call('messages.ids', { filter, limit: 100 }))).ids).toHaveLength(7);
  });

  it('that is erased while it is open gives way to words, and comes back with a call', async () => {
    await open(SHOP, 'usr_8f21');
    await until(() => text().includes('Show 7 calls with these ids'));
    await send({ type: 'track', userId: 'usr_9', event: 'Newest' });
    expect(await settled(call('storage.clear', { upTo: 7 }))).toMatchObject({ removed: 7 });
    await until(() => text().includes('Nobody has this id.'));
    expect(region('Person')).toBeNull();
    await send({ type: 'track', userId: 'usr_8f21', event: 'Back' });
    await until(() => text().includes('Show 1 call'));
    expect(text()).not.toContain('Nobody has this id.');
  });

  it('stays when it cannot be read again, and says so with the way to try', async () => {
    await open(SHOP, 'usr_8f21');
    await until(() => region('Findings') !== null && names().length === 2);
    for (const name of ['people.person', 'people.list'])
      engine.failNext(name, new ContractError('people_off', 'The thread of people ended.'));
    await send({ type: 'track', userId: 'usr_8f21', event: 'More' });
    await until(() => document.querySelectorAll('[title="The thread of people ended."]').length === 2);
    for (const old of document.querySelectorAll('[title="The thread of people ended."]'))
      expect(old.textContent).toBe('Could not read people.Try again');
    expect(region('Findings')!.querySelectorAll('li')).toHaveLength(3);
    expect(names()).toHaveLength(2);
    for (const old of document.querySelectorAll('[title="The thread of people ended."]'))
      await click(old.querySelector('button')!);
    await until(() => !text().includes('Could not read people.'));
    expect(text()).toContain('Show 8 calls with these ids');
  });

  it('learns calls that arrive, and says that nothing is wrong when nothing is', async () => {
    await open([{ type: 'track', userId: 'usr_1', event: 'Seen' }], 'usr_1');
    await until(() => text().includes('Nothing found in 1 call.'));
    await send({ type: 'track', userId: 'usr_1', event: 'Bought' });
    await until(() => text().includes('Nothing found in 2 calls.'));
    expect(text()).toContain('Show 2 calls');
  });

  it('shows six findings at first, and the others when asked', async () => {
    await open(
      Array.from({ length: 20 }, (_, i) => ({
        type: 'identify',
        userId: 'u',
        traits: { seats: i % 2 === 0 ? i : `${i}` },
      })),
      'u',
    );
    await until(() => region('Findings') !== null);
    expect(region('Findings')!.textContent).toContain('Findings 19');
    expect(region('Findings')!.querySelectorAll('li')).toHaveLength(6);
    await click(byName('button', 'Show 13 more of 19'));
    expect(region('Findings')!.querySelectorAll('li')).toHaveLength(19);
  });

  it('that nobody is says so', async () => {
    await open(SHOP, 'usr_0');
    await until(() => text().includes('Nobody has this id.'));
  });
});

it('any id has an address', () => {
  for (const personId of ['usr_8f21', ' a/b?c#d%', 'ليلى', '\u202e'])
    expect(parseRoute(formatRoute({ screen: 'people', personId }))).toEqual({ screen: 'people', personId });
  expect(parseRoute('#/people')).toEqual({ screen: 'people', personId: null });
  expect(parseRoute('#/people/%E0%A4%A')).toEqual({ screen: 'people', personId: null });
});
