/** Opens another workspace in place of this one: the app ends in order and starts again with it. */
import { BrowserWindow, dialog } from 'electron';
import type { ChosenWorkspace } from '../shell/bridge-names.ts';
import type { KnownWorkspaces } from '../shell/known-workspaces.ts';
import { withWorkspace } from '../shell/start-options.ts';
import { folderProblem, newWorkspace } from '../shell/workspace-folder.ts';

export interface SwitchParts {
  /** The folder that is open. */
  readonly workspace: string;
  readonly known: KnownWorkspaces;
  readonly argv: readonly string[];
  /** Ends the app in order, and starts it again with these arguments. */
  startAgain(args: readonly string[]): void;
}

export class WorkspaceSwitch {
  readonly #parts: SwitchParts;
  /** Folders that a person chose, which the page may name. */
  readonly #chosen = new Set<string>();

  constructor(parts: SwitchParts) {
    this.#parts = parts;
  }

  /** With a name: the folder of a new workspace. Null: a person chooses a folder. */
  async choose(name: string | null): Promise<ChosenWorkspace> {
    const chosen = name === null ? await askForFolder() : newWorkspace(name);
    if (chosen === null) return { end: 'cancelled' };
    const problem = 'problem' in chosen ? chosen.problem : name === null ? folderProblem(chosen.folder) : null;
    if (problem !== null || 'problem' in chosen) return { end: 'refused', problem: problem ?? '' };
    this.#chosen.add(chosen.folder);
    return { end: 'chosen', folder: chosen.folder };
  }

  /** Null when the app begins to end, else why not. The page can name only what is known or was chosen. */
  open(folder: string): string | null {
    const { workspace, known, argv, startAgain } = this.#parts;
    const isKnown = known.others(workspace).some((one) => one.folder === folder);
    const problem = isKnown ? folderProblem(folder) : this.#chosen.has(folder) ? null : 'Choose the folder again.';
    if (problem === null) startAgain(withWorkspace(argv.slice(1), folder));
    return problem;
  }
}

async function askForFolder(): Promise<{ readonly folder: string } | null> {
  const options = { title: 'Open a workspace', properties: ['openDirectory' as const, 'createDirectory' as const] };
  const window = BrowserWindow.getFocusedWindow();
  const { canceled, filePaths } = await (window === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(window, options));
  const [folder] = filePaths;
  return canceled || folder === undefined ? null : { folder };
}
