import { Dialog } from '../components/dialog.tsx';
import type { ScreenEntry } from './screen-entry.ts';
import css from './shortcuts-dialog.module.css';

export interface ShortcutGroup {
  title: string;
  keys: ReadonlyArray<readonly [keys: string, action: string]>;
}

const WINDOW_KEYS: ShortcutGroup = {
  title: 'Window',
  keys: [
    ['- =', 'Slower, faster retry clock'],
    [',', 'Pause or resume the retry clock'],
    ['.', 'Step to the next round'],
    ['Ctrl .', 'Pause or resume delivery'],
    ['F', 'Ingest faults on or off'],
    ['Ctrl \\', 'Sidebar as a rail'],
    ['Ctrl ,', 'Settings'],
    ['F6', 'Next region'],
    ['?', 'This list'],
  ],
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

/** Every working shortcut. Screens add their groups. */
export function ShortcutsDialog({
  open,
  onClose,
  screens,
  groups,
}: {
  open: boolean;
  onClose: () => void;
  screens: readonly ScreenEntry[];
  groups: readonly ShortcutGroup[];
}) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" width={560}>
      <div className={css.groups}>
        {shortcutGroups(screens, groups).map((group) => (
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
    </Dialog>
  );
}
