/**
 * Earlier versions kept the default workspace in the app's own folder. This moves it once to where every shell looks
 * for it, and never overwrites a workspace that is already there.
 */
import { cpSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type EarlierWorkspace =
  | { readonly kind: 'none' }
  | { readonly kind: 'moved'; readonly from: string; readonly to: string }
  /** `isNew`: the person has not seen this message yet. */
  | { readonly kind: 'both'; readonly from: string; readonly to: string; readonly isNew: boolean };

export const earlierPlace = (appFolder: string): string => join(appFolder, 'workspaces', 'default');

/** True for a folder with anything in it. */
function holdsSomething(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Everything but the socket that a killed app leaves. */
function isStored(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isFile() || stat.isDirectory();
}

/** Moves to another disk: copies under another name first, so that a crash leaves the old folder, or both. */
function copyOver(from: string, to: string): void {
  const draft = `${to}.moving`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(from, draft, { recursive: true, preserveTimestamps: true, filter: isStored });
  renameSync(draft, to);
  try {
    rmSync(from, { recursive: true });
  } catch {
    // All of it is in its new place. The next start reports what is left here.
  }
}

function move(from: string, to: string, rename: typeof renameSync): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    // There may be an empty folder; rmdir removes no other.
    rmdirSync(to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  try {
    rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    copyOver(from, to);
  }
}

/** Leaves a mark beside the old place, so that a person is told once; every start logs it. */
function isFirstTime(from: string): boolean {
  try {
    writeFileSync(`${from}.left`, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** If it cannot move the workspace, throws an error that names both places and what to do. Tests replace `rename`. */
export function takeEarlierWorkspace(from: string, to: string, rename = renameSync): EarlierWorkspace {
  if (!holdsSomething(from)) return { kind: 'none' };
  if (holdsSomething(to)) return { kind: 'both', from, to, isNew: isFirstTime(from) };
  try {
    move(from, to, rename);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The workspace of an earlier version in ${from} could not be moved to ${to}: ${why}. ` +
        `Nothing was changed. Move the folder yourself, or start with --workspace ${JSON.stringify(from)}.`,
    );
  }
  return { kind: 'moved', from, to };
}

/** What a person is told; null when nothing happened. */
export function earlierWorkspaceText(found: EarlierWorkspace): { message: string; detail: string } | null {
  if (found.kind === 'none') return null;
  if (found.kind === 'moved')
    return {
      message: 'Your workspace was moved.',
      detail: `It is now in ${found.to}, where the command line looks for it too. It was in ${found.from}.`,
    };
  return {
    message: 'There are two workspaces.',
    detail:
      `Hookbench opens ${found.to}, as the command line does. The one of an earlier version was left as it is in ` +
      `${found.from}; to open it, start Hookbench with --workspace ${JSON.stringify(found.from)}.`,
  };
}
