import { act } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { App, SCREENS, SHORTCUTS } from '../../../src/renderer/app.tsx';
import { findShortcuts, shortcutGroups } from '../../../src/renderer/frame/shortcut-list.tsx';
import { navigate } from '../../../src/renderer/stores/route.ts';
import { useView } from '../../../src/renderer/stores/view.ts';
import {
  byName,
  click,
  connectEngine,
  disconnect,
  press,
  type Rendered,
  render,
  type as typeText,
  until,
} from '../base/harness.tsx';

const LISTED = shortcutGroups(SCREENS, SHORTCUTS);
let shown: Rendered | null = null;
async function open(): Promise<void> {
  await connectEngine();
  navigate({ screen: 'settings', section: 'shortcuts' });
  shown = await render(<App />);
  await until(() => document.querySelector('[role="searchbox"]') !== null);
}
afterEach(() => {
  act(() => useView.setState({ letterKeys: true }));
  shown?.unmount();
  shown = null;
  disconnect();
});

/** What a list shows: each group's title, then its actions with their keys. */
const rows = (scope: ParentNode): string[] =>
  [...scope.querySelectorAll('h3, dl > div')].map((one) =>
    one.matches('h3')
      ? one.textContent!
      : `${one.querySelector('dt')!.textContent}: ${[...one.querySelectorAll('kbd')].map((key) => key.textContent).join(' ')}`,
  );
const main = () => document.querySelector('main')!;
const search = () => byName('[role="searchbox"]', 'Find a shortcut') as HTMLInputElement;
const status = () => main().querySelector('section:last-of-type [role="status"]')!.textContent;

describe('Settings, Shortcuts', () => {
  it('lists every shortcut in the groups and the order of the sheet of ?', async () => {
    await open();
    const listed = rows(main());
    expect(listed).toEqual(
      LISTED.flatMap(({ title, keys }) => [title, ...keys.map(([key, action]) => `${action}: ${key}`)]),
    );
    expect(status()).toBe(`${LISTED.reduce((sum, { keys }) => sum + keys.length, 0)} shortcuts`);
    await press(document.body, '?');
    expect(rows(document.querySelector('[role="dialog"]')!)).toEqual(listed);
  });

  it('finds shortcuts by words of the action and its group, and by a key', async () => {
    await open();
    await typeText(search(), 'retry slower');
    expect(rows(main())).toEqual(['Window', 'Slower retry clock: -']);
    expect(status()).toBe('1 shortcut');
    await typeText(search(), 'f6');
    expect(rows(main())).toEqual(['Window', 'Next region: F6']);
    await typeText(search(), 'no such words');
    expect(rows(main())).toEqual([]);
    expect(status()).toBe('No shortcut has these words.');
    await press(search(), 'Escape');
    expect(search().value).toBe('');
    expect(rows(main()).length).toBeGreaterThan(LISTED.length);
  });

  it('turns single letters off and on', async () => {
    await open();
    const single = byName('[role="switch"]', 'Single-letter shortcuts');
    await click(single);
    for (const key of ['g', 's']) await press(document.body, key);
    expect(location.hash).toBe('#/settings/shortcuts');
    await click(single);
    for (const key of ['g', 's']) await press(document.body, key);
    expect(location.hash).toBe('#/sources');
  });
});

describe('the search for shortcuts', () => {
  it('takes a key as a whole name, so that a letter does not find every action that has it', () => {
    const groups = [
      {
        title: 'List',
        keys: [
          ['J', 'Next row'],
          ['Ctrl A', 'All rows'],
        ],
      },
    ] as const;
    expect(findShortcuts(groups, '  ')).toBe(groups);
    expect(findShortcuts(groups, 'CTRL').flatMap(({ keys }) => keys)).toEqual([['Ctrl A', 'All rows']]);
    expect(findShortcuts(groups, 'list next').flatMap(({ keys }) => keys)).toEqual([['J', 'Next row']]);
    expect(findShortcuts(groups, 'ctr')).toEqual([]);
  });
});
