/** Where the app keeps its own data about a workspace: the place of the window, and the lock for a single instance. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { truePath } from '../shell/true-path.ts';

/**
 * Electron's lock belongs to a user data folder. Each workspace has its own, so that two workspaces can run side by
 * side. A second start of a workspace, by any name of its folder, brings the window of the first to the front. The
 * default workspace has the app's own folder.
 */
export function userDataOf(appFolder: string, workspace: string, defaultWorkspace: string): string {
  const folder = truePath(workspace);
  if (folder === truePath(defaultWorkspace)) return appFolder;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  return join(appFolder, 'profiles', name);
}
