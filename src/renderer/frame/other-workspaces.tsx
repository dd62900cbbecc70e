import { FolderOpen, FolderPlus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { KnownWorkspace } from '../../contract/workspaces.ts';
import type { MenuItem } from '../components/menu.tsx';
import { NewWorkspaceDialog } from './new-workspace-dialog.tsx';
import { SwitchDialog } from './switch-dialog.tsx';
import {
  canSwitch,
  chooseFolder,
  copyCommand,
  type OthersRead,
  openDemo,
  useKnownWorkspaces,
} from './use-workspaces.ts';

/** The most workspaces in the menu; the shell keeps a few more. */
const MOST = 8;

type Asked = 'new' | { readonly folder: string };

/** The other workspaces and the ways to one, as items of a menu. `dialogs` stand beside the menu; `read` reads anew. */
export function useOtherWorkspaces(): { items: MenuItem[]; dialogs: ReactNode; read: () => void } {
  const { others, read } = useKnownWorkspaces();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const dialogs = (
    <>
      {asked === 'new' && <NewWorkspaceDialog onChosen={(folder) => setAsked({ folder })} onClose={close} />}
      {asked !== null && asked !== 'new' && <SwitchDialog folder={asked.folder} onClose={close} />}
    </>
  );
  return { items: itemsOf(others, setAsked), dialogs, read };
}

function itemsOf(others: OthersRead, ask: (asked: Asked) => void): MenuItem[] {
  const choose = async () => {
    const folder = await chooseFolder();
    if (folder !== null) ask({ folder });
  };
  const open = (folder: string) => (canSwitch() ? ask({ folder }) : copyCommand(folder));
  return [
    ...otherItems(others, open),
    ...(canSwitch() ? [{ label: 'Open folder…', icon: FolderOpen, run: () => void choose() }] : []),
    { label: 'New workspace…', icon: FolderPlus, run: () => ask('new') },
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
