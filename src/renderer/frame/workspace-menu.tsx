import { ChevronsUpDown, FolderOpen, FolderPlus, Keyboard, Monitor, Moon, Settings, Sun } from 'lucide-react';
import { useState } from 'react';
import type { KnownWorkspace } from '../../contract/workspaces.ts';
import menuCss from '../components/menu.module.css';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { Tag } from '../components/tag.tsx';
import { Text } from '../components/text.tsx';
import { isApple } from '../lib/platform.ts';
import { useRecords } from '../stores/records.ts';
import { lastRoute, navigate } from '../stores/route.ts';
import { setTheme, type ThemeChoice, useView } from '../stores/view.ts';
import { useDemo } from './demo/use-demo.ts';
import { Mark } from './mark.tsx';
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx';
import css from './sidebar.module.css';
import { SwitchDialog } from './switch-dialog.tsx';
import {
  canSwitch,
  chooseFolder,
  copyCommand,
  type OthersRead,
  openDemo,
  useOtherWorkspaces,
} from './use-workspaces.ts';

const THEMES = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'light', label: 'Light', icon: Sun },
] as const;

/** The most workspaces in the menu; the shell keeps a few more. */
const MOST = 8;

/** The name of the open workspace, the others, and what belongs to the window. */
export function WorkspaceMenu({ rail, onShortcuts }: { rail: boolean; onShortcuts: () => void }) {
  const workspace = useRecords((state) => state.workspace);
  const isDemo = useDemo() !== null;
  const theme = useView((state) => state.theme);
  const letterKeys = useView((state) => state.letterKeys);
  const { others, read } = useOtherWorkspaces();
  const [asked, setAsked] = useState<'new' | { readonly folder: string } | null>(null);
  const name = workspace?.name ?? 'Hookbench';
  const close = () => setAsked(null);
  return (
    <>
      <Menu
        onOpen={read}
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
          ...(isDemo ? [] : workspaceItems(others, setAsked)),
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
      {asked === 'new' && <NewWorkspaceDialog onChosen={(folder) => setAsked({ folder })} onClose={close} />}
      {asked !== null && asked !== 'new' && <SwitchDialog folder={asked.folder} onClose={close} />}
    </>
  );
}

/** The demo leads back by its tour and opens no other workspace. */
function workspaceItems(others: OthersRead, ask: (asked: 'new' | { readonly folder: string }) => void): MenuItem[] {
  const choose = async () => {
    const folder = await chooseFolder();
    if (folder !== null) ask({ folder });
  };
  const open = (folder: string) => (canSwitch() ? ask({ folder }) : copyCommand(folder));
  return [
    ...otherItems(others, open),
    ...(canSwitch() ? [{ label: 'Open folder…', icon: FolderOpen, run: () => void choose() }] : []),
    { label: 'New workspace…', icon: FolderPlus, run: () => ask('new') },
    'divider',
  ];
}

function otherItems(others: OthersRead, open: (folder: string) => void): MenuItem[] {
  if (others === 'failed') return [{ kind: 'text', text: 'The other workspaces could not be read.' }];
  if (others === null || others.length === 0) return [];
  return [
    { kind: 'text', text: canSwitch() ? 'Other workspaces' : 'Other workspaces: copy the command that opens one' },
    ...others.slice(0, MOST).map((one) => otherItem(one, open)),
  ];
}

const otherItem = ({ name, folder, isDemo, isThere }: KnownWorkspace, open: (folder: string) => void): MenuItem => ({
  label: name,
  isName: true,
  title: folder,
  hint: isThere ? (isDemo ? 'Demo' : undefined) : 'Folder is missing',
  disabled: !isThere,
  run: () => (isDemo ? openDemo() : open(folder)),
});
