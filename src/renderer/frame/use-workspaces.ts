/** The other workspaces, and the ways to open one from this window. */
import { useState } from 'react';
import type { KnownWorkspace } from '../../contract/workspaces.ts';
import { quoted } from '../lib/shell-word.ts';
import { call } from '../platform/connect.ts';
import { leave } from '../platform/leave.ts';
import { copyAndSay } from '../stores/copied.ts';
import { showError, showFailure, showToast } from '../stores/toasts.ts';

/** Null: they are being read. `failed`: they could not be. */
export type OthersRead = readonly KnownWorkspace[] | 'failed' | null;

/** `read` reads them anew. */
export function useKnownWorkspaces(): { readonly others: OthersRead; readonly read: () => void } {
  const [others, setOthers] = useState<OthersRead>(null);
  const read = () => {
    call('workspaces.list').then(setOthers, () => setOthers('failed'));
  };
  return { others, read };
}

/** True in the desktop window. A page cannot change the workspace of the process that serves it. */
export const canSwitch = (): boolean => window.hookbench?.openWorkspace !== undefined;

export const commandFor = (folder: string): string => `hookbench serve --workspace ${quoted(folder)}`;

export const copyCommand = (folder: string): void => void copyAndSay(commandFor(folder), 'Command copied');

/** The demo opens beside this workspace. */
export function openDemo(): void {
  call('demo.open', {}).then(
    ({ url }) => {
      if (url === null) showToast({ title: 'The demo shop is open in a window of its own.' });
      else leave.to(url);
    },
    (error: unknown) => showFailure('open the demo', error),
  );
}

/** Asks a person for a folder; null when there is none to open. What keeps it from being opened is shown. */
export async function chooseFolder(): Promise<string | null> {
  const chosen = await window.hookbench?.chooseWorkspace?.(null);
  if (chosen?.end === 'refused') showError({ title: 'Could not open the folder', body: chosen.problem });
  return chosen?.end === 'chosen' ? chosen.folder : null;
}

/** The window goes away when it works. */
export async function switchTo(folder: string): Promise<void> {
  const problem = await window.hookbench?.openWorkspace?.(folder);
  if (typeof problem === 'string') showError({ title: 'Could not open the workspace', body: problem });
}
