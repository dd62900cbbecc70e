import { ChevronsUpDown, Keyboard, Monitor, Moon, Settings, Sun } from 'lucide-react';
import menuCss from '../components/menu.module.css';
import { Menu } from '../components/menu.tsx';
import { Tag } from '../components/tag.tsx';
import { Text } from '../components/text.tsx';
import { isApple } from '../lib/platform.ts';
import { useRecords } from '../stores/records.ts';
import { lastRoute, navigate } from '../stores/route.ts';
import { setTheme, type ThemeChoice, useView } from '../stores/view.ts';
import { useDemo } from './demo/use-demo.ts';
import { Mark } from './mark.tsx';
import { useOtherWorkspaces } from './other-workspaces.tsx';
import css from './sidebar.module.css';

const THEMES = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'light', label: 'Light', icon: Sun },
] as const;

/** The name of the open workspace, the others, and what belongs to the window. */
export function WorkspaceMenu({ rail, onShortcuts }: { rail: boolean; onShortcuts: () => void }) {
  const workspace = useRecords((state) => state.workspace);
  const isDemo = useDemo() !== null;
  const theme = useView((state) => state.theme);
  const letterKeys = useView((state) => state.letterKeys);
  const others = useOtherWorkspaces();
  const name = workspace?.name ?? 'Hookbench';
  return (
    <>
      <Menu
        onOpen={others.read}
        trigger={
          <button
            type="button"
            className={css.workspace}
            aria-label={`Workspace ${name}${isDemo ? ' Demo' : ''}, menu`}
          >
            <Mark />
            {!rail && (
              <span className="ellipsis">
                <Text>{name}</Text>
              </span>
            )}
            {/* A space, so that the text is not one word with the mark. */} {!rail && isDemo && <Tag>Demo</Tag>}
            {!rail && <ChevronsUpDown className="icon" aria-hidden="true" />}
          </button>
        }
        header={
          workspace && (
            <div className={menuCss.head}>
              <p className="mono muted ellipsis" title={workspace.folder}>
                <Text ltr>{workspace.folder}</Text>
              </p>
            </div>
          )
        }
        items={[
          // The demo leads back by its tour and opens no other workspace.
          ...(isDemo ? [] : [...others.items, 'divider' as const]),
          {
            kind: 'choice',
            label: 'Theme',
            value: theme,
            options: THEMES,
            onChange: (value) => setTheme(value as ThemeChoice),
          },
          'divider',
          {
            kind: 'toggle',
            label: 'Single-letter shortcuts',
            checked: letterKeys,
            onChange: (on) => useView.setState({ letterKeys: on }),
          },
          {
            label: 'Settings',
            icon: Settings,
            keys: isApple() ? '⌘ ,' : 'Ctrl ,',
            run: () => navigate(lastRoute('settings')),
          },
          { label: 'Keyboard shortcuts', icon: Keyboard, keys: '?', run: onShortcuts },
        ]}
      />
      {others.dialogs}
    </>
  );
}
