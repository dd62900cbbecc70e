/** Every working shortcut, in groups: in the sheet of `?` and under Settings, Shortcuts. Screens add their groups. */
import { createContext } from 'react';
import type { ScreenEntry } from './screen-entry.ts';
import css from './shortcut-list.module.css';
import { WINDOW_ACTIONS } from './window-actions.ts';

export interface ShortcutGroup {
  title: string;
  keys: ReadonlyArray<readonly [keys: string, action: string]>;
}

const WINDOW_KEYS: ShortcutGroup = {
  title: 'Window',
  keys: [...WINDOW_ACTIONS.map(({ keys, title }) => [keys, title] as const), ['F6', 'Next region']],
};

/** In the order in which they are shown. */
export const shortcutGroups = (
  screens: readonly ScreenEntry[],
  groups: readonly ShortcutGroup[],
): readonly ShortcutGroup[] => [
  { title: 'Go to', keys: screens.map(({ key, label }) => [`G ${key.toUpperCase()}`, label] as const) },
  WINDOW_KEYS,
  ...groups,
];

/** The groups of this window, for screens, which cannot know of each other. */
export const ShortcutGroups = createContext<readonly ShortcutGroup[]>([]);

/**
 * The shortcuts that a text finds: every word of it is in the name of the group or of the action, or is the keys' own
 * name. Groups without any are left out.
 */
export function findShortcuts(groups: readonly ShortcutGroup[], wanted: string): readonly ShortcutGroup[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  const found = groups.map(({ title, keys }) => ({
    title,
    keys: keys.filter(([combination, action]) => {
      const text = `${title} ${action}`.toLowerCase();
      const names = combination.toLowerCase().split(' ');
      return words.every((word) => text.includes(word) || names.includes(word));
    }),
  }));
  return found.filter(({ keys }) => keys.length > 0);
}

export const ShortcutList = ({ groups }: { groups: readonly ShortcutGroup[] }) => (
  <div className={css.groups}>
    {groups.map((group) => (
      <section key={group.title}>
        <h3>{group.title}</h3>
        <dl>
          {group.keys.map(([keys, action]) => (
            <div key={keys}>
              <dt>{action}</dt>
              <dd>
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </div>
);
