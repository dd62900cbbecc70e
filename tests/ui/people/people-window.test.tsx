/** 100,000 people in the list, of whom a few are drawn. The engine's own answers: tests/integration/people-cli.test.ts. */
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PersonRow } from '../../../src/contract/persons.ts';
import PeopleScreen from '../../../src/renderer/screens/people/people-screen.tsx';
import { navigate, useRouteStore } from '../../../src/renderer/stores/route.ts';
import type { SimEngine } from '../../helpers/sim-engine.ts';
import {
  byName,
  connectEngine,
  disconnect,
  inputsOf,
  press,
  type Rendered,
  render,
  type as typeText,
  until,
} from '../base/harness.tsx';

const ALL = 100_000;
const ROW = 54;

let engine: SimEngine;
let shown: Rendered;
/** Answers wait for this. */
let gate: Promise<void>;

const personAt = (at: number): PersonRow => ({
  key: { kind: 'user', id: `u${at}` },
  name: `Person ${at}`,
  calls: ALL - at,
  findings: 0,
  firstSeenAt: 1,
  lastSeenAt: 2,
});

beforeEach(async () => {
  // jsdom has no layout: ten rows fit.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(10 * ROW);
  gate = Promise.resolve();
  engine = await connectEngine();
  engine.answer('people.list', async ({ search = '', from = 0, limit }) => {
    await gate;
    const matching = search === '' ? ALL : 3;
    const rows = Array.from({ length: Math.max(0, Math.min(limit, matching - from)) }, (_, i) => personAt(from + i));
    return { people: ALL, matching, isCounted: true, uncounted: 0, withFindings: 0, rows };
  });
  navigate({ screen: 'people', personId: null });
  shown = await render(<PeopleScreen />);
  await until(() => names().length > 0);
});
afterEach(() => {
  shown.unmount();
  disconnect();
  vi.restoreAllMocks();
});

const list = () => byName('section', 'People');
const rows = () => [...list().querySelectorAll<HTMLElement>('li')];
const names = () => [...list().querySelectorAll('[data-person]')].map((row) => row.firstElementChild!.textContent!);
const waiting = () => rows().filter((row) => row.getAttribute('aria-busy') === 'true').length;
const selected = () => list().querySelector('[aria-current]')?.firstElementChild?.textContent ?? null;
const personId = () => {
  const { route } = useRouteStore.getState();
  return route.screen === 'people' ? route.personId : null;
};
const scroller = () => list().querySelector<HTMLElement>('ul')!.parentElement!.parentElement!.parentElement!;
async function scrollTo(row: number): Promise<void> {
  await act(async () => {
    scroller().scrollTop = row * ROW;
    scroller().dispatchEvent(new Event('scroll'));
  });
}
const key = (name: string) => press((document.activeElement as HTMLElement) ?? document.body, name);

it('draws those in sight and asks for those around them alone', async () => {
  expect(names().length).toBeLessThan(40);
  expect(names()[0]).toBe('Person 0');
  expect(rows()[0]!.getAttribute('aria-setsize')).toBe(String(ALL));
  await scrollTo(60_000);
  await until(() => names().includes('Person 60000'));
  expect(rows().length).toBeLessThan(40);
  expect(rows().map((row) => row.getAttribute('aria-posinset'))).toContain('60001');
  const asked = inputsOf('people.list');
  for (const one of asked) expect(one).toMatchObject({ limit: 150 });
  expect(asked.at(-1)).toMatchObject({ from: 59_900 });
});

it('has a row at every place in sight also while they are read', async () => {
  let open = () => {};
  gate = new Promise((done) => {
    open = done;
  });
  await scrollTo(50_000);
  const places = rows().map((row) => Number(row.getAttribute('aria-posinset')) - 1);
  for (let at = 50_000; at < 50_010; at += 1) expect(places).toContain(at);
  expect(waiting()).toBe(rows().length);
  open();
  await until(() => waiting() === 0);
  expect(names()).toContain('Person 50009');
});

it('keeps the selection that goes out of sight, and walks on from it', async () => {
  byName('[data-person]', /^Person 0/).focus();
  await key('ArrowDown');
  await until(() => selected() === 'Person 0');
  await key('ArrowDown');
  await until(() => selected() === 'Person 1');
  expect(personId()).toBe('u1');
  await scrollTo(300);
  await until(() => names().includes('Person 300'));
  expect(selected()).toBe('Person 1');
  expect(document.activeElement?.textContent).toContain('Person 1');
  await key('ArrowDown');
  await until(() => selected() === 'Person 2');
  expect(scroller().scrollTop).toBe(2 * ROW);
});

it('goes to its end, by pages and back, and selects there what was not known before', async () => {
  byName('[data-person]', /^Person 0/).focus();
  await key('End');
  await until(() => selected() === `Person ${ALL - 1}`);
  expect(document.activeElement?.textContent).toContain(`Person ${ALL - 1}`);
  expect(personId()).toBe(`u${ALL - 1}`);
  await key('ArrowDown');
  expect(personId()).toBe(`u${ALL - 1}`);
  await key('PageUp');
  await until(() => selected() === `Person ${ALL - 10}`);
  await key('PageDown');
  await until(() => selected() === `Person ${ALL - 1}`);
  await key('Home');
  await until(() => selected() === 'Person 0');
  expect(scroller().scrollTop).toBe(0);
});

it('begins at its top for another search', async () => {
  await scrollTo(70_000);
  await until(() => names().includes('Person 70000'));
  await typeText(byName('input', 'Search people'), 'kov');
  await until(() => names().length === 3);
  expect(scroller().scrollTop).toBe(0);
  expect(names()).toEqual(['Person 0', 'Person 1', 'Person 2']);
  expect(list().textContent).toContain('3 of 100,000 people');
});
