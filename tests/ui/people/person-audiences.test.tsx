/** The audiences of a person, on the real engine. */
import { afterEach, expect, it } from 'vitest';
import { ContractError } from '../../../src/contract/errors.ts';
import { call } from '../../../src/renderer/platform/connect.ts';
import PeopleScreen from '../../../src/renderer/screens/people/people-screen.tsx';
import { navigate } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  type Rendered,
  render,
  settle,
  settled,
  until,
} from '../base/harness.tsx';

const KEY = 'wk_shop';
const HOSTILE = '\u202eVIP <b>';
const byHand = { sync: { when: 'hand' as const }, track: false };
const CONFIG = {
  sources: [{ name: 'shop', writeKey: KEY, kind: 'web' as const, enabled: true, webhooks: true }],
  audiences: [
    { name: 'Buyers', userIds: ['usr_1', 'guest'], ...byHand },
    { name: 'Others', userIds: ['usr_2'], ...byHand },
    { name: HOSTILE, userIds: ['guest'], ...byHand },
  ],
};

let engine: SimEngine;
let shown: Rendered;
async function open(personId: string, before: (engine: SimEngine) => void = () => {}): Promise<void> {
  engine = await connectEngine({ config: CONFIG });
  const batch = [
    { type: 'track', userId: 'usr_1', event: 'Seen' },
    { type: 'alias', userId: 'usr_1', previousId: 'guest' },
    { type: 'track', userId: 'usr_9', event: 'Seen' },
    { type: 'page', anonymousId: 'a1', name: 'Home' },
  ];
  await settled(engine.post('/v1/batch', { batch }, KEY));
  before(engine);
  navigate({ screen: 'people', personId });
  shown = await render(<PeopleScreen />);
  await settle();
}
afterEach(() => {
  shown.unmount();
  disconnect();
});

const fact = () =>
  [...document.querySelectorAll('dt')]
    .find((term) => term.textContent === 'Audiences')
    ?.parentElement?.querySelector('dd');
const links = () =>
  [...document.querySelectorAll('[aria-label="Audiences of this person"] a')].map(
    (link) => `${link.getAttribute('href')} ${link.textContent}`,
  );
const edit = (id: number, add: string[], remove: string[] = []) =>
  settled(call('audiences.editMembers', { id, add, remove }));

it('counts those of every id once, and opened leads to each', async () => {
  await open('usr_1');
  await until(() => fact()?.textContent === '2');
  const count = byName('button', 'In 2 audiences');
  expect(count.getAttribute('aria-expanded')).toBe('false');
  await click(count);
  expect(count.getAttribute('aria-expanded')).toBe('true');
  expect(links()[0]).toBe('#/audiences/1/members Buyers');
  expect(links()[1]).toMatch(/^#\/audiences\/3\/members/);
  expect(links()[1]).not.toContain('\u202e');
  await click(count);
  expect(links()).toEqual([]);
});

it('follows who comes and goes, also where the numbers of members stay', async () => {
  await open('usr_1');
  await until(() => fact()?.textContent === '2');
  await click(byName('button', 'In 2 audiences'));
  await edit(2, ['usr_1'], ['usr_2']);
  await until(() => links().length === 3);
  expect(links()[1]).toBe('#/audiences/2/members Others');
  await edit(1, [], ['usr_1', 'guest']);
  await until(() => links().length === 2);
  await settled(call('audiences.remove', { id: 3 }));
  await until(() => links().length === 1);
});

it('says when there is none, also of somebody without a user id', async () => {
  await open('usr_9');
  await until(() => fact()?.textContent === 'None');
  await edit(2, ['usr_9']);
  await until(() => fact()?.textContent === '1');
  await edit(2, [], ['usr_9']);
  await until(() => fact()?.textContent === 'None');
  shown.unmount();
  navigate({ screen: 'people', personId: 'a1' });
  shown = await render(<PeopleScreen />);
  await until(() => fact()?.textContent === 'None');
});

it('says when they cannot be read, and reads again', async () => {
  await open('usr_1', () => engine.failNext('audiences.withUser', new ContractError('internal', 'The disk is gone.')));
  await until(() => fact()?.textContent?.includes('Could not read audiences.') === true);
  await click(byName('button', 'Try again', fact()!));
  await until(() => fact()?.textContent === '2');
});
